"""At which width of the ROPE the verdict would be another."""

from __future__ import annotations

from math import inf

from ropewalk.decide import flips, probabilities, scaled
from ropewalk.posterior import Point, Posterior
from ropewalk.report.comparison import Comparison

_SAME = 1e-6


def sensitivity(c: Comparison, threshold: float) -> str:
    """The other verdicts and the ROPEs that they need, the nearest first; "" where that is not known.

    It is known where the verdict is the threshold rule on the posterior of one number.
    """
    posterior = _one_number(c, threshold)
    if posterior is None:
        return ""
    found = flips(posterior, c.rope, threshold)
    wide = inf if found.wide is None else found.wide
    zones = [(found.side, 0.0, found.narrow), ("undecided", found.narrow, wide), ("equivalent", wide, inf)]
    real = [(name, low, high) for name, low, high in zones if low < high]
    below = [f"below {_edges(c, high)} (then: {name})" for name, _, high in real if high <= 1]
    above = [f"{_edges(c, low)} or wider (then: {name})" for name, low, _ in real if low > 1]
    texts = [*reversed(below), *above]
    return f"the ROPE were {', '.join(texts)}" if texts else ""


def _one_number(c: Comparison, threshold: float) -> Posterior | None:
    """The posterior, if the verdict is read off it by the threshold."""
    p = c.posterior
    if hasattr(p, "most_probable") or isinstance(p, Point):
        return None
    if c.rope.is_point or c.rope.scale == "share" or c.verdict.rule != f"threshold {threshold:g}":
        return None
    now, then = probabilities(p, c.rope), c.verdict.probabilities
    same = abs(now.better - then.better) + abs(now.worse - then.worse) < _SAME
    return p if same else None  # otherwise it is another reading, such as the likeliest outcome


def _edges(c: Comparison, times: float) -> str:
    low, high = scaled(c.rope, times)
    if c.rope.scale == "phi":
        return f"phi {low:.3f} to {high:.3f}"
    return f"±{high:.3g}" if low == -high else f"{low:+.3g} to {high:+.3g}"

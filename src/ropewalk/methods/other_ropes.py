"""What a comparison says for other ROPEs, without its data being read or its model fitted again."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from ropewalk.bayes import sign
from ropewalk.bayes.signed_rank import sample
from ropewalk.decide import probabilities, scaled
from ropewalk.posterior import DirichletRegions, Point, Posterior, Probabilities, WeightedRegions
from ropewalk.results.comparison import Comparison, Outcomes

Floats = NDArray[np.float64]

MOST_UNITS = 5_000  # the signed-rank test of more units takes too long to be done for many ROPEs
DRAWS = 20_000  # of the signed-rank test: a probability is good to 0.0035
_LEAST, _BUDGET = 2_000, 5e8  # draws where there are many ROPEs and units, and nanoseconds, about
_SAME = 1e-6
_ROUNDING = 1e-12  # what is left between two tails of a ROPE without width


def follows(c: Comparison) -> bool:
    """Whether the answer follows the ROPE: it depends on one, and can be computed again in no time."""
    if c.rope.scale not in ("score", "phi") or c.rope.origin == "unneeded":
        return False
    return c.method != "signed_rank" or isinstance(c.posterior, Point) or c.n <= MOST_UNITS


def by_posterior(posterior: Posterior, scale: str, low: Floats, high: Floats) -> Floats:
    """Better and worse for each ROPE, 2 x ROPEs, from a posterior of one number."""
    above, below = posterior.sf(high), posterior.cdf(np.nextafter(low, -np.inf))
    return np.stack([below, above] if scale == "phi" else [above, below])


def by_sign(d: Floats, counts: Floats | None, low: Floats, high: Floats) -> Floats:
    """The same for the sign test, from its differences."""
    ropes = zip(low.tolist(), high.tolist(), strict=True)
    return _two([sign(d, rope, counts=counts).most_probable for rope in ropes])


def _two(found: list[Probabilities]) -> Floats:
    return np.array([[p.better for p in found], [p.worse for p in found]])


def is_regions(posterior: object) -> bool:
    """Whether it is a posterior of the three regions, and not of one number."""
    return isinstance(posterior, DirichletRegions | WeightedRegions)


def tallied(c: Comparison) -> tuple[Floats, Floats | None] | None:
    """The differences, and how often each was where they were counted; None where only sums are known."""
    e = c.evidence
    if isinstance(e, Outcomes):
        return e.values, e.counts.astype(np.float64)
    d = np.asarray(getattr(e, "d", ()), dtype=np.float64)
    return (d, None) if d.size else None


def at_times(c: Comparison, times: Floats) -> Floats | None:
    """Better, equivalent and worse, 3 x times, with a ROPE so many times as wide; None where it is not known.

    It is not known where the test has no ROPE or the ROPE no width, where the verdict is another reading than
    can be computed again, and where only sums of the data were kept.
    """
    if not follows(c) or c.rope.is_point:
        return None
    low, high = (np.asarray(edge) for edge in scaled(c.rope, times))
    sides = _sides(c, low, high)
    if sides is None:
        return None
    better, worse = np.clip(sides, 0.0, 1.0)
    between = 1 - better - worse
    return np.stack([better, np.where(between > _ROUNDING, between, 0.0), worse])


def _sides(c: Comparison, low: Floats, high: Floats) -> Floats | None:
    if is_regions(c.posterior):
        data = tallied(c)
        if data is None or isinstance(c.posterior, DirichletRegions):
            return None if data is None else by_sign(*data, low, high)
        d, counts = data
        every = d if counts is None else np.repeat(d, counts.astype(np.intp))
        each = 2.0 * every.size * min(2 * low.size, every.size)  # nanoseconds of a draw at all ROPEs
        draws = int(np.clip(_BUDGET / each, _LEAST, DRAWS))
        found = sample(every, list(zip(low.tolist(), high.tolist(), strict=True)), draws=draws)
        return _two([regions.most_probable for (regions,) in found])
    if c.method == "hierarchical_t":
        return c.evidence.fitted.most_probable(low, high)  # type: ignore[no-any-return,union-attr]
    posterior = cast("Posterior", c.posterior)
    now, then = probabilities(posterior, c.rope), c.verdict.probabilities
    if abs(now.better - then.better) + abs(now.worse - then.worse) > _SAME:
        return None  # another reading, such as the likeliest outcome
    return by_posterior(posterior, c.rope.scale, low, high)

"""One number per task: the signed-rank test alongside the answer about the mean, and why the two disagree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk import bayes
from ropewalk.decide import Rope
from ropewalk.errors import short
from ropewalk.methods.answer import decide
from ropewalk.methods.pair import Ask, Pair
from ropewalk.posterior import Probabilities, WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.results.comparison import Check
from ropewalk.results.evidence import OverTasks
from ropewalk.results.formatting import series, share, three

NAME = "signed-rank test"
_DRAWS = 20_000  # the standard error of a probability is at most 0.0035
_FAR = 3.5  # robust standard deviations from the median (Iglewicz and Hoaglin 1993)
_ROBUST = 1.4826  # scales the median absolute deviation to the standard deviation of a normal
_SKEWED = 1.0
_FEW = 10  # tasks


def signed_rank(d: Floats, rope: Rope) -> WeightedRegions:
    """Run the Bayesian signed-rank test on the same differences, with separate draws."""
    return bayes.signed_rank(d, (rope.low, rope.high), draws=_DRAWS, rng=0)


def opinion(pair: Pair, rope: Rope, p: Probabilities, ask: Ask) -> list[Check]:
    """Check with the signed-rank test, and why its verdict differs; none if only sums are known."""
    if not pair.d.size:
        return []
    regions = signed_rank(pair.d, rope)
    q = regions.most_probable
    before, after = (decide(pair.a, pair.b, one, ask) for one in (p, q))
    numbers = {"better": q.better, "equivalent": q.equivalent, "worse": q.worse, "error": regions.error}
    numbered = three(pair.a, pair.b, q, ask.rule.least)
    if before.name == after.name:
        text = f"{numbered} for the likeliest outcome on a new task: the same verdict"
        return [Check(name=NAME, kind="second opinion", ok=True, text=text, numbers=numbers)]
    names = pair.evidence.names if isinstance(pair.evidence, OverTasks) else []
    a, b = short(pair.a), short(pair.b)
    said = {"better": f"{a} better", "worse": f"{b} better"}
    sure = "" if after.name == "undecided" else f" ({share(getattr(q, after.name), ask.rule.least)})"
    text = (
        f"{said.get(after.name, after.name)} on a new task{sure}, but {said.get(before.name, before.name)} "
        f"on average, because {reason(pair.d, names)}"
    )
    return [Check(name=NAME, kind="disagreement", ok=False, text=text, numbers=numbers)]


def reason(d: Floats, names: Sequence[str]) -> str:
    """Return why a test on the mean and a test on ranks may disagree on these differences.

    >>> reason(np.array([0.01] * 11 + [0.9]), [f"t{i}" for i in range(12)])
    'task t11 (+0.9) is far from the others'
    """
    found = []
    middle = float(np.median(d))
    spread = _ROBUST * float(np.median(np.abs(d - middle)))
    far = np.flatnonzero(np.abs(d - middle) > _FAR * spread)
    if 0 < far.size <= max(1, d.size // 5):
        first = far[np.argsort(-np.abs(d[far] - middle))][:3]
        each = [f"{short(names[i], 24) if len(names) else i} ({d[i]:+.3g})" for i in first]
        more = f" and {far.size - 3} more" if far.size > 3 else ""
        verb = "is" if far.size == 1 else "are"
        found.append(f"task{'s' if far.size > 1 else ''} {series(each)}{more} {verb} far from the others")
    elif abs(_skewness(d)) > _SKEWED:
        found.append("the differences are skewed, so their mean is far from most of them")
    if d.size < _FEW:
        found.append(f"there are only {d.size} tasks")
    return "; ".join(found) or "the mean is close to the edge of the ROPE"


def _skewness(d: Floats) -> float:
    z = d - d.mean()
    sd = float(np.sqrt(np.mean(z**2)))
    return float(np.mean(z**3)) / sd**3 if sd > 0 else 0.0

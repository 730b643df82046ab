"""Number of further units that would decide a row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

if TYPE_CHECKING:
    from ropewalk.gate.claims import GateClaims, NotWorse, Worse
    from ropewalk.posterior import Posterior

MOST = 10**9  # more units than this are not practical advice


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """The margin, and the least probability for each of the two claims."""

    margin: float
    passes_from: float
    fails_from: float

    def probabilities(self, not_worse: NotWorse, worse: Worse) -> tuple[float, float]:
        """Return the probabilities of "not worse" and "worse"; worse by exactly the margin is not worse."""
        edge = np.nextafter(-self.margin, -np.inf)
        return float(not_worse.sf(edge)), float(worse.cdf(edge))

    def name(self, fine: float, worse: float) -> Literal["not worse", "worse", "undecided"]:
        if fine >= self.passes_from:
            return "not worse"
        return "worse" if worse >= self.fails_from else "undecided"


def how_many_more(claims: GateClaims, levels: Levels, n: int) -> int | None:
    """Number of further units, if they are like those so far; None if no practical number would decide.

    If the claims with more units of the same kind can be computed, the smallest number is
    searched for; it is exact if all answers are equal. Otherwise intervals are assumed to shrink as
    1/sqrt(N). For refused data it is the number of varying units that are missing.
    """
    if claims.refused:
        return claims.lacking
    if claims.grown is None:
        return _by_root(claims, levels, n)
    low, high = n, 2 * n
    while not _decided(claims, levels, high / n):
        low, high = high, 2 * high
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _decided(claims, levels, middle / n) else (middle, high)
    return high - n


def _decided(claims: GateClaims, levels: Levels, factor: float) -> bool:
    assert claims.grown is not None
    return levels.name(*levels.probabilities(*claims.grown(factor))) != "undecided"


def _by_root(claims: GateClaims, levels: Levels, n: int) -> int | None:
    """N at which |bound - median| sqrt(n/N) = |median + margin|, if the median stays the same."""
    lower, upper = cast("Posterior", claims.not_worse), cast("Posterior", claims.worse)
    bound, middle = (float(q) for q in lower.quantile([1 - levels.passes_from, 0.5]))
    if middle <= -levels.margin:  # then it leans towards worse
        middle, bound = (float(q) for q in upper.quantile([0.5, levels.fails_from]))
    gap, half = middle + levels.margin, bound - middle
    if gap == 0 or not math.isfinite(half):
        return None
    needed = n * (half / gap) ** 2 - n
    return max(1, math.ceil(needed)) if needed < MOST else None

"""The Bayesian sign test where a part of the differences is known only in part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.bayes.edges import edges
from ropewalk.bayes.intervals import Intervals
from ropewalk.bayes.prior import positive
from ropewalk.posterior.ranges import REGIONS, RegionRanges
from ropewalk.posterior.regions import largest

Counts = tuple[float, float, float]


def censored_sign(
    low: ArrayLike, high: ArrayLike, rope: float | Sequence[float], *, strength: float = 1.0
) -> RegionRanges:
    """Range of the sign test's probabilities over all differences that lie between their bounds.

    Parameters
    ----------
    low, high : array_like
        Bounds of the advantage of A over B on each unit. Equal where the difference is known; -inf or inf
        where there is no bound. The difference lies strictly between unequal bounds.
    rope : float or (low, high)
        Differences that do not matter.
    strength : float, default 1.0
        Weight of the prior observation, in the ROPE; with a ROPE of zero width, half on each side.

    Returns
    -------
    RegionRanges
        Lowest and highest probability that each region is the most probable one.

    Notes
    -----
    Formula::

        `sign` for every way to put the unknown units into regions that their bounds allow. Given the rest,
        Pr(region k is the largest) = ∫ f_k F_i F_j grows with the count of k, and log F is concave in its
        count: of the units that may go to i or to j, the lowest probability has all of them on one side. So
        both ends are found exactly without trying all completions.

    Assumes
        independent units. It does not matter why a difference is unknown.

    Not for
        data in which hardly any difference is known: the range is then too wide to be useful.

    If all differences are known, both ends are those of `sign`.

    References
    ----------
    .. [1] Mangili, Benavoli, de Campos & Zaffalon 2015, Biometrical Journal 57, 1002-1019.
    .. [2] Benavoli, Corani, Demšar & Zaffalon 2017, eq. 10 (jmlr.org/papers/v18/16-305.html).

    Examples
    --------
    >>> from math import inf
    >>> r = censored_sign([5, 8, 2, 9, 4, -inf], [5, inf, 2, inf, 4, inf], rope=1)
    >>> [round(p, 3) for p in r.better], r.unknown
    ([0.891, 0.984], 1)
    """
    data = Intervals.of(low, high)
    bottom, top = edges(rope)
    positive(strength=strength)
    may = data.may_be(bottom, top)
    possible = np.stack([may[region] for region in REGIONS])
    open_ = ~data.known & (possible.sum(axis=0) > 1)
    settled = Intervals(low=data.low[~open_], high=data.high[~open_])
    known = _settled(settled, bottom, top, strength)
    better, equivalent, worse = (_range(k, known, possible[:, open_]) for k in range(3))
    return RegionRanges(
        better=better,
        equivalent=equivalent,
        worse=worse,
        units=data.low.size,
        unknown=int(open_.sum()),
        attained=True,
        error=0.0,
    )


def _settled(data: Intervals, bottom: float, top: float, strength: float) -> Counts:
    """The Dirichlet parameters from the prior and the units whose region is known."""
    # A unit strictly between bounds that lie in one region counts fully there, even if a bound is an edge.
    better = np.where(data.known, (data.low > top) + 0.5 * (data.low == top), data.low >= top).sum()
    worse = np.where(data.known, (data.low < bottom) + 0.5 * (data.low == bottom), data.high <= bottom).sum()
    equivalent = data.low.size - better - worse
    if bottom == top:  # no ROPE: the prior observation counts half for each side
        return float(better + strength / 2), float(equivalent), float(worse + strength / 2)
    return float(better), float(equivalent + strength), float(worse)


def _range(k: int, known: Counts, possible: NDArray[np.bool_]) -> tuple[float, float]:
    """The lowest and highest Pr(region k is the largest) over all assignments of the open units."""
    i, j = (other for other in range(3) if other != k)
    mine, to_i, to_j = possible[k], possible[i], possible[j]
    # Lowest: a unit goes to k only if it must. All units that may go to i or j go to the same one.
    forced_i, forced_j = int(np.sum(to_i & ~to_j)), int(np.sum(to_j & ~to_i))
    free = int(np.sum(to_i & to_j))
    lowest = min(_largest_at(k, known, {i: forced_i + n, j: forced_j + free - n}) for n in {0, free})
    # Highest: every unit that may go to k does. The others are split between i and j in the best way.
    others = ~mine
    fixed_i, fixed_j = int(np.sum(others & to_i & ~to_j)), int(np.sum(others & to_j & ~to_i))
    left = int(np.sum(others & to_i & to_j))
    splits: Iterable[int] = range(left + 1)
    highest = max(
        _largest_at(k, known, {k: int(mine.sum()), i: fixed_i + n, j: fixed_j + left - n}) for n in splits
    )
    return lowest, max(lowest, highest)


def _largest_at(k: int, known: Counts, more: dict[int, int]) -> float:
    return largest([count + more.get(region, 0) for region, count in enumerate(known)])[k]

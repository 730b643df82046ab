"""The Bayesian signed-rank test where a part of the differences is known only in part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.bayes.edges import edges
from ropewalk.bayes.intervals import Intervals
from ropewalk.bayes.prior import check_draws, positive
from ropewalk.bayes.region_draws import BLOCK, THREADS
from ropewalk.errors import OptionError
from ropewalk.posterior.base import Floats
from ropewalk.posterior.ranges import RegionRanges
from ropewalk.threads import side_by_side

_TIE = 1e-12


def censored_signed_rank(
    low: ArrayLike,
    high: ArrayLike,
    rope: float | Sequence[float],
    *,
    strength: float = 0.5,
    z0: float = 0.0,
    draws: int = 150_000,
    rng: int | np.random.Generator = 0,
) -> RegionRanges:
    """Range of the signed-rank test's probabilities over all differences that lie between their bounds.

    Parameters
    ----------
    low, high : array_like
        Bounds of the advantage of A over B on each unit. Equal where the difference is known; -inf or inf
        where there is no bound.
    rope : float or (low, high)
        Differences that do not matter.
    strength : float, default 0.5
        Weight of the prior observation at `z0`.
    z0 : float, default 0
        Position of the prior observation.
    draws : int, default 150_000
        Number of draws of the weights.
    rng : int or numpy.random.Generator, default 0
        Random seed.

    Returns
    -------
    RegionRanges
        A range of the probability that each region is the most probable one. It holds for every completion.

    Notes
    -----
    Formula::

        as for `signed_rank`, z = d between `low` and `high`. In a draw theta_better grows and theta_worse
        falls with every z, so theta_better is in [b(low), b(high)] and theta_worse in [w(high), w(low)]. A
        region is certainly the largest if it is for all values in these intervals, and possibly the largest
        if it is for some. The shares of draws in which this happens bound the probability from both sides.

    Assumes
        independent units. It does not matter why a difference is unknown.

    Not for
        data in which hardly any difference is known: the range is then too wide to be useful.

    If the ROPE has zero width, the range is exact. With a wider ROPE it may be slightly too wide, but never
    too narrow. If all differences are known, both ends are those of `signed_rank`.

    References
    ----------
    .. [1] Mangili, Benavoli, de Campos & Zaffalon 2015, Biometrical Journal 57, 1002-1019.
    .. [2] Benavoli, Corani, Demšar & Zaffalon 2017, eq. 11 (jmlr.org/papers/v18/16-305.html).

    Examples
    --------
    >>> from math import inf
    >>> r = censored_signed_rank([5, 8, 2, 9, 4, -inf], [5, inf, 2, inf, 4, inf], rope=0, draws=20_000)
    >>> r.better[0] < 0.95 < r.better[1]
    True
    """
    data = Intervals.of(low, high)
    bottom, top = edges(rope)
    positive(strength=strength)
    check_draws(draws)
    if not np.isfinite(z0):
        raise OptionError(f"z0 is {z0}", hint="Give a finite place for the prior observation.")
    lowest, highest = (
        _PrefixSums.of(np.append(_finite(z, bottom, top, z0), z0), bottom, top) for z in (data.low, data.high)
    )
    rows = max(1, min(draws, BLOCK // (data.low.size + 1)))
    starts = range(0, draws, rows)
    seeds = np.random.default_rng(rng).spawn(len(starts))

    def block(part: tuple[int, np.random.Generator]) -> Floats:
        start, generator = part
        size = min(rows, draws - start)
        w = np.empty((data.low.size + 1, size))
        w[:-1] = generator.standard_exponential((size, data.low.size)).T
        w[-1] = generator.standard_gamma(strength, size)
        w /= w.sum(axis=0)
        (b_low, w_high), (b_high, w_low) = lowest.theta(w), highest.theta(w)
        return _bounds(b_low, b_high, w_low, w_high)

    counted = np.sum(side_by_side(block, [*zip(starts, seeds, strict=True)], most=THREADS), axis=0) / draws
    surely, possibly = counted
    error = float(np.sqrt(np.max(counted * (1 - counted)) / draws))
    better, equivalent, worse = ((float(s), float(max(s, p))) for s, p in zip(surely, possibly, strict=True))
    may = data.may_be(bottom, top)
    several = sum(region.astype(int) for region in may.values()) > 1
    return RegionRanges(
        better=better,
        equivalent=equivalent,
        worse=worse,
        units=data.low.size,
        unknown=int(np.sum(~data.known & several)),
        attained=bottom == top or bool(data.known.all()),
        error=error,
    )


def _bounds(b_low: Floats, b_high: Floats, w_low: Floats, w_high: Floats) -> Floats:
    """The number of draws in which each region is certainly and possibly the largest; ties are shared.

    With e = 1 - b - w: b - e = 2b + w - 1, w - e = 2w + b - 1.
    """
    most = [
        np.minimum(2 * b_low + w_low - 1, b_low - w_high),
        np.minimum(1 - 2 * b_high - w_high, 1 - b_high - 2 * w_high),
        np.minimum(2 * w_low + b_low - 1, w_low - b_high),
    ]
    least = [
        np.minimum(2 * b_high + w_high - 1, b_high - w_low),
        np.minimum(1 - 2 * b_low - w_low, 1 - b_low - 2 * w_low),
        np.minimum(2 * w_high + b_high - 1, w_high - b_low),
    ]
    surely = [_share(lead) for lead in most]
    possibly = [_share(lead) for lead in least]
    return np.array([surely, possibly])


def _share(lead: Floats) -> float:
    """The number of draws with a positive lead; a tie counts half."""
    return float(np.sum(lead > _TIE) + 0.5 * np.sum(np.abs(lead) <= _TIE))


def _finite(z: Floats, bottom: float, top: float, z0: float) -> Floats:
    """Replace infinite bounds by finite ones so large that no sum with another bound crosses an edge."""
    bounded = np.abs(z[np.isfinite(z)]).max(initial=0.0)
    far = 4 * max(bounded, abs(bottom), abs(top), abs(z0), np.finfo(np.float64).tiny * 1e10)
    return np.asarray(np.clip(z, -far, far))


@dataclass(frozen=True, slots=True)
class _PrefixSums:
    """Sums over sorted z: those below an edge are prefixes of cumulative weights, those above it suffixes."""

    order: NDArray[np.intp]
    above: tuple[NDArray[np.intp], NDArray[np.intp]]  # cuts that exclude and include sums equal to the edge
    below: tuple[NDArray[np.intp], NDArray[np.intp]]

    @classmethod
    def of(cls, z: Floats, bottom: float, top: float) -> _PrefixSums:
        order = np.argsort(z, kind="stable")
        x = z[order]
        slack = 1e-12 * (np.abs(x).max() + abs(bottom) + abs(top))
        cuts = [
            (
                np.searchsorted(x, 2 * e - x - slack, side="left"),
                np.searchsorted(x, 2 * e - x + slack, side="right"),
            )
            for e in (top, bottom)
        ]
        return cls(order, cuts[0], cuts[1])

    def theta(self, w: Floats) -> tuple[Floats, Floats]:
        """theta_better and theta_worse of weights that add up to one (units x draws)."""
        sorted_ = w[self.order]
        sums = np.zeros((len(w) + 1, w.shape[1]))
        np.cumsum(sorted_, axis=0, out=sums[1:])
        not_above, below = (
            np.sum(sorted_ * 0.5 * (sums[without] + sums[with_edge]), axis=0)
            for without, with_edge in (self.above, self.below)
        )
        return 1 - not_above, below

"""How often a class came true, by bins of the probability that a model gave it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from ropewalk.metrics.check import Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bins:
    """For each bin: number of examples, mean probability, frequency of the class, and its interval."""

    n: NDArray[np.intp]
    said: Floats  # NaN in an empty bin, like the arrays below
    came: Floats
    low: Floats
    high: Floats

    @property
    def error(self) -> float:
        """Return the expected calibration error: |came - said|, bins weighted by their examples."""
        full = self.n > 0
        return float(np.average(np.abs(self.came - self.said)[full], weights=self.n[full]))


def binned(p: Floats, true: NDArray[np.bool_], bins: int = 10, level: float = 0.95) -> Bins:
    """Make bins of equal width from 0 to 1, closed on the right (the first on both sides).

    The interval of a bin with k of n is that of Jeffreys, between quantiles of Beta(k + 1/2, n - k + 1/2),
    from 0 where k = 0 and to 1 where k = n (Brown, Cai & DasGupta 2001, doi:10.1214/ss/1009213286).

    >>> found = binned(np.array([0.1, 0.2, 0.8]), np.array([False, True, True]), bins=2)
    >>> found.n, found.said, found.came
    (array([2, 1]), array([0.15, 0.8 ]), array([0.5, 1. ]))
    """
    edges = np.arange(1, bins) / bins
    place = np.searchsorted(edges, p, side="left")
    n = np.bincount(place, minlength=bins)
    some = np.where(n > 0, n, np.nan)
    k = np.bincount(place, weights=true, minlength=bins)
    tail = (1 - level) / 2
    low, high = (betaincinv(k + 0.5, n - k + 0.5, q) for q in (tail, 1 - tail))
    return Bins(
        n=n,
        said=np.bincount(place, weights=p, minlength=bins) / some,
        came=k / some,
        low=np.where(n > 0, np.where(k == 0, 0.0, low), np.nan),
        high=np.where(n > 0, np.where(k == n, 1.0, high), np.nan),
    )

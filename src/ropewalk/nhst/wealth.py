"""The capital won by bets on the mean of bounded numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ropewalk.arithmetic import root
from ropewalk.matrices import Floats

_NODES = 16  # stakes of the mixture
_ALL_IN = 0.25  # share of the capital that is staked fully: best if the numbers hardly vary
_BLOCK = 1 << 20  # numbers held in memory at once


@lru_cache(maxsize=64)
def _stakes(size: float) -> tuple[Floats, Floats]:
    """Shares of the capital that are bet, and the prior weight of each.

    A quarter of the capital has a stake of 1. The rest is spread evenly over the log of the stake from
    4/sqrt(n) to 1: if the numbers have mean 1 and standard deviation s, the best stake for a barely
    detectable mean is about 3 / (s sqrt(n)).
    """
    least = min(0.5, 4 / np.sqrt(size))
    x, w = np.polynomial.legendre.leggauss(_NODES)
    stakes = np.append(least ** (0.5 * (1 - x)), 1.0)
    return stakes, np.append((1 - _ALL_IN) * w / 2, _ALL_IN)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Wealth:
    """The wealth from betting 1 that the weighted mean of independent numbers y >= 0 is above mu.

    `times` is the number of values of each kind, and may be fractional for hypothetical data of the same
    kind. The largest weight is 1.
    """

    y: Floats
    weights: Floats
    times: Floats

    @property
    def mean(self) -> float:
        w = self.times * self.weights
        return float(w @ self.y / w.sum())

    def log_at(self, mu: float) -> float:
        """log Σ_k p_k Π_i (1 + c_k w_i (y_i/mu - 1)), decreasing in mu; infinite at 0 if any y is above 0."""
        if mu <= 0:
            return np.inf if self.mean > 0 else 0.0
        stakes, prior = _stakes(float(self.times @ self.weights**2))
        gain = self.weights * (self.y / mu - 1)
        rows = max(1, _BLOCK // gain.size)
        with np.errstate(divide="ignore"):  # a full stake loses everything at y = 0
            log_won = np.concatenate(
                [
                    np.log1p(stakes[k : k + rows, None] * gain) @ self.times
                    for k in range(0, stakes.size, rows)
                ]
            )
        most = log_won.max()
        return float(most + np.log(prior @ np.exp(log_won - most)))

    def lower(self, log_limit: float) -> float:
        """The smallest mu at which the wealth stays below exp(log_limit)."""
        high = self.mean
        if high == 0:
            return 0.0
        low = 0.5 * high
        while self.log_at(low) < log_limit:
            low, high = 0.5 * low, low
            if low < 1e-300:
                return 0.0

        return root(lambda mu: self.log_at(mu) - log_limit, low, high, xtol=1e-15, rtol=1e-13)

    def more_of_the_same(self, factor: float) -> Wealth:
        """The same with a multiple of the count of every kind."""
        return Wealth(y=self.y, weights=self.weights, times=factor * self.times)

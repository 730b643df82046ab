"""The posterior of a mean after differences that were all the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.posterior.base import Floats, Posterior, check_level


def beyond(d: ArrayLike, up: ArrayLike, down: ArrayLike, n: ArrayLike) -> Floats:
    """Pr(mean > at + d) after n differences of `at`, at distances `down` and `up` from the ends."""
    d, up, down = (np.asarray(v, dtype=np.float64) for v in (d, up, down))
    power, both = np.asarray(n, dtype=np.float64) + 3, up + down
    with np.errstate(divide="ignore", invalid="ignore"):
        above = up / both * np.clip(1 - d / up, 0.0, 1.0) ** power  # each is used only on its own side
        below = down / both * np.clip(1 + d / down, 0.0, 1.0) ** power
    return np.asarray(np.where(d >= 0, np.where(up > 0, above, 0.0), np.where(down > 0, 1 - below, 1.0)))


def unvaried_mean(at: float, n: float, within: tuple[float, float]) -> Unvaried:
    """The mean of a model whose n scores are all `at`; unbounded scores go from 0 to 2 `at`."""
    far = abs(at) or 1.0
    low, high = within if np.all(np.isfinite(within)) else (at - far, at + far)
    return Unvaried(at=at, low=min(low, at), high=max(high, at), n=n)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unvaried(Posterior):
    """Posterior of a mean when all n observed differences are the same.

    Parameters
    ----------
    at : float
        Value of every difference that was seen.
    low, high : float
        Lowest and highest difference that is possible.
    n : float
        Number of differences that were seen; need not be a whole number.

    Notes
    -----
    A difference that has not been seen yet may be anything. The case that says least about the mean is that
    it lies at an end of the range, so the shares of differences at the upper end, at the lower end and at
    `at` have the prior of right and wrong answers: (p+, p-, p0) ~ Dirichlet(1, 1, n + 2), and
    mean = p+ high + p- low + p0 at. With a = high - at, b = at - low and 0 <= y <= a,

        Pr(mean > at + y) = a/(a + b) (1 - y/a)^(n + 3),

    and the same with a and b exchanged on the other side: twenty differences of 0 between -1 and 1 leave the
    probability 0.99^23 = 0.79 for a mean beyond one point, 300 leave 0.05. With the range -1 to 1 it is the
    posterior of n right or wrong answers that agree.

    Examples
    --------
    >>> from ropewalk.posterior import Unvaried
    >>> twenty = Unvaried(at=0.0, low=-1.0, high=1.0, n=20)
    >>> round(float(twenty.sf(0.01) + twenty.cdf(-0.01)), 2)
    0.79
    """

    at: float
    low: float
    high: float
    n: float

    @property
    def _power(self) -> float:
        return self.n + 3

    @property
    def _ends(self) -> tuple[float, float]:
        """The distances to the lower and the upper end."""
        return self.at - self.low, self.high - self.at

    @property
    def _below(self) -> float:
        """Pr(mean < at)."""
        down, up = self._ends
        return down / (down + up)

    @property
    def mean(self) -> float:
        down, up = self._ends
        return self.at + (up - down) / (self.n + 4)

    @property
    def sd(self) -> float:
        (down, up), total = self._ends, self.n + 4
        return float(np.sqrt(((down**2 + up**2) * (total - 1) + 2 * down * up) / (total + 1)) / total)

    def pdf(self, x: ArrayLike) -> Floats:
        d, (down, up) = np.asarray(x, dtype=np.float64) - self.at, self._ends
        inside, ends = (d >= -down) & (d <= up), np.where(d < 0, down, up)
        with np.errstate(divide="ignore", invalid="ignore"):
            # The remaining share of the way to the end: 1 at `at`, 0 at the end.
            left = np.where(d == 0, 1.0, np.maximum(1 - np.abs(d) / ends, 0.0))
        height = self._power / (self.high - self.low)
        return np.asarray(np.where(inside, height * left ** (self._power - 1), 0.0))

    def cdf(self, x: ArrayLike) -> Floats:
        down, up = self._ends
        return beyond(self.at - np.asarray(x, dtype=np.float64), down, up, self.n)

    def sf(self, x: ArrayLike) -> Floats:
        down, up = self._ends
        return beyond(np.asarray(x, dtype=np.float64) - self.at, up, down, self.n)

    def quantile(self, p: ArrayLike) -> Floats:
        q, below = np.asarray(p, dtype=np.float64), self._below
        down, up = self._ends
        with np.errstate(divide="ignore", invalid="ignore"):
            lower = self.at - down * (1 - np.minimum(q / below, 1.0) ** (1 / self._power))
            upper = self.at + up * (1 - np.minimum((1 - q) / (1 - below), 1.0) ** (1 / self._power))
        return np.asarray(np.where(q < below, lower, upper if up > 0 else self.at))

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        """Shortest interval that contains `level`: its ends leave the same share of the way on both sides.

        Parameters
        ----------
        level : float, default 0.95
            Probability inside.

        Returns
        -------
        tuple of float
            Lower and upper end.
        """
        check_level(level)
        gone = 1 - (1 - level) ** (1 / self._power)
        down, up = self._ends
        return self.at - gone * down, self.at + gone * up

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        return self.quantile(np.random.default_rng(rng).uniform(size=n))

"""The posterior of a mean after differences that were all the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.posterior.base import Floats, Posterior, check_level, invert

FINE = 1e-4  # of the range: scores are hardly ever given to more than a hundredth of a percentage point


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


def sameness(sd: ArrayLike, fine: ArrayLike, rounding: ArrayLike = 0.0) -> Floats:
    """How far differences with this standard deviation count as equal: 1 up to `rounding`, 0 from `fine` on.

    Between the two it falls linearly.

    >>> sameness([0.0, 2.5e-5, 1e-4], fine=1e-4)
    array([1.  , 0.75, 0.  ])
    """
    sd, fine, least = (np.asarray(v, dtype=np.float64) for v in (sd, fine, rounding))
    width = np.where(fine > least, fine - least, np.inf)
    return np.asarray(
        np.where(sd <= least, 1.0, np.where(sd < fine, np.clip((fine - sd) / width, 0.0, 1.0), 0.0))
    )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class HardlyVaried(Unvaried):
    """Posterior of a mean when the n observed differences are nearly all the same.

    Parameters
    ----------
    at : float
        Mean of the differences that were seen.
    low, high : float
        Lowest and highest difference that is possible.
    n : float
        Number of differences that were seen; need not be a whole number.
    weight : float
        Weight of the posterior of n equal differences, from 0 to 1.
    varied : Posterior
        The posterior that has the rest of the weight.

    Notes
    -----
    Differences that vary by less than scores are ever printed say no more about the size of the next one than
    equal differences do, and the step from equal to varying should not reverse an answer. The posterior is
    therefore the mixture weight * Unvaried + (1 - weight) * varied.

    Examples
    --------
    >>> from ropewalk.posterior import HardlyVaried, Student
    >>> by_t = Student(df=4, loc=0.03, scale=1e-5)
    >>> five = HardlyVaried(at=0.03, low=-1.0, high=1.0, n=5, weight=0.8, varied=by_t)
    >>> round(float(by_t.sf(0.01)), 2), round(float(five.sf(0.01)), 2)
    (1.0, 0.65)
    """

    weight: float
    varied: Posterior

    @property
    def _unvaried(self) -> Unvaried:
        return Unvaried(at=self.at, low=self.low, high=self.high, n=self.n)

    def _mixed(self, unvaried: Floats, varied: Floats) -> Floats:
        return np.asarray(self.weight * unvaried + (1 - self.weight) * varied)

    @property
    def mean(self) -> float:
        return self.weight * self._unvaried.mean + (1 - self.weight) * self.varied.mean

    @property
    def sd(self) -> float:
        parts, shares = (self._unvaried, self.varied), (self.weight, 1 - self.weight)
        square = sum(w * (p.sd**2 + (p.mean - self.mean) ** 2) for w, p in zip(shares, parts, strict=True))
        return float(np.sqrt(square))

    def pdf(self, x: ArrayLike) -> Floats:
        return self._mixed(self._unvaried.pdf(x), self.varied.pdf(x))

    def cdf(self, x: ArrayLike) -> Floats:
        return self._mixed(self._unvaried.cdf(x), self.varied.cdf(x))

    def sf(self, x: ArrayLike) -> Floats:
        return self._mixed(self._unvaried.sf(x), self.varied.sf(x))

    def quantile(self, p: ArrayLike) -> Floats:
        q = np.asarray(p, dtype=np.float64)
        ends = np.stack([self._unvaried.quantile(q), self.varied.quantile(q)])  # it lies between the two
        low, high = ends.min(axis=0), ends.max(axis=0)
        tiny = 1e-15 * (self.high - self.low)
        return invert(self, q, low, high, 0.5 * (low + high), tiny=tiny).reshape(q.shape)

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        return Posterior.hdi(self, level)

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        random = np.random.default_rng(rng)
        as_equal = random.uniform(size=n) < self.weight
        return np.where(as_equal, self._unvaried.sample(n, random), self.varied.sample(n, random))


def hardly_varied(equal: Unvaried, weight: float, varied: Posterior) -> HardlyVaried:
    """The mixture of the posterior of equal differences, with this weight, and the one of varying ones."""
    return HardlyVaried(at=equal.at, low=equal.low, high=equal.high, n=equal.n, weight=weight, varied=varied)

"""Interface of every posterior of one number."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.arithmetic import root
from ropewalk.errors import OptionError

Floats: TypeAlias = NDArray[np.float64]

_ROUNDING = 4e-15  # rounding error of a summed probability, which limits how close a root can be


class Posterior(Protocol):
    """Interface of every posterior of one number.

    A posterior does not know the ROPE: `ropewalk.decide` brings the two together.

    See Also
    --------
    ropewalk.decide.probabilities : Probabilities of the three regions around a ROPE.

    Notes
    -----
    A class of your own is a posterior if it has `mean`, `sd`, `pdf`, `cdf`, `sf`, `quantile` and `sample`;
    `interval` and `hdi` follow from these.

    Examples
    --------
    >>> from ropewalk.posterior import Beta, Posterior
    >>> found: Posterior = Beta(a=8, b=4)
    >>> low, high = found.interval(0.9)
    >>> round(float(found.cdf(high) - found.cdf(low)), 6)
    0.9
    """

    @property
    @abstractmethod
    def mean(self) -> float:
        """Expectation; for a distribution without one, its center."""

    @property
    @abstractmethod
    def sd(self) -> float:
        """Standard deviation; infinite where it does not exist."""

    @abstractmethod
    def pdf(self, x: ArrayLike) -> Floats:
        """Probability density.

        Parameters
        ----------
        x : array_like
            Values.

        Returns
        -------
        ndarray
            Density at each value.
        """

    @abstractmethod
    def cdf(self, x: ArrayLike) -> Floats:
        """Cumulative probability Pr(X <= x).

        Parameters
        ----------
        x : array_like
            Values.

        Returns
        -------
        ndarray
            Probability up to each value.
        """

    @abstractmethod
    def sf(self, x: ArrayLike) -> Floats:
        """Upper tail Pr(X > x), computed as such and not as 1 - cdf: small tails keep all their digits.

        Parameters
        ----------
        x : array_like
            Values.

        Returns
        -------
        ndarray
            Probability above each value.
        """

    @abstractmethod
    def quantile(self, p: ArrayLike) -> Floats:
        """Value below which a given probability lies.

        Parameters
        ----------
        p : array_like
            Probabilities from 0 to 1.

        Returns
        -------
        ndarray
            Quantile for each probability.
        """

    @abstractmethod
    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        """Draw independent values.

        Parameters
        ----------
        n : int
            Number of draws.
        rng : int or numpy.random.Generator, default 0
            Random seed or generator.

        Returns
        -------
        ndarray
            The draws.
        """

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Central interval: the same probability is left out on both sides.

        Parameters
        ----------
        level : float, default 0.95
            Probability inside.

        Returns
        -------
        tuple of float
            Lower and upper end.

        Raises
        ------
        OptionError
            If `level` is not strictly between 0 and 1.
        """
        check_level(level)
        low, high = self.quantile([(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        """Highest-density interval: the shortest one that contains `level`.

        Parameters
        ----------
        level : float, default 0.95
            Probability inside.

        Returns
        -------
        tuple of float
            Lower and upper end.

        Raises
        ------
        OptionError
            If `level` is not strictly between 0 and 1.
        """
        check_level(level)
        return shortest(self.quantile, self.pdf, level)


def check_level(level: float) -> None:
    """Check that a level is a probability strictly between 0 and 1."""
    if not 0 < level < 1:
        raise OptionError(f"level is {level}", hint="Give a probability between 0 and 1, such as 0.95.")


def shortest(
    quantile: Callable[[ArrayLike], Floats],
    pdf: Callable[[ArrayLike], Floats],
    level: float,
    *,
    scan: int = 1,
) -> tuple[float, float]:
    """The shortest interval with probability `level`.

    With p the probability below the interval, the width q(p + level) - q(p) is least where the two ends have
    the same density, or at an end of the range of p when the density is monotone. A density with several
    peaks has several such p: then `scan` cells are first searched for the best one.
    """

    def ends(p: float) -> tuple[float, float]:
        low, high = quantile([p, min(p + level, 1.0)])
        return float(low), float(high)

    def slope(p: float) -> float:
        low, high = ends(p)
        return float(pdf(low) - pdf(high))

    edge = 1e-9 * (1 - level)  # the end of an unbounded posterior is infinite
    grid = np.linspace(edge, 1 - level - edge, scan + 1)
    width = quantile(grid + level) - quantile(grid)
    best = int(np.argmin(width))
    left, right = grid[max(best - 1, 0)], grid[min(best + 1, scan)]
    if slope(left) < 0 < slope(right):
        return ends(root(slope, left, right, xtol=1e-14, rtol=1e-12))
    return ends(0.0 if best == 0 else 1 - level if best == scan else float(grid[best]))


def invert(
    posterior: Posterior, p: ArrayLike, low: ArrayLike, high: ArrayLike, start: ArrayLike, *, tiny: float
) -> Floats:
    """Quantiles between `low` and `high` by Newton's method on the nearer tail, kept inside a bracket.

    `tiny` is a negligible distance, for quantiles near zero.
    """
    want = np.atleast_1d(np.asarray(p, dtype=np.float64))
    lower = want <= 0.5
    lo, hi = np.full(want.shape, low), np.full(want.shape, high)
    x = np.clip(np.atleast_1d(np.asarray(start, dtype=np.float64)), low, high)
    x = np.where(want <= 0, low, np.where(want >= 1, high, x))
    settled = (want <= 0) | (want >= 1)
    for _ in range(400):
        gap = np.empty(want.shape)  # cdf(x) - p, from the smaller tail
        gap[lower] = posterior.cdf(x[lower]) - want[lower]
        gap[~lower] = (1 - want[~lower]) - posterior.sf(x[~lower])
        settled = settled | (np.abs(gap) <= _ROUNDING * np.minimum(want, 1 - want))
        lo, hi = np.where(gap < 0, x, lo), np.where(gap < 0, hi, x)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # an end may be infinite
            density = posterior.pdf(x)
            newton = x - gap / density
            # A step too small to change x ends on the bracket; that is no reason to bisect.
            near = np.maximum(4e-15 * np.abs(x), tiny)
            settled = settled | (np.isfinite(density) & (np.abs(newton - x) <= near))
            inside = (newton > lo) & (newton < hi)
            moved = np.where(settled | (gap == 0), x, np.where(inside, newton, 0.5 * (lo + hi)))
            settled = settled | (np.minimum(np.abs(moved - x), hi - lo) <= near)
        x = moved
        if np.all(settled):
            break
    return np.asarray(x.reshape(np.shape(p)))

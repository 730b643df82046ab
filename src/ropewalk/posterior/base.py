"""What every posterior of one number can answer."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.arithmetic import root
from ropewalk.errors import OptionError

Floats: TypeAlias = NDArray[np.float64]

_ROUNDING = 4e-15  # of a probability that is a sum of many: closer than that a root cannot be found


class Posterior(Protocol):
    """The posterior of one number: `mean`, `sd`, `pdf`, `cdf`, `sf`, `quantile`, `hdi`, `interval`, `sample`.

    A posterior does not know the ROPE: `ropewalk.decide` brings the two together.
    """

    @property
    @abstractmethod
    def mean(self) -> float: ...

    @property
    @abstractmethod
    def sd(self) -> float: ...

    @abstractmethod
    def pdf(self, x: ArrayLike) -> Floats: ...

    @abstractmethod
    def cdf(self, x: ArrayLike) -> Floats: ...

    @abstractmethod
    def sf(self, x: ArrayLike) -> Floats:
        """Pr(X > x), computed as such and not as 1 - cdf: small tails keep all their digits."""

    @abstractmethod
    def quantile(self, p: ArrayLike) -> Floats: ...

    @abstractmethod
    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats: ...

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The central interval: the same probability left out on both sides."""
        check_level(level)
        low, high = self.quantile([(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        """The highest-density interval: the shortest one that holds `level`."""
        check_level(level)
        return shortest(self.quantile, self.pdf, level)


def check_level(level: float) -> None:
    """A level is a probability strictly between 0 and 1."""
    if not 0 < level < 1:
        raise OptionError(f"level is {level}", hint="Give a probability between 0 and 1, such as 0.95.")


def shortest(
    quantile: Callable[[ArrayLike], Floats],
    pdf: Callable[[ArrayLike], Floats],
    level: float,
    *,
    scan: int = 1,
) -> tuple[float, float]:
    """The shortest interval that holds `level`.

    With p the probability left out below, the width q(p + level) - q(p) is least where the two ends have
    the same density, or at an end of the range of p when the density is monotone. A density with several
    peaks has several such p: then `scan` cells are searched for the best one first.
    """

    def ends(p: float) -> tuple[float, float]:
        low, high = quantile([p, min(p + level, 1.0)])
        return float(low), float(high)

    def slope(p: float) -> float:
        low, high = ends(p)
        return float(pdf(low) - pdf(high))

    edge = 1e-9 * (1 - level)  # the very end of an unbounded posterior is infinite
    grid = np.linspace(edge, 1 - level - edge, scan + 1)
    width = quantile(grid + level) - quantile(grid)
    best = int(np.argmin(width))
    left, right = grid[max(best - 1, 0)], grid[min(best + 1, scan)]
    if slope(left) < 0 < slope(right):
        return ends(root(slope, left, right, xtol=1e-14, rtol=1e-12))
    return ends(0.0 if best == 0 else 1 - level if best == scan else float(grid[best]))


def invert(
    posterior: Posterior, p: ArrayLike, low: float, high: float, start: ArrayLike, *, tiny: float
) -> Floats:
    """Quantiles between `low` and `high` by Newton's method on the nearer tail, kept inside a bracket.

    `tiny` is a distance that no longer matters, for quantiles next to zero.
    """
    want = np.atleast_1d(np.asarray(p, dtype=np.float64))
    lower = want <= 0.5
    lo, hi = np.full(want.shape, low), np.full(want.shape, high)
    x = np.clip(np.atleast_1d(np.asarray(start, dtype=np.float64)), low, high)
    x = np.where(want <= 0, low, np.where(want >= 1, high, x))
    settled = (want <= 0) | (want >= 1)
    for _ in range(400):
        gap = np.empty(want.shape)  # cdf(x) - p, from the tail that is small
        gap[lower] = posterior.cdf(x[lower]) - want[lower]
        gap[~lower] = (1 - want[~lower]) - posterior.sf(x[~lower])
        settled = settled | (np.abs(gap) <= _ROUNDING * np.minimum(want, 1 - want))
        lo, hi = np.where(gap < 0, x, lo), np.where(gap < 0, hi, x)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            density = posterior.pdf(x)
            newton = x - gap / density
        # A step too small to be told from none ends on the bracket: that is no reason to halve it.
        near = np.maximum(4e-15 * np.abs(x), tiny)
        settled = settled | (np.isfinite(density) & (np.abs(newton - x) <= near))
        inside = (newton > lo) & (newton < hi)
        moved = np.where(settled | (gap == 0), x, np.where(inside, newton, 0.5 * (lo + hi)))
        settled = settled | (np.minimum(np.abs(moved - x), hi - lo) <= near)
        x = moved
        if np.all(settled):
            break
    return np.asarray(x.reshape(np.shape(p)))

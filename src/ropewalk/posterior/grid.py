"""A density known on a grid of points."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.cubic import spline
from ropewalk.posterior.base import Floats, Posterior, check_level, invert, shortest

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)


class Grid(Posterior):
    """Density given by its logarithm, up to a constant, at increasing points.

    Parameters
    ----------
    x : array_like
        Increasing points; they should reach as far as the tails matter.
    log_density : array_like
        Logarithm of the density there, up to a constant.
    power_tails : bool, default False
        Whether the density falls too slowly for a standard deviation to exist; it is then infinite.

    Notes
    -----
    Between the points the log density is a cubic spline, integrated by Gauss-Legendre quadrature; beyond them
    it continues with the slope at the end. Mass is added up from both ends, so that small tails keep their
    digits.

    Examples
    --------
    >>> import numpy as np
    >>> from ropewalk.posterior import Grid
    >>> x = np.linspace(-9, 9, 181)
    >>> float(Grid(x, -0.5 * x**2).sf(3.0))  # a normal density
    0.00134989...
    """

    def __init__(self, x: ArrayLike, log_density: ArrayLike, *, power_tails: bool = False) -> None:
        self._power_tails = power_tails
        self._x = np.asarray(x, dtype=np.float64)
        log_f = np.asarray(log_density, dtype=np.float64)
        assert self._x.shape == log_f.shape
        assert self._x.size >= 4
        assert np.all(np.diff(self._x) > 0)
        assert np.all(np.isfinite(log_f))
        self._log_f = spline(self._x, log_f - log_f.max())
        self._rate = float(self._log_f.slope[0]), float(-self._log_f.slope[-1])
        assert min(self._rate) > 0, "the density does not fall at the ends of the grid"
        end = np.exp(self._log_f.y[[0, -1]])
        self._ends = float(end[0] / self._rate[0]), float(end[1] / self._rate[1])
        cells = self._integrate(self._x[:-1], self._x[1:])
        self._below = np.concatenate([[0.0], np.cumsum(cells)]) + self._ends[0]
        self._above = np.concatenate([np.cumsum(cells[::-1])[::-1], [0.0]]) + self._ends[1]
        self._total = float(self._below[-1] + self._ends[1])

    def _log_pdf(self, x: Floats) -> Floats:
        """The unnormalised log density: the spline inside, straight lines outside."""
        lo, hi = self._x[0], self._x[-1]
        inside = self._log_f(np.clip(x, lo, hi))
        return np.asarray(
            inside - self._rate[0] * np.maximum(lo - x, 0.0) - self._rate[1] * np.maximum(x - hi, 0.0)
        )

    def _integrate(self, a: Floats, b: Floats, power: int = 0, origin: float = 0.0) -> Floats:
        """∫ (t - origin)^power f(t) dt from a to b, elementwise, each within one cell of the grid."""
        half = 0.5 * (b - a)[..., None]
        t = 0.5 * (a + b)[..., None] + half * _NODES
        return np.asarray(np.sum(half * _WEIGHTS * (t - origin) ** power * np.exp(self._log_pdf(t)), axis=-1))

    @cached_property
    def mean(self) -> float:
        """Expectation, by the same quadrature as the probabilities."""
        centre = float(self._x[np.argmax(self._log_f.y)])
        return centre + self._moment(1, centre)

    @cached_property
    def sd(self) -> float:
        """Standard deviation; infinite with `power_tails`."""
        return float("inf") if self._power_tails else float(np.sqrt(self._moment(2, self.mean)))

    def _moment(self, power: int, origin: float) -> float:
        inside = self._integrate(self._x[:-1], self._x[1:], power, origin).sum()
        return float(inside / self._total)

    def pdf(self, x: ArrayLike) -> Floats:
        return np.asarray(np.exp(self._log_pdf(np.asarray(x, dtype=np.float64))) / self._total)

    def cdf(self, x: ArrayLike) -> Floats:
        x = np.asarray(x, dtype=np.float64)
        k = np.clip(np.searchsorted(self._x, x) - 1, 0, self._x.size - 2)
        inside = np.clip(x, self._x[0], self._x[-1])
        body = self._below[k] + self._integrate(self._x[k], inside)
        left = self._ends[0] * np.exp(-self._rate[0] * np.maximum(self._x[0] - x, 0.0))
        right = self._ends[1] * np.exp(-self._rate[1] * np.maximum(x - self._x[-1], 0.0))
        mass = np.where(x < self._x[0], left, np.where(x > self._x[-1], self._total - right, body))
        return np.asarray(np.minimum(mass / self._total, 1.0))

    def sf(self, x: ArrayLike) -> Floats:
        x = np.asarray(x, dtype=np.float64)
        k = np.clip(np.searchsorted(self._x, x) - 1, 0, self._x.size - 2)
        inside = np.clip(x, self._x[0], self._x[-1])
        body = self._above[k + 1] + self._integrate(inside, self._x[k + 1])
        left = self._ends[0] * np.exp(-self._rate[0] * np.maximum(self._x[0] - x, 0.0))
        right = self._ends[1] * np.exp(-self._rate[1] * np.maximum(x - self._x[-1], 0.0))
        mass = np.where(x < self._x[0], self._total - left, np.where(x > self._x[-1], right, body))
        return np.asarray(np.minimum(mass / self._total, 1.0))

    def quantile(self, p: ArrayLike) -> Floats:
        reach = 800.0 / np.asarray(self._rate)  # where the straight-line tails underflow
        start = np.interp(np.asarray(p, dtype=np.float64), self._below / self._total, self._x)
        tiny = 1e-13 * float(np.diff(self._x).min())
        return invert(self, p, self._x[0] - reach[0], self._x[-1] + reach[1], start, tiny=tiny)

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        check_level(level)
        return shortest(self.quantile, self.pdf, level, scan=64)

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        return self.quantile(np.random.default_rng(rng).random(n))

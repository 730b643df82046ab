"""A posterior with all its mass on one value: what data without any variation give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.posterior.base import Floats, Posterior, check_level


@dataclass(frozen=True, slots=True, kw_only=True)
class Point(Posterior):
    """A value that is certain: Pr(X = at) = 1.

    Parameters
    ----------
    at : float
        The value.

    Notes
    -----
    Its density is infinite at `at` and zero elsewhere. A comparison has such a posterior only where a model
    is compared with itself.

    Examples
    --------
    >>> from ropewalk.posterior import Point
    >>> float(Point(at=0.0).cdf(0.01))
    1.0
    """

    at: float

    @property
    def mean(self) -> float:
        return self.at

    @property
    def sd(self) -> float:
        return 0.0

    def pdf(self, x: ArrayLike) -> Floats:
        return np.where(np.asarray(x) == self.at, np.inf, 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        return np.where(np.asarray(x) >= self.at, 1.0, 0.0)

    def sf(self, x: ArrayLike) -> Floats:
        return np.where(np.asarray(x) < self.at, 1.0, 0.0)

    def quantile(self, p: ArrayLike) -> Floats:
        return np.full(np.shape(p), self.at)

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        check_level(level)
        return self.at, self.at

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        return np.full(n, self.at)

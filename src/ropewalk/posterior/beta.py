"""The Beta distribution: of a proportion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc, betaincinv, betaln, xlog1py, xlogy

from ropewalk.posterior.base import Floats, Posterior


@dataclass(frozen=True, slots=True, kw_only=True)
class Beta(Posterior):
    """Beta distribution of a proportion.

    Parameters
    ----------
    a, b : float
        Positive parameters; the mean is a/(a + b).

    Examples
    --------
    >>> from ropewalk.posterior import Beta
    >>> Beta(a=160, b=199).mean
    0.445682...
    """

    a: float
    b: float

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    @property
    def sd(self) -> float:
        a, b = self.a, self.b
        return float(np.sqrt(a * b / (a + b + 1)) / (a + b))

    def pdf(self, x: ArrayLike) -> Floats:
        x = np.asarray(x, dtype=np.float64)
        inside = (x >= 0) & (x <= 1)
        t = np.where(inside, x, 0.5)
        log_density = xlogy(self.a - 1, t) + xlog1py(self.b - 1, -t) - betaln(self.a, self.b)
        return np.asarray(np.where(inside, np.exp(log_density), 0.0))

    def cdf(self, x: ArrayLike) -> Floats:
        return np.asarray(betainc(self.a, self.b, np.clip(x, 0.0, 1.0)))

    def sf(self, x: ArrayLike) -> Floats:
        return np.asarray(betaincc(self.a, self.b, np.clip(x, 0.0, 1.0)))

    def quantile(self, p: ArrayLike) -> Floats:
        return np.asarray(betaincinv(self.a, self.b, np.asarray(p, dtype=np.float64)))

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        return np.asarray(np.random.default_rng(rng).beta(self.a, self.b, size=n))

"""The Student t distribution with location and scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, stdtr

from ropewalk.arithmetic import t_quantile
from ropewalk.posterior.base import Floats, Posterior, check_level


@dataclass(frozen=True, slots=True, kw_only=True)
class Student(Posterior):
    """Student t distribution with a location and a scale.

    Parameters
    ----------
    df : float
        Degrees of freedom.
    loc : float
        Location.
    scale : float
        Scale.

    Examples
    --------
    >>> from ropewalk.posterior import Student
    >>> Student(df=9, loc=0.02, scale=0.01).hdi(0.95)
    (-0.0026..., 0.0426...)
    """

    df: float
    loc: float
    scale: float

    @property
    def mean(self) -> float:
        """Center; it is the expectation where that exists (df > 1)."""
        return self.loc

    @property
    def sd(self) -> float:
        """Standard deviation; infinite for df <= 2, because so few units do not bound it."""
        return self.scale * float(np.sqrt(self.df / (self.df - 2))) if self.df > 2 else float("inf")

    def _z(self, x: ArrayLike) -> Floats:
        return np.asarray((np.asarray(x, dtype=np.float64) - self.loc) / self.scale)

    def pdf(self, x: ArrayLike) -> Floats:
        df, z = self.df, self._z(x)
        log_norm = gammaln((df + 1) / 2) - gammaln(df / 2) - 0.5 * np.log(df * np.pi)
        return np.asarray(np.exp(log_norm - (df + 1) / 2 * np.log1p(z**2 / df)) / self.scale)

    def cdf(self, x: ArrayLike) -> Floats:
        return np.asarray(stdtr(self.df, self._z(x)))

    def sf(self, x: ArrayLike) -> Floats:
        return np.asarray(stdtr(self.df, -self._z(x)))

    def quantile(self, p: ArrayLike) -> Floats:
        return np.asarray(self.loc + self.scale * t_quantile(self.df, p))

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        """Symmetric, hence the same as the central interval.

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
        half = -self.scale * float(t_quantile(self.df, (1 - level) / 2))
        return self.loc - half, self.loc + half

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        return np.asarray(self.loc + self.scale * np.random.default_rng(rng).standard_t(self.df, size=n))

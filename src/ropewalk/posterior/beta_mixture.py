"""Mixtures of Beta distributions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc, betaln, digamma, expit, log_expit, polygamma, xlog1py, xlogy

from ropewalk.errors import OptionError
from ropewalk.posterior.base import Floats, check_level
from ropewalk.posterior.mixture import Weighted, checked_weights, inverted, scanned

_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(10)


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: `_table` is cached
class BetaMixture(Weighted):
    """Weighted mixture of Beta distributions on [0, 1].

    Parameters
    ----------
    weights : ndarray
        Weight of each component; they add up to one.
    a, b : ndarray
        Parameters of each component.

    Examples
    --------
    >>> from ropewalk.posterior import BetaMixture
    >>> round(float(BetaMixture.of([1.0, 1.0], a=[1.0, 2.0], b=[2.0, 1.0]).cdf(0.25)), 6)
    0.25
    """

    weights: Floats
    a: Floats
    b: Floats

    @classmethod
    def of(cls, weights: ArrayLike, *, a: ArrayLike, b: ArrayLike) -> BetaMixture:
        """Check the components and scale their weights.

        Parameters
        ----------
        weights : array_like
            Weights, not negative and not all zero.
        a, b : array_like
            Positive parameters.

        Returns
        -------
        BetaMixture
            The mixture.

        Raises
        ------
        OptionError
            If a weight is negative, all are zero, or a parameter is not positive.
        """
        w, first, second = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (weights, a, b)))
        w = checked_weights(w)
        if not (
            np.all(np.isfinite(first))
            and np.all(np.isfinite(second))
            and np.all(first > 0)
            and np.all(second > 0)
        ):
            raise OptionError("a mixture of Betas needs positive finite a and b")
        return cls(weights=w, a=np.array(first), b=np.array(second))

    @property
    def _centres(self) -> Floats:
        return np.asarray(self.a / (self.a + self.b))

    @property
    def _variances(self) -> Floats:
        total = self.a + self.b
        return np.asarray(self.a / total * (self.b / total) / (total + 1))

    @property
    def mean(self) -> float:
        return float(self.weights @ self._centres)

    @property
    def sd(self) -> float:
        return float(np.sqrt(self.weights @ (self._variances + (self._centres - self.mean) ** 2)))

    def pdf(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=np.float64)
        inside = (at >= 0) & (at <= 1)
        norm = betaln(self.a, self.b)

        def density(t: Floats) -> Floats:
            return np.asarray(np.exp(xlogy(self.a - 1, t) + xlog1py(self.b - 1, -t) - norm))

        return np.where(inside, self._over_components(density, np.where(inside, at, 0.5)), 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        return np.minimum(
            self._over_components(lambda t: betainc(self.a, self.b, t), np.clip(x, 0.0, 1.0)), 1.0
        )

    def sf(self, x: ArrayLike) -> Floats:
        return np.minimum(
            self._over_components(lambda t: betaincc(self.a, self.b, t), np.clip(x, 0.0, 1.0)), 1.0
        )

    @cached_property
    def _table(self) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """z = log(x/(1-x)) at points, log cdf and log sf there, and their slopes.

        In z the tails are exponential for all a and b. The points are spaced by the width of the components;
        between them the density itself is integrated, so a narrow component is not smoothed away.
        """
        centre = digamma(self.a) - digamma(self.b)  # mean and variance of z for one Beta
        width = np.sqrt(polygamma(1, self.a) + polygamma(1, self.b))
        out = np.linspace(-9, 9, max(37, 1000 // self.a.size))
        z = np.sort(np.clip(centre[:, None] + width[:, None] * out, -700, 700).ravel())
        z = np.unique(z[np.linspace(0, z.size - 1, 400).astype(np.intp)])
        z = np.concatenate([np.linspace(-700, z[0], 30)[:-1], z, np.linspace(z[-1], 700, 30)[1:]])
        norm = betaln(self.a, self.b)

        def density(at: Floats) -> Floats:
            return np.asarray(np.exp(self.a * log_expit(at) + self.b * log_expit(-at) - norm))

        half = 0.5 * np.diff(z)
        inside = 0.5 * (z[1:] + z[:-1])[:, None] + half[:, None] * _NODES
        cells = half * (self._over_components(density, inside) @ _NODE_WEIGHTS)
        below = self.cdf(expit(z[0])) + np.concatenate([[0.0], np.cumsum(cells)])
        above = self.sf(expit(z[-1])) + np.concatenate([np.cumsum(cells[::-1])[::-1], [0.0]])
        below, above = np.maximum(below, 1e-300), np.maximum(above, 1e-300)
        f = self._over_components(density, z)
        return z, np.log(below), np.log(above), f / below, -f / above

    def quantile(self, p: ArrayLike) -> Floats:
        want = np.asarray(p, dtype=np.float64)
        return np.where(want <= 0, 0.0, np.where(want >= 1, 1.0, expit(inverted(want, *self._table))))

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        check_level(level)
        return scanned(self.quantile, level)

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        random = np.random.default_rng(rng)
        k = random.choice(self.weights.size, size=n, p=self.weights)
        return np.asarray(random.beta(self.a[k], self.b[k]))

"""Weighted mixtures: of Student or normal distributions, and of Beta distributions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import (
    betainc,
    betaincc,
    betaln,
    digamma,
    expit,
    gammaln,
    log_expit,
    ndtr,
    polygamma,
    stdtr,
    xlog1py,
    xlogy,
)

from ropewalk.errors import OptionError
from ropewalk.posterior.base import Floats, Posterior, check_level, invert, shortest
from ropewalk.posterior.grid import Grid

_AT_ONCE = 1 << 21  # points times components held in memory at a time
_Z = np.linspace(-3.0, 3.0, 13)  # where a component stands in for a few weighted points
_Z_WEIGHTS = np.exp(-0.5 * _Z**2) / np.exp(-0.5 * _Z**2).sum()


class _Weighted(Posterior):
    """What all mixtures share; `weights` add up to one."""

    __slots__ = ()

    weights: Floats

    def _over_components(self, f: Callable[[Floats], Floats], x: ArrayLike) -> Floats:
        """Σ_k w_k f_k(x), a block of points at a time; f takes points as a column."""
        at = np.asarray(x, dtype=np.float64)
        column = at.reshape(-1, 1)
        block = max(_AT_ONCE // self.weights.size, 1)
        parts = [f(column[i : i + block]) @ self.weights for i in range(0, column.size, block)]
        return np.asarray(np.concatenate([np.empty(0), *parts]).reshape(at.shape))

    def _start(self, p: ArrayLike, centre: Floats, spread: Floats) -> Floats:
        """A first guess of the quantiles: those of a few weighted points for each component."""
        x = (centre[:, None] + spread[:, None] * _Z).ravel()
        order = np.argsort(x)
        below = np.cumsum(np.multiply.outer(self.weights, _Z_WEIGHTS).ravel()[order])
        return np.interp(np.asarray(p, dtype=np.float64), below, x[order])

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        """The shortest interval that holds `level`; several peaks are searched."""
        check_level(level)
        return shortest(self.quantile, self.pdf, level, scan=64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mixture(_Weighted):
    """Σ_k weights_k · Student(df_k, loc_k, scale_k); a component with infinite df is normal.

    >>> two = Mixture.of([1.0, 3.0], loc=[-1.0, 1.0], scale=[0.1, 0.2])
    >>> two.mean, float(two.cdf(0.0))
    (0.5, 0.25...)
    """

    weights: Floats
    loc: Floats
    scale: Floats
    df: Floats

    @classmethod
    def of(cls, weights: ArrayLike, *, loc: ArrayLike, scale: ArrayLike, df: ArrayLike = np.inf) -> Mixture:
        w, m, s, nu = np.broadcast_arrays(
            *(np.asarray(v, dtype=np.float64) for v in (weights, loc, scale, df))
        )
        w = _checked(w)
        if not (np.all(np.isfinite(m)) and np.all(np.isfinite(s)) and np.all(s > 0) and np.all(nu > 0)):
            raise OptionError("a mixture needs finite locations, positive finite scales and positive df")
        order = np.argsort(np.isfinite(nu), kind="stable")  # the normal ones first: slices, not copies
        return cls(weights=w[order], loc=m[order], scale=s[order], df=nu[order])

    @property
    def mean(self) -> float:
        """The weighted centre; it is the expectation where that exists (every df > 1)."""
        return float(self.weights @ self.loc)

    @property
    def sd(self) -> float:
        """Infinite where a component has df <= 2."""
        if np.any(self.df[self.weights > 0] <= 2):
            return float("inf")
        with np.errstate(invalid="ignore"):
            stretch = np.where(np.isinf(self.df), 1.0, self.df / (self.df - 2))
        inside = self.weights > 0
        second = self.scale**2 * stretch + (self.loc - self.mean) ** 2
        return float(np.sqrt(self.weights[inside] @ second[inside]))

    def _z(self, x: Floats) -> Floats:
        return np.asarray((x - self.loc) / self.scale)

    def _by_kind(self, z: Floats, normal: Callable[..., Floats], student: Callable[..., Floats]) -> Floats:
        """normal(z) for the normal components, student(df, z) for those that follow."""
        k = int(np.sum(np.isinf(self.df)))
        out = np.empty(z.shape)
        out[:, :k] = normal(z[:, :k])
        out[:, k:] = student(self.df[k:], z[:, k:])
        return out

    def _below(self, z: Floats) -> Floats:
        """Pr(component < z) in its own units."""
        return self._by_kind(z, ndtr, stdtr)

    def pdf(self, x: ArrayLike) -> Floats:
        def density(at: Floats) -> Floats:
            return self._by_kind(self._z(at), _normal_pdf, _student_pdf) / self.scale

        return self._over_components(density, x)

    def cdf(self, x: ArrayLike) -> Floats:
        return np.minimum(self._over_components(lambda at: self._below(self._z(at)), x), 1.0)

    def sf(self, x: ArrayLike) -> Floats:
        return np.minimum(self._over_components(lambda at: self._below(-self._z(at)), x), 1.0)

    def quantile(self, p: ArrayLike) -> Floats:
        # The heaviest tail decides how far out a quantile can lie: a Cauchy's at 1e-16 is 3e15 scales away.
        reach = np.where(np.isinf(self.df), 40.0, 1e16)
        low, high = float(np.min(self.loc - reach * self.scale)), float(np.max(self.loc + reach * self.scale))
        tiny = 1e-15 * float(self.scale.min())
        return invert(self, p, low, high, self._start(p, self.loc, self.scale), tiny=tiny)

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        random = np.random.default_rng(rng)
        k = random.choice(self.weights.size, size=n, p=self.weights)
        df = self.df[k]
        z = random.standard_normal(n)
        heavy = np.isfinite(df)
        z[heavy] /= np.sqrt(random.chisquare(df[heavy]) / df[heavy])
        return np.asarray(self.loc[k] + self.scale[k] * z)


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: `_logit` is computed once and kept
class BetaMixture(_Weighted):
    """Σ_k weights_k · Beta(a_k, b_k) on [0, 1].

    >>> round(float(BetaMixture.of([1.0, 1.0], a=[1.0, 2.0], b=[2.0, 1.0]).cdf(0.25)), 6)
    0.25
    """

    weights: Floats
    a: Floats
    b: Floats

    @classmethod
    def of(cls, weights: ArrayLike, *, a: ArrayLike, b: ArrayLike) -> BetaMixture:
        w, first, second = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (weights, a, b)))
        w = _checked(w)
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
    def _logit(self) -> Grid:
        """The distribution of z = log(x/(1-x)), whose tails are exponential whatever a and b are."""
        order = np.argsort(self.a / (self.a + self.b))
        middle = order[np.searchsorted(np.cumsum(self.weights[order]), 0.5)]
        centre = digamma(self.a[middle]) - digamma(self.b[middle])
        width = np.sqrt(np.min(polygamma(1, self.a) + polygamma(1, self.b)))
        reach = 40 / min(self.a.min(), self.b.min(), 1.0)
        z = centre + width * np.sinh(np.linspace(-1, 1, 801) * np.arcsinh(reach / width))
        norm = betaln(self.a, self.b)

        def log_density(at: Floats) -> Floats:
            return np.asarray(self.a * log_expit(at) + self.b * log_expit(-at) - norm)

        shift = log_density(z[:, None])
        top = shift.max(axis=1)
        return Grid(z, top + np.log(np.exp(shift - top[:, None]) @ self.weights))

    def quantile(self, p: ArrayLike) -> Floats:
        return np.asarray(expit(self._logit.quantile(p)))

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        """The shortest interval that holds `level`, by two scans: the density may be infinite at 0 or 1."""
        check_level(level)
        below = np.linspace(0.0, 1 - level, 1001)
        for _ in range(2):
            low, high = self.quantile(below), self.quantile(np.minimum(below + level, 1.0))
            best = int(np.argmin(high - low))
            found = float(low[best]), float(high[best])
            below = np.linspace(below[max(best - 1, 0)], below[min(best + 1, 1000)], 1001)
        return found

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        random = np.random.default_rng(rng)
        k = random.choice(self.weights.size, size=n, p=self.weights)
        return np.asarray(random.beta(self.a[k], self.b[k]))


def _normal_pdf(z: Floats) -> Floats:
    return np.asarray(np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi))


def _student_pdf(df: Floats, z: Floats) -> Floats:
    log_norm = gammaln((df + 1) / 2) - gammaln(df / 2) - 0.5 * np.log(df * np.pi)
    return np.asarray(np.exp(log_norm - (df + 1) / 2 * np.log1p(z**2 / df)))


def _checked(weights: Floats) -> Floats:
    """Weights of one row, not negative, made to add up to one."""
    total = weights.sum()
    if (
        weights.ndim != 1
        or weights.size == 0
        or np.any(weights < 0)
        or not (np.isfinite(total) and total > 0)
    ):
        raise OptionError("a mixture needs one row of weights, not negative and not all zero")
    return np.asarray(weights / total)

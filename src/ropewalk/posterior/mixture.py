"""Weighted mixtures of Student or normal distributions, and what all mixtures share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import (
    expit,
    gammaln,
    ndtr,
    stdtr,
)

from ropewalk.errors import OptionError
from ropewalk.posterior.base import Floats, Posterior, check_level, invert

_SCAN = 65  # points of a scan for the shortest interval
_NEAR = 5  # points on each side of the shortest one, where densities are compared first
_AT_ONCE = 1 << 17  # points times components at a time: a megabyte, to stay in the cache
_NARROWEST = 1e-300  # the reciprocal of a narrower scale may be infinite
_Z = np.linspace(-3.0, 3.0, 13)  # points that represent a component
_TAIL = 1e-4  # start from a table for quantiles further out
_Z_WEIGHTS = np.exp(-0.5 * _Z**2) / np.exp(-0.5 * _Z**2).sum()


class Weighted(Posterior):
    """Shared code of all mixtures; `weights` sum to one."""

    __slots__ = ()

    weights: Floats

    def _over_components(self, f: Callable[[Floats], Floats], x: ArrayLike) -> Floats:
        """Σ_k w_k f_k(x), a block of points at a time; f takes points as a column."""
        at = np.asarray(x, dtype=np.float64)
        column = at.reshape(-1, 1)
        block = max(_AT_ONCE // self.weights.size, 1)
        parts = [f(column[i : i + block]) @ self.weights for i in range(0, column.size, block)]
        return np.asarray(np.concatenate([np.empty(0), *parts]).reshape(at.shape))


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: `_table` is cached
class Mixture(Weighted):
    """Weighted mixture of Student t distributions; a component with infinite df is normal.

    Parameters
    ----------
    weights : ndarray
        Weight of each component; they add up to one.
    loc : ndarray
        Location of each component.
    scale : ndarray
        Scale of each component.
    df : ndarray
        Degrees of freedom of each component, the infinite ones first: use `of`, which sorts them.

    Examples
    --------
    >>> from ropewalk.posterior import Mixture
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
        """Check the components and scale their weights.

        Parameters
        ----------
        weights : array_like
            Weights, not negative and not all zero.
        loc : array_like
            Locations.
        scale : array_like
            Positive scales.
        df : array_like, default inf
            Positive degrees of freedom.

        Returns
        -------
        Mixture
            The mixture.

        Raises
        ------
        OptionError
            If a weight is negative, all are zero, or a scale or df is not positive.
        """
        w, m, s, nu = np.broadcast_arrays(
            *(np.asarray(v, dtype=np.float64) for v in (weights, loc, scale, df))
        )
        w = checked_weights(w)
        if not (np.all(np.isfinite(m)) and np.all(np.isfinite(s)) and np.all(s > 0) and np.all(nu > 0)):
            raise OptionError("a mixture needs finite locations, positive finite scales and positive df")
        order = np.argsort(np.isfinite(nu), kind="stable")  # normal components first, so that slices suffice
        return cls(weights=w[order], loc=m[order], scale=s[order], df=nu[order])

    @property
    def mean(self) -> float:
        """Weighted center; it is the expectation where that exists (every df > 1)."""
        return float(self.weights @ self.loc)

    @property
    def sd(self) -> float:
        """Standard deviation; infinite where a component has df <= 2."""
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
        """normal(z) for the normal components, student(df, z) for the others after them."""
        k = int(np.sum(np.isinf(self.df)))
        if k == self.df.size:
            return normal(z)
        out = np.empty(z.shape)
        out[:, :k] = normal(z[:, :k])
        out[:, k:] = student(self.df[k:], z[:, k:])
        return out

    def _below(self, z: Floats) -> Floats:
        """Pr(component < z) in its own units."""
        return self._by_kind(z, ndtr, stdtr)

    def pdf(self, x: ArrayLike) -> Floats:
        if np.isinf(self.df).all() and self.scale.min() > _NARROWEST:
            return self._normal_density(np.asarray(x, dtype=np.float64))

        def density(at: Floats) -> Floats:
            return self._by_kind(self._z(at), _normal_pdf, _student_pdf) / self.scale

        return self._over_components(density, x)

    def _normal_density(self, x: Floats) -> Floats:
        """The density if all components are normal, by far the most frequent case."""
        narrow = 1 / self.scale
        weights = self.weights * narrow / np.sqrt(2 * np.pi)
        column, out = x.reshape(-1, 1), np.empty(x.size)
        block = max(_AT_ONCE // self.weights.size, 1)
        for i in range(0, x.size, block):
            z = column[i : i + block] - self.loc
            z *= narrow
            z *= z
            z *= -0.5
            out[i : i + block] = np.exp(z, out=z) @ weights
        return out.reshape(x.shape)

    def cdf(self, x: ArrayLike) -> Floats:
        return np.minimum(self._over_components(lambda at: self._below(self._z(at)), x), 1.0)

    def sf(self, x: ArrayLike) -> Floats:
        return np.minimum(self._over_components(lambda at: self._below(-self._z(at)), x), 1.0)

    def quantile(self, p: ArrayLike) -> Floats:
        # The heaviest tail decides how far out a quantile can lie: a Cauchy's at 1e-16 is 3e15 scales away.
        reach = np.where(np.isinf(self.df), 40.0, 1e16)
        low, high = float(np.min(self.loc - reach * self.scale)), float(np.max(self.loc + reach * self.scale))
        tiny = 1e-12 * float(self.scale.min())
        want = np.asarray(p, dtype=np.float64)
        inside = np.all((want > _TAIL) & (want < 1 - _TAIL))
        start = np.interp(want, *self._points()) if inside else self._tabled(want)
        return invert(self, p, low, high, start, tiny=tiny)

    def _points(self) -> tuple[Floats, Floats]:
        """A few weighted points per component, sorted: the probability up to each point, and its position."""
        x = (self.loc[:, None] + self.scale[:, None] * _Z).ravel()
        order = np.argsort(x)
        return np.cumsum(np.multiply.outer(self.weights, _Z_WEIGHTS).ravel()[order]), x[order]

    @cached_property
    def _table(self) -> tuple[Floats, ...]:
        """z = arcsinh((x - center)/width) at points, log cdf and log sf there, and their slopes.

        The points are quantiles of a few weighted points per component, and continue outwards.
        """
        x = np.interp(expit(np.linspace(-14, 14, 281)), *self._points())
        centre, width = float(x[140]), max(0.5 * float(x[152] - x[128]), 1e-300)
        z = np.unique(np.arcsinh((x - centre) / width))
        ends = z[0] - np.arange(30, 0, -1), z[-1] + np.arange(1, 31)
        z = np.concatenate([ends[0], z, ends[1]])
        x = centre + width * np.sinh(z)
        density, below, above = self._at(x)
        slope = density * width * np.cosh(z)
        below, above = np.maximum(below, 1e-300), np.maximum(above, 1e-300)
        return z, np.log(below), np.log(above), slope / below, -slope / above, np.array([centre, width])

    def _at(self, x: Floats) -> Floats:
        """Density, probability below and above in three rows, from the smaller tail of each component."""
        out, block = np.empty((3, x.size)), max(_AT_ONCE // self.weights.size, 1)
        for i in range(0, x.size, block):
            z = self._z(x[i : i + block, None])
            tail = self._below(-np.abs(z))
            out[0, i : i + block] = self._by_kind(z, _normal_pdf, _student_pdf) @ (self.weights / self.scale)
            out[1, i : i + block] = np.where(z > 0, 1 - tail, tail) @ self.weights
            out[2, i : i + block] = np.where(z > 0, tail, 1 - tail) @ self.weights
        return np.minimum(out, [[np.inf], [1.0], [1.0]])

    def _tabled(self, p: Floats) -> Floats:
        *table, (centre, width) = self._table
        return np.asarray(centre + width * np.sinh(inverted(p, *table)))

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        """Shortest interval that contains `level`; a density with several peaks is searched.

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
        return scanned(self._tabled, level, self.pdf)

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        random = np.random.default_rng(rng)
        k = random.choice(self.weights.size, size=n, p=self.weights)
        df = self.df[k]
        z = random.standard_normal(n)
        heavy = np.isfinite(df)
        z[heavy] /= np.sqrt(random.chisquare(df[heavy]) / df[heavy])
        return np.asarray(self.loc[k] + self.scale[k] * z)


def scanned(
    quantile: Callable[[Floats], Floats], level: float, pdf: Callable[[Floats], Floats] | None = None
) -> tuple[float, float]:
    """The shortest interval with probability `level`, by three scans of the probability below it.

    With `pdf`, the last two scans find where both ends have the same density, which is much more precise than
    the minimum of the width. Omit it if the density may be infinite at an end.
    """
    below = np.linspace(0.0, 1 - level, _SCAN)
    for scan in range(3):
        ends = quantile(np.concatenate([below, np.minimum(below + level, 1.0)]))
        low, high = ends[:_SCAN], ends[_SCAN:]
        best = int(np.argmin(high - low))
        if pdf is not None and scan > 0:
            slope = np.full(_SCAN, np.nan)
            for near in (slice(max(best - _NEAR, 0), best + _NEAR + 2), slice(None)):  # mostly found nearby
                slope[near] = np.subtract(*pdf(np.stack([low[near], high[near]])))
                turns = np.flatnonzero((slope[:-1] < 0) & (slope[1:] >= 0))
                if turns.size:
                    break
            if turns.size:
                best = int(turns[np.argmin(np.abs(turns - best))])
                part = slope[best] / (slope[best] - slope[best + 1])
                at = below[best] + part * (below[best + 1] - below[best])
                low[best], high[best] = quantile(np.array([at, at + level]))
        found = float(low[best]), float(high[best])
        below = np.linspace(below[max(best - 1, 0)], below[min(best + 1, _SCAN - 1)], _SCAN)
    return found


def inverted(p: Floats, z: Floats, log_below: Floats, log_above: Floats, up: Floats, down: Floats) -> Floats:
    """z from cubics through tabulated values and slopes of the logarithm of the nearer tail."""
    want, lower = np.asarray(p, dtype=np.float64), np.asarray(p) <= 0.5
    with np.errstate(divide="ignore"):
        want = np.where(lower, np.log(want), np.log1p(-want))
    # The upper tail is mirrored, so that its values increase as well.
    k = np.where(lower, _cell(log_below, want), z.size - 2 - _cell(log_above[::-1], want))
    h = z[k + 1] - z[k]
    value = np.where(lower, [log_below[k], log_below[k + 1]], [log_above[k + 1], log_above[k]])
    slope = h * np.where(lower, [up[k], up[k + 1]], [-down[k + 1], -down[k]])
    s = _meet(value, slope, want)
    return np.asarray(np.where(lower, z[k] + h * s, z[k + 1] - h * s))


def _cell(values: Floats, want: Floats) -> NDArray[np.intp]:
    """The cell of increasing values in which each wanted value lies."""
    return np.clip(np.searchsorted(np.maximum.accumulate(values), want) - 1, 0, values.size - 2)


def _meet(value: Floats, slope: Floats, want: Floats) -> Floats:
    """The point in [0, 1] where a Hermite cubic equals `want`, by bisection; values and slopes at 0 and 1."""
    left, right = value
    c1 = slope[0]
    c3, c2 = 2 * (left - right) + slope.sum(axis=0), 3 * (right - left) - slope.sum(axis=0) - c1
    low, high = np.zeros(want.shape), np.ones(want.shape)
    for _ in range(34):
        s = 0.5 * (low + high)
        less = left + s * (c1 + s * (c2 + s * c3)) < want
        low, high = np.where(less, s, low), np.where(less, high, s)
    return np.asarray(0.5 * (low + high))


def _normal_pdf(z: Floats) -> Floats:
    return np.asarray(np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi))


def _student_pdf(df: Floats, z: Floats) -> Floats:
    log_norm = gammaln((df + 1) / 2) - gammaln(df / 2) - 0.5 * np.log(df * np.pi)
    return np.asarray(np.exp(log_norm - (df + 1) / 2 * np.log1p(z**2 / df)))


def checked_weights(weights: Floats) -> Floats:
    """Check that weights are one nonnegative row, and scale them to sum to one."""
    total = weights.sum()
    if (
        weights.ndim != 1
        or weights.size == 0
        or np.any(weights < 0)
        or not (np.isfinite(total) and total > 0)
    ):
        raise OptionError("a mixture needs one row of weights, not negative and not all zero")
    return np.asarray(weights / total)

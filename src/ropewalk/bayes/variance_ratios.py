"""A mean over crossed random effects: the integral behind `crossed`.

The residual has variance ε, its sum of squares SS_ε has ν_ε degrees of freedom. Every other effect k has a
mean square SS_k/ν_k with expectation τ_k >= ε, and its variance is c_k (τ_k - ε). With r_k = ε/τ_k in (0, 1]
and the prior 1/(ε·Π τ_k), ε integrates out: with Q(r) = SS_ε + Σ r_k SS_k and ν = ν_ε + Σ ν_k,
    p(r | data) ∝ Π r_k^(ν_k/2 - 1) · Q(r)^(-ν/2),
    mean | r, data ~ Student(ν, observed mean, sqrt(Q/ν · Var(mean | r)/ε)),
    Var(mean | r)/ε = Σ m_k c_k (1/r_k - 1) + m_ε, with m the part of each variance that the mean holds.
In x_k = log r_k the logarithm of p is concave: one peak, and its ridges are known in closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from typing import Literal

import numpy as np

from ropewalk.posterior import Mixture
from ropewalk.posterior.base import Floats, check_level

_DROPS = np.array([2.0, 8.0, 18.0, 30.0])  # drops of the log density at which panels of the quadrature end
_STEP = 0.002  # lattice step in log scale, to which components are merged
_FEW = 4096  # components that need no merging
_NO_WEIGHT = 1e-19


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceEffect:
    """A random effect: sum of squares, degrees of freedom, c (`times`) and m (`in_mean`)."""

    kind: Literal["seed", "example"]
    ss: float
    df: int
    times: float
    in_mean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Residual:
    """The residual; one difference contains `in_one` times its variance, the mean `in_mean` times."""

    ss: float
    df: int
    in_one: float
    in_mean: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CentredMixture(Mixture):
    """Student distributions of different scales around one center, so the HDI is central by symmetry.

    With `heavy`, the integral over the scales has no variance even though every component has one.
    """

    heavy: bool

    @property
    def sd(self) -> float:
        """Infinite where a variance was estimated with one or two degrees of freedom."""
        return float("inf") if self.heavy else Mixture.sd.fget(self)  # type: ignore[attr-defined]

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        check_level(level)
        return self.interval(level)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ratios:
    """The posterior of r: variances over ε at its nodes (nodes x effects), weights, scale of the mean."""

    variances: Floats
    weights: Floats
    scale: Floats
    df: int
    heavy: bool

    def mean(self, centre: float) -> CentredMixture:
        """The posterior of the mean, around `centre`."""
        weights, scale = _merged(self.weights, self.scale)
        loc, df = np.full(scale.size, centre), np.full(scale.size, float(self.df))
        return CentredMixture(weights=weights, loc=loc, scale=scale, df=df, heavy=self.heavy)


def ratios(effects: Sequence[VarianceEffect], residual: Residual) -> Ratios:
    """The posterior of r_k = ε/τ_k, on a product of Gauss-Legendre rules that follow the peak."""
    ss, df = np.array([e.ss for e in effects]), np.array([e.df for e in effects])
    nu = int(df.sum()) + residual.df

    def log_density(x: Floats) -> Floats:
        return np.asarray(0.5 * x @ df - 0.5 * nu * np.log(residual.ss + np.exp(x) @ ss))

    def profile(k: int, at: Floats) -> Floats:
        return log_density(_ridge(at, k, ss, df, residual))

    rules = [_axis(partial(profile, k)) for k in range(len(effects))]
    x = np.stack([g.ravel() for g in np.meshgrid(*(nodes for nodes, _ in rules), indexing="ij")], axis=1)
    rule = np.prod(np.meshgrid(*(weights for _, weights in rules), indexing="ij"), axis=0).ravel()
    log_p = log_density(x)
    w = rule * np.exp(log_p - log_p.max())
    kept = w > _NO_WEIGHT * w.max()
    r = np.exp(x[kept])
    variances = np.expm1(-x[kept]) * [e.times for e in effects]
    of_mean = variances @ [e.in_mean for e in effects] + residual.in_mean
    return Ratios(
        variances=variances,
        weights=w[kept] / w[kept].sum(),
        scale=np.sqrt((residual.ss + r @ ss) / nu * of_mean),
        df=nu,
        heavy=min(e.df for e in effects) <= 2,
    )


def _ridge(at: Floats, k: int, ss: Floats, df: Floats, residual: Residual) -> Floats:
    """The maximum of the density for each x_k: the other x where the slopes vanish, or 0.

    Slope in x_i: ν_i = ν·r_i SS_i/Q. Any x that would lie above 0 is set to 0, one after another; with the
    set F of the free ones, r_i SS_i = ν_i·A/(ν - Σ_F ν), A the part of Q that is fixed.
    """
    x = np.zeros((at.size, ss.size))
    x[:, k] = at
    nu = df.sum() + residual.df
    others = [i for i in range(ss.size) if i != k and ss[i] > 0]
    free = np.zeros(x.shape, dtype=bool)
    free[:, others] = True
    for _ in range(len(others) + 1):
        fixed = residual.ss + np.where(free, 0.0, np.exp(x) * ss).sum(axis=1)
        rest = nu - (free * df).sum(axis=1)
        for i in others:
            best = np.log(df[i] * fixed / (rest * ss[i]))
            x[:, i] = np.where(free[:, i], np.minimum(best, 0.0), x[:, i])
            free[:, i] &= best <= 0
    return x


def _axis(profile: Callable[[Floats], Floats]) -> tuple[Floats, Floats]:
    """Nodes and weights of an axis x <= 0 for a density with the given concave log profile."""
    top = _highest(profile)
    levels = profile(np.array([top]))[0] - _DROPS
    reach = 1e-4
    while profile(np.array([top - reach]))[0] > levels[-1]:
        reach *= 2
    edges = np.concatenate(
        [_crossing(profile, top, top - reach, levels)[::-1], [top], _crossing(profile, top, 0.0, levels)]
    )
    nodes, weights = [], []
    for low, high in pairwise(edges):
        if high > low:
            # The scale of the mean changes by exp(-x/2): two nodes per unit keep the mixture smooth.
            t, w = _rule(8 * (1 + int((high - low) / 4)))
            nodes.append(0.5 * (low + high) + 0.5 * (high - low) * t)
            weights.append(0.5 * (high - low) * w)
    return np.concatenate(nodes), np.concatenate(weights)


@cache
def _rule(n: int) -> tuple[Floats, Floats]:
    """The Gauss-Legendre rule with n nodes on (-1, 1)."""
    t, w = np.polynomial.legendre.leggauss(n)
    return np.asarray(t), np.asarray(w)


def _highest(profile: Callable[[Floats], Floats]) -> float:
    """The maximum of a concave function on x <= 0: the best of many points, refined between its neighbors."""
    x = np.append(-np.geomspace(1e3, 1e-6, 200), 0.0)
    for _ in range(7):
        best = int(np.argmax(profile(x)))
        x = np.linspace(x[max(best - 1, 0)], x[min(best + 1, x.size - 1)], 41)
    return float(x[int(np.argmax(profile(x)))])


def _crossing(profile: Callable[[Floats], Floats], top: float, end: float, levels: Floats) -> Floats:
    """Points from `top` to `end` where the profile has fallen to each level; `end` if it never does."""
    near, far = np.full(levels.size, top), np.full(levels.size, end)
    for _ in range(40):
        middle = 0.5 * (near + far)
        above = profile(middle) > levels
        near, far = np.where(above, middle, near), np.where(above, far, middle)
    return np.asarray(far)


def _merged(weights: Floats, scale: Floats) -> tuple[Floats, Floats]:
    """Merge many components into few: each is split between the two nearest points of a lattice in log scale.

    The shares preserve the mean log scale, so a smooth function changes by its curvature times step²/8, 5e-7.
    """
    if scale.size <= _FEW:
        return weights, scale
    at = np.log(scale)
    low = float(at.min())
    place = (at - low) / _STEP
    k = place.astype(np.intp)
    part = place - k
    size = int(k.max()) + 2
    merged = np.bincount(k, weights * (1 - part), size) + np.bincount(k + 1, weights * part, size)
    used = np.flatnonzero(merged > 0)
    return np.asarray(merged[used], dtype=np.float64), np.exp(low + _STEP * used)

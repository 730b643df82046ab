"""A number between 0 and 1, tabulated on its logit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from ropewalk.cubic import Cubic, spline
from ropewalk.posterior.base import Floats

END = 40.0  # largest logit: a rate below e^-40 counts as 0, and one equally close to 1 counts as 1
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_HALVINGS = 12
_BEND = 1e-3  # largest deviation of the log density from linear between two points, times their mass


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RateTable:
    """The density of z = logit(rate) between the first and the last of `z`; `zero` and `one` lie beyond them.

    The log density is a cubic spline through its values at `z`. `log_below` and `log_above` add up the mass
    from either end, so that both tails keep their digits; their slopes are `slope_below` and `slope_above`.
    """

    z: Floats
    zero: float
    one: float
    log_density: Cubic
    log_below: Floats
    log_above: Floats
    slope_below: Floats
    slope_above: Floats

    @classmethod
    def of(cls, z: Floats, log_density: Floats, *, zero: float = 0.0, one: float = 0.0) -> RateTable:
        """Make a table from the log density of z, up to a constant, and the mass beyond each end."""
        shape = spline(z, log_density - log_density.max())
        half = 0.5 * np.diff(z)
        inside = 0.5 * (z[1:] + z[:-1])[:, None] + half[:, None] * _NODES
        cells = half * (np.exp(shape(inside)) @ _WEIGHTS)
        log_norm = float(np.log((1 - zero - one) / cells.sum()))
        log_f = Cubic(x=z, y=shape.y + log_norm, slope=shape.slope)
        cells, density = cells * np.exp(log_norm), np.exp(log_f.y)
        slope = np.abs(shape.slope[[0, -1]]) + 1 / np.ptp(z)
        # For its logarithm, an end without mass continues as an exponential tail.
        below = np.concatenate([[0.0], np.cumsum(cells)]) + max(zero, 1e-300, density[0] / slope[0] * 1e-3)
        above = np.concatenate([np.cumsum(cells[::-1])[::-1], [0.0]])
        above = above + max(one, 1e-300, density[-1] / slope[-1] * 1e-3)
        return cls(
            z=z,
            zero=zero,
            one=one,
            log_density=log_f,
            log_below=np.log(below),
            log_above=np.log(above),
            slope_below=density / below,
            slope_above=-density / above,
        )

    def density(self, z: Floats) -> Floats:
        """The density of the logit."""
        inside = (z >= self.z[0]) & (z <= self.z[-1])
        return np.where(inside, np.exp(self.log_density(np.clip(z, self.z[0], self.z[-1]))), 0.0)

    def below(self, z: Floats) -> Floats:
        """The probability of a smaller rate than this logit's."""
        inside = np.exp(_hermite(z, self.z, self.log_below, self.slope_below))
        return np.where(z <= self.z[0], self.zero, np.where(z >= self.z[-1], 1 - self.one, inside))

    def above(self, z: Floats) -> Floats:
        """The probability of a larger rate than this logit's."""
        inside = np.exp(_hermite(z, self.z, self.log_above, self.slope_above))
        return np.where(z >= self.z[-1], self.one, np.where(z <= self.z[0], 1 - self.zero, inside))

    def quantiles(self, p: Floats) -> Floats:
        """The logits at these probabilities, by linear interpolation between many points."""
        z = np.linspace(self.z[:-1], self.z[1:], 9)[:-1].T.ravel()
        return np.interp(p, self.below(z), z)

    def moment(self, f: Callable[[Floats], Floats]) -> float:
        """The expectation of f(rate)."""
        half = 0.5 * np.diff(self.z)[:, None]
        z = 0.5 * (self.z[1:] + self.z[:-1])[:, None] + half * _NODES
        inside = float(np.sum(half * _WEIGHTS * self.density(z) * f(expit(z))))
        ends = f(np.array([0.0, 1.0]))
        return inside + float(self.zero * ends[0] + self.one * ends[1])


def _hermite(at: Floats, x: Floats, value: Floats, slope: Floats) -> Floats:
    """A cubic through values and slopes, clipped to the two values of its cell to stay monotone."""
    k = np.clip(np.searchsorted(x, at) - 1, 0, x.size - 2)
    h = x[k + 1] - x[k]
    s = np.clip((at - x[k]) / h, 0.0, 1.0)
    left, right, c1 = value[k], value[k + 1], h * slope[k]
    c3 = 2 * (left - right) + c1 + h * slope[k + 1]
    c2 = right - left - c1 - c3
    cubic = left + s * (c1 + s * (c2 + s * c3))
    return np.clip(cubic, np.minimum(left, right), np.maximum(left, right))


def refined(log_density: Callable[[Floats], Floats], x: Floats) -> tuple[Floats, Floats]:
    """Points, with intervals halved wherever there is mass and the log density is not linear."""
    f = log_density(x)
    for _ in range(_HALVINGS):
        width = np.diff(x)
        mass = width * np.exp(np.maximum(f[1:], f[:-1]) - f.max())
        slope = np.diff(f) / width
        bend = np.abs(np.diff(slope, prepend=slope[0])) + np.abs(np.diff(slope, append=slope[-1]))
        wanted = np.flatnonzero(mass * np.minimum(bend * width, 1.0) > _BEND * mass.sum())
        if not wanted.size:
            break
        middle = 0.5 * (x[1:] + x[:-1])[wanted]
        x, f = np.append(x, middle), np.append(f, log_density(middle))
        order = np.argsort(x)
        x, f = x[order], f[order]
    return x, f

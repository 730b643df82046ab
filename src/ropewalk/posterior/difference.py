"""The difference of two proportions measured on the same units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaln, ndtri, xlog1py, xlogy

from ropewalk.posterior.base import Floats, Posterior, check_level, invert
from ropewalk.posterior.beta import Beta

# Tanh-sinh nodes on (0, 1): accurate to rounding for a peak in the middle and for a power at an end.
_T = np.linspace(-3.4, 3.4, 801)
_NODES = 1 / (1 + np.exp(-np.pi * np.sinh(_T)))
_REST = 1 / (1 + np.exp(np.pi * np.sinh(_T)))  # 1 - node, to full precision
_LOG_STEP = np.log(np.pi * np.cosh(_T) * _NODES * _REST * (_T[1] - _T[0]))

# The integrand is a probability, or a density of at most a few billion: all nodes lighter than _LIGHT
# together change a sum of at least _FAR by less than its rounding. With thousands of units they are nine in
# ten nodes.
_LIGHT, _FAR = 1e-60, 1e-20

_NEWTON = 12  # steps of Newton's method for the two ends of an interval
_SETTLED = 1e-10  # largest last step of an end in standard deviations

_ALMOST_ONE = float(np.nextafter(1.0, 0.0))  # a difference of two proportions is at most one


def _log_drop(m: float, k: float, t: ArrayLike, rest: ArrayLike) -> Floats:
    """The log density of Beta(m, k) at t = 1 - rest, relative to its mode."""
    mode = (m - 1) / (m + k - 2) if m > 1 and k > 1 else m / (m + k)
    return np.asarray(xlogy(m - 1, np.divide(t, mode)) + xlogy(k - 1, np.divide(rest, 1 - mode)))


def _nodes(m: float, k: float, low: ArrayLike, high: float) -> tuple[Floats, Floats]:
    """Nodes of T ~ Beta(m, k) between low and high, and the log of relative density times step."""
    a = np.asarray(low)[..., None]
    b = np.maximum(high, a)
    t = a + (b - a) * _NODES
    rest = (1 - b) + (b - a) * _REST  # 1 - t: near t = 1 the plain difference loses its digits
    with np.errstate(divide="ignore"):
        return t, _log_drop(m, k, t, rest) + _LOG_STEP + np.log(b - a)


@lru_cache(maxsize=256)
def _support(m: float, k: float) -> tuple[float, float, float]:
    """The range where the density of T ~ Beta(m, k) does not underflow (e^-745 of its mode); its log mass.

    The mass uses the same nodes as every integral, because betaln loses digits with large counts.
    """

    def edge(inside: float, outside: float) -> float:
        for _ in range(60):
            mid = 0.5 * (inside + outside)
            if _log_drop(m, k, mid, 1 - mid) > -745:
                inside = mid
            else:
                outside = mid
        return outside

    centre = m / (m + k)
    low, high = edge(centre, 0.0), edge(centre, 1.0)
    _, log_w = _nodes(m, k, np.float64(low), high)
    return low, high, float(np.log(np.sum(np.exp(log_w))))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProportionDifference(Posterior):
    """Difference of two proportions measured on the same units.

    Parameters
    ----------
    a01, a10 : float
        Dirichlet parameters of the units on which only B is right (a01) and only A is right (a10): prior plus
        counts.
    same : float
        Dirichlet parameter of the units on which both are right or both are wrong.

    See Also
    --------
    ropewalk.bayes.mcnemar : The test whose posterior this is.

    Notes
    -----
    The difference is theta_10 - theta_01 for (theta_01, theta_10, rest) ~ Dirichlet(a01, a10, same). T =
    theta_01 + theta_10 ~ Beta(a01 + a10, same) is independent of phi = theta_01/T ~ Beta(a01, a10), and the
    difference is T (1 - 2 phi): every probability is one integral over T.

    Examples
    --------
    >>> from ropewalk.posterior import ProportionDifference
    >>> found = ProportionDifference(a01=3, a10=8, same=91)
    >>> round(found.mean, 3), round(float(found.sf(0.0)), 3)
    (0.049, 0.945)
    """

    a01: float
    a10: float
    same: float

    @property
    def mean(self) -> float:
        return (self.a10 - self.a01) / (self.a01 + self.a10 + self.same)

    @property
    def sd(self) -> float:
        total = self.a01 + self.a10 + self.same
        second = (self.a01 + self.a10) / total
        return float(np.sqrt((second - self.mean**2) / (total + 1)))

    @property
    def mirrored(self) -> ProportionDifference:
        """The same posterior with A and B swapped."""
        return ProportionDifference(a01=self.a10, a10=self.a01, same=self.same)

    def _over_t(self, x: Floats, inner: Callable[[Floats, Floats], Floats]) -> Floats:
        """∫ inner(phi, t) p(T) dT over T > |x|, where phi = (1 - x/t)/2, by heavy nodes if they suffice."""
        low, high, log_total = _support(self.a01 + self.a10, self.same)
        # All x up to the start of the support share the same nodes.
        start = np.float64(low) if np.all(np.abs(x) <= low) else np.maximum(np.abs(x), low)
        t, log_w = _nodes(self.a01 + self.a10, self.same, start, high)
        weight = np.exp(log_w - log_total)

        def total(x: Floats, t: Floats, weight: Floats) -> Floats:
            phi = np.clip(0.5 * (1 - x[..., None] / t), 0.0, 1.0)
            return np.asarray(np.sum(weight * inner(phi, t), axis=-1))

        heavy = np.any(weight > _LIGHT, axis=tuple(range(weight.ndim - 1)))
        found = total(x, t[..., heavy], weight[..., heavy])
        far = found < _FAR  # there the light nodes may matter
        if far.any():
            own = far if t.ndim > 1 else ...
            found[far] = total(x[far], t[own], weight[own])
        return found

    @property
    def _phi_is_narrow(self) -> bool:
        """Whether phi changes the difference less than T does; then phi must be the outer variable.

        Otherwise the inner probability would be a step narrower than the nodes. Only large counts cause this.
        """
        m = self.a01 + self.a10
        t, phi = Beta(a=m, b=self.same), Beta(a=self.a01, b=self.a10)
        return min(self.a01, self.a10, self.same) > 100 and 6 * t.mean * phi.sd < t.sd * abs(1 - 2 * phi.mean)

    def _over_phi(self) -> tuple[Floats, Floats]:
        """1 - 2 phi at its nodes, and the probability of each node."""
        low, high, log_total = _support(self.a01, self.a10)
        phi, log_w = _nodes(self.a01, self.a10, low, high)
        return 1 - 2 * phi, np.exp(log_w - log_total)

    def _sf_over_phi(self, x: Floats) -> Floats:
        """∫ Pr(T (1 - 2 phi) > x) p(phi) dphi, that is T > x/(1 - 2 phi) where 1 - 2 phi is positive."""
        s, w = self._over_phi()
        t = Beta(a=self.a01 + self.a10, b=self.same)
        ratio = x[..., None] / s
        ahead = np.where(x[..., None] <= 0, 1.0, t.sf(ratio))
        behind = np.where(x[..., None] >= 0, 0.0, t.cdf(ratio))
        return np.asarray(np.where(s > 0, ahead, behind) @ w)

    def sf(self, x: ArrayLike) -> Floats:
        """Upper tail Pr(T (1 - 2 phi) > x) = ∫ Pr(phi < (1 - x/T)/2) p(T) dT.

        Parameters
        ----------
        x : array_like
            Values.

        Returns
        -------
        ndarray
            Probability above each value.
        """
        x = np.clip(np.asarray(x, dtype=np.float64), -_ALMOST_ONE, _ALMOST_ONE)
        if self._phi_is_narrow:
            return self._sf_over_phi(x)
        above = self._over_t(x, lambda phi, _: betainc(self.a01, self.a10, phi))
        certain = np.where(x < 0, betainc(self.a01 + self.a10, self.same, np.clip(-x, 0.0, 1.0)), 0.0)
        inside = np.clip(above + certain, 0.0, 1.0)
        return np.asarray(np.where(x == _ALMOST_ONE, 0.0, np.where(x == -_ALMOST_ONE, 1.0, inside)))

    def cdf(self, x: ArrayLike) -> Floats:
        return self.mirrored.sf(-np.asarray(x, dtype=np.float64))

    def pdf(self, x: ArrayLike) -> Floats:
        outside = np.abs(np.asarray(x)) >= 1
        x = np.where(outside, 0.0, np.asarray(x, dtype=np.float64))
        if self._phi_is_narrow:
            s, w = self._over_phi()
            density = Beta(a=self.a01 + self.a10, b=self.same).pdf(x[..., None] / s) / np.abs(s)
            return np.where(outside, 0.0, density @ w)
        log_beta = betaln(self.a01, self.a10)

        def density_of_phi(phi: Floats, t: Floats) -> Floats:
            log_phi = xlogy(self.a01 - 1, phi) + xlog1py(self.a10 - 1, -phi) - log_beta
            return np.asarray(np.exp(log_phi) / (2 * t))

        return np.where(outside, 0.0, self._over_t(x, density_of_phi))

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        return _hdi(self, level)

    def quantile(self, p: ArrayLike) -> Floats:
        start = self.mean + self.sd * ndtri(p)  # exact in the limit of many counts
        return invert(self, p, -1.0, 1.0, start, tiny=1e-15 * self.sd)

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        theta = np.random.default_rng(rng).dirichlet([self.a01, self.a10, self.same], size=n)
        return np.asarray(theta[:, 1] - theta[:, 0])


@lru_cache(maxsize=1024)
def _hdi(posterior: ProportionDifference, level: float) -> tuple[float, float]:
    """Two ends with equal density by Newton's method, or by the slow search if that fails."""
    check_level(level)
    ends = posterior.mean + posterior.sd * ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    h = 1e-4 * posterior.sd
    for _ in range(_NEWTON):
        if not (-1 + h < ends[0] < ends[1] < 1 - h):
            break
        density, before, after = posterior.pdf(np.stack([ends, ends - h, ends + h]))
        if min(density.min(), before.min(), after.min()) <= 0:
            break
        tails = posterior.cdf(ends[0]) + posterior.sf(ends[1])
        slope = (np.log(after) - np.log(before)) / (2 * h)
        gap = np.array([1 - float(tails) - level, np.log(density[1] / density[0])])
        step = np.linalg.solve([[-density[0], density[1]], [-slope[0], slope[1]]], gap)
        ends = ends - step
        if np.abs(step).max() <= _SETTLED * posterior.sd:
            return float(ends[0]), float(ends[1])
    return Posterior.hdi(posterior, level)

"""The advantage pi (1 - 2 phi): how often two models disagree, times how one-sided that is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from ropewalk.posterior.base import Floats, Posterior, check_level
from ropewalk.posterior.mixture import inverted, scanned
from ropewalk.posterior.rate_table import END, RateTable

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)
_BREAKS = np.linspace(0.0, 1.0, 49)  # positions of panel ends among the points of the rate tables
_PLACES = 4096  # number of products of quantiles that locate the advantage
_POINTS = 201  # points of the table for quantiles
_AT_ONCE = 64  # values of the advantage, each with its own panels, held in memory at a time
_GOLDEN = 0.6180339887498949
_TINY = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: the table for quantiles is cached
class AdvantagePosterior(Posterior):
    """Advantage pi (1 - 2 phi) of two models that disagree at rate pi and share the mistakes by phi.

    Parameters
    ----------
    rate : object
        Posterior of pi, the share of examples on which exactly one model is right.
    share : object
        Posterior of phi, the share of A's mistakes among those examples, independent of pi.

    See Also
    --------
    ropewalk.bayes.hierarchical_accuracy : The model that has such posteriors.

    Notes
    -----
    Every probability is one integral over pi: for x > 0

        Pr(advantage > x) = ∫ Pr(phi < (1 - x/pi)/2) p(pi) dpi,

    on panels that end where either of the two densities bends.

    Examples
    --------
    >>> from ropewalk import bayes
    >>> model = bayes.hierarchical_accuracy([9, 6, 8], [4, 5, 2], [87, 89, 90])
    >>> posterior = model.mean_advantage
    >>> type(posterior).__name__, round(posterior.mean, 2)
    ('AdvantagePosterior', 0.04)
    """

    rate: RateTable
    share: RateTable

    @cached_property
    def mean(self) -> float:
        """Expected advantage: the two rates are independent, so their expectations multiply."""
        return self.rate.moment(lambda u: u) * self.share.moment(lambda v: 1 - 2 * v)

    @cached_property
    def sd(self) -> float:
        """Standard deviation of the advantage."""
        second = self.rate.moment(np.square) * self.share.moment(lambda v: (1 - 2 * v) ** 2)
        return float(np.sqrt(max(second - self.mean**2, 0.0)))

    def sf(self, x: ArrayLike) -> Floats:
        return self._side(np.asarray(x, dtype=np.float64), ahead=True)

    def cdf(self, x: ArrayLike) -> Floats:
        return self._side(np.asarray(x, dtype=np.float64), ahead=False)

    def _side(self, x: Floats, *, ahead: bool) -> Floats:
        """Pr(advantage > x), or < x; the smaller part is integrated."""
        far = np.abs(x)
        out = np.empty(x.shape)
        positive = x >= 0 if ahead else x < 0  # an advantage of exactly 0 counts in the cdf at 0
        out[positive] = self._beyond(far[positive], ahead=ahead)
        out[~positive] = 1 - self._beyond(far[~positive], ahead=not ahead)
        return out

    def _beyond(self, x: Floats, *, ahead: bool) -> Floats:
        """Pr(advantage > x) for x >= 0; of B where not `ahead`."""
        inner = self.share.below if ahead else self.share.above
        sign = -1.0 if ahead else 1.0

        def probability(at: Floats) -> Floats:
            z, w = self._panels(at, ahead=ahead)
            part = inner(_share(at[:, None], z, sign)) * self.rate.density(z)
            certain = self.rate.one * inner(_share(at, np.full(at.shape, np.inf), sign))
            # Without any disagreement the advantage is 0, which is not beyond 0.
            return np.asarray(np.sum(part * w, axis=1) + certain)

        inside = np.clip(_in_blocks(probability, np.minimum(x, 1.0)), 0.0, 1.0)
        return np.where(x >= 1, 0.0, inside)

    def _panels(self, x: Floats, *, ahead: bool, least: float = -END) -> tuple[Floats, Floats]:
        """Nodes and weights of logit(pi) from pi = x (or `least`) up to 1, one row for each x."""
        lead = np.tanh(0.5 * self._away(ahead))  # |1 - 2 phi|
        with np.errstate(divide="ignore"):
            start = np.maximum(logit(x), least)[:, None]
            # pi at which (1 - x/pi)/2 is one of the points of phi
            images = logit(np.minimum(x[:, None] / lead, 1.0))
        return _between(start, _thinned(self.rate.z), images)

    def _away(self, ahead: bool) -> Floats:
        """How far the points of logit(phi) lie on the side of one model."""
        away = _thinned(-self.share.z if ahead else self.share.z)
        return away[away > 0]

    def pdf(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=np.float64)
        out = np.zeros(at.shape)
        for ahead in (True, False):
            side = (np.abs(at) < 1) & ((at >= 0) if ahead else (at < 0))
            out[side] = _in_blocks(partial(self._density, ahead=ahead), np.abs(at[side]))
        return out

    def _density(self, x: Floats, *, ahead: bool) -> Floats:
        """∫ p(pi) p(phi)/(2 pi) dpi at phi = (1 - x/pi)/2: over pi above 1/2, and over phi where pi is below.

        Near pi = x the density of phi may be unbounded, and near pi = 1 that of pi. On the logit of the
        unbounded one, both are smooth.
        """
        sign = -1.0 if ahead else 1.0
        x = np.maximum(x, _TINY)  # at an advantage of 0 the density may be infinite
        z, w = self._panels(x, ahead=ahead, least=0.0)
        t = _share(x[:, None], z, sign)
        inside = np.abs(t) < END
        t = np.where(inside, t, 0.0)
        f = self.rate.density(z) * self.share.density(t) / (2 * expit(z) * expit(t) * expit(-t))
        above = np.sum(np.where(inside, f, 0.0) * w, axis=1)
        away, w = self._panels_of_share(x, ahead=ahead)
        pi = np.minimum(x[:, None] / np.tanh(0.5 * away), 0.5)
        below = self.rate.density(logit(pi)) * self.share.density(sign * away) / (x[:, None] * (1 - pi))
        inside = np.asarray(above + np.sum(below * w, axis=1))
        return inside + self._at_the_ends(x, ahead=ahead)

    def _at_the_ends(self, x: Floats, *, ahead: bool) -> Floats:
        """Contributions to the density of phi = 0 or 1 (advantage pi) and pi = 1 (advantage 1 - 2 phi)."""
        certain = self.share.zero if ahead else self.share.one
        t = _share(x, np.full(x.shape, np.inf), -1.0 if ahead else 1.0)
        always = self.share.density(t) / (2 * expit(t) * expit(-t))
        return np.asarray(certain * self.rate.density(logit(x)) / (x * (1 - x)) + self.rate.one * always)

    def _panels_of_share(self, x: Floats, *, ahead: bool) -> tuple[Floats, Floats]:
        """Nodes and weights of |logit(phi)| where pi = x/|1 - 2 phi| is below 1/2: a row for each x."""
        with np.errstate(divide="ignore"):
            start = np.minimum(2 * np.arctanh(np.minimum(2 * x, 1.0)), END)[:, None]
            images = 2 * np.arctanh(np.minimum(x[:, None] / expit(_thinned(self.rate.z)), 1.0))
        return _between(start, self._away(ahead), images)

    @cached_property
    def _table(self) -> tuple[Floats, ...]:
        """Values of the advantage, log cdf and log sf there, their slopes, and the density."""
        order = np.arange(_PLACES)
        p, q = (order + 0.5) / _PLACES, np.mod(_GOLDEN * (order + 1), 1.0)
        places = expit(self.rate.quantiles(p)) * (1 - 2 * expit(self.share.quantiles(q)))
        wanted = np.quantile(places, expit(np.linspace(-8, 8, _POINTS)))
        far = np.geomspace(1.0, 1e3, 16) * max(float(np.ptp(wanted)), _TINY)
        x = np.concatenate([wanted, wanted[0] - far, wanted[-1] + far, [0.0]])
        x = np.unique(np.concatenate([[-1.0], x[np.abs(x) < 1], [1.0]]))
        below, above = np.maximum(self.cdf(x), 1e-300), np.maximum(self.sf(x), 1e-300)
        f = self.pdf(x)
        up = _limited(x, np.log(below), f / below)
        return x, np.log(below), np.log(above), up, -_limited(x, -np.log(above), f / above), f

    @property
    def curve(self) -> tuple[Floats, Floats, Floats]:
        """Values of the advantage where it lies, the density there, and the probability below."""
        x, log_below, _, _, _, density = self._table
        return x, density, np.exp(log_below)

    def quantile(self, p: ArrayLike) -> Floats:
        want = np.asarray(p, dtype=np.float64)
        found = np.clip(inverted(want, *self._table[:5]), -1.0, 1.0)
        return np.where(want <= 0, -1.0, np.where(want >= 1, 1.0, found))

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        check_level(level)
        return scanned(self.quantile, level)

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        p = np.random.default_rng(rng).random((2, n))
        return np.asarray(expit(self.rate.quantiles(p[0])) * (1 - 2 * expit(self.share.quantiles(p[1]))))


def _between(start: Floats, points: Floats, images: Floats) -> tuple[Floats, Floats]:
    """Nodes and weights of panels from `start` to END that end at these points, one row for each start."""
    rows = np.broadcast_to(points, (start.size, points.size))
    ends = np.sort(np.clip(np.concatenate([start, rows, images], axis=1), start, END), axis=1)
    half = 0.5 * np.diff(ends, axis=1, append=END)[..., None]
    nodes = ends[..., None] + half * (1 + _NODES)
    return nodes.reshape(start.size, -1), (half * _WEIGHTS).reshape(start.size, -1)


def _limited(x: Floats, value: Floats, slope: Floats) -> Floats:
    """Limit slopes so that cubics through increasing values are monotone (Fritsch & Carlson 1980)."""
    secant = np.diff(value) / np.diff(x)
    least = np.minimum(np.append(secant[0], secant), np.append(secant, secant[-1]))
    return np.asarray(np.minimum(slope, 3 * least))


def _thinned(z: Floats) -> Floats:
    """A fixed number of the points of a rate table, including its ends."""
    return np.asarray(z[np.round(_BREAKS * (z.size - 1)).astype(np.intp)])


def _share(x: Floats, z: Floats, sign: float) -> Floats:
    """logit of (1 + sign x/pi)/2, the share of A's mistakes at which the advantage is x; z = logit(pi)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.minimum(x * (1 + np.exp(-z)), 1.0)
        return np.asarray(sign * 2 * np.arctanh(ratio))


def _in_blocks(f: Callable[[Floats], Floats], x: Floats) -> Floats:
    flat = x.ravel()
    parts = [f(flat[i : i + _AT_ONCE]) for i in range(0, flat.size, _AT_ONCE)]
    return np.asarray(np.concatenate([np.empty(0), *parts]).reshape(x.shape))

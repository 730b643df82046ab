"""Futures of the hierarchical t-test: further tasks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from ropewalk.assurance.curve import Growth
from ropewalk.assurance.lattice import Spread, softmax, spread_over
from ropewalk.assurance.prior import FLAT
from ropewalk.assurance.rope_edges import three
from ropewalk.bayes import HierarchicalT
from ropewalk.bayes.student_hierarchy import LOW, STEP, Nodes, Tasks, convolved, scale_weights
from ropewalk.posterior.base import Floats

if TYPE_CHECKING:
    from ropewalk.questions import Asks

_MU, _X, _Y = 96, 24, 9  # numbers of values of mu0, log sigma0 and log(nu - 1)
_MEANS, _KINDS = 96, 4  # numbers of observed means and of precisions of a further task
_POOL = 20_000  # further tasks that are drawn to find their range
_LEAST = 1e-8  # nodes with a smaller share of the posterior are left out


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: tables are cached
class MoreTasks(Growth):
    """Tasks of the population that the tasks at hand come from, each like one of them in size and spread.

    Formula
        (mu0, sigma0, nu) is drawn from the posterior; a further task has the mean mu_i ~ Student(nu, mu0,
        sigma0), observed with the error of one of the tasks at hand. The log likelihood of a task is
        tabulated on a lattice of (mu0, sigma0, nu), for a few precisions and a row of observed means; the
        posterior of a simulated collection is then one row of a matrix product. The verdict is about mu0
        ("average"), about the next task ("next"), or is the share of the posterior in which a region is the
        most probable for the next task ("likeliest", Benavoli et al. 2017).
    Prior
        The true mu0 of a future has the prior N(0, prior_sd²). The verdict does not use this prior.
    """

    fitted: HierarchicalT
    low: float
    high: float
    asks: Asks = "average"
    unit: str = "task"
    prior_sd: float = FLAT

    @property
    def n(self) -> int:
        return self.fitted.n_tasks

    @property
    def limited(self) -> bool:
        """However many tasks there are, the next one is still a draw from them."""
        return self.asks == "next"

    @cached_property
    def _lattice(self) -> _Lattice:
        unit = self.fitted.unit
        return _Lattice.of(self.fitted, self.low / unit, self.high / unit, self.asks)

    @cached_property
    def _table(self) -> _TaskLikelihoods:
        return _TaskLikelihoods.of(self.fitted.tasks, self._lattice)

    def future(self, more: int, draws: int, rng: np.random.Generator) -> Floats:
        """The probabilities of the regions in simulated futures."""
        k, t = self._lattice, self._table
        spread = self.prior_sd / self.fitted.unit
        means, kinds = k.drawn(self.fitted.tasks, t, (draws, more), rng, prior_sd=spread)
        log_p = k.log_p[:, None] + t.added(means, kinds)
        p = softmax(log_p)
        return three(k.better @ p, k.worse @ p)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Lattice:
    """Nodes of (y, x, mu0), their log probability, and the shares of each that are better and worse."""

    y: Floats
    x: Floats
    mu: Floats
    kept: NDArray[np.bool_]  # of (y, x, mu0)
    log_p: Floats
    better: Floats
    worse: Floats
    node_mu: Floats
    node_sigma: Floats
    node_nu: Floats
    width: Floats

    @classmethod
    def of(cls, fitted: HierarchicalT, low: float, high: float, asks: Asks) -> _Lattice:
        s = fitted.surface
        w = s.weights
        y, x, mu = (
            spread_over(axis.nodes, w.sum(axis=tuple(d for d in range(3) if d != i)), count)
            for i, (axis, count) in enumerate(((s.y, _Y), (s.x, _X), (s.mu, _MU)))
        )
        log_p = s.log_density
        for i, (axis, points) in enumerate(((s.y, y), (s.x, x), (s.mu, mu))):
            log_p = axis.interpolated(log_p, points.at, axis=i)
        log_p = log_p + np.log(y.width)[:, None, None] + np.log(x.width)[:, None] + np.log(mu.width)
        log_p -= log_p.max()
        kept = log_p > np.log(_LEAST)
        nu, sigma = 1 + np.exp(y.at), np.exp(x.at)
        above, below = _sides(nu, sigma, mu, low, high, asks)
        grid = np.broadcast_arrays(mu.at, sigma[None, :, None], nu[:, None, None], mu.width)
        return cls(
            y=y.at,
            x=x.at,
            mu=mu.at,
            kept=kept,
            log_p=log_p[kept],
            better=np.broadcast_to(above, kept.shape)[kept],
            worse=np.broadcast_to(below, kept.shape)[kept],
            node_mu=grid[0][kept],
            node_sigma=grid[1][kept],
            node_nu=grid[2][kept],
            width=grid[3][kept],
        )

    def drawn(
        self,
        tasks: Tasks,
        table: _TaskLikelihoods | None,
        shape: tuple[int, int],
        rng: np.random.Generator,
        *,
        prior_sd: float = FLAT,
    ) -> tuple[Floats, NDArray[np.intp]]:
        """Observed means of further tasks (futures x tasks), and the precision of each."""
        p = np.exp(self.log_p - 0.5 * (self.node_mu / prior_sd) ** 2)
        node = rng.choice(p.size, size=shape[0], p=p / p.sum())
        mu = self.node_mu[node] + self.width[node] * (rng.random(shape[0]) - 0.5)
        like = rng.integers(tasks.loc.size, size=shape)
        # The spread within a task is estimated from its data: S/sigma² is χ² with df + 1 degrees of freedom.
        df = tasks.df[like] + 1
        scale = tasks.scale[like]
        seen = scale * np.sqrt(rng.chisquare(df) / df)
        own = mu[:, None] + self.node_sigma[node, None] * rng.standard_t(self.node_nu[node, None], shape)
        kinds = np.zeros(shape, dtype=np.intp) if table is None else table.kind_of(seen)
        return own + scale * rng.standard_normal(shape), kinds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _TaskLikelihoods:
    """The log likelihood of a further task at every node (rows) by its precision and mean (columns)."""

    means: Spread
    scales: Floats  # one for each kind, from most to least precise
    log_f: Floats

    @classmethod
    def of(cls, tasks: Tasks, lattice: _Lattice) -> _TaskLikelihoods:
        rng = np.random.default_rng(0)
        pool, _ = lattice.drawn(tasks, None, (_POOL, 1), rng)
        means = spread_over(np.sort(pool[:, 0]), np.ones(_POOL), _MEANS)
        like = rng.integers(tasks.loc.size, size=_POOL)
        df = tasks.df[like] + 1
        seen = tasks.scale[like] * np.sqrt(rng.chisquare(df) / df)
        scales = np.unique(np.quantile(seen, (np.arange(_KINDS) + 0.5) / _KINDS))
        nodes = Nodes(mu=lattice.mu, x=lattice.x, y=lattice.y)
        far = max(float(np.ptp(np.append(means.at, lattice.mu))), float(np.exp(lattice.x[-1])))
        log_s = np.arange(lattice.x[0] - LOW, max(np.log(20 * far), lattice.x[-1] + 3) + STEP, STEP)
        p = scale_weights(nodes, log_s, decay=1).reshape(-1, log_s.size)
        parts = []
        for scale in scales:
            near = np.argsort(np.abs(np.log(seen / scale)))[: _POOL // _KINDS]
            one = Tasks(
                loc=means.at,
                scale=np.full(means.at.size, scale),
                df=np.full(means.at.size, float(np.median(tasks.df[like][near]))),
            )
            (g,) = convolved(one, lattice.mu, log_s)  # (s, mu0, mean)
            f = (p @ g.reshape(log_s.size, -1)).reshape(*lattice.kept.shape, means.at.size)
            parts.append(np.log(np.maximum(f, 1e-300))[lattice.kept])
        return cls(means=means, scales=scales, log_f=np.concatenate(parts, axis=1))

    def kind_of(self, scale: Floats) -> NDArray[np.intp]:
        edges = np.sqrt(self.scales[1:] * self.scales[:-1])
        return np.searchsorted(edges, scale)

    def added(self, means: Floats, kinds: NDArray[np.intp]) -> Floats:
        """The log likelihood of every collection (columns) at every node."""
        counts = self.means.counted(means, kinds, self.scales.size)
        return np.asarray(self.log_f @ counts)


def _sides(
    nu: Floats, sigma: Floats, mu: Spread, low: float, high: float, asks: Asks
) -> tuple[Floats, Floats]:
    """The shares of each node that count as better and as worse, arrays over (nu, sigma0, mu0).

    For the next task, the probability; for mu0, the part of its cell outside the ROPE; for the most probable
    region, the part of the cell beyond the point where that region changes.
    """
    if asks == "next":
        scale, df = sigma[:, None], nu[:, None, None]
        return stdtr(df, (mu.at - high) / scale), stdtr(df, (low - mu.at) / scale)
    if asks == "average":
        return mu.above(high), 1 - mu.above(low)
    distance, middle = _switch(nu[:, None], sigma, 0.5 * (high - low)), 0.5 * (low + high)
    above = (mu.high - (middle + distance)[..., None]) / mu.width
    below = ((middle - distance)[..., None] - mu.low) / mu.width
    return np.clip(above, 0.0, 1.0), np.clip(below, 0.0, 1.0)


def _switch(nu: Floats, sigma: Floats, half: float) -> Floats:
    """How far mu0 lies from the middle of the ROPE where "better" becomes the most probable, by bisection.

    There Pr(better) = max(Pr(equivalent), Pr(worse)); it is at most half the width of the ROPE.
    """
    near, far = np.zeros(np.broadcast(nu, sigma).shape), np.full(np.broadcast(nu, sigma).shape, half)
    for _ in range(40):
        at = 0.5 * (near + far)
        better, worse = stdtr(nu, (at - half) / sigma), stdtr(nu, (-half - at) / sigma)
        ahead = better > np.maximum(1 - better - worse, worse)
        near, far = np.where(ahead, near, at), np.where(ahead, at, far)
    return np.asarray(far)

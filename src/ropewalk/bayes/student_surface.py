"""The posterior of (mu0, sigma0, nu) of the hierarchical t-test: found, refined, and read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtr, stdtr, stdtrit

from ropewalk.bayes.other_tasks import Level
from ropewalk.bayes.quadrature import NODES, Panels, below, calmed, drawn, regions, settled
from ropewalk.bayes.stand_ins import fewer
from ropewalk.bayes.student_hierarchy import (
    LOW,
    STEP,
    Likelihood,
    Nodes,
    Tasks,
    gap_prior_below,
    log_gap_prior,
    log_likelihood,
    scale_weights,
)
from ropewalk.posterior.base import Floats
from ropewalk.posterior.mixture import Mixture
from ropewalk.posterior.regions import WeightedRegions
from ropewalk.threads import one_thread

_FIRST = 32  # number of tasks for a first guess of where the posterior lies
_SEEN = 30.0  # panels this far below the peak in that first guess are skipped later
_LOOSE = 1e-3  # sufficient error before all nodes of nu are used
_FEW_NU = 4  # nodes of nu until then
_MOST = 3_000_000  # nodes at most
_LEFT_OUT = 1e-6  # share of the mass in pairs of nu and sigma0 that the readings leave out
_SPARSE = 1e-5  # a panel with a smaller share of the mass may stay wide
_LEAST = 1e-9  # a normal with less weight is dropped
_AT_ONCE = 512  # pairs of nu and ROPE computed at a time
_IN_CACHE = 100_000  # numbers that fit into the cache
_FLAT = 20.0  # a normal this many times as wide as the range is flat: it changes by 0.1%
_RESOLVED = 0.3  # a normal whose sd is this share of a panel is resolved by its nodes
_POINT = 3e-4  # a normal with this share of the narrowest panel of mu0 as its sd acts as a point
_CUTS, _MOST_CUTS = 2, 4  # how often panels of mu0 are halved when normals are placed on their nodes


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """mu0 ~ U(-mu0, mu0), sigma0 ~ U(0, sigma0), nu - 1 ~ Gamma(alpha, beta) with uniform alpha and beta."""

    mu0: float
    sigma0: float
    alpha: tuple[float, float]
    beta: tuple[float, float]

    def log_density(self, nodes: Nodes) -> Floats:
        """In mu0, x and y, up to a constant; an array over (y, x, 1)."""
        in_y = log_gap_prior(nodes.y, self.alpha, self.beta)
        return np.asarray(in_y[:, None, None] + nodes.x[:, None])


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: `weights` is cached
class Surface:
    """log p(y, x, mu0 | data) at the nodes of panels in each of the three, up to a constant."""

    y: Panels
    x: Panels
    mu: Panels
    log_density: Floats
    error: float

    @property
    def nodes(self) -> Nodes:
        return Nodes(mu=self.mu.nodes, x=self.x.nodes, y=self.y.nodes)

    @cached_property
    def weights(self) -> Floats:
        """The probability of each node, an array over (y, x, mu0)."""
        w_y, w_x, w_mu = (axis.points(NODES)[1] for axis in (self.y, self.x, self.mu))
        p = np.exp(self.log_density) * (w_y[:, None, None] * w_x[:, None] * w_mu)
        return np.asarray(p / p.sum())

    def mean_advantage(self) -> Mixture:
        """The posterior of mu0, as a mixture of narrow, closely spaced normals."""
        # With sd 0.6 of the distance of two normals, ripples are 2 exp(-2 (0.6 π)²) = 0.2% in the density.
        panels = self._even().cut(_CUTS + 1)
        return Mixture.of(self._marginal(panels), loc=panels.nodes, scale=0.6 * panels.spacing)

    def _even(self) -> Panels:
        """Panels of mu0 with equal widths where the mass is, so that all normals have the same width.

        Wide normals next to narrow ones would cause a bump of a tenth of the density or more.
        """
        narrowest = (self.mu.high - self.mu.low)[self._massive(self.mu)].min()
        panels = self.mu
        for _ in range(_MOST_CUTS):
            panels = panels.halved(self._massive(panels) & (panels.high - panels.low > 1.5 * narrowest))
        return panels

    def _massive(self, panels: Panels) -> NDArray[np.bool_]:
        """Whether panels lie in those of the log density that hold more than a trace of the mass."""
        mass = self.weights.sum(axis=(0, 1)).reshape(-1, NODES).sum(axis=1)
        return np.asarray(mass[self.mu.local(0.5 * (panels.low + panels.high))[0]] > _SPARSE)

    def next_mean(self) -> Mixture:
        """The posterior of the next task's mean: Student(nu, mu0, sigma0) over all nodes, as normals.

        Nodes of mu0 must be spaced by about s, the standard deviation of a normal: panels are cut for small
        s. In the smallest panels s is raised to their spacing.
        """
        log_s, scales = self._scales
        s = np.exp(log_s)[:, None] * np.ones(self.mu.low.size)
        # Beyond the last scale the tails follow a power law; the variance is infinite if nu may be below 2.
        heavy = np.zeros(s.shape[0], dtype=np.bool_)
        heavy[-1] = self.weights[self.nodes.nu <= 2].sum() > 1e-4
        cuts = np.clip(np.ceil(np.log2(_RESOLVED * (self.mu.high - self.mu.low) / s)), 0, _MOST_CUTS)
        parts = []
        for k in np.unique(cuts):
            panels = self.mu.cut(int(k))
            at = panels.nodes
            here = np.repeat(cuts == k, panels.low.size // self.mu.low.size * NODES, axis=1)
            rows = np.any(cuts == k, axis=1)
            # Only a sigma0 not far above has such narrow normals.
            some = self.nodes.x[self._rows[1]] < log_s[rows].max() + LOW
            weight = scales[some][:, rows].T @ self._weights(panels, some)
            kept = here[rows] & ((weight > _LEAST) | (heavy[rows, None] & (weight > 0)))
            scale = np.maximum(np.exp(log_s)[rows, None], 0.8 * panels.spacing)
            df = np.where(heavy[rows], 1.0, np.inf)[:, None]
            at, df = (np.broadcast_to(v, weight.shape) for v in (at, df))
            parts.append(np.stack([weight[kept], at[kept], scale[kept], df[kept]]))
        weight, at, scale, df = np.concatenate(parts, axis=1)
        return Mixture.of(weight, loc=at, scale=scale, df=df)

    def levels(self, far: float) -> list[Level]:
        """The population as normals: few nodes of mu0 for wide ones, more for narrower ones.

        `far` is the largest distance at which they are compared.
        """
        log_s, scales = self._scales
        # Normals that are flat over the whole range differ in height only, like 1/s: one stands for all.
        last = min(int(np.searchsorted(log_s, np.log(_FLAT * far))), log_s.size - 1)
        s, positive = np.exp(log_s[: last + 1]), np.maximum(scales, 0.0)
        positive[:, last] = positive[:, last:] @ np.exp(log_s[last] - log_s[last:])
        panels, mass = self._even(), self.weights.sum(axis=2)[self._rows]
        widest = np.max((panels.high - panels.low)[self._massive(panels)])
        found, end = [], last + 1
        for k in range(_CUTS + 1):
            start = 0 if k == _CUTS else int(np.searchsorted(s[:end], _RESOLVED * widest / 2**k))
            rows = mass * positive[:, start:end].sum(axis=1) > _LEAST  # narrow normals belong to few rows
            weights = self._weights(panels, rows)
            at = weights.sum(axis=0) > _LEAST
            mu, spacing, weights = panels.nodes[at], panels.spacing[at], weights[:, at]
            own = positive[rows, : last + 1]
            found.append(
                Level(s=s, mine=slice(start, end), scales=own, mu=mu, spacing=spacing, weights=weights)
            )
            panels, end = panels.cut(1), start
        return found

    def regions(self, low: float, high: float) -> WeightedRegions:
        """Both readings for the ROPE (low, high)."""
        return regions(*self.sides(low, high, 4000), self.readings(low, high), self.error)

    def sides(self, low: float, high: float, n: int) -> tuple[Floats, Floats]:
        """The probabilities of better and of worse at n points of the posterior."""
        mu, sigma, nu = self.drawn(n)
        return stdtr(nu, (mu - high) / sigma), stdtr(nu, (low - mu) / sigma)

    def drawn(self, n: int) -> tuple[Floats, Floats, Floats]:
        """n points (mu0, sigma0, nu) that represent the posterior: evenly spread and deterministic."""
        y, x, mu = drawn(self.weights, (self.y, self.x, self.mu), n)
        return mu, np.exp(x), 1 + np.exp(y)

    def readings(self, low: float, high: float) -> Floats:
        """The mean of (better, equivalent, worse), and how often each is the most probable.

        The population is a mixture of normals N(mu0, s²), and panels of mu0 that get smaller towards the
        edges of the ROPE resolve every s.
        """
        log_s, scales = self._scales
        mesh = self.mu.cut(1).graded([low, high], 0.3 * float(np.exp(log_s[0])))
        normals = scales.T @ self._weights(mesh)
        at, s = mesh.nodes, np.exp(log_s)[:, None]
        mean = [float(np.sum(normals * ndtr(z / s))) for z in (at - high, low - at)]
        most = self.most_probable(np.array([low]), np.array([high]))[:, 0]
        sides = np.clip([mean, most], 0.0, 1.0)  # rounding can leave -1e-16 or 1 + 1e-16
        return np.array([q for b, v in sides for q in (b, max(1 - b - v, 0.0), v)])

    @cached_property
    def _rows(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The y and x of all their pairs except those that together have negligible mass."""
        mass = self.weights.sum(axis=2)
        order = np.argsort(mass, axis=None)
        kept = np.sort(order[np.cumsum(mass.ravel()[order]) > _LEFT_OUT])
        y, x = np.unravel_index(kept, mass.shape)
        return y, x

    def _weights(self, panels: Panels, some: NDArray[np.bool_] | None = None) -> Floats:
        """The probabilities of (row, mu0), mu0 at the nodes of finer panels than those of the log density.

        With `some`, only for these rows.
        """
        w_y, w_x, w_mu = (axis.points(NODES)[1] for axis in (self.y, self.x, panels))
        y, x = self._rows if some is None else (index[some] for index in self._rows)
        p = np.exp(self.mu.interpolated(self.log_density[y, x], panels.nodes))
        p *= (w_y[y] * w_x[x])[:, None] * w_mu
        return np.asarray(p / (p.sum() if some is None else self._total))

    def _marginal(self, panels: Panels) -> Floats:
        """The probabilities of mu0 at the nodes of panels, a few at a time to stay in the cache."""
        w_y, w_x, w_mu = (axis.points(NODES)[1] for axis in (self.y, self.x, panels))
        y, x = self._rows
        rows, at = self.log_density[y, x], panels.nodes
        block = NODES * max(_IN_CACHE // (NODES * len(rows)), 1)
        blocks = [at[start : start + block] for start in range(0, at.size, block)]
        # Not a matrix product, because its last digit would depend on the number of threads.
        summed = [
            ((w_y[y] * w_x[x])[:, None] * np.exp(self.mu.interpolated(rows, some))).sum(axis=0)
            for some in blocks
        ]
        p = np.concatenate(summed) * w_mu
        return np.asarray(p / p.sum())

    @cached_property
    def _total(self) -> float:
        """The integral of exp(log_density) over all rows."""
        w_y, w_x, w_mu = (axis.points(NODES)[1] for axis in (self.y, self.x, self.mu))
        y, x = self._rows
        return float((w_y[y] * w_x[x]) @ np.exp(self.log_density[y, x]) @ w_mu)

    @cached_property
    def _scales(self) -> tuple[Floats, Floats]:
        """log s, and p(s | sigma0, nu) for each row."""
        nodes = self.nodes
        low = max(nodes.x[0] - LOW, np.log(_POINT * np.min(self.mu.high - self.mu.low)))
        log_s = np.arange(low, nodes.x[-1] + 1.5 + 16 / nodes.nu[0], STEP)
        return log_s, scale_weights(nodes, log_s, decay=0)[self._rows]

    def most_probable(self, low: Floats, high: Floats) -> Floats:
        """How often "better" and how often "worse" is the most probable region, one column per ROPE.

        With nu and sigma0 fixed, the most probable region changes at two values of mu0, so only the mass
        below them is needed, and one density serves all ROPEs. For sigma0 above half/q, with q the quantile
        of Student(nu) at 2/3 and `half` the ROPE's half width, it is never "equivalent". This causes a kink,
        at which the panel of x is cut separately for each ROPE.
        """
        middle, half = 0.5 * (low + high)[:, None], 0.5 * (high - low)[:, None]
        mesh = self.mu.cut(_CUTS)
        x, w_x = self.x.points(NODES)
        every_nu, every_w = self.nodes.nu, self.y.points(NODES)[1]
        sums = np.zeros((3, low.size))
        block = max(_AT_ONCE // low.size, 1)
        for start in range(0, every_nu.size, block):
            some = slice(start, start + block)
            nu, w_y = every_nu[some, None], every_w[some, None]
            log_p = self.mu.interpolated(self.log_density[some], mesh.nodes)
            q = stdtrit(nu, 2 / 3)
            with np.errstate(divide="ignore"):
                cut, inner, w_inner, matrix = self.x.split(np.log(half[:, 0] / q))  # over (y, ROPE)
            # Panels without a kink: a row for each y and x.
            rows = (np.exp(log_p) * (w_y[..., None] * w_x[:, None])).reshape(-1, mesh.nodes.size)
            nu_x, q_x, sigma = np.repeat(nu, x.size), np.repeat(q, x.size), np.tile(np.exp(x), nu.size)
            whole = _sides(mesh, rows, middle, _switch(nu_x, q_x, sigma, half))
            smooth = np.arange(x.size) // NODES != cut.T[..., None]  # over (ROPE, y, x)
            sums += np.sum(whole.reshape(3, *smooth.shape) * smooth, axis=(2, 3))
            # The panel with the kink, cut there: rows for each y, ROPE and node.
            log_p = log_p.reshape(nu.size, -1, NODES, mesh.nodes.size)[np.arange(nu.size)[:, None], cut]
            inner_p = calmed(matrix @ log_p, log_p.max(axis=-2, keepdims=True))
            rows = np.exp(inner_p) * (w_y[..., None] * w_inner)[..., None]
            distance = _switch(nu[..., None], q[..., None], np.exp(inner), half)
            at = np.broadcast_to(middle, inner.shape).ravel()
            parts = _sides(mesh, rows.reshape(-1, mesh.nodes.size), at, distance.ravel())
            sums += parts.reshape(3, *inner.shape).sum(axis=(1, 3))
        not_better, worse, total = sums
        return np.stack([1 - not_better / total, worse / total])


def _sides(mesh: Panels, density: Floats, middle: Floats, distance: Floats) -> Floats:
    """The mass of each row up to middle + distance, up to middle - distance, and in total."""
    sides = [below(mesh, density, end) for end in (middle + distance, middle - distance)]
    # The total is the same for every ROPE and uses the same sums, so that certainty is not lost to rounding.
    total = below(mesh, density, np.full(len(density), mesh.high[-1]))
    return np.stack([*sides, np.broadcast_to(total, distance.shape)])


def _switch(nu: Floats, q: Floats, sigma: Floats, half: Floats) -> Floats:
    """How far mu0 lies from the middle of the ROPE where "better" becomes the most probable.

    With F the distribution function of Student(nu), w = half/sigma0 and z = w - distance/sigma0, z is the
    root of f(z) = 1 - 2 F(z) + F(z - 2w) in 0 <= z <= w. The distance is zero if "equivalent" is never the
    most probable, that is f(w) > 0, or w < q with F(q) = 2/3. Below the middle the same holds for "worse".
    f is decreasing and convex; three steps of Halley's method from z = 0 are accurate to 2e-9.
    """
    w = half / sigma
    root = w.copy()
    inside = w > q
    far, nu = 2 * w[inside], np.broadcast_to(nu, w.shape)[inside]
    log_norm = gammaln((nu + 1) / 2) - gammaln(nu / 2) - 0.5 * np.log(nu * np.pi)

    def pdf(z: Floats) -> Floats:
        return np.asarray(np.exp(log_norm - (nu + 1) / 2 * np.log1p(z**2 / nu)))

    def slope(z: Floats, density: Floats) -> Floats:
        return -density * (nu + 1) * z / (nu + z**2)

    z = np.zeros(far.size)
    for _ in range(3):
        near, away = pdf(z), pdf(z - far)
        f = 1 - 2 * stdtr(nu, z) + stdtr(nu, z - far)
        f1, f2 = away - 2 * near, slope(z - far, away) - 2 * slope(z, near)
        z = np.clip(z - 2 * f * f1 / (2 * f1**2 - f * f2), 0.0, 0.5 * far)
    root[inside] = z
    return np.asarray(half - sigma * root)


def settle(tasks: Tasks, prior: Prior, tolerance: float) -> Surface:
    """The surface, on enough nodes for the tolerance."""
    ordered = tasks[np.lexsort((tasks.df, tasks.scale, tasks.loc))]  # the order of the tasks must not matter
    with one_thread():
        y, x, mu = _located(ordered, prior)
        log_density = _log_density(ordered, prior, y, x, mu)
        result = settled(log_density, (y, x, mu), tolerance, _MOST, summed=(0,))
    in_y, in_x, in_mu = result.axes
    return Surface(y=in_y, x=in_x, mu=in_mu, log_density=result.values, error=result.error)


def _log_density(tasks: Tasks, prior: Prior, *axes: Panels) -> Callable[[Floats, Floats, Floats], Floats]:
    """log p(y, x, mu0 | tasks) up to a constant, within the ends of the panels."""
    y, x, mu = (np.array([panels.low[0], panels.high[-1]]) for panels in axes)
    ends = Nodes(mu=mu, x=x, y=y)
    likelihood = Likelihood(fewer(tasks, ends), ends)

    def log_density(y: Floats, x: Floats, mu: Floats) -> Floats:
        nodes = Nodes(mu=mu, x=x, y=y)
        return np.asarray(likelihood(nodes) + prior.log_density(nodes))

    return log_density


def _located(tasks: Tasks, prior: Prior) -> tuple[Panels, Panels, Panels]:
    """Panels that cover the region where the posterior lies.

    The search uses a few tasks, spread over all of them, then four times as many, and so on. It needs only a
    few values of nu.
    """
    y, x, mu = _first_panels(tasks, prior)
    some = Panels(low=y.low[1:2], high=y.high[-1:])
    at, w = some.points(_FEW_NU)
    every = 4 ** int(np.ceil(np.log(max(tasks.loc.size / _FIRST, 1)) / np.log(4)))
    while True:
        log_density = _log_density(tasks[::every], prior, some, x, mu)

        def without_nu(
            x: Floats, mu: Floats, of: Callable[[Floats, Floats, Floats], Floats] = log_density
        ) -> Floats:
            values = of(at, x, mu)
            peak = values.max(axis=0)
            return np.asarray(peak + np.log(np.tensordot(w, np.exp(values - peak), 1)))

        x, mu = settled(without_nu, (x, mu), _LOOSE, _MOST).axes
        if every == 1:
            return y, x, mu
        every //= 4


def _first_panels(tasks: Tasks, prior: Prior) -> tuple[Panels, Panels, Panels]:
    """Panels over the whole prior, without those of mu0 that a first evaluation rules out.

    A peak of mu0 may lie at any task or group of tasks, and is as narrow as these are precise. Near a precise
    task, panels are cut until their nodes resolve such a peak.
    """
    some = tasks[np.unique(np.linspace(0, tasks.loc.size - 1, _FIRST).astype(np.intp))]
    mu = Panels.between([-prior.mu0, 0.0, prior.mu0])
    for at, scale in zip(some.loc, some.scale, strict=True):
        mu = mu.graded(at, 16 * scale)
    low, high = np.log(some.scale.min()) - 14, np.log(prior.sigma0)
    x = Panels.between([low, *np.linspace(low + 10, high, int(np.ceil((high - low - 10) / 4)) + 1)])
    low, high = (_gap_quantile(prior.alpha, prior.beta, p) for p in (1e-7, 1 - 1e-9))
    middle = min(0.0, 0.5 * (low + high))
    y = Panels.between([low, *np.linspace(middle, high, 5)[[0, 2, 3, 4]]])
    first = Nodes(mu=mu.nodes, x=0.5 * (x.low + x.high), y=0.5 * (y.low + y.high))
    seen = log_likelihood(some, first) + prior.log_density(first)
    seen = seen.max(axis=(0, 1)).reshape(-1, NODES).max(axis=1)
    kept = seen > seen.max() - _SEEN
    return y, x, Panels(low=mu.low[kept], high=mu.high[kept])


@cache
def _gap_quantile(alpha: tuple[float, float], beta: tuple[float, float], p: float) -> float:
    """The prior quantile of log(nu - 1), by bisection."""
    low, high = -700.0, 50.0
    for _ in range(30):
        middle = 0.5 * (low + high)
        less = gap_prior_below(middle, alpha, beta) < p
        low, high = (middle, high) if less else (low, middle)
    return 0.5 * (low + high)

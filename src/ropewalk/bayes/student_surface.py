"""The posterior of (mu0, sigma0, nu) of the hierarchical t-test: found, refined, and read."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, stdtr

from ropewalk.bayes.quadrature import (
    DROP,
    DROP_LOW,
    drawn,
    finer,
    mass_below,
    regions,
    remaining_error,
    spline,
    strides,
    trimmed,
)
from ropewalk.bayes.student_hierarchy import (
    Lattice,
    Tasks,
    gap_prior_below,
    log_gap_prior,
    log_likelihood,
    scale_weights,
)
from ropewalk.posterior.base import Floats
from ropewalk.posterior.mixture import Mixture
from ropewalk.posterior.regions import WeightedRegions

_COARSE = (16, 12, 8)  # steps of t, x, y while the posterior is looked for
_FIRST = (32, 24, 24)  # and when it is first integrated
_MATTERS = 20.0  # rows of mu0 whose log density stays this far below the peak are left out
_MOST = 600_000  # nodes at most
_FINE = 256  # steps of mu0 at least, with a spline of the log density between the nodes
_ENOUGH = 400  # so many tasks are enough to find out where to look


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """mu0 ~ U(-mu0, mu0), sigma0 ~ U(0, sigma0), nu - 1 ~ Gamma(alpha, beta) with uniform alpha and beta."""

    mu0: float
    sigma0: float
    alpha: tuple[float, float]
    beta: tuple[float, float]

    def log_density(self, lattice: Lattice) -> Floats:
        """In t, x and y, up to a constant; an array over (y, x, t)."""
        in_y = log_gap_prior(lattice.y, self.alpha, self.beta)
        return np.asarray(in_y[:, None, None] + lattice.x[:, None] + np.log(np.cosh(lattice.t)))

    def log_below(self, lattice: Lattice) -> Floats:
        """What to add where sigma0 or nu is at its first node, for all the nodes that would lie before it.

        There the likelihood has stopped changing: sigma0 is small beside the tasks' own scales, nu is one.
        """
        out = np.zeros((lattice.y.size, lattice.x.size, 1))
        out[:, 0] -= np.log1p(-np.exp(lattice.x[0] - lattice.x[1]))
        at_first = np.exp(log_gap_prior(lattice.y[:1], self.alpha, self.beta))[0]
        step = lattice.y[1] - lattice.y[0]
        # The trapezoidal rule down to the first node counts half of it.
        out[0] += np.log(
            0.5 + gap_prior_below(float(lattice.y[0]), self.alpha, self.beta) / (step * at_first)
        )
        return out


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surface:
    """log p(t, x, y | data) at the nodes of a lattice, an array over (y, x, t)."""

    lattice: Lattice
    prior: Prior
    log_density: Floats

    @classmethod
    def of(cls, tasks: Tasks, prior: Prior, lattice: Lattice) -> Surface:
        log_density = log_likelihood(tasks, lattice) + prior.log_density(lattice)
        return cls(lattice=lattice, prior=prior, log_density=log_density)

    def thinned(self, axes: str = "txy") -> Surface:
        """Every second node of the named axes: how much this changes tells how good all the nodes are."""
        y, x, t = (slice(None, None, 2 if a in axes else 1) for a in "yxt")
        return replace(self, lattice=self.lattice.thinned(axes), log_density=self.log_density[y, x, t])

    @property
    def weights(self) -> Floats:
        """The probability of each node."""
        w = np.exp(self.log_density - self.log_density.max() + self.prior.log_below(self.lattice))
        return np.asarray(w / w.sum())

    def mean_advantage(self) -> Mixture:
        """The posterior of mu0, as narrow normals side by side."""
        rows = self._rows()
        loc, spacing = self._mu(rows.t)
        return Mixture.of(rows.p.sum(axis=0), loc=loc, scale=0.8 * spacing)

    def next_mean(self, *, without: Floats | float = 0.0, least: float = 1e-10) -> Mixture:
        """The posterior of the next task's mean: Student(nu, mu0, sigma0) over all nodes, as normals.

        A row of normals with standard deviation s needs only nodes of mu0 about s apart; where even the
        finest nodes are wider apart, s is raised to their distance. `without` is taken off the log density:
        a task's own likelihood, to leave that task out. Weights below `least` are dropped.
        """
        lattice, rows = self.lattice, self._rows(without)
        log_s = np.arange(lattice.x[0] - 2.2, lattice.x[-1] + 1.5 + 16 / lattice.nu[0], 1 / 16)
        w = scale_weights(lattice, log_s, decay=0)[rows.y, rows.x].T @ rows.p
        loc, spacing = self._mu(rows.t)
        s = np.exp(log_s)
        # Beyond the last scale the tails go on as a power; there is no variance if nu may be below 2.
        heavy = np.zeros(s.size, dtype=np.bool_)
        heavy[-1] = rows.p[lattice.nu[rows.y] <= 2].sum() > 1e-4
        skip = strides(s, float(spacing.min()), self._points)
        parts = []
        for k in np.unique(skip):
            same = skip == k
            weight = k * w[same, ::k]
            scale = np.maximum(s[same, None], 0.8 * k * spacing[::k])
            kept = (weight > least) | (heavy[same, None] & (weight > 0))
            at, tail = (np.broadcast_to(v, weight.shape) for v in (loc[::k], heavy[same, None]))
            parts.append(np.stack([weight[kept], at[kept], scale[kept], np.where(tail[kept], 1.0, np.inf)]))
        weight, at, scale, df = np.concatenate(parts, axis=1)
        return Mixture.of(weight, loc=at, scale=scale, df=df)

    def regions(self, low: float, high: float) -> WeightedRegions:
        """Both readings for the ROPE (low, high)."""
        readings = self.readings(low, high)
        rows = self._rows()
        row, column = drawn(rows.p)
        nu, sigma = self.lattice.nu[rows.y[row]], np.exp(self.lattice.x[rows.x[row]])
        mu = self._mu(rows.t)[0][column]
        better, worse = stdtr(nu, (mu - high) / sigma), stdtr(nu, (low - mu) / sigma)
        return regions(better, worse, readings, self.error(low, high, readings))

    def readings(self, low: float, high: float) -> Floats:
        """(better, equivalent, worse) on average, then how often each is the most probable."""
        ahead = self.next_mean()
        better, worse = float(ahead.sf(high)), float(ahead.cdf(low))
        # Where "equivalent" starts to be possible the most probable region has a kink in x: more nodes.
        x = finer(self.lattice.x, 4)
        mostly_worse, mostly_better = replace(
            self,
            lattice=replace(self.lattice, x=x),
            log_density=spline(self.lattice.x, x) @ self.log_density,
        )._most_probable(low, high)
        three = [(better, worse), (mostly_better, mostly_worse)]
        return np.array([p for b, w in three for p in (b, max(1 - b - w, 0.0), w)])

    def error(self, low: float, high: float, now: Floats) -> float:
        """The estimated error of the readings `now`."""
        half = self.thinned()
        return remaining_error([half.thinned().readings(low, high), half.readings(low, high), now])

    def _most_probable(self, low: float, high: float) -> tuple[float, float]:
        """How often "worse" is the most probable region, and how often "better"."""
        lattice, rows = self.lattice, self._rows()
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        distance = _switch(lattice.nu[rows.y], np.exp(lattice.x[rows.x]), half)
        density = rows.p.copy()
        density[:, [0, -1]] *= 2  # no longer the weights of a sum over a whole row
        edges = (
            np.arcsinh((mu - lattice.centre) / lattice.width) for mu in (middle - distance, middle + distance)
        )
        worse, not_better = mass_below(rows.t, density, *edges)
        return worse, 1 - not_better

    @property
    def _points(self) -> int:
        """Points of t in `_rows` for each node, a power of two."""
        return int(max(2 ** np.ceil(np.log2(_FINE / (self.lattice.t.size - 1))), 4))

    def _rows(self, without: Floats | float = 0.0) -> _Rows:
        """The probabilities on finer t, for the pairs of nu and sigma0 that matter."""
        below = self.prior.log_below(self.lattice)
        top = (self.log_density + below).max(axis=2)
        y, x = np.nonzero(top > top.max() - _MATTERS)
        t = finer(self.lattice.t, self._points)
        log_p = (self.log_density - without + below)[y, x] @ spline(self.lattice.t, t).T
        p = np.exp(log_p - log_p.max())
        p[:, [0, -1]] *= 0.5  # the ends of the trapezoidal rule
        return _Rows(y=y, x=x, t=t, p=p / p.sum())

    def _mu(self, t: Floats) -> tuple[Floats, Floats]:
        """mu0 at t and the distance to its neighbours."""
        step = t[1] - t[0]
        return self.lattice.centre + self.lattice.width * np.sinh(t), self.lattice.width * np.cosh(t) * step


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rows:
    """Probabilities p over equally spaced t, one row for each pair (y, x) of indices."""

    y: NDArray[np.intp]
    x: NDArray[np.intp]
    t: Floats
    p: Floats


def _switch(nu: Floats, sigma: Floats, half: float) -> Floats:
    """How far mu0 lies from the middle of the ROPE where "better" becomes the most probable.

    With F the distribution function of Student(nu), w = half/sigma0 and z = w - distance/sigma0 it is the
    root of f(z) = 1 - 2 F(z) + F(z - 2w) in 0 <= z <= w, and zero where "equivalent" never is the most
    probable, that is f(w) > 0. Below the middle the same holds for "worse". f falls and is convex, so
    Newton's method from z = 0 never oversteps.
    """
    log_norm = gammaln((nu + 1) / 2) - gammaln(nu / 2) - 0.5 * np.log(nu * np.pi)

    def pdf(z: Floats) -> Floats:
        return np.asarray(np.exp(log_norm - (nu + 1) / 2 * np.log1p(z**2 / nu)))

    w = half / sigma
    z = np.zeros(w.shape)
    for _ in range(6):
        f = 1 - 2 * stdtr(nu, z) + stdtr(nu, z - 2 * w)
        z = np.minimum(z - f / (pdf(z - 2 * w) - 2 * pdf(z)), w)
    return np.asarray(half - sigma * z)


def settle(
    tasks: Tasks, prior: Prior, rope: tuple[float, float] | None, tolerance: float
) -> tuple[Surface, float]:
    """The surface with enough nodes for the ROPE, and the estimated error.

    Without a ROPE the quartiles of the next task's mean take its place.
    """
    ordered = tasks[np.lexsort((tasks.df, tasks.scale, tasks.loc))]  # the order of the tasks must not matter
    # A few tasks leave room for several peaks of mu0, each as narrow as a task's own scale.
    peaks = max(16 // ordered.loc.size, 1)
    lattice = _stepped(_first_guess(ordered, prior), _COARSE, peaks)
    every = -(-ordered.loc.size // _ENOUGH)
    for some in (ordered[::every], ordered) if every > 1 else (ordered,):
        lattice = _found(some, prior, lattice, peaks)
    surface = Surface.of(ordered, prior, _stepped(lattice, _FIRST, peaks))
    low, high = rope or map(float, surface.next_mean().quantile([0.25, 0.75]))
    while True:
        now = surface.readings(low, high)
        error = surface.error(low, high, now)
        if error <= tolerance:
            return surface, error
        moved = [np.max(np.abs(surface.thinned(a).readings(low, high) - now)) for a in "txy"]
        counts = zip(moved, surface.lattice.shape, strict=True)
        steps = tuple((n - 1) * (2 if by > 0.2 * max(moved) else 1) for by, n in counts)
        if np.prod(steps) > _MOST:
            return surface, error
        surface = Surface.of(ordered, prior, _stepped(surface.lattice, steps))


def _first_guess(tasks: Tasks, prior: Prior) -> Lattice:
    """Around the median; where more than half of the tasks agree exactly, as close as their own scale."""
    centre = float(np.median(tasks.loc))
    spread = float(np.median(np.abs(tasks.loc - centre)) + np.median(tasks.scale))
    ends = np.array([tasks.loc.min() - spread, tasks.loc.max() + spread]).clip(-prior.mu0, prior.mu0)
    y = np.linspace(-3.0, 20.0, 301)
    in_y = log_gap_prior(y, prior.alpha, prior.beta)
    top = y[np.flatnonzero(in_y > in_y.max() - DROP)[-1]]
    return Lattice(
        centre=centre,
        width=spread,
        t=np.arcsinh((ends - centre) / spread),
        x=np.array([np.log(spread) - 4, min(np.log(spread) + 3, np.log(prior.sigma0))]),
        y=np.array([-3.0, max(top, -1.0)]),
    )


def _stepped(lattice: Lattice, steps: tuple[int, ...], peaks: int = 1) -> Lattice:
    """The same ends with so many steps between them; for several peaks of mu0 more of t and x."""
    more = (peaks, min(peaks, 2), 1)
    axes = zip((lattice.t, lattice.x, lattice.y), np.multiply(steps, more), strict=True)
    t, x, y = (np.linspace(axis[0], axis[-1], n + 1) for axis, n in axes)
    return replace(lattice, t=t, x=x, y=y)


def _found(tasks: Tasks, prior: Prior, lattice: Lattice, peaks: int) -> Lattice:
    """The box outside which the posterior no longer matters, by growing and shrinking a coarse lattice."""
    for _ in range(60):
        log_density = Surface.of(tasks, prior, lattice).log_density
        profile = log_density.max(axis=(0, 1))
        mu = lattice.mu
        ends, t_done = trimmed(mu, profile, (-prior.mu0, prior.mu0))
        x, x_done = trimmed(
            lattice.x, log_density.max(axis=(0, 2)), (-np.inf, np.log(prior.sigma0)), (DROP_LOW, DROP)
        )
        y, y_done = trimmed(lattice.y, log_density.max(axis=(1, 2)), (np.log(1e-3), np.inf), (DROP_LOW, DROP))
        peak = int(np.argmax(profile))
        core = mu[profile > profile[peak] - 2]
        width = max(0.5 * (core[-1] - core[0]), 0.5 * np.diff(mu)[max(peak - 1, 0)])
        box = Lattice(
            centre=float(mu[peak]), width=float(width), t=np.arcsinh((ends - mu[peak]) / width), x=x, y=y
        )
        lattice = _stepped(box, _COARSE, peaks)
        if t_done and x_done and y_done:
            return lattice
    raise AssertionError("the posterior of the hierarchical t-test was not found")

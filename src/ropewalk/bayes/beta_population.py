"""Rates that vary over tasks: the posterior of the Beta distribution that they come from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, gammaln

from ropewalk.bayes.quadrature import NODES, Panels, drawn, settled
from ropewalk.errors import CellError, DataError, OptionError
from ropewalk.posterior.base import Floats
from ropewalk.posterior.beta_mixture import BetaMixture
from ropewalk.sums import numeric

_AT_ONCE = 1 << 21  # numbers held in memory at a time
_MOST = 1_000_000  # nodes at most
_NOTE = 10.0  # the log posterior is negligible where it is this far below its peak
_POINTS = 129  # points of x and y in a plot
_LARGEST = 1e10  # largest count; above it the error of the integral exceeds the tolerance
_FIRST = 16  # tasks used for a first guess of where the posterior lies
DRAWN = 4000  # points of (a, b), evenly spread


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: `_components` is cached
class BetaPopulation:
    """The posterior of (a, b). Task i has a rate ~ Beta(a, b), and `first[i]` of its trials succeed.

    `values` is the log density at the nodes of panels of y = log(a+b) and x = logit(a/(a+b)), up to a
    constant. `error` is the estimated error of the probabilities. `proper` says which prior was used: see
    `population`.
    """

    first: Floats
    second: Floats
    y: Panels
    x: Panels
    values: Floats
    error: float
    proper: bool

    @property
    def logit_mean(self) -> Floats:
        """Equally spaced values of logit(a/(a+b)) where the posterior is not negligible."""
        seen = self.x.nodes[self.values.max(axis=0) > -_NOTE]
        return np.linspace(seen[0], seen[-1], _POINTS)

    @property
    def log_size(self) -> Floats:
        """Equally spaced values of log(a+b) where the posterior is not negligible."""
        seen = self.y.nodes[self.values.max(axis=1) > -_NOTE]
        return np.linspace(seen[0], seen[-1], _POINTS)

    @property
    def log_posterior(self) -> Floats:
        """The log density at `log_size` x `logit_mean`, with its highest value set to zero."""
        return self.log_density(self.log_size, self.logit_mean)

    @property
    def n_tasks(self) -> int:
        """Number of tasks."""
        return self.first.size

    @property
    def shrinkage(self) -> Floats:
        """How far each task's share is pulled toward a/(a+b), from 0 to 1: the mean of (a+b)/(a+b+n)."""
        a, b, w = self._components
        size = (a + b)[:, None]
        n, which = np.unique(self.first + self.second, return_inverse=True)
        return np.asarray((w @ (size / (size + n)) / w.sum())[which])

    def rate_on(self, i: int) -> BetaMixture:
        """The posterior of the rate of task i, which borrows strength from the other tasks."""
        if not -self.n_tasks <= i < self.n_tasks:
            raise OptionError(
                f"there is no task {i}", hint=f"There are {self.n_tasks} tasks, counted from 0."
            )
        return self.mixture(self.first[i], self.second[i])

    def drawn(self, n: int = DRAWN) -> tuple[Floats, Floats]:
        """n points (a, b) that represent the posterior: evenly spread and deterministic."""
        panels = self.y.cut(2), self.x.cut(2)
        w_y, w_x = (axis.points(NODES)[1] for axis in panels)
        density = np.exp(self.log_density(*(axis.nodes for axis in panels)))
        y, x = drawn(density * w_y[:, None] * w_x, panels, n)
        return np.exp(y) * expit(x), np.exp(y) * expit(-x)

    def log_density(self, y: Floats, x: Floats) -> Floats:
        """The log density in log(a + b) and the logit of the mean, interpolated between the nodes."""
        return self.x.interpolated(self.y.interpolated(self.values, y, axis=0), x)

    def weights(self, x: Panels) -> Floats:
        """The probabilities of (y, x), with x at the nodes of finer panels than those of the log density."""
        p = np.exp(self.x.interpolated(self.values, x.nodes))
        p *= self.y.points(NODES)[1][:, None] * x.points(NODES)[1]
        return np.asarray(p / p.sum())

    @cached_property
    def _components(self) -> tuple[Floats, Floats, Floats]:
        """a, b and weights of the mixture of Betas that describes the rate of the next task.

        A Beta is about 2/sqrt(k) wide in x, k = a + b: panels are cut for large k. In the smallest panels k
        is lowered to match the spacing of their nodes.
        """
        k = np.exp(self.y.nodes)[:, None]
        cuts = np.clip(np.ceil(np.log2(0.15 * (self.x.high - self.x.low) * np.sqrt(k))), 1, 5)
        parts = []
        for times in np.unique(cuts):
            x = self.x.cut(int(times))
            p, m = self.weights(x), expit(x.nodes)
            size = np.minimum(k, 1 / (m * (1 - m) * (0.8 * x.spacing) ** 2))
            kept = (p > 1e-9) & np.repeat(cuts == times, 2 ** int(times) * NODES, axis=1)
            parts.append(np.stack([(size * m)[kept], (size * (1 - m))[kept], p[kept]]))
        a, b, w = np.concatenate(parts, axis=1)
        return a, b, w

    def mixture(self, first: float, second: float) -> BetaMixture:
        """A rate of the population, given the number of successes and failures."""
        a, b, w = self._components
        return BetaMixture.of(w, a=a + first, b=b + second)


def counts(values: ArrayLike, name: str) -> Floats:
    """Check that there is one count per task, and return the counts."""
    found = np.atleast_1d(numeric(values, f"{name} is not a list of numbers", "Give one count per task."))
    if found.ndim != 1:
        raise DataError(
            f"{name} has {found.ndim} dimensions, 1 was expected", hint="Give one count per task."
        )
    bad = np.flatnonzero(~((found >= 0) & (found <= _LARGEST) & (found == np.floor(found))))
    if bad.size:
        raise CellError(
            f"{bad.size} of {found.size} values of {name} are not counts",
            where=[f"task {i}: {found[i]:g}" for i in bad[:5]],
            hint=f"A count is a whole number of examples, 0 or more, up to {_LARGEST:g}.",
        )
    return found


def population(
    first: Floats, second: Floats, *, proper: bool = False, tolerance: float = 1e-4
) -> BetaPopulation:
    """The posterior of (a, b) on enough nodes; the first panels cover the whole plane.

    The mean a/(a+b) is uniform. K = a + b has the prior K^(-3/2), that is p(a, b) ∝ (a + b)^(-5/2) (Gelman
    et al. 2013, sec. 5.3); the posterior then exists only if a task has both kinds of counts. With `proper`
    it is (1 + K)^-2 (Albert 2009, sec. 5.4), and the posterior always exists. In y = log K the density rises
    at least as e^(y/2) and falls as e^(-y/2), in x it falls at least as e^-|x|. Panels of x are cut near the
    share of each task, where there may be a peak as narrow as its counts are large.
    """
    pairs, times = np.unique(np.stack([first, second], axis=1), axis=0, return_counts=True)

    def log_density(y: Floats, x: Floats) -> Floats:
        size = y - 2 * np.logaddexp(0.0, y) if proper else -0.5 * y
        prior = size[:, None] - 2 * np.log(np.cosh(x / 2))
        return np.asarray(_log_likelihood(pairs, times, x, y) + prior)

    n = pairs.sum(axis=1)
    at = np.log((pairs[:, 0] + 0.5) / (pairs[:, 1] + 0.5))
    width = np.sqrt(1 / (pairs[:, 0] + 0.5) + 1 / (pairs[:, 1] + 0.5))
    x = Panels.between([-30.0, 0.0, 30.0])
    order = np.argsort(at)
    for i in order[np.unique(np.linspace(0, order.size - 1, _FIRST).astype(np.intp))]:
        x = x.graded(at[i], 16 * width[i])
    top = float(np.log(n.max() + 1))
    y = Panels.between([-40.0, -3.0, *np.linspace(0.0, top + 3, 4), top + 40])
    found = settled(log_density, (y, x), tolerance, _MOST)
    return BetaPopulation(
        first=first,
        second=second,
        y=found.axes[0],
        x=found.axes[1],
        values=found.values,
        error=found.error,
        proper=proper,
    )


def exists(first: Floats, second: Floats) -> bool:
    """Whether the posterior under the prior (a + b)^(-5/2) is proper: some task has both kinds of counts."""
    return bool(np.any((first > 0) & (second > 0)))


def _log_likelihood(pairs: Floats, times: NDArray[np.intp], x: Floats, y: Floats) -> Floats:
    """Σ_i log B(a + n01_i, b + n10_i)/B(a, b), an array over (y, x)."""
    k = np.exp(y)[:, None]
    a, b = k * expit(x), k * expit(-x)
    total = np.zeros(a.shape)
    for size, counts in ((a, pairs[:, 0]), (b, pairs[:, 1]), (k, pairs.sum(axis=1))):
        each, which = np.unique(counts, return_inverse=True)
        weight = np.bincount(which, weights=times)
        sign = -1.0 if size is k else 1.0
        block = max(_AT_ONCE // size.size, 1)
        for i in range(0, each.size, block):
            total += sign * (_log_rising(size[..., None], each[i : i + block]) @ weight[i : i + block])
    return total


def _log_rising(a: Floats, n: Floats) -> Floats:
    """log Γ(a + n)/Γ(a); by Stirling's series for large a, where the plain difference loses its digits."""
    large = np.maximum(a, 1e3)
    series = (large - 0.5) * np.log1p(n / large) + n * np.log(large + n) - n
    series = series + (1 / (large + n) - 1 / large) / 12
    small = np.minimum(a, 1e3)
    return np.asarray(np.where(a > 1e3, series, gammaln(small + n) - gammaln(small)))

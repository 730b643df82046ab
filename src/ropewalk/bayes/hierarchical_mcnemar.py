"""The hierarchical Bayesian McNemar test: two classifiers on many tasks, right or wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincc, betaincinv, expit, gammaln, logit

from ropewalk.bayes.edges import edges
from ropewalk.bayes.quadrature import NODES, Panels, below, drawn, regions, settled
from ropewalk.errors import CellError, DataError, MethodError, OptionError
from ropewalk.posterior import WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.posterior.mixture import BetaMixture

_AT_ONCE = 1 << 21  # numbers held in memory at a time
_MOST = 1_000_000  # nodes at most
_NOTE = 10.0  # how far below its peak the log posterior is still of note
_POINTS = 129  # of x and y where it is shown
_LARGEST = 1e10  # a count: beyond, the error of the integral is above the tolerance asked for
_FIRST = 16  # so many tasks tell where to look first


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: `_components` are computed once and kept
class HierarchicalMcNemar:
    """The posterior of the hierarchical McNemar test, integrated and not sampled.

    Inside, `values` is the log density at the nodes of panels of y = log(a+b) and x = logit(a/(a+b)), up to a
    constant. `error` is the estimated error of the probabilities.
    """

    n01: Floats
    n10: Floats
    y: Panels
    x: Panels
    values: Floats
    error: float

    @property
    def logit_mean(self) -> Floats:
        """Equally spaced values of logit(a/(a+b)) where the posterior is of note."""
        seen = self.x.nodes[self.values.max(axis=0) > -_NOTE]
        return np.linspace(seen[0], seen[-1], _POINTS)

    @property
    def log_size(self) -> Floats:
        """Equally spaced values of log(a+b) where the posterior is of note."""
        seen = self.y.nodes[self.values.max(axis=1) > -_NOTE]
        return np.linspace(seen[0], seen[-1], _POINTS)

    @property
    def log_posterior(self) -> Floats:
        """The log density of both there, zero at its highest node; a row for each `log_size`."""
        return self._log_density(self.log_size, self.logit_mean)

    @property
    def n_tasks(self) -> int:
        return self.n01.size

    @property
    def phi_next(self) -> BetaMixture:
        """Posterior of phi on the next task: Beta(a, b) over the posterior of (a, b)."""
        return self._mixture(0.0, 0.0)

    def own(self, i: int) -> tuple[float, float, float]:
        """What task i says by itself: Beta(n01 + 1, n10 + 1), its mean and its central 95 % interval."""
        a, b = self.n01[i] + 1, self.n10[i] + 1
        low, high = betaincinv(a, b, [0.025, 0.975])
        return float(a / (a + b)), float(low), float(high)

    def task(self, i: int) -> BetaMixture:
        """Posterior of phi on task i, which borrows from the other tasks."""
        if not -self.n_tasks <= i < self.n_tasks:
            raise OptionError(
                f"there is no task {i}", hint=f"There are {self.n_tasks} tasks, counted from 0."
            )
        return self._mixture(self.n01[i], self.n10[i])

    @property
    def shrinkage(self) -> Floats:
        """For each task how far its share is pulled to a/(a+b), the mean of (a+b)/(a+b+n): 0 to 1."""
        a, b, w = self._components
        size = (a + b)[:, None]
        n, which = np.unique(self.n01 + self.n10, return_inverse=True)
        return np.asarray((w @ (size / (size + n)) / w.sum())[which])

    def next_task(self, rope: Sequence[float] | None = None) -> WeightedRegions:
        """The next task, in both readings: A is better where phi lies below the ROPE.

        `rope` is a pair (low, high) on phi; left out it is 0.5 ± 0.1 s, s² = m(1 - m), m = phi_next.mean.
        """
        low, high = self._rope(rope)
        panels = self.y.cut(2), self.x.cut(2)
        w_y, w_x = (axis.points(NODES)[1] for axis in panels)
        density = np.exp(self._log_density(*(axis.nodes for axis in panels)))
        y, x = drawn(density * w_y[:, None] * w_x, panels)
        k, m = np.exp(y), expit(x)
        better, worse = betainc(k * m, k * (1 - m), low), betaincc(k * m, k * (1 - m), high)
        return regions(better, worse, self._readings(low, high), self.error)

    def _rope(self, rope: Sequence[float] | None) -> tuple[float, float]:
        if rope is None:
            m = self.phi_next.mean
            half = 0.1 * float(np.sqrt(m * (1 - m)))
            return 0.5 - half, 0.5 + half
        if isinstance(rope, int | float) or not 0 <= min(edges(rope)) <= max(edges(rope)) <= 1:
            raise OptionError(
                f"the ROPE is {rope}", hint="Give a pair (low, high) on phi, such as (0.45, 0.55)."
            )
        return edges(rope)

    def _log_density(self, y: Floats, x: Floats) -> Floats:
        """Of log(a + b) and of the logit of the mean, between the nodes."""
        return self.x.interpolated(self.y.interpolated(self.values, y, axis=0), x)

    def _weights(self, x: Panels) -> Floats:
        """The probabilities of (y, x), x at the nodes of panels within those of the log density."""
        p = np.exp(self.x.interpolated(self.values, x.nodes))
        p *= self.y.points(NODES)[1][:, None] * x.points(NODES)[1]
        return np.asarray(p / p.sum())

    @cached_property
    def _components(self) -> tuple[Floats, Floats, Floats]:
        """a, b and weights of Betas that make up phi_next.

        A Beta is about 2/sqrt(k) wide in x, k = a + b: panels are cut for large k. In the smallest panels k
        is lowered to fit the spacing of their nodes.
        """
        k = np.exp(self.y.nodes)[:, None]
        cuts = np.clip(np.ceil(np.log2(0.15 * (self.x.high - self.x.low) * np.sqrt(k))), 1, 5)
        parts = []
        for times in np.unique(cuts):
            x = self.x.cut(int(times))
            p, m = self._weights(x), expit(x.nodes)
            size = np.minimum(k, 1 / (m * (1 - m) * (0.8 * x.spacing) ** 2))
            kept = (p > 1e-9) & np.repeat(cuts == times, 2 ** int(times) * NODES, axis=1)
            parts.append(np.stack([(size * m)[kept], (size * (1 - m))[kept], p[kept]]))
        a, b, w = np.concatenate(parts, axis=1)
        return a, b, w

    def _mixture(self, n01: float, n10: float) -> BetaMixture:
        a, b, w = self._components
        return BetaMixture.of(w, a=a + n01, b=b + n10)

    def _readings(self, low: float, high: float) -> Floats:
        """(better, equivalent, worse) on average, then how often each is the most probable.

        Panels of x that get smaller towards the edges of the ROPE resolve narrow Betas; those much narrower
        than anything that the counts can tell are taken a little wider.
        """
        widest = 1e4 * max(float(np.sum(self.n01 + self.n10)), 1e3)
        inside = [float(logit(edge)) for edge in (low, high) if 0 < edge < 1]
        mesh = self.x.cut(1).graded(inside, 0.5 / float(np.sqrt(widest)))
        x, k = mesh.nodes, np.minimum(np.exp(self.y.nodes), widest)[:, None]
        a, b, p = k * expit(x), k * expit(-x), self._weights(mesh)
        seen = p > 1e-12
        mean = [float(p[seen] @ f(a[seen], b[seen], e)) for f, e in ((betainc, low), (betaincc, high))]
        # Where "equivalent" starts to be possible the most probable region has a kink in y.
        y, w = self.y.cut_at(_kink(low, high, self.y)).points(NODES)
        density = np.exp(self._log_density(y, x)) * w[:, None]
        until, since = _switches(np.exp(y), low, high, (x[0], x[-1]))
        total = float((density @ mesh.points(NODES)[1]).sum())
        better, not_worse = (float(below(mesh, density, at).sum()) / total for at in (until, since))
        three = np.clip([mean, (better, 1 - not_worse)], 0.0, 1.0)  # rounding, of what is certain
        return np.array([q for b, w in three for q in (b, max(1 - b - w, 0.0), w)])


def hierarchical_mcnemar(n01: ArrayLike, n10: ArrayLike, *, tolerance: float = 1e-4) -> HierarchicalMcNemar:
    """Posterior of phi, A's share of the mistakes where A and B disagree, on the next task.

    Formula
        n01_i ~ Binomial(n01_i + n10_i, phi_i), phi_i ~ Beta(a, b), p(a, b) ∝ (a + b)^(-5/2). phi_i integrates
        out: p(n01_i | a, b) ∝ B(a + n01_i, b + n10_i)/B(a, b); what is left is a quadrature over
        x = logit(a/(a+b)) and y = log(a+b), where the prior is m(1 - m) e^(-y/2), m = a/(a+b).
    Assumes
        independent examples within a task, and tasks whose phi_i come from one population. n01_i counts the
        examples of task i that A got wrong and B right, n10_i the reverse: phi < 1/2 means that A is better.
    Not for
        real-valued losses (use `hierarchical_t`); tasks on each of which only one model makes mistakes.
    Reference
        Gelman et al. 2013, Bayesian Data Analysis, sec. 5.3, for the model and its prior; Williams 2026, A
        Review of and Best Practices for Comparing Machine Learning Models, sec. 5.5, for the test.

    Tasks without any disagreement carry no information and may be given. The prior is improper: for
    a + b → 0 it grows as (a+b)^(-1/2) in y, and a task's likelihood goes to zero there, as a + b, only where
    both of its counts are above zero. The posterior is proper exactly when there is at least one such task.

    >>> fitted = hierarchical_mcnemar([63, 159, 175, 180], [66, 198, 149, 167])
    >>> round(fitted.phi_next.mean, 3)
    0.4...
    """
    first, second = _counts(n01, "n01"), _counts(n10, "n10")
    if first.shape != second.shape:
        raise DataError(
            f"n01 has {first.size} tasks and n10 has {second.size}",
            hint="Give one count of each kind a task.",
        )
    if not np.any(first + second):
        raise MethodError(
            "the two models disagree on no example of any task",
            hint="They answer alike: there is nothing to test.",
        )
    if not np.any((first > 0) & (second > 0)):
        raise MethodError(
            "on every task only one of the two models makes mistakes that the other does not",
            where=["Then the posterior has no finite mass: nothing keeps a + b away from zero."],
            hint="Use mcnemar on each task, or poisson_binomial over the tasks.",
        )
    if not 0 < tolerance < 1:
        raise OptionError(f"tolerance is {tolerance}", hint="Give a small probability, such as 1e-4.")
    return _settled(first, second, tolerance)


def _counts(values: ArrayLike, name: str) -> Floats:
    try:
        counts = np.atleast_1d(np.asarray(values, dtype=np.float64))
    except (TypeError, ValueError):
        raise DataError(f"{name} is not a row of numbers", hint="Give one count a task.") from None
    if counts.ndim != 1:
        raise DataError(f"{name} has {counts.ndim} dimensions, 1 was expected", hint="Give one count a task.")
    bad = np.flatnonzero(~((counts >= 0) & (counts <= _LARGEST) & (counts == np.floor(counts))))
    if bad.size:
        raise CellError(
            f"{bad.size} of {counts.size} values of {name} are not counts",
            where=[f"task {i}: {counts[i]:g}" for i in bad[:5]],
            hint=f"A count is a whole number of examples, 0 or more, up to {_LARGEST:g}.",
        )
    return counts


def _settled(n01: Floats, n10: Floats, tolerance: float) -> HierarchicalMcNemar:
    """The posterior on enough nodes, starting from panels that reach everywhere.

    In y the density rises at least as e^(y/2) and falls as e^(-y/2), in x it falls at least as e^-|x|. Panels
    of x are cut near the share of each task, where there may be a peak as narrow as its counts are large.
    """
    pairs, times = np.unique(np.stack([n01, n10], axis=1), axis=0, return_counts=True)

    def log_density(y: Floats, x: Floats) -> Floats:
        prior = -0.5 * y[:, None] - 2 * np.log(np.cosh(x / 2))
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
    return HierarchicalMcNemar(
        n01=n01, n10=n10, y=found.axes[0], x=found.axes[1], values=found.values, error=found.error
    )


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
    """log Γ(a + n)/Γ(a); for large a by Stirling's series, where the difference would lose its digits."""
    large = np.maximum(a, 1e3)
    series = (large - 0.5) * np.log1p(n / large) + n * np.log(large + n) - n
    series = series + (1 / (large + n) - 1 / large) / 12
    small = np.minimum(a, 1e3)
    return np.asarray(np.where(a > 1e3, series, gammaln(small + n) - gammaln(small)))


def _switches(k: Floats, low: float, high: float, ends: tuple[float, float]) -> tuple[Floats, Floats]:
    """Up to which x "better" is the most probable region and from which on "worse", for each k = a + b.

    The Betas with one k are ordered by their mean, and so are the ratios of neighbouring regions (they have
    a monotone likelihood ratio): each pair of regions changes places once. Where "equivalent" is never the
    most probable the two points are one. Above k = 10^5 they no longer move by more than 10^-6.
    """
    size = np.minimum(k, 1e5)

    def crossing(edge: float, before: Callable[[Floats, Floats, Floats], NDArray[np.bool_]]) -> Floats:
        # A Beta is about 2/sqrt(k) wide in x: further away nothing changes places, unless it is never.
        centre, reach = np.clip(logit(edge), *ends), 30 / np.sqrt(size)
        lo, hi = np.maximum(centre - reach, ends[0]), np.minimum(centre + reach, ends[1])
        for _ in range(20):
            x = 0.5 * (lo + hi)
            a, b = size * expit(x), size * expit(-x)
            better, worse = betainc(a, b, low), betaincc(a, b, high)
            # Of two vanishing probabilities that of "equivalent" is the larger: it is never next to nothing.
            left = before(better, np.maximum(1 - better - worse, 1e-12), worse)
            lo, hi = np.where(left, x, lo), np.where(left, hi, x)
        return np.asarray(0.5 * (lo + hi))

    until = crossing(low, lambda better, between, worse: better > between)
    since = crossing(high, lambda better, between, worse: worse <= between)
    never = until >= since
    if np.any(never):
        direct = crossing(0.5 * (low + high), lambda better, between, worse: better > worse)
        until, since = np.where(never, direct, until), np.where(never, direct, since)
    return until, since


def _kink(low: float, high: float, y: Panels) -> float:
    """From which y on "equivalent" can be the most probable region, by bisection."""
    below, above = float(y.low[0]), float(y.high[-1])
    for _ in range(40):
        middle = 0.5 * (below + above)
        until, since = _switches(np.exp(np.array([middle])), low, high, (-700.0, 700.0))
        below, above = (below, middle) if since[0] > until[0] else (middle, above)
    return 0.5 * (below + above)

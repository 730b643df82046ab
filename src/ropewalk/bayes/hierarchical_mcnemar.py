"""The hierarchical Bayesian McNemar test: two classifiers on many tasks, right or wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincc, expit, gammaln, logit

from ropewalk.bayes.edges import edges
from ropewalk.bayes.quadrature import (
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
from ropewalk.errors import CellError, DataError, MethodError, OptionError
from ropewalk.posterior import WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.posterior.mixture import BetaMixture

_POINTS = 8  # points of x for each node, by a spline of the log density
_AT_ONCE = 1 << 21  # numbers held in memory at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HierarchicalMcNemar:
    """The posterior of the hierarchical McNemar test, integrated and not sampled.

    `log_posterior` is the log density of x = logit(a/(a+b)) and y = log(a+b) at the nodes `logit_mean`
    (columns) and `log_size` (rows), up to a constant. `error` is the estimated error of the probabilities.
    """

    n01: Floats
    n10: Floats
    logit_mean: Floats
    log_size: Floats
    log_posterior: Floats
    error: float

    @property
    def n_tasks(self) -> int:
        return self.n01.size

    @property
    def phi_next(self) -> BetaMixture:
        """Posterior of phi on the next task: Beta(a, b) over the posterior of (a, b)."""
        return self._mixture(0.0, 0.0)

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
        a, b, w = self._components()
        size = (a + b)[:, None]
        n, which = np.unique(self.n01 + self.n10, return_inverse=True)
        return np.asarray((w @ (size / (size + n)) / w.sum())[which])

    def next_task(self, rope: Sequence[float] | None = None) -> WeightedRegions:
        """The next task, in both readings: A is better where phi lies below the ROPE.

        `rope` is a pair (low, high) on phi; left out it is 0.5 ± 0.1 s, s² = m(1 - m), m = phi_next.mean.
        """
        low, high = self._rope(rope)
        readings = self._readings(low, high)
        x, p = self._fine()
        row, column = drawn(p)
        k, m = np.exp(self.log_size)[row], expit(x)[column]
        better, worse = betainc(k * m, k * (1 - m), low), betaincc(k * m, k * (1 - m), high)
        return regions(better, worse, readings, self._error(low, high, readings))

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

    def _fine(self) -> tuple[Floats, Floats]:
        """Equally spaced x, finer than the nodes, and the probability there for each y."""
        x, y = finer(self.logit_mean, _POINTS), self.log_size
        log_p = self.log_posterior @ spline(self.logit_mean, x).T
        p = np.exp(log_p - log_p.max())
        # Before the first and after the last node of y the density goes on as e^(c y): for small a + b each
        # task with both counts above 0 brings a factor a + b, for large a + b only the prior is left.
        step = y[1] - y[0]
        both = np.sum((self.n01 > 0) & (self.n10 > 0))
        p[0] /= -np.expm1(-(both - 0.5) * step)
        p[-1] /= -np.expm1(-0.5 * step)
        return x, p / p.sum()

    def _components(self) -> tuple[Floats, Floats, Floats]:
        """a, b and weights of Betas that make up phi_next.

        A Beta is about 1/sqrt(k m (1-m)) wide in x, k = a + b; rows with large k need closer nodes of x, and
        where even the closest are too far apart k is lowered to fit.
        """
        x, p = self._fine()
        m, step = expit(x), x[1] - x[0]
        k = np.exp(self.log_size)
        skip = strides(2 / np.sqrt(k), step, _POINTS)
        parts = []
        for j in np.unique(skip):
            rows = skip == j
            weight, at = j * p[rows, ::j], m[::j]
            size = np.minimum(k[rows, None], 1 / (at * (1 - at) * (0.8 * j * step) ** 2))
            kept = weight > 1e-10
            parts.append(np.stack([(size * at)[kept], (size * (1 - at))[kept], weight[kept]]))
        a, b, w = np.concatenate(parts, axis=1)
        return a, b, w

    def _mixture(self, n01: float, n10: float) -> BetaMixture:
        a, b, w = self._components()
        return BetaMixture.of(w, a=a + n01, b=b + n10)

    def _readings(self, low: float, high: float) -> Floats:
        """(better, equivalent, worse) on average, then how often each is the most probable."""
        ahead = self.phi_next
        y = finer(self.log_size, 4)  # more nodes: the most probable region has a kink in y
        kinked = replace(self, log_size=y, log_posterior=spline(self.log_size, y) @ self.log_posterior)
        x, p = kinked._fine()
        mostly_better, not_worse = mass_below(x, p, *_switches(np.exp(y), low, high, (x[0], x[-1])))
        three = [(float(ahead.cdf(low)), float(ahead.sf(high))), (mostly_better, 1 - not_worse)]
        return np.array([q for b, w in three for q in (b, max(1 - b - w, 0.0), w)])

    def _thinned(self, axes: str = "xy") -> HierarchicalMcNemar:
        x, y = (slice(None, None, 2 if a in axes else 1) for a in "xy")
        return replace(
            self,
            logit_mean=self.logit_mean[x],
            log_size=self.log_size[y],
            log_posterior=self.log_posterior[y, x],
        )

    def _error(self, low: float, high: float, now: Floats) -> float:
        half = self._thinned()
        return remaining_error([half._thinned()._readings(low, high), half._readings(low, high), now])


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
    bad = np.flatnonzero(~(np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts))))
    if bad.size:
        raise CellError(
            f"{bad.size} of {counts.size} values of {name} are not counts",
            where=[f"task {i}: {counts[i]:g}" for i in bad[:5]],
            hint="A count is a whole number of examples, 0 or more.",
        )
    return counts


def _settled(n01: Floats, n10: Floats, tolerance: float) -> HierarchicalMcNemar:
    """The posterior on enough nodes: looked for on few, then refined until the readings settle."""
    pairs, times = np.unique(np.stack([n01, n10], axis=1), axis=0, return_counts=True)

    def on(x: Floats, y: Floats) -> HierarchicalMcNemar:
        log_posterior = _log_likelihood(pairs, times, x, y) - 0.5 * y[:, None] - 2 * np.log(np.cosh(x / 2))
        return HierarchicalMcNemar(
            n01=n01, n10=n10, logit_mean=x, log_size=y, log_posterior=log_posterior, error=0.0
        )

    x, y = np.linspace(-4.0, 4.0, 33), np.linspace(-3.0, 12.0, 25)
    for _ in range(60):
        f = on(x, y).log_posterior
        x_ends, x_done = trimmed(x, f.max(axis=0), (-np.inf, np.inf))
        y_ends, y_done = trimmed(y, f.max(axis=1), (-np.inf, np.inf), (DROP_LOW, DROP_LOW))
        x, y = finer(x_ends, 32), finer(y_ends, 24)
        if x_done and y_done:
            break
    else:
        raise AssertionError("the posterior of the hierarchical McNemar test was not found")
    y = finer(y, 2)
    now = on(x, y)
    while True:
        low, high = now._rope(None)
        readings = now._readings(low, high)
        error = now._error(low, high, readings)
        if error <= tolerance or x.size * y.size > 200_000:
            return replace(now, error=error)
        by_x, by_y = (np.max(np.abs(now._thinned(a)._readings(low, high) - readings)) for a in "xy")
        x = finer(x, 2 if by_x > 0.2 * by_y else 1)
        y = finer(y, 2 if by_y > 0.2 * by_x else 1)
        now = on(x, y)


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

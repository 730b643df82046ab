"""The hierarchical Bayesian McNemar test: two classifiers on many tasks, right or wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincc, betaincinv, expit, logit

from ropewalk.bayes.beta_population import BetaPopulation, counts, exists, population
from ropewalk.bayes.edges import edges
from ropewalk.bayes.quadrature import NODES, Panels, below, regions
from ropewalk.bayes.these_tasks import task_weights
from ropewalk.errors import DataError, MethodError, OptionError
from ropewalk.posterior import Draws, WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.posterior.beta_mixture import BetaMixture

_POINTS = 20_000  # draws of means over tasks: probabilities are accurate to 0.0035


@dataclass(frozen=True, kw_only=True, eq=False)
class HierarchicalMcNemar(BetaPopulation):
    """Posterior of the hierarchical McNemar test, integrated and not sampled.

    `hierarchical_mcnemar` makes it. The population of tasks is phi_i ~ Beta(a, b).

    Parameters
    ----------
    first, second : ndarray
        Counts n01 and n10 of each task.
    y, x : object
        Nodes of log(a + b) and of logit(a/(a + b)).
    values : ndarray
        Log density at the nodes, up to a constant.
    error : float
        Estimated error of the probabilities.
    proper : bool
        Which prior was used.

    See Also
    --------
    ropewalk.bayes.hierarchical_mcnemar : Makes it, and explains the model.

    Examples
    --------
    >>> from ropewalk import bayes
    >>> fitted = bayes.hierarchical_mcnemar([63, 159, 175, 180], [66, 198, 149, 167])
    >>> round(fitted.own(0)[0], 3)
    0.489
    """

    @property
    def n01(self) -> Floats:
        """Number of examples of each task that only B got right."""
        return self.first

    @property
    def n10(self) -> Floats:
        """Number of examples of each task that only A got right."""
        return self.second

    @property
    def phi_next(self) -> BetaMixture:
        """Posterior of phi on the next task: Beta(a, b) over the posterior of (a, b)."""
        return self.mixture(0.0, 0.0)

    @property
    def mean_phi(self) -> Draws:
        """Posterior of a/(a+b), the mean of phi over the population of tasks, at evenly spread points."""
        a, b = self.drawn(_POINTS)
        return Draws.of(a / (a + b))

    def these(self, weights: ArrayLike | None = None, *, rng: int | np.random.Generator = 0) -> Draws:
        """Posterior of the mean of phi over exactly these tasks, sampled.

        Parameters
        ----------
        weights : array_like, optional
            Weight of each task. By default all count alike.
        rng : int or numpy.random.Generator, default 0
            Random seed or generator.

        Returns
        -------
        Draws
            Independent draws.
        """
        w, random = task_weights(weights, self.n_tasks), np.random.default_rng(rng)
        a, b = self.drawn(_POINTS)
        total = np.zeros(_POINTS)
        for share, n01, n10 in zip(w, self.n01, self.n10, strict=True):
            total += share * random.beta(a + n01, b + n10)
        return Draws.of(total)

    def own(self, i: int) -> tuple[float, float, float]:
        """Posterior of task i from its own data: Beta(n01 + 1, n10 + 1).

        Parameters
        ----------
        i : int
            Number of the task.

        Returns
        -------
        tuple of float
            Mean and ends of the central 95% interval.
        """
        a, b = self.n01[i] + 1, self.n10[i] + 1
        low, high = betaincinv(a, b, [0.025, 0.975])
        return float(a / (a + b)), float(low), float(high)

    def task(self, i: int) -> BetaMixture:
        """Posterior of phi on task i, which borrows from the other tasks.

        Parameters
        ----------
        i : int
            Number of the task.

        Returns
        -------
        BetaMixture
            Share of A's mistakes among the examples on which the models disagree.
        """
        return self.rate_on(i)

    def next_task(self, rope: Sequence[float] | None = None) -> WeightedRegions:
        """Outcome on the next task, in both readings: A is better where phi lies below the ROPE.

        Parameters
        ----------
        rope : (float, float), optional
            Edges of the ROPE on phi. By default 0.5 ± 0.1 s with s² = m (1 - m) and m = phi_next.mean.

        Returns
        -------
        WeightedRegions
            Better, equivalent and worse.
        """
        low, high = self._rope(rope)
        a, b = self.drawn()
        better, worse = betainc(a, b, low), betaincc(a, b, high)
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

    def _readings(self, low: float, high: float) -> Floats:
        """The mean of (better, equivalent, worse), and how often each is the most probable.

        Panels of x that get smaller towards the edges of the ROPE resolve narrow Betas. Betas much narrower
        than the counts can resolve are widened a little.
        """
        widest = 1e4 * max(float(np.sum(self.n01 + self.n10)), 1e3)
        inside = [float(logit(edge)) for edge in (low, high) if 0 < edge < 1]
        mesh = self.x.cut(1).graded(inside, 0.5 / float(np.sqrt(widest)))
        x, k = mesh.nodes, np.minimum(np.exp(self.y.nodes), widest)[:, None]
        a, b, p = k * expit(x), k * expit(-x), self.weights(mesh)
        seen = p > 1e-12
        mean = [float(p[seen] @ f(a[seen], b[seen], e)) for f, e in ((betainc, low), (betaincc, high))]
        # Where "equivalent" first can be the most probable, the integrand has a kink in y.
        y, w = self.y.cut_at(_kink(low, high, self.y)).points(NODES)
        density = np.exp(self.log_density(y, x)) * w[:, None]
        until, since = _switches(np.exp(y), low, high, (x[0], x[-1]))
        total = float((density @ mesh.points(NODES)[1]).sum())
        better, not_worse = (float(below(mesh, density, at).sum()) / total for at in (until, since))
        three = np.clip([mean, (better, 1 - not_worse)], 0.0, 1.0)  # rounding of certain regions
        return np.array([q for b, w in three for q in (b, max(1 - b - w, 0.0), w)])


def hierarchical_mcnemar(n01: ArrayLike, n10: ArrayLike, *, tolerance: float = 1e-4) -> HierarchicalMcNemar:
    """Posterior of phi, A's share of the mistakes where A and B disagree, on the next task.

    Parameters
    ----------
    n01 : array_like
        For each task the number of examples that A got wrong and B right.
    n10 : array_like
        For each task the number of examples that A got right and B wrong.
    tolerance : float, default 0.0001
        Nodes are added until the estimated error of any probability is below it.

    Returns
    -------
    HierarchicalMcNemar
        `phi_next`, the posterior of phi on the next task, with the population and each task.

    Notes
    -----
    Formula::

        n01_i ~ Binomial(n01_i + n10_i, phi_i), phi_i ~ Beta(a, b), p(a, b) ∝ (a + b)^(-5/2). phi_i integrates
        out: p(n01_i | a, b) ∝ B(a + n01_i, b + n10_i)/B(a, b); what is left is a quadrature over
        x = logit(a/(a+b)) and y = log(a+b), where the prior is m(1 - m) e^(-y/2), m = a/(a+b).

    Assumes
        independent examples within a task, and tasks whose phi_i come from one population. n01_i counts the
        examples of task i that A got wrong and B right, n10_i the reverse: phi < 1/2 means that A is better.

    Not for
        real-valued losses (use `hierarchical_t`); tasks on each of which only one model makes mistakes.

    Tasks without any disagreement are allowed; they carry no information. The prior is improper, so the
    posterior exists only if on at least one task each model wins at least one example.

    References
    ----------
    .. [1] Gelman et al. 2013, Bayesian Data Analysis, sec. 5.3, for the model and its prior.
    .. [2] Williams 2026, A Review of and Best Practices for Comparing Machine Learning Models, sec. 5.5,
       for the test.

    Examples
    --------
    >>> fitted = hierarchical_mcnemar([63, 159, 175, 180], [66, 198, 149, 167])
    >>> round(fitted.phi_next.mean, 3)
    0.4...
    """
    first, second = counts(n01, "n01"), counts(n10, "n10")
    if first.shape != second.shape:
        raise DataError(
            f"n01 has {first.size} tasks and n10 has {second.size}",
            hint="Give one count of each kind per task.",
        )
    if not np.any(first + second):
        raise MethodError(
            "the two models agree on every example of every task",
            hint="There is nothing to test.",
        )
    if not exists(first, second):
        raise MethodError(
            "on every task only one of the two models makes mistakes that the other does not",
            where=["The posterior is improper in this case."],
            hint="Use mcnemar on each task, or poisson_binomial over the tasks.",
        )
    if not 0 < tolerance < 1:
        raise OptionError(f"tolerance is {tolerance}", hint="Give a small probability, such as 1e-4.")
    found = population(first, second, tolerance=tolerance)
    return HierarchicalMcNemar(**{f.name: getattr(found, f.name) for f in fields(found)})


def _switches(k: Floats, low: float, high: float, ends: tuple[float, float]) -> tuple[Floats, Floats]:
    """The x up to which "better" and from which "worse" is the most probable, for each k = a + b.

    The Betas with one k are ordered by their mean, and so are the ratios of neighboring regions (they have
    a monotone likelihood ratio): each pair of regions changes places once. Where "equivalent" is never the
    most probable, the two points coincide. Above k = 10^5 they no longer move by more than 10^-6.
    """
    size = np.minimum(k, 1e5)

    def crossing(edge: float, before: Callable[[Floats, Floats, Floats], NDArray[np.bool_]]) -> Floats:
        # A Beta is about 2/sqrt(k) wide in x: further away no regions change places.
        centre, reach = np.clip(logit(edge), *ends), 30 / np.sqrt(size)
        lo, hi = np.maximum(centre - reach, ends[0]), np.minimum(centre + reach, ends[1])
        for _ in range(20):
            x = 0.5 * (lo + hi)
            a, b = size * expit(x), size * expit(-x)
            better, worse = betainc(a, b, low), betaincc(a, b, high)
            # If two probabilities vanish, that of "equivalent" is the larger one: it is never negligible.
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
    """The y from which "equivalent" can be the most probable region, by bisection."""
    below, above = float(y.low[0]), float(y.high[-1])
    for _ in range(40):
        middle = 0.5 * (below + above)
        until, since = _switches(np.exp(np.array([middle])), low, high, (-700.0, 700.0))
        below, above = (below, middle) if since[0] > until[0] else (middle, above)
    return 0.5 * (below + above)

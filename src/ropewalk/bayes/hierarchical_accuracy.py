"""The hierarchical accuracy test: two classifiers on many tasks, right or wrong, on the accuracy scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaln, digamma, expit, log_expit, polygamma

from ropewalk.bayes.accuracy_difference import accuracy_difference
from ropewalk.bayes.beta_population import BetaPopulation, counts, exists, population
from ropewalk.bayes.edges import edges
from ropewalk.bayes.quadrature import NODES, regions
from ropewalk.bayes.these_tasks import task_weights
from ropewalk.errors import DataError, OptionError
from ropewalk.posterior import AdvantagePosterior, BetaMixture, Draws, WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.posterior.rate_table import END, RateTable, refined

_DRAWS = 20_000  # draws of the mean over these tasks: probabilities are accurate to 0.0035
_OUT = np.linspace(-8.0, 8.0, 9)  # standard deviations from a component at which its density is evaluated
_START = 49  # initial number of points in the table of a rate
_ARC = np.linspace(-3.2, 3.2, 65)  # asinh of a logit's distance from its mode in standard deviations
_POINTS = 2000  # points of the three probabilities of the next task
_PRODUCT = 1e-5  # maximum error of the integral over pi and phi; see the tests
_PROPER = "p(a + b) proportional to (1 + a + b)^-2 (Albert 2009) stands in for (a + b)^(-5/2) there"


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: integrals are cached
class HierarchicalAccuracy:
    """Posterior of the hierarchical accuracy test, integrated and not sampled.

    `hierarchical_accuracy` makes it. On task i the models disagree on a share pi_i of the examples, and A is
    the one that is wrong in a share phi_i of these; its advantage is delta_i = pi_i (1 - 2 phi_i).

    Parameters
    ----------
    rate : object
        Population of pi over the tasks.
    share : object
        Population of phi over the tasks.
    notes : tuple of str
        Notes for the reader.

    See Also
    --------
    ropewalk.bayes.hierarchical_accuracy : Makes it, and explains the model.

    Examples
    --------
    >>> from ropewalk import bayes
    >>> fitted = bayes.hierarchical_accuracy([9, 6, 8], [4, 5, 2], [87, 89, 90])
    >>> fitted.n_tasks, round(fitted.own(0)[0], 2)
    (3, 0.05)
    """

    rate: BetaPopulation
    share: BetaPopulation
    notes: tuple[str, ...]

    @property
    def n10(self) -> Floats:
        """Number of examples of each task that only A got right."""
        return self.share.second

    @property
    def n01(self) -> Floats:
        """Number of examples of each task that only B got right."""
        return self.share.first

    @property
    def same(self) -> Floats:
        """Number of examples of each task on which the models agree."""
        return self.rate.second

    @property
    def n_tasks(self) -> int:
        """Number of tasks."""
        return self.rate.n_tasks

    @property
    def error(self) -> float:
        """Estimated error of the probabilities."""
        return self.rate.error + self.share.error + _PRODUCT

    @cached_property
    def mean_advantage(self) -> AdvantagePosterior:
        """Posterior of E[pi] (1 - 2 E[phi]), the mean advantage over the population of tasks."""
        return AdvantagePosterior(rate=_of_mean(self.rate), share=_of_mean(self.share))

    @cached_property
    def next(self) -> AdvantagePosterior:
        """Posterior of the advantage on the next task."""
        return _advantage(self.rate.mixture(0.0, 0.0), self.share.mixture(0.0, 0.0))

    def task(self, i: int) -> AdvantagePosterior:
        """Posterior of the advantage on task i, which borrows from the other tasks.

        Parameters
        ----------
        i : int
            Number of the task.

        Returns
        -------
        AdvantagePosterior
            Advantage of A over B.
        """
        return _advantage(self.rate.rate_on(i), self.share.rate_on(i))

    def own(self, i: int) -> tuple[float, float, float]:
        """Posterior of task i from its own data, with a uniform prior.

        Parameters
        ----------
        i : int
            Number of the task.

        Returns
        -------
        tuple of float
            Mean and ends of the central 95% interval.
        """
        alone = accuracy_difference(0, int(self.n01[i]), int(self.n10[i]), int(self.same[i]))
        low, high = alone.interval(0.95)
        return alone.mean, low, high

    def these(
        self, weights: ArrayLike | None = None, *, draws: int = _DRAWS, rng: int | np.random.Generator = 0
    ) -> Draws:
        """Posterior of the mean advantage over exactly these tasks.

        Parameters
        ----------
        weights : array_like, optional
            Weight of each task. By default all count alike.
        draws : int, optional
            Number of draws.
        rng : int or numpy.random.Generator, default 0
            Random seed or generator.

        Returns
        -------
        Draws
            The tasks depend on each other through the population, so this one is sampled: independent draws,
            whose `error` gives the Monte Carlo error of a probability.
        """
        w = task_weights(weights, self.n_tasks)
        random = np.random.default_rng(rng)
        (a, b), (c, d) = self._drawn(draws, random)
        total = np.zeros(draws)
        for i in range(self.n_tasks):
            pi = random.beta(a + self.rate.first[i], b + self.rate.second[i])
            phi = random.beta(c + self.share.first[i], d + self.share.second[i])
            total += w[i] * pi * (1 - 2 * phi)
        return Draws.of(total)

    def next_task(self, rope: float | Sequence[float]) -> WeightedRegions:
        """Outcome on the next task: better, equivalent or worse, in both readings.

        Parameters
        ----------
        rope : float or (float, float)
            Half width of the ROPE in accuracy, or its edges.

        Returns
        -------
        WeightedRegions
            The first reading is integrated. How often each region is the most probable one is counted over
            2,000 points of the four parameters of the populations; `error` is that of the count.
        """
        low, high = edges(rope)
        better, worse = float(self.next.sf(high)), float(self.next.cdf(np.nextafter(low, -np.inf)))
        theta = self.points(low, high)
        largest = np.bincount(theta.argmax(axis=1), minlength=3) / len(theta)
        error = max(self.error, float(np.sqrt(np.max(largest * (1 - largest)) / len(theta))))
        mean = [better, max(1 - better - worse, 0.0), worse]
        return regions(theta[:, 0], theta[:, 2], np.concatenate([mean, largest]), error)

    def points(self, low: float, high: float, n: int = _POINTS) -> Floats:
        """Points of the posterior of (better, equivalent, worse), the same ones for every ROPE.

        Parameters
        ----------
        low, high : float
            Edges of the ROPE.
        n : int, optional
            Number of points.

        Returns
        -------
        ndarray
            One row per point.
        """
        (a, b), (c, d) = self._drawn(n, np.random.default_rng(0))
        pi, phi = _Logits.of(a, b), _Logits.of(c, d)
        with np.errstate(over="ignore"):
            each = 1 + np.exp(-pi.z)  # 1/pi

        def less(edge: float) -> Floats:
            """Pr(phi < (1 - edge/pi)/2), averaged over pi."""
            with np.errstate(divide="ignore"):
                at = 2 * np.arctanh(np.clip(-edge * each, -1.0, 1.0))  # infinite where pi is too small
            return np.asarray(np.sum(pi.weights * phi.below(at), axis=1))

        better, worse = less(high), np.maximum(1 - less(low), 0.0)
        return np.stack([better, np.maximum(1 - better - worse, 0.0), worse], axis=1)

    def _drawn(self, n: int, rng: np.random.Generator) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """n points of both populations; one is shuffled because the populations are independent."""
        order = rng.permutation(n)
        c, d = self.share.drawn(n)
        return self.rate.drawn(n), (c[order], d[order])

    @property
    def shrinkage(self) -> Floats:
        """How far the advantage on each task is pulled towards that of the population, from 0 to 1.

        It is that of pi and of phi, weighted by what each adds to the variance of the task's own estimate.
        """
        pi, phi = self.rate.mixture(0.0, 0.0).mean, self.share.mixture(0.0, 0.0).mean
        of_rate = (1 - 2 * phi) ** 2 * pi * (1 - pi)
        of_share = 4 * pi * phi * (1 - phi)
        return np.asarray(
            (of_rate * self.rate.shrinkage + of_share * self.share.shrinkage) / (of_rate + of_share)
        )


def hierarchical_accuracy(
    n10: ArrayLike, n01: ArrayLike, same: ArrayLike, *, tolerance: float = 1e-4
) -> HierarchicalAccuracy:
    """Posterior of A's advantage in accuracy over many tasks, from right and wrong answers.

    Parameters
    ----------
    n10, n01, same : array_like
        One count per task: examples that only A got right, that only B got right, and the rest.
    tolerance : float
        Nodes are added until the estimated error of any probability is below it, for each population.

    Returns
    -------
    HierarchicalAccuracy
        `mean_advantage` (over the population of tasks), `next_task(rope)`, `these(weights)`, `task(i)`.

    Notes
    -----
    Formula::

        n10_i + n01_i ~ Binomial(n_i, pi_i), n01_i ~ Binomial(n10_i + n01_i, phi_i), pi_i ~ Beta(a, b),
        phi_i ~ Beta(c, d), p(a, b) ∝ (a + b)^(-5/2), p(c, d) ∝ (c + d)^(-5/2). The advantage is
        delta = pi (1 - 2 phi). The likelihood factorizes, so the two halves are independent a posteriori:
        each is a quadrature as in `hierarchical_mcnemar`, and the advantage is one more integral over pi.

    Assumes
        independent examples within a task; tasks that come from one population; a rate of disagreement that
        is unrelated to which model wins (pi and phi are independent over tasks).

    Not for
        real-valued scores (use `hierarchical_t`), one task (use `accuracy_difference`).

    If no task has both outcomes (the models never disagree, or all disagreements favor one model), the
    posterior under the prior (a + b)^(-5/2) is not finite. A proper prior then replaces it in that half of
    the model, and `notes` say so.

    References
    ----------
    .. [1] Gelman et al. 2013, Bayesian Data Analysis, sec. 5.3, for the model of a rate and its prior.
    .. [2] Albert 2009, Bayesian Computation with R, sec. 5.4, doi:10.1007/978-0-387-92298-0, for the
       proper prior.
    .. [3] Williams 2026, A Review of and Best Practices for Comparing Machine Learning Models, sec. 5.5,
       for phi over tasks.

    Examples
    --------
    >>> fitted = hierarchical_accuracy([3, 8, 0, 12], [1, 9, 2, 4], [46, 83, 38, 84])
    >>> round(fitted.mean_advantage.mean, 3)
    0.012
    """
    first, second, rest = counts(n10, "n10"), counts(n01, "n01"), counts(same, "same")
    if not first.shape == second.shape == rest.shape:
        raise DataError(
            f"n10 has {first.size} tasks, n01 has {second.size} and same has {rest.size}",
            hint="Give one count of each kind per task.",
        )
    if not first.size:
        raise DataError("there are no tasks", hint="Give one count of each kind per task.")
    empty = np.flatnonzero(first + second + rest == 0)
    if empty.size:
        raise DataError(
            f"{empty.size} of {first.size} tasks have no example",
            where=[f"task {i}" for i in empty[:5]],
            hint="Leave tasks without examples out.",
        )
    if not 0 < tolerance < 1:
        raise OptionError(f"tolerance is {tolerance}", hint="Give a small probability, such as 1e-4.")
    differ = first + second
    diffuse = exists(differ, rest), exists(second, first)
    return HierarchicalAccuracy(
        rate=population(differ, rest, proper=not diffuse[0], tolerance=tolerance),
        share=population(second, first, proper=not diffuse[1], tolerance=tolerance),
        notes=_notes(differ, *diffuse),
    )


def _notes(differ: Floats, rate: bool, share: bool) -> tuple[str, ...]:
    """The assumptions to report if half of the model has an improper posterior under the usual prior."""
    found = []
    if not rate:
        how = "agree on all examples" if not np.any(differ) else "either always agree or always disagree"
        found.append(f"On every task the two models {how}, so the rate of disagreement has a proper prior")
    if not share and np.any(differ):
        found.append(
            "On every task only one of the two models is right where the other is wrong, so the direction of "
            "the disagreements has a proper prior"
        )
    return tuple(f"{text}: {_PROPER}." for text in found)


def _of_mean(found: BetaPopulation) -> RateTable:
    """The posterior of a population's mean a/(a+b), whose logit is one of the two axes of the quadrature."""
    x = found.x.cut(2).nodes
    w = found.y.points(NODES)[1]
    return RateTable.of(x, np.log(w @ np.exp(found.x.interpolated(found.values, x))))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Logits:
    """Tables of Betas, one per row: points of the logit around the mode, with one scale on each side."""

    mode: Floats
    left: Floats
    right: Floats
    z: Floats
    weights: Floats

    @classmethod
    def of(cls, a: Floats, b: Floats) -> _Logits:
        mode, left, right = (
            x[:, None] for x in (np.log(a) - np.log(b), np.sqrt(polygamma(1, a)), np.sqrt(polygamma(1, b)))
        )
        z = mode + np.where(_ARC < 0, left, right) * np.sinh(_ARC)
        log_w = a[:, None] * log_expit(z) + b[:, None] * log_expit(-z)
        step = np.where(_ARC < 0, left, np.where(_ARC > 0, right, 0.5 * (left + right))) * np.cosh(_ARC)
        w = np.exp(log_w - log_w.max(axis=1, keepdims=True)) * step
        return cls(mode=mode, left=left, right=right, z=z, weights=w / w.sum(axis=1, keepdims=True))

    def below(self, z: Floats) -> Floats:
        """The distribution function by linear interpolation; each row has its own points."""
        away = z - self.mode
        place = np.arcsinh(away / np.where(away < 0, self.left, self.right)) - _ARC[0]
        place = np.clip(place / (_ARC[1] - _ARC[0]), 0.0, _ARC.size - 1.0)
        k = np.minimum(place.astype(np.intp), _ARC.size - 2)
        total = np.cumsum(self.weights, axis=1) - 0.5 * self.weights
        total[:, 0], total[:, -1] = 0.0, 1.0
        left, right = (np.take_along_axis(total, i, axis=1) for i in (k, k + 1))
        return np.asarray(left + (place - k) * (right - left))


def _advantage(rate: BetaMixture, share: BetaMixture) -> AdvantagePosterior:
    return AdvantagePosterior(rate=_tabulated(rate), share=_tabulated(share))


def _tabulated(mixture: BetaMixture) -> RateTable:
    """The density of the logit of a mixture of Betas, at points spaced by the width of its components."""
    a, b, w = mixture.a, mixture.b, mixture.weights
    kept = w > 1e-7
    a, b, w = a[kept], b[kept], w[kept] / w[kept].sum()
    log_w = np.log(w) - betaln(a, b)

    def log_density(z: Floats) -> Floats:
        f = log_expit(z)[:, None] * a + log_expit(-z)[:, None] * b + log_w
        highest = f.max(axis=1)
        return np.asarray(highest + np.log(np.exp(f - highest[:, None]).sum(axis=1)))

    centre, width = digamma(a) - digamma(b), np.sqrt(polygamma(1, a) + polygamma(1, b))
    around = np.sort(np.clip(centre[:, None] + width[:, None] * _OUT, -END, END).ravel())
    start = np.concatenate([[-END, END], around[np.linspace(0, around.size - 1, _START).astype(np.intp)]])
    z, f = refined(log_density, np.unique(start))
    tiny = float(expit(-END))
    return RateTable.of(z, f, zero=float(w @ betainc(a, b, tiny)), one=float(w @ betainc(b, a, tiny)))

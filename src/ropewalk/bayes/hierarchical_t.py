"""The hierarchical Bayesian t-test: two models on many tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.arithmetic import t_quantile
from ropewalk.bayes.correlations import correlations
from ropewalk.bayes.edges import edges
from ropewalk.bayes.nu_priors import DEFAULT, bounds_of
from ropewalk.bayes.other_tasks import Level, others
from ropewalk.bayes.own_tasks import own_tasks, sums_of
from ropewalk.bayes.stand_ins import StandIns
from ropewalk.bayes.student_hierarchy import Tasks, shrinkage
from ropewalk.bayes.student_surface import Prior, Surface, settle
from ropewalk.bayes.task_mean import TaskMean, refined
from ropewalk.bayes.these_tasks import drawn_means, task_weights
from ropewalk.errors import DataError, OptionError
from ropewalk.posterior import Draws, Posterior, WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.posterior.mixture import Mixture
from ropewalk.sums import Sums
from ropewalk.threads import one_thread

_CONSTANT = ("lean", "benavoli2017")  # options for the spread of a task that never varies
_POPULATIONS, _EACH = 500, 20  # points of the population, and draws of the mean over these tasks for each
_BIG = 1000.0  # upper bound of sigma0 in standard deviations of the task means (Benavoli et al. 2017)


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: integrals are cached
class HierarchicalT:
    """Posterior of the hierarchical t-test, integrated and not sampled.

    `hierarchical_t` makes it.

    Parameters
    ----------
    tasks : object
        Likelihood of the mean of each task.
    surface : object
        Posterior of the population's parameters.
    unit : float
        Unit in which values are kept inside, so that nothing depends on the metric's scale.
    notes : tuple of str
        Notes for the reader.

    See Also
    --------
    ropewalk.bayes.hierarchical_t : Makes it, and explains the model.

    Examples
    --------
    >>> from ropewalk import bayes
    >>> tasks = [[0.02, 0.03, 0.01], [0.04, 0.03, 0.05], [0.01, 0.00, 0.03], [0.03, 0.02, 0.04]]
    >>> fitted = bayes.hierarchical_t(tasks)
    >>> fitted.n_tasks, round(fitted.mean_advantage.mean, 3)
    (4, 0.026)
    """

    tasks: Tasks
    surface: Surface
    unit: float
    notes: tuple[str, ...]

    @property
    def error(self) -> float:
        """Estimated error of the probabilities."""
        return self.surface.error

    @property
    def n_tasks(self) -> int:
        """Number of tasks."""
        return self.tasks.loc.size

    @cached_property
    def mean_advantage(self) -> Mixture:
        """Posterior of mu0, the mean advantage over the population of tasks."""
        return self._in_score_units(self.surface.mean_advantage())

    @cached_property
    def next(self) -> Mixture:
        """Posterior of the advantage on the next task: Student(nu, mu0, sigma0) over the posterior."""
        return self._in_score_units(self.surface.next_mean())

    @property
    def shrinkage(self) -> Floats:
        """For each task how far its mean is pulled towards mu0: 0 not at all, 1 all the way."""

        def of(tasks: Tasks) -> Floats:
            return shrinkage(tasks, self.surface.nodes, self.surface.weights)

        few = StandIns.of(self.tasks)
        with one_thread():
            return of(self.tasks) if few is None else np.clip(few.each(self.tasks, of, 1e-6), 0.0, 1.0)

    def own(self, i: int) -> tuple[float, float, float]:
        """Posterior of task i from its own data: a Student t distribution.

        Parameters
        ----------
        i : int
            Number of the task.

        Returns
        -------
        tuple of float
            Mean and ends of the central 95% interval.
        """
        t = self.tasks
        middle, half = self.unit * t.loc[i], -self.unit * t.scale[i] * t_quantile(t.df[i], 0.025)
        return float(middle), float(middle - half), float(middle + half)

    def next_task(self, rope: float | Sequence[float]) -> WeightedRegions:
        """Outcome on the next task: better, equivalent or worse, in both readings.

        Parameters
        ----------
        rope : float or (float, float)
            Half width of the ROPE in score units, or its edges.

        Returns
        -------
        WeightedRegions
            Better, equivalent and worse.
        """
        low, high = (edge / self.unit for edge in edges(rope))
        return self.surface.regions(low, high)

    def most_probable(self, low: ArrayLike, high: ArrayLike) -> Floats:
        """The reading `next_task(...).most_probable` for many ROPEs at once.

        Parameters
        ----------
        low, high : array_like
            Edges of the ROPEs.

        Returns
        -------
        ndarray
            A row for better and one for worse.
        """
        ends = (np.atleast_1d(np.asarray(edge, dtype=np.float64)) / self.unit for edge in (low, high))
        return np.clip(self.surface.most_probable(*ends), 0.0, 1.0)

    def points(self, low: float, high: float, n: int) -> Floats:
        """Points of the posterior of (better, equivalent, worse), the same ones for every ROPE.

        Parameters
        ----------
        low, high : float
            Edges of the ROPE.
        n : int
            Number of points.

        Returns
        -------
        ndarray
            One row per point.
        """
        better, worse = self.surface.sides(low / self.unit, high / self.unit, n)
        return np.stack([better, np.maximum(1 - better - worse, 0.0), worse], axis=1)

    def task(self, i: int) -> Posterior:
        """Posterior of the advantage on task i, which borrows from the other tasks.

        Parameters
        ----------
        i : int
            Number of the task.

        Returns
        -------
        Posterior
            The task's own likelihood times what the other tasks say about a next task.

        Raises
        ------
        OptionError
            If there is no task of that number.
        """
        if not -self.n_tasks <= i < self.n_tasks:
            raise OptionError(
                f"there is no task {i}", hint=f"There are {self.n_tasks} tasks, counted from 0."
            )
        own = self.tasks[np.array([i])]
        loc, scale, df = own.loc[0], own.scale[0], own.df[0]
        next_one = others(self._levels, own)

        def log_density(x: Floats) -> Floats:
            own_log = -(df + 1) / 2 * np.log1p(((x - loc) / scale) ** 2 / df)
            return np.asarray(np.log(np.maximum(next_one.pdf(x), 1e-300)) + own_log)

        # Start with points near the task's own mean and near the middle of the others.
        far = np.sinh(np.linspace(-7.0, 7.0, 61))
        middle = np.sort(next_one.loc)[:: max(next_one.loc.size // 40, 1)]
        x, f = refined(log_density, np.unique(np.concatenate([loc + scale * far, middle])))
        return TaskMean(self.unit * x, f)

    @cached_property
    def _levels(self) -> list[Level]:
        """The population, for the posterior of each task."""
        t, mu = self.tasks, self.surface.mu.nodes[[0, -1], None]
        return self.surface.levels(float(np.max(np.abs(mu - t.loc) + t.scale)))

    def these(self, weights: ArrayLike | None = None, *, rng: int | np.random.Generator = 0) -> Draws:
        """Posterior of the mean advantage over exactly these tasks.

        Parameters
        ----------
        weights : array_like, optional
            Weight of each task. By default all count alike.
        rng : int or numpy.random.Generator, default 0
            Random seed or generator.

        Returns
        -------
        Draws
            The tasks depend on each other through the population, so this one is sampled: given a point of
            the population they are independent. `error` gives the Monte Carlo error of a probability.
        """
        w, random = task_weights(weights, self.n_tasks), np.random.default_rng(rng)
        return Draws.of(
            self.unit * drawn_means(self.tasks, self.surface.drawn(_POPULATIONS), w, _EACH, random)
        )

    def _in_score_units(self, mixture: Mixture) -> Mixture:
        return replace(mixture, loc=self.unit * mixture.loc, scale=self.unit * mixture.scale)


def hierarchical_t(
    tasks: Sequence[ArrayLike | Sums],
    *,
    rho: float | Sequence[float] = 0.0,
    constant: str = "lean",
    rope: float | Sequence[float] | None = None,
    prior: str = DEFAULT,
    alpha: tuple[float, float] | None = None,
    beta: tuple[float, float] | None = None,
    scale: float | None = None,
    names: Sequence[str] | None = None,
    tolerance: float = 1e-4,
) -> HierarchicalT:
    """Posterior of the advantage of A over B on the next task, from the differences on several tasks.

    Parameters
    ----------
    tasks : sequence of array_like or Sums
        Differences on each task, or their sums.
    rho : float or sequence of float, default 0.0
        Correlation between any two units of a task: one for all tasks or one for each.
    constant : {"lean", "benavoli2017"}, default "lean"
        How to treat a task whose differences never vary: "lean" takes their spread from the other tasks,
        "benavoli2017" treats them as spread evenly over `rope`.
    rope : float or (low, high), optional
        Only with constant="benavoli2017".
    prior : str, optional
        Name of the bounds of `alpha` and `beta`.
    alpha : pair of float, optional
        Bounds of the shape of the prior of nu.
    beta : pair of float, optional
        Bounds of the rate of the prior of nu.
    scale : float, optional
        Bound of the mean advantage: the range of the metric.
    names : sequence of str, optional
        Names of the tasks in notes and errors; by default their index.
    tolerance : float, default 0.0001
        Nodes are added until the estimated error of any probability is below it.

    Returns
    -------
    HierarchicalT
        Posterior of the next task (`next_task(rope)`), of the mean advantage and of each task.

    Notes
    -----
    Formula::

        x_i ~ MVN(mu_i 1, sigma_i² [(1 - rho) I + rho 11']), mu_i ~ Student(nu, mu0, sigma0), flat in sigma_i
        and sigma0, mu0 ~ U(-scale, scale), nu - 1 ~ Gamma(a, b), a ~ U(alpha), b ~ U(beta). sigma_i
        integrates out: with n units, mean m and S = Σ(x - m)² a task's likelihood of mu_i is Student with
        n - 2 degrees of freedom, location m, scale² = S (1 + (n-1) rho) / (n (1-rho) (n-2)). Both Students
        are mixtures of normals, which convolve; what is left is a quadrature over (mu0, sigma0, nu).

    Assumes
        tasks whose scores are on the same scale and whose mean advantages come from one population; within a
        task, normal differences with correlation rho (1/k for k-fold cross-validation).

    Not for
        tasks whose scores have different scales (use `poisson_binomial`), right/wrong answers (use
        `hierarchical_accuracy`), one number for each task (use `t`).

    Prior of nu: `prior` names the bounds of `alpha` and `beta`, or pass these bounds yourself:
    "benavoli2017-text" (alpha 0.5 to 5, beta 0.05 to 0.15), "benavoli2017-code" (1 to 2, and 0.01 to 0.1),
    "kruschke2013" (Gamma(1, 0.0345)) or "juarez2010" (Gamma(2, 0.1)). The default is the prior in the text of
    Benavoli et al.; their tables were made with the bounds in their code. The text's prior covers both older
    proposals and is the more cautious one where they differ: for nbc against aode, the probability of a
    practical difference is 0.63 with the text's bounds and 0.72 with the code's. `hierarchical_t_range` shows
    the effect of the choice.

    Bounds: `scale` is the range of the metric, 1 for accuracies. By default it is ten times the largest
    ``|m|`` + s of the tasks. sigma0 is at most 1000 standard deviations of the task means, or 1000 mean
    standard errors of the tasks if that is larger.

    Tasks that never vary, or that have one or two units, say too little about their spread. Their sigma² gets
    a prior worth one unit at the median variance of the other tasks. `constant="benavoli2017"` does what
    Benavoli et al. did: it treats the differences of such a task as spread evenly over the ROPE around their
    mean (S = n r²/3, with r the half width of the ROPE). This reproduces their tables, but the ROPE then
    influences the likelihood: with a narrow ROPE, such a task looks certain. If all differences of all tasks
    are equal, or vary by less than a hundredth of a percentage point, `rw.compare` is partly or wholly as
    uncertain as if each task were a single unit.

    References
    ----------
    .. [1] Benavoli, Corani, Demšar & Zaffalon 2017, eq. 12-19 (jmlr.org/papers/v18/16-305.html).
    .. [2] Corani, Benavoli, Demšar, Mangili & Zaffalon 2017, doi:10.1007/s10994-017-5641-9.

    Examples
    --------
    >>> tasks = [[0.02, 0.03, 0.01], [0.04, 0.03, 0.05], [0.01, 0.00, 0.03], [0.03, 0.02, 0.04]]
    >>> fitted = hierarchical_t(tasks)
    >>> round(fitted.next_task(0.01).mean.better, 2)
    0.8...
    """
    called = list(map(str, range(len(tasks)))) if names is None else list(names)
    if len(called) != len(tasks):
        raise OptionError(
            f"there are {len(called)} names for {len(tasks)} tasks", hint="Give one name per task."
        )
    sums = [sums_of(task, name) for task, name in zip(tasks, called, strict=True)]
    if len(sums) < 2:
        some = f"{len(sums)} task{'' if len(sums) == 1 else 's'}"
        raise DataError(f"{some} given, at least 2 needed", hint="For a single task use t.")
    between = bounds_of(prior, alpha, beta)
    for name, (low, high) in zip(("alpha", "beta"), between, strict=True):
        if not (0 < low <= high < np.inf):
            raise OptionError(
                f"{name} is ({low}, {high})", hint="Give two positive numbers, the smaller one first."
            )
    if not 0 < tolerance < 1:
        raise OptionError(f"tolerance is {tolerance}", hint="Give a small probability, such as 1e-4.")
    width = _evenly_over(constant, rope)
    own, sd, notes = own_tasks(sums, correlations(rho, len(sums)), width, called)
    unit = float(np.max(np.abs(own.loc) + sd))
    largest = float(np.max(np.abs(own.loc)))
    bound = 10 * unit if scale is None else float(scale)
    if not (largest < bound < np.inf):
        raise OptionError(
            f"scale is {scale}, but a task has the mean {largest:g}",
            hint="Give the largest advantage that the metric allows: 1 for accuracies, 100 for percent.",
        )
    spread = max(float(np.std(own.loc, ddof=1)), float(np.mean(own.scale)))
    hyper = Prior(mu0=bound / unit, sigma0=_BIG * spread / unit, alpha=between[0], beta=between[1])
    scaled = Tasks(loc=own.loc / unit, scale=own.scale / unit, df=own.df)
    surface = settle(scaled, hyper, tolerance)
    if surface.error > tolerance:
        notes = (*notes, f"The quadrature was stopped at an estimated error of {surface.error:.1g}.")
    return HierarchicalT(tasks=scaled, surface=surface, unit=unit, notes=notes)


def _evenly_over(constant: str, rope: float | Sequence[float] | None) -> float:
    """The half width over which constant scores are spread; 0 if they borrow from the other tasks."""
    if constant not in _CONSTANT:
        raise OptionError(f'constant is "{constant}"', hint=f"Give one of {', '.join(_CONSTANT)}.")
    if (rope is not None) != (constant == "benavoli2017"):
        raise OptionError(
            "the width of the ROPE is not given" if rope is None else "a ROPE is given, but not used",
            hint='rope= is used only with constant="benavoli2017"; get probabilities with next_task(rope).',
        )
    if rope is None:
        return 0.0
    low, high = edges(rope)
    if not high > low:
        raise OptionError("the ROPE has no width", hint="Give a positive half width, such as 0.01.")
    return 0.5 * (high - low)

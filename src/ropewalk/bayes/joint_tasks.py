"""The joint posterior of many models over many tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.bayes.correlations import correlations
from ropewalk.bayes.cross_sums import CrossSums, as_cross_sums, distinct, own_pairs
from ropewalk.bayes.joint import choose, fit
from ropewalk.bayes.prior import check_draws
from ropewalk.bayes.task_checks import task_checks
from ropewalk.bayes.task_gaps import fit_with_gaps, own_pairs_with_gaps
from ropewalk.errors import DataError, MethodError, RopewalkError, listed
from ropewalk.posterior.base import Floats
from ropewalk.posterior.joint import JointPosterior


def joint_tasks(
    tasks: Sequence[ArrayLike | CrossSums],
    *,
    rho: float | Sequence[float] = 0.0,
    pooling: Literal["auto"] | bool = "auto",
    names: Sequence[str] | None = None,
    draws: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> JointPosterior:
    """Joint posterior of the means of many models over a population of tasks.

    Parameters
    ----------
    tasks : sequence of array_like or CrossSums, units x models
        Scores on each task; a model that was not run on it is a column of NaN.
    rho : float or sequence of float, default 0.0
        Correlation between any two units of a task: one for all tasks or one for each.
    pooling : "auto" or bool, default "auto"
        Whether the models are treated as drawn from one population. "auto" does so for three or more models.
    names : sequence of str, optional
        Names of the models in notes and errors; by default their index.
    draws : int, default 10000
        Number of draws.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator.

    Returns
    -------
    JointPosterior
        Joint draws of the models' means over tasks.

    Notes
    -----
    Formula::

        m_t = mu + b_t + u_t for the means of the models on task t: b_t flat, u_t ~ N(0, Omega) with an
        unstructured Omega, which holds how the models' effects vary from task to task and the noise within
        the tasks. Every pair on its own (`own`, `alone`): `t` on the differences of the task means, Student
        with T - 1 degrees of freedom, whatever else is compared. All together (the draws, P(best), ranks): as
        `joint`, models from one population. Missing means are drawn along with the unknowns.

    Assumes
        tasks whose scores are on the same scale, drawn from one population, each counted once whatever its
        size; task means that are nearly normal; missing cells for reasons unrelated to the scores. With
        pooling also: models drawn from one population.

    Not for
        tasks whose scores have different scales; tasks on which a few models do wildly better or worse (for
        two models use `hierarchical_t`, whose task effects have heavy tails); tasks of very different
        precision, for which the intervals are valid but wider than necessary.

    The difficulty of a task drops out, so a model that was run only on easy tasks gains nothing. A pair is
    compared on the tasks on which both models were run. The units within the tasks, and `rho`, show how noisy
    the task means are. This noise is already part of their variation, so it is only used to check that they
    do not vary less than that.

    References
    ----------
    .. [1] Geisser & Cornfield 1963, Posterior Distributions for Multivariate Normal Parameters, JRSS B
       25, 368-376.
    .. [2] Benavoli, Corani, Demšar & Zaffalon 2017, sec. 5 (jmlr.org/papers/v18/16-305.html), who leave a
       model of many algorithms to future work.
    .. [3] Tanner & Wong 1987, doi:10.1080/01621459.1987.10478458, for the missing means.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> tasks = [rng.normal([0.80, 0.82, 0.90], 0.05, size=(20, 3)) + rng.normal() for _ in range(8)]
    >>> tasks[0][:, 1] = np.nan
    >>> fitted = joint_tasks(tasks)
    >>> fitted.p_best.round(2), fitted.model
    (array([0., 0., 1.]), 'tasks, pooled')
    """
    sums, each_rho = _checked(tasks, rho)
    check_draws(draws)
    order, place = distinct(sums)
    random = np.random.default_rng(rng)
    means = np.array([s.mean for s in sums])
    if order.size > 1:
        _check_connected(sums, names)
    table = means[:, order]
    table = table[(~np.isnan(table)).sum(axis=1) >= min(2, order.size)]
    missing = np.isnan(table)
    if order.size > 1 and (~missing).sum() - len(table) < order.size:
        raise MethodError(
            "no two models share more than one task",
            hint="Run the models on more common tasks: the variation between tasks is unknown.",
        )
    how = choose(pooling, round(len(table) * float(1 - missing.mean())), order.size, "task")
    size = float(draws)
    if missing.any():
        filled = fit_with_gaps(table, how, draws, random)
        fitted, size = filled.fitted, filled.worth
        own = own_pairs_with_gaps(means, filled.mean[place], filled.error[place])
    else:
        s = CrossSums.of(table)
        fitted = fit(s, 1 / s.n, how, draws, random)
        own = own_pairs(CrossSums.of(table[:, place]), 1 / s.n)
    why = how.why(fitted.pulled)
    cells = int(np.sum(np.isnan(means)))
    if cells:
        why += f"; {cells:,} of {means.size:,} cells are missing"
    return JointPosterior.of(
        fitted.draws[:, place],
        mean=fitted.mean[place],
        model="tasks, pooled" if how.pooled else "tasks",
        why=why,
        effective_size=size,
        pulled=fitted.pulled,
        own=own,
        order=fitted.order,
        checks=task_checks(sums, each_rho, order, random),
    )


def _checked(
    tasks: Sequence[ArrayLike | CrossSums], rho: float | Sequence[float]
) -> tuple[list[CrossSums], Floats]:
    if len(tasks) < 2:
        some = f"{len(tasks)} task{'' if len(tasks) == 1 else 's'}"
        raise DataError(f"{some} given, at least 2 needed", hint="For a single task use joint.")
    sums = []
    for i, task in enumerate(tasks):
        try:
            sums.append(as_cross_sums(task, at_least=1, missing=True))
        except RopewalkError as problem:
            raise type(problem)(f"task {i}: {problem.what}", where=problem.where, hint=problem.hint) from None
    sizes = [s.mean.size for s in sums]
    if len(set(sizes)) > 1:
        odd = next(i for i, size in enumerate(sizes) if size != sizes[0])
        raise DataError(
            f"task 0 has {sizes[0]} models and task {odd} has {sizes[odd]}",
            hint="Give every task the same columns; a model that was not run is a column of NaN.",
        )
    each = correlations(rho, len(sums))
    used = [i for i, s in enumerate(sums) if s.present.any()]
    if len(used) < 2:
        raise DataError("fewer than 2 tasks have any score", hint="Give at least two tasks with scores.")
    return [sums[i] for i in used], each[used]


def _check_connected(sums: Sequence[CrossSums], names: Sequence[str] | None) -> None:
    """Check that any two models are linked by shared tasks, directly or through other models."""
    run = np.array([s.present for s in sums])
    together = run.T.astype(np.float64) @ run > 0
    seen = together[0]
    for _ in range(run.shape[1]):
        more = together[seen].any(axis=0) if seen.any() else seen
        if np.array_equal(more, seen):
            break
        seen = more
    if not seen.all():
        alone = np.flatnonzero(~seen) if seen.any() else [0]
        called = [i if names is None else names[int(i)] for i in alone]
        raise DataError(
            f"no task links the models {listed(called)} with the others",
            hint="Compare them separately, or run one model of each group on the same tasks.",
        )

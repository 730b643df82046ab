"""The joint posterior of many models over many tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.bayes.correlations import correlations
from ropewalk.bayes.cross_sums import CrossSums, as_cross_sums, check_draws, distinct
from ropewalk.bayes.joint import choose
from ropewalk.bayes.task_effects import Blocks, sampled
from ropewalk.errors import DataError, MethodError, RopewalkError, listed
from ropewalk.posterior.base import Floats
from ropewalk.posterior.joint import JointPosterior

_NEVER_VARY = 1e-13  # squares this small beside the largest are rounding


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

    Formula
        m_tj = mu_j + b_t + g_tj + e_tj for the mean of model j on task t: b_t flat, g_tj ~ N(0, omega²),
        e_t ~ N(0, E_t) with E_t = c_t S_t/(n_t - 1) from the task's own units, c = 1/n + rho/(1 - rho);
        mu_j flat or, pooled, N(0, tau²) around their mean. Prior 1/((e² + omega²)(e²/T + omega²/T + tau²)),
        e² the median error variance. Given omega and tau all is normal: exact draws from a quadrature over
        the two.
    Assumes
        commensurate tasks drawn from one population, with differences between models that vary alike from
        task to task, normally; at least ten or so units a task, so that E_t is known well; cells that are
        missing for reasons that have nothing to do with the scores.
    Not for
        tasks whose scores have different scales; a task on which a few models do wildly differently (two
        models: use `hierarchical_t`, whose task effects are Student).
    Reference
        Searle, Casella & McCulloch 1992, Variance Components, ch. 9, doi:10.1002/9780470316856; Box & Tiao
        1973, Bayesian Inference in Statistical Analysis, ch. 5 and 6, doi:10.1002/9781118033197, for the
        prior; Benavoli, Corani, Demšar & Zaffalon 2017, sec. 5 (jmlr.org/papers/v18/16-305.html), who leave
        such a model to future work.

    A task is units x models or its `CrossSums`; a model that was not run on it is a column of NaN. How hard a
    task is drops out, so a model that was run on the easy ones gains nothing. With k models S_t is mixed with
    its own mean variance, which counts as k - 1 units; a task that never varies gets the variance of the
    median task, and one with very few units leans on it. "auto" pools three and more models on fewer than 5
    tasks for each. A column of the draws is a model's mean over the population of tasks. `names` are those of
    the models, for errors.

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
    apart = [s.only(order) for s in sums]
    n_tasks, k = len(sums), order.size
    pooled, why = choose(pooling, n_tasks, k, "task")
    random = np.random.default_rng(rng)
    if k == 1:
        mu, mean = np.zeros((draws, 1)), np.zeros(1)
    else:
        _check_connected(sums, names)
        blocks = Blocks.of([s.mean for s in apart], _errors(apart, each_rho))
        if blocks.df < 1:
            raise MethodError(
                "no difference of two models is seen on more than one task",
                hint="Then nothing is known of how much it varies from task to task: run the models on more.",
            )
        mu, mean = sampled(blocks, pooled, draws, random)
    level = np.array([np.nanmean(s.mean - mean) for s in apart])
    se = np.std(level, ddof=1) / np.sqrt(n_tasks)
    mu += np.mean(level) + se * random.standard_t(n_tasks - 1, size=(draws, 1))
    missing = sum(int(np.sum(~s.present)) for s in sums)
    if missing:
        why += f"; {missing:,} of {n_tasks * place.size:,} cells are missing"
    return JointPosterior.of(
        mu[:, place],
        mean=(mean + np.mean(level))[place],
        model="tasks, pooled" if pooled else "tasks",
        why=why,
    )


def _checked(
    tasks: Sequence[ArrayLike | CrossSums], rho: float | Sequence[float]
) -> tuple[list[CrossSums], Floats]:
    if len(tasks) < 2:
        some = f"{len(tasks)} task{'' if len(tasks) == 1 else 's'}"
        raise DataError(f"{some} given, at least 2 needed", hint="On one task use joint.")
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
    """Every two models must be linked by tasks that they share, or that others share with them."""
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
            hint="Compare them apart, or run one model of each group on the same tasks.",
        )


def _errors(sums: Sequence[CrossSums], rho: Floats) -> list[Floats]:
    """E_t for the models that were run on task t; what all of them share drops out later."""
    n = np.array([s.n for s in sums])
    contrasts, square, df = [], np.zeros(n.size), np.zeros(n.size)
    for t, s in enumerate(sums):
        run = np.flatnonzero(s.present)
        S = s.m2[np.ix_(run, run)]
        total = float(np.trace(S))
        S = S - S.mean(axis=0)
        S = S - S.mean(axis=1, keepdims=True)
        contrasts.append(S)
        square[t] = np.trace(S) if np.trace(S) > _NEVER_VARY * total else 0.0
        df[t] = (n[t] - 1) * (run.size - 1)
    variance = _variances(square, df)
    c = 1 / n + rho / (1 - rho)
    return [
        c[t] * _mixed(S, variance[t], n[t], len(S)) if square[t] > 0 else c[t] * variance[t] * np.eye(len(S))
        for t, S in enumerate(contrasts)
    ]


def _variances(square: Floats, df: Floats) -> Floats:
    """Each task's mean variance of a contrast.

    A task that never varies gets that of the median task: zeros that count as exact on a few tasks would say
    that nothing varies between any tasks. A task of one or two units leans on it, worth one unit.
    """
    good = (square > 0) & (df >= 2)
    typical = np.median(square[good] / df[good]) if np.any(good) else square.sum() / max(df.sum(), 1.0)
    own = np.where(good, square, square + typical) / np.where(good, df, df + 1)
    return np.where(square > 0, own, typical)


def _mixed(S: Floats, variance: float, n: int, k: int) -> Floats:
    """(S + (k - 1) v I)/(n - 1 + k - 1): v counts as k - 1 units, and two models are left as they are."""
    return np.asarray((S + (k - 1) * variance * np.eye(k)) / (n + k - 2))

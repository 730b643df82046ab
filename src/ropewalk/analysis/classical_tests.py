"""Classical and Bayesian tests of all models at once that use ranks or single tests."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TypeAlias

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.analysis.model_means import task_means
from ropewalk.data import Counts, Scores, Summed
from ropewalk.data.dependence import is_dependent
from ropewalk.errors import MethodError
from ropewalk.posterior.base import Floats
from ropewalk.results.comparison import Check
from ropewalk.results.mean_ranks import RankedModel, RankedModels

TestsOfAll: TypeAlias = tuple[list[nhst.TestResult], RankedModels | None]

_MODELS = 3  # with two models the sign test answers the same question
_DRAWS = 10_000
_NUMBERS = 2_000_000  # limit of draws times models: with 1,000 models there are 2,000 draws
_FALSE_CLAIMS = {7: "7%", 14: "6%"}  # false claims up to this number of tasks
_ROPE = 0.05  # in units of the probability of beating a model picked at random


def all_models_tests(source: Scores | Counts | Summed, rng: int, rho: float | None = None) -> TestsOfAll:
    """The tests of all models at once; none on a single task with dependent units.

    Over tasks: Friedman followed by Nemenyi, and the Bayesian Friedman test. On one task: the analysis of
    variance. In both cases: the model confidence set.
    """
    over_tasks = len(source.tasks) > 1 or source.design.unit == "task"
    if over_tasks or not isinstance(source, Scores):  # sums and counts do not record single units
        return task_tests(source.models, task_means(source), rng)
    if is_dependent(source, rho):
        return [], None
    values = source.tasks[0].values
    z = values if source.higher_is_better else -values
    if len(z) < 2 or z.shape[1] < 3 or source.design.rho != 0 or source.tasks[0].runs is not None:
        return [], None
    found: list[nhst.TestResult] = []
    with suppress(MethodError):  # F is infinite if all models differ by the same amounts on every unit
        found.append(nhst.anova(z))
    return [*found, *_confidence_set(z, rng)], None


def task_tests(names: Sequence[str], z: Floats, rng: int) -> TestsOfAll:
    """The tests over tasks, from the means of each task (tasks x models, higher is better)."""
    if len(z) < 2:
        return [], None
    friedman = nhst.friedman(z)
    ranked = ranked_models(names, z, friedman, rng) if len(names) >= _MODELS else None
    return [friedman, nhst.nemenyi(z), *_confidence_set(z, rng)], ranked


def _confidence_set(z: Floats, rng: int) -> list[nhst.TestResult]:
    return [nhst.model_confidence_set(-z, rng=rng)] if z.shape[1] > 2 and len(z) >= 10 else []


def ranked_models(names: Sequence[str], z: Floats, classical: nhst.TestResult, rng: int) -> RankedModels:
    """The Bayesian Friedman test of the same means.

    A model of mean rank r loses to a randomly picked other model on a share (r - 1)/(k - 1) of the tasks.
    The ROPE is 5 points of that share.
    """
    tasks, k = z.shape
    found = bayes.friedman(z, draws=max(1_000, min(_DRAWS, _NUMBERS // k)), rng=rng)
    rope = _ROPE * (k - 1)
    within, ends = found.p_within(rope), -found.interval(0.95)[:, ::-1]
    models = tuple(
        RankedModel(
            name=names[i],
            mean_rank=float(found.mean_ranks[i]),
            low=float(ends[i, 0]),
            high=float(ends[i, 1]),
            p_best=float(found.p_best[i]),
            p_within_rope=float(within[i]),
        )
        for i in np.argsort(found.mean_ranks, kind="stable").tolist()
    )
    return RankedModels(
        names=tuple(names),
        posterior=found,
        models=models,
        tasks=tasks,
        rope=rope,
        classical=classical,
        checks=_few(tasks),
    )


def _few(tasks: int) -> tuple[Check, ...]:
    """Warn that with few tasks equal mean ranks are called different too often (docs/calibration.md)."""
    wrong = next((share for most, share in _FALSE_CLAIMS.items() if tasks <= most), "")
    if not wrong:
        return ()
    text = (
        f"on {tasks} tasks, models with equal mean ranks are told apart at a threshold of 0.95 in about "
        f"{wrong} of cases instead of 5%"
    )
    return (Check(name="mean ranks of few tasks", ok=False, text=text, numbers={"tasks": float(tasks)}),)

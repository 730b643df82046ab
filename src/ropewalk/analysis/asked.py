"""The question over tasks that a report answers, the weights of the tasks, and the leaderboard for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ropewalk.data import Counts, Scores, Summed
from ropewalk.errors import DataError, OptionError, did_you_mean, listed, short
from ropewalk.methods import known
from ropewalk.methods.pair import Ask
from ropewalk.posterior import JointPosterior
from ropewalk.questions import Asks
from ropewalk.results import Model
from ropewalk.results.all_models import Leaderboard
from ropewalk.results.comparison import Comparison

if TYPE_CHECKING:
    from ropewalk.posterior.base import Floats

Weights: TypeAlias = Mapping[str, float] | Sequence[float] | str | None

NO_LEADERBOARD = (
    "P(best) and ranks are available for the questions average and these; for the question {asks} the "
    "models are compared in pairs"
)


def sized(source: Scores | Counts | Summed) -> dict[str, int]:
    """Return the number of units of each task, by task name."""
    if isinstance(source, Scores):
        return {t.name or "": len(t.values) for t in source.tasks}
    return {t.name or "": t.n for t in source.tasks}


def headline_question(ask: Ask, *, tasks_are_units: bool) -> Asks:
    """The question that a report over tasks answers: the one asked for, or the first of its method."""
    method = known().get(ask.method)
    if ask.question is not None:
        return ask.question
    if method is not None and (method.many_tasks or tasks_are_units) and method.answers:
        return method.answers[0]
    return "average"


def checked(ask: Ask, weights: Weights, tasks: Mapping[str, int], *, many: bool) -> Ask:
    """The question and weights for every pair, checked against the data."""
    if ask.question is not None and not many:
        raise DataError(
            f'the question "{ask.question}" is about several tasks, but there is only one',
            hint="Omit question= (--question), or name the task column with task= (--task).",
        )
    if weights is None:
        return ask
    if ask.question != "these":
        raise OptionError(
            "weights of the tasks were given, but the question is not about exactly these tasks",
            hint='Add question="these" (--question these), or omit the weights.',
        )
    return replace(ask, weights=_by_name(weights, tasks))


def _by_name(weights: Weights, tasks: Mapping[str, int]) -> dict[str, float]:
    names = list(tasks)
    if isinstance(weights, str):
        if weights != "size":
            raise OptionError(
                f'the weights are "{short(weights)}"',
                hint='Give a number for each task, {task: weight}, or "size" for the number of its units.',
            )
        return {name: float(n) for name, n in tasks.items()}
    if isinstance(weights, Mapping):
        unknown = [str(name) for name in weights if str(name) not in tasks]
        if unknown:
            raise OptionError(
                f'the weights name the task "{short(unknown[0])}", which does not exist',
                hint=did_you_mean(unknown[0], names),
            )
        lacking = [name for name in names if name not in weights]
        if lacking:
            raise OptionError(
                f"these tasks have no weight: {listed(lacking)}",
                hint="Give one for every task; 0 excludes a task.",
            )
        found = {name: float(weights[name]) for name in names}
    else:
        if len(weights or ()) != len(names):
            raise OptionError(
                f"there are {len(weights or ())} weights for {len(names)} tasks",
                hint=f"Give one per task, in this order: {listed(names)}.",
            )
        found = dict(zip(names, map(float, weights or ()), strict=True))
    values = np.array(list(found.values()))
    if not np.all(np.isfinite(values)) or np.any(values < 0) or values.sum() <= 0:
        raise OptionError(
            "the weights of the tasks are not usable",
            hint="No weight may be negative, and not all may be zero.",
        )
    return found


def over_these(
    posteriors: Sequence[JointPosterior], means: Floats, weights: Floats, rng: int
) -> JointPosterior:
    """Joint posterior of the means over exactly these tasks, from the joint posterior of each task.

    `means` is tasks x models, higher is better. Given the data, the tasks are independent, so the draws of
    each are shuffled before they are added up.
    """
    random, w = np.random.default_rng(rng), weights / weights.sum()
    n = min(len(p.draws) for p in posteriors)
    draws = sum(
        share * p.draws[random.permutation(len(p.draws))[:n]] for share, p in zip(w, posteriors, strict=True)
    )
    return JointPosterior.of(
        draws,
        mean=w @ means,
        model="these tasks",
        why=f"the mean over exactly these {len(posteriors)} tasks, each with its own units",
    )


def as_reported(
    board: Leaderboard | None, answers: Sequence[Comparison], models: Sequence[Model]
) -> Leaderboard | None:
    """The leaderboard with the verdicts of the comparisons and the means of the tables: outputs agree."""
    if board is None:
        return None
    of = {m.name: (m.mean, m.low, m.high) for m in models}
    ranks = board.rope.origin == "none"  # a leaderboard of ranks estimates worths and has no means
    shown = None if ranks else np.array([of[name] for name in board.names])
    better, equivalent, worse = (m.copy() for m in (board.better, board.equivalent, board.worse))
    at = {name: i for i, name in enumerate(board.names)}
    for c in answers:
        i, j, p = at[c.a], at[c.b], c.verdict
        better[i, j] = worse[j, i] = p.better
        worse[i, j] = better[j, i] = p.worse
        equivalent[i, j] = equivalent[j, i] = p.equivalent
    asks = next((c.asks for c in answers), None)
    return replace(board, better=better, equivalent=equivalent, worse=worse, shown=shown, asks=asks)

"""Scores that probably belong to folds, although the data do not say so: the folds share training data."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ropewalk.data.arrays import strings
from ropewalk.data.design import Design
from ropewalk.data.scores import Scores
from ropewalk.data.task_scores import TaskScores, are_numbers, units_of
from ropewalk.errors import OptionError, listed, short

# Numbers of scores that cross-validation gives: k folds, or k folds repeated.
_FOLD = re.compile(r"(cv|fold|split)[ _#=.-]*\d+([ _#=./-]+(rep|repeat|run)?[ _#=.-]*\d+)?", re.IGNORECASE)
_FIRST = 100  # ids that are looked at
FOLD_COUNTS = frozenset((5, 10, 20, 25, 30, 50, 100))


def may_be_folds(scores: Scores) -> bool:
    """Whether ids name folds, or real-valued scores without ids have a number typical of cross-validation.

    Right and wrong answers are examples, not folds.
    """
    return (
        scores.design.unit == "example"
        and not scores.is_clustered
        and scores.tasks[0].runs is None
        and (_named_folds(scores) if scores.audit.pairing == "id" else _as_many_as_folds(scores))
        and not scores.is_binary
    )


def _as_many_as_folds(scores: Scores) -> bool:
    return all(len(t.values) in FOLD_COUNTS for t in scores.tasks)


def _named_folds(scores: Scores) -> bool:
    """Whether every id is that of a fold, such as fold_3."""
    units = [u for t in scores.tasks if not are_numbers(t) for u in units_of(t, slice(_FIRST)).tolist()]
    return bool(units) and all(_FOLD.fullmatch(u) for u in units)


def repeated(data: Any, runs: int | None, rho: float | None) -> Any:
    """Add the design of a cross-validation that was run `runs` times: n scores are n/runs folds.

    The scores are in order of the runs, as from scikit-learn's RepeatedKFold. A single run is runs=1.
    """
    if runs is None:
        return data
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise OptionError(
            f"runs is {short(runs)}",
            hint="Give the number of repetitions of cross-validation: 10 for 10 x 10-fold, 1 for a single "
            "run.",
        )
    if rho is not None:
        raise OptionError(
            "both runs and rho are given", hint="Give only one of them; runs implies rho = 1/k."
        )
    if not isinstance(data, Scores) or data.is_clustered or data.tasks[0].runs is not None:
        raise OptionError(
            "runs= (--runs) is for one score per fold of a repeated cross-validation",
            hint="Omit it: these data are not scores of folds.",
        )
    return replace(data, tasks=tuple(_in_runs(data, t, runs) for t in data.tasks), design=_folds(data, runs))


def _in_runs(scores: Scores, task: TaskScores, runs: int) -> TaskScores:
    n, design = len(task.values), scores.design_of(task)
    where = "" if task.name is None else f' on task "{short(task.name)}"'
    if design.repeats > 1 or design.unit not in ("example", "fold"):
        raise OptionError(
            f"the design is already known from the data: {design.describe()}{where}",
            hint="Leave out runs= (--runs).",
        )
    if n % runs or n // runs < 2:
        raise OptionError(
            f"{n:,} scores{where} are not {runs:,} runs of two folds or more",
            hint="Give the number of repetitions of cross-validation: 100 scores of 10 x 10-fold are "
            "runs=10.",
        )
    k = n // runs
    units = task.units
    if scores.audit.pairing != "id":
        units = strings(f"{i // k + 1}/{i % k + 1}" for i in range(n))
    return replace(task, units=units, design=Design(unit="fold", folds=k, repeats=runs))


def _folds(scores: Scores, runs: int) -> Design:
    return Design(unit="fold", folds=max(len(t.values) for t in scores.tasks) // runs, repeats=runs)


def is_dependent(scores: Scores, rho: float | None) -> bool:
    """Whether tests that assume independent units must be left out."""
    return bool(rho) if rho is not None else may_be_folds(scores)


def folds_caution(scores: Scores, rho: float | None) -> tuple[str, ...]:
    """Return the caution to show before the result if scores may be those of folds."""
    if rho is not None or not may_be_folds(scores):
        return ()
    if scores.audit.pairing == "id":
        return (
            f"the ids are those of folds ({_first(scores)}): folds share training data, so that their scores "
            f"are not independent, and the answer below is far too certain. {_SAY}",
        )
    return (
        f"{_count(scores)} scores per model without ids: if they come from cross-validation, they are not "
        f"independent, and the answer below is far too certain. {_SAY}",
    )


def refuse_folds(scores: Scores, rho: float | None) -> None:
    """Refuse scores that may be those of folds, because a gate does not guess."""
    if rho is None and may_be_folds(scores):
        if scores.audit.pairing == "id":
            raise OptionError(f"the ids are those of folds: {_first(scores)}", hint=_SAY)
        raise OptionError(
            f"there are {_count(scores)} scores on each side without ids: are they from cross-validation?",
            hint=_SAY,
        )


_SAY = (
    "Set runs=1 (--runs 1) for a single cross-validation, runs=10 for 10 x 10-fold, or rho=0 if each "
    "score belongs to its own example."
)


def _first(scores: Scores) -> str:
    return listed(units_of(scores.tasks[0], slice(2)).tolist())


def _count(scores: Scores) -> int:
    return len(scores.tasks[0].values)

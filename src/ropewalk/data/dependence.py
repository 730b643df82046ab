"""Scores that are probably those of folds, although nothing says so: the folds share training data."""

from __future__ import annotations

from ropewalk.data.scores import Scores
from ropewalk.errors import OptionError

# What cross-validation gives: k folds, or k folds some times over.
FOLD_COUNTS = frozenset((5, 10, 20, 25, 30, 50, 100))


def may_be_folds(scores: Scores) -> bool:
    """Whether real-valued scores without ids come in a number that cross-validation gives.

    Right and wrong answers are examples, not folds.
    """
    return (
        scores.audit.pairing == "row"
        and scores.design.unit == "example"
        and not scores.is_clustered
        and scores.tasks[0].runs is None
        and all(len(t.units) in FOLD_COUNTS for t in scores.tasks)
        and not scores.is_binary
    )


def is_dependent(scores: Scores, rho: float | None) -> bool:
    """Whether tests that assume independent units have to be left out."""
    return bool(rho) if rho is not None else may_be_folds(scores)


def folds_caution(scores: Scores, rho: float | None) -> tuple[str, ...]:
    """What has to be read before the result of scores that may be those of folds."""
    if rho is not None or not may_be_folds(scores):
        return ()
    return (
        f"{_count(scores)} scores per model without ids: if they come from cross-validation, they are not "
        f"independent, and the answer below is far too certain. {_SAY}",
    )


def refuse_folds(scores: Scores, rho: float | None) -> None:
    """A gate does not guess whether scores are those of folds."""
    if rho is None and may_be_folds(scores):
        raise OptionError(
            f"there are {_count(scores)} scores on each side without ids: are they from cross-validation?",
            hint=_SAY,
        )


_SAY = (
    "Say rho=1/k (--rho) for k folds, such as rho=0.1 for 10 folds or 10 times 10 folds; or rho=0 if every "
    "score is of its own example."
)


def _count(scores: Scores) -> int:
    return len(scores.tasks[0].units)

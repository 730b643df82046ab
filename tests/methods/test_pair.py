"""The facts of a pair on which the choice of a method depends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.analysis.model_pairs import score_pairs
from ropewalk.errors import MethodError
from ropewalk.methods.pair import Pair, TaskPairs


def pairs(columns: Any, rho: float | None = None, **options: Any) -> list[Pair]:
    scores = rw.read(columns, higher_is_better=True, **options)
    assert isinstance(scores, rw.Scores)
    return list(score_pairs(scores, [("a", "b")], rho))


GRADED = {"a": [0.5, 0.25, 1.0, 0.75], "b": [0.25, 0.5, 0.5, 0.75]}
RIGHT = {"a": [1, 1, 0, 1], "b": [0, 1, 0, 0]}


@pytest.mark.parametrize(
    ("columns", "options", "kind"),
    [
        (GRADED, {}, "examples"),
        (RIGHT, {}, "outcomes"),
        ({**GRADED, "fold": [0, 1, 2, 3]}, {"fold": "fold"}, "folds"),
        ({**GRADED, "seed": [0, 1, 2, 3]}, {"seed": "seed"}, "seeds"),
        ({**GRADED, "task": list("wxyz")}, {"task": "task"}, "tasks"),
    ],
)
def test_the_kind_follows_from_units_and_scores(columns: Any, options: Any, kind: str) -> None:
    import pandas as pd

    (pair,) = pairs(columns if not options else pd.DataFrame(columns), **options)
    assert pair.kind == kind


def test_correlated_units_are_worth_less() -> None:
    """Oracle: the variance 1/n + rho/(1 - rho) of a mean, times the variance of a unit (Nadeau & Bengio)."""
    (alone,) = pairs(GRADED)
    (together,) = pairs(GRADED, rho=0.2)
    assert alone.worth == 4
    assert together.worth == pytest.approx(1 / (1 / 4 + 0.25))


def test_models_that_never_differ_are_alike() -> None:
    (same,) = pairs({"a": GRADED["a"], "b": GRADED["a"]})
    (other,) = pairs(GRADED)
    assert same.alike
    assert not other.alike


def test_graded_scores_have_no_right_and_wrong() -> None:
    (pair,) = pairs(GRADED)
    with pytest.raises(MethodError, match="right/wrong outcomes"):
        _ = pair.outcomes


def test_tasks_are_the_units_of_one_pair() -> None:
    """Oracle: the means of the differences 1, 0, 0, 1 and 0.25, -0.25, 0.5, 0."""
    both = [*pairs(RIGHT), *pairs(GRADED)]
    over = TaskPairs(pairs=both)
    assert over.means.tolist() == [0.5, 0.125]
    assert over.kind == "scores"
    assert TaskPairs(pairs=both[:1] * 2).kind == "one-sided outcomes"
    one = over.as_pair
    assert (one.unit, one.n, one.sums.mean) == ("task", 2, np.mean([0.5, 0.125]))

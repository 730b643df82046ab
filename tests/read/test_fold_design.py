"""The design of folds: how many, how often, and how large."""

from __future__ import annotations

import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Design
from ropewalk.errors import CellError


def scores(folds: int, repeats: int, **more: list[object]) -> rw.Scores:
    rows = [(r, f, 0.5 + 0.01 * (7 * r + 3 * f) % 0.4, 0.6) for r in range(repeats) for f in range(folds)]
    frame = pd.DataFrame(rows, columns=["repeat", "fold", "a", "b"]).assign(**more)
    if repeats == 1:
        frame = frame.drop(columns="repeat")
    found = rw.read(frame, model=["a", "b"], higher_is_better=True)
    assert isinstance(found, rw.Scores)
    return found


def test_folds_and_repeats_are_counted() -> None:
    assert scores(5, 1).design == Design(unit="fold", folds=5, repeats=1)
    assert scores(5, 3).design == Design(unit="fold", folds=5, repeats=3)


def test_many_folds_without_repeats_look_like_repeated_ones() -> None:
    assert "12 folds and no repeats" in scores(12, 1).audit.warnings[0]
    assert scores(10, 1).audit.warnings == ()


def test_sizes_of_the_sets_are_kept_and_checked() -> None:
    design = scores(5, 1, n_test=[20] * 5, n_train=[80] * 5).design
    assert (design.n_test, design.n_train) == (20, 80)
    with pytest.raises(CellError, match="holds no size"):
        scores(5, 1, n_test=[20, 20, 0, 20, 20], n_train=[80] * 5)


def test_a_task_with_other_folds_has_its_own_design() -> None:
    rows = [(t, f, 0.5 + f / 100, 0.6) for t, k in (("s", 5), ("t", 5), ("u", 3)) for f in range(k)]
    data = rw.read(
        pd.DataFrame(rows, columns=["task", "fold", "a", "b"]), model=["a", "b"], higher_is_better=True
    )
    assert isinstance(data, rw.Scores)
    assert data.design.folds == 5
    assert [t.design and t.design.folds for t in data.tasks] == [None, None, 3]

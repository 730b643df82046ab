"""Models that were not run on some tasks: their rows go, and a note says which."""

from __future__ import annotations

import numpy as np

from ropewalk.data.arrays import strings
from ropewalk.read.gaps import not_run, without_empty_cells, without_empty_tasks
from tests.read.wide import block

CELLS = {
    "task": ["s", "s", "t", "t"],
    "id": [1, 2, 1, 2],
    "a": ["1", "2", "3", "4"],
    "b": ["1", "2", "", ""],
    "c": ["1", "", "3", "4"],
}


def test_a_model_whose_cells_of_a_task_are_all_empty_has_no_rows_there() -> None:
    parts = without_empty_tasks([block(CELLS, models="abc", task="task", unit="id")])
    found = {tuple(p.columns): p.rows.tolist() for p in parts}
    assert found == {("a", "c"): [0, 1, 2, 3], ("b",): [0, 1]}  # one empty cell of c is left to be named


def test_two_models_stay_as_they_are() -> None:
    one = block(CELLS, models="ab", task="task", unit="id")
    assert without_empty_tasks([one]) == [one]


def test_a_task_that_no_model_was_run_on_stays() -> None:
    cells = CELLS | {"a": ["1", "2", "", ""], "c": ["1", "2", "", ""]}
    one = block(cells, models="abc", task="task", unit="id")
    assert without_empty_tasks([one]) == [one]  # its empty cells are left to be named


def test_empty_cells_go_one_by_one_where_it_was_asked_for() -> None:
    parts = without_empty_cells([block(CELLS, models="abc", task="task", unit="id")])
    found = {tuple(p.columns): p.rows.tolist() for p in parts}
    assert found == {("a",): [0, 1, 2, 3], ("b",): [0, 1], ("c",): [0, 2, 3]}


def test_rows_without_ids_are_numbered_first() -> None:
    parts = without_empty_cells([block({k: CELLS[k] for k in "ab"}, models="ab")])
    assert [p.key("unit").tolist() for p in parts] == [["1", "2", "3", "4"], ["1", "2"]]


def test_the_note_names_the_model_of_a_run_and_few_tasks() -> None:
    rows = np.array([False, False, True, True])
    tasks = strings(["s", "s", "t", "t"])
    assert not_run({"a": ~rows & rows, "b": rows}, tasks) == [
        "models that were not run on some of the 2 tasks: b on 1 (t)"
    ]
    assert not_run({"b1": rows, "b2": ~rows & rows}, tasks, {"b1": "b", "b2": "b"}) == []
    assert not_run({"a": ~rows & rows}, tasks) == []

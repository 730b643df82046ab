"""Models by tasks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ropewalk import plot
from tests.plot.boards import NAN, clear, names_of, task_case


def test_of_many_tasks_the_first_are_drawn(texts: Any) -> None:
    names, tasks = names_of(120, "short"), [f"t{i}" for i in range(300)]
    found = texts(plot.task_matrix(names, tasks, np.full((120, 300), 0.5)))
    assert any("the first 200 of 300 tasks" in text for text in found)
    assert any("names of " in text and "left out" in text for text in found)
    assert "t0" in found
    assert "t200" not in found


def test_the_title_of_tasks(texts: Any) -> None:
    p = [[0.2, 0.99, NAN], [0.99, 0.96, 0.5], [0.0, 0.0, 0.0]]
    found = texts(plot.task_matrix(["a", "b", "c"], ["t1", "t2", "t3"], p))
    assert "b is within the ROPE of the best on 2 of 3 tasks, more than any other model" in found
    assert "missing" in found
    alike = texts(plot.task_matrix(["a", "b"], ["t1"], [[0.99], [0.98]]))
    assert "a and b are each within the ROPE of the best on 1 of 1 task" in alike
    none = texts(plot.task_matrix(["a", "b"], ["t1"], [[0.5], [0.5]]))
    assert "No model is clearly within the ROPE of the best on any task" in none
    assert "missing" not in none


def test_tasks_go_down_the_page_where_their_names_or_the_numbers_have_no_room_across_it(texts: Any) -> None:
    few, numbers, names = (task_case(5, tasks=tasks) for tasks in (6, 20, 60))
    assert few.axes[0].collections[0].get_coordinates().shape[:2] == (6, 7)
    assert numbers.axes[0].collections[0].get_coordinates().shape[:2] == (21, 6)
    assert sum(text.replace(".", "").lstrip("<>").isdigit() for text in texts(numbers)) >= 90
    clear(numbers)
    assert names.axes[0].collections[0].get_coordinates().shape[:2] == (61, 6)
    clear(names)

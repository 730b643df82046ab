"""A report as a value: what it answers."""

from __future__ import annotations

import ropewalk as rw


def test_over_tasks_the_answers_are_those_over_all_of_them() -> None:
    one = rw.compare({"A": [1, 0, 1, 1], "B": [0, 0, 1, 1]})
    assert one.answers == one.comparisons

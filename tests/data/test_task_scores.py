"""The scores of one task, and what can be made of it."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import pytest

from ropewalk.data import Design, TaskScores
from ropewalk.data.task_scores import (
    are_numbers,
    by_task,
    check_task,
    cluster_means,
    means_of,
    turned,
    units_of,
)
from ropewalk.errors import DataError, MethodError


def test_names_that_are_whole_numbers_are_text_to_whoever_looks() -> None:
    """Oracle: the same units named by text from the start."""
    values = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    numbered, named = (
        TaskScores(name="qa", units=units, values=values)
        for units in (np.array([30, -7, 100]), np.array(["30", "-7", "100"], dtype=object))
    )
    assert are_numbers(numbered)
    assert not are_numbers(named)
    for rows in (slice(2), np.array([2, 0])):
        assert units_of(numbered, rows).tolist() == units_of(named, rows).tolist()
    assert are_numbers(numbered)  # of the others nothing was written out
    for same in (numbered, replace(numbered, name="other"), copy.deepcopy(numbered)):
        assert same.units.dtype == object
        assert same.units.tolist() == named.units.tolist()


def test_fewer_rows_than_names() -> None:
    task = TaskScores(name="qa", units=np.arange(3), values=np.ones((2, 2)))
    with pytest.raises(DataError, match=r"the scores of task \"qa\" have the shape \(2, 2\), \(3, 2\) was"):
        check_task(task, ("a", "b"), Design(unit="example"))


def test_rows_go_to_their_tasks_in_the_order_of_their_first_row() -> None:
    tasks, units = np.array(["y", "x", "y"], object), np.array(["1", "1", "2"], object)
    found = by_task(tasks, units, np.array([[1.0], [2.0], [3.0]]), None)
    assert [t.name for t in found] == ["y", "x"]
    assert [t.values.tolist() for t in found] == [[[1.0], [3.0]], [[2.0]]]
    assert [t.units.tolist() for t in found] == [["1", "2"], ["1"]]
    (alone,) = by_task(None, units, np.ones((3, 1)), None)
    assert alone.name is None


def test_losses_are_turned_and_clusters_become_their_means_by_hand() -> None:
    task = TaskScores(
        name=None,
        units=np.array(["1", "2", "3"], object),
        values=np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 1.0]]),
        clusters=np.array(["p", "p", "q"], object),
    )
    assert turned(task).values.tolist() == [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]
    means = cluster_means(task)
    assert means.values.tolist() == [[0.5, 0.0], [1.0, 1.0]]
    assert means.units.tolist() == ["p", "q"]
    with pytest.raises(MethodError, match="the units have no clusters"):
        cluster_means(means)


def test_a_model_without_a_run_has_no_mean() -> None:
    assert means_of(np.array([[0.0, 1.0], [1.0, 1.0]])).tolist() == [0.5, 1.0]
    assert np.isnan(means_of(np.empty((2, 0)))).all()

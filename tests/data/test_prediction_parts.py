"""Rows and tasks of predictions keep everything that belongs to them."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.data.arrays import Ints, strings
from ropewalk.data.prediction_parts import by_task, subset
from tests.data.some_predictions import gappy, labels


@pytest.mark.parametrize("rows", [np.array([True, False, False, True]), np.array([0, 3])])
def test_rows_keep_what_belongs_to_them(rows: Ints) -> None:
    whole = labels(tasks=strings("xyxy"), clusters=strings("ppqq"), split=strings("abab"))
    some = subset(whole, rows)
    assert (some.units.tolist(), some.models) == ([whole.units[0], whole.units[3]], whole.models)
    assert some.truth.tolist() == [whole.truth[0], whole.truth[3]]
    for model in whole.models:
        assert some.outputs[model].tolist() == [whole.outputs[model][0], whole.outputs[model][3]]
    kept = [np.asarray(part).tolist() for part in (some.tasks, some.clusters, some.split)]
    assert kept == [["x", "y"], ["p", "q"], ["a", "b"]]


def test_each_task_is_without_the_models_that_were_not_run_on_it() -> None:
    first, second = by_task(gappy())
    assert (first.models, second.models) == (("a", "b", "c"), ("a", "b"))
    assert set(second.outputs) == {"a", "b"}
    assert first.units.size + second.units.size == gappy().units.size


def test_predictions_without_tasks_are_their_own_part() -> None:
    whole = labels()
    assert by_task(whole) == [whole]

"""Which columns are the scores, of which models, and of which metric."""

from __future__ import annotations

import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import SEVERAL
from ropewalk.errors import ColumnError, DataError
from ropewalk.read.block import Place
from ropewalk.read.roles import Options
from ropewalk.read.score_layout import metric_of, one_metric
from ropewalk.read.table import table_of


def metrics(tasks: str, names: list[str], **options: object):
    cells = {"task": list(tasks), "metric": names, "score": [0.5] * len(names)}
    return one_metric([table_of(cells, name="t", stem="t").sample()], Options(**options))


def test_the_rows_of_the_metric_that_was_named() -> None:
    found = metrics("ssuu", ["acc", "loss", "acc", "loss"], score="loss")
    assert found.name == "loss"
    assert [t.height for t in found.tables] == [2]
    assert found.options.score is None
    assert metrics("ss", ["acc", "acc"]).name == "acc"


def test_several_metrics_are_a_question_unless_each_task_has_its_own() -> None:
    with pytest.raises(ColumnError, match='has several metrics: "acc", "loss"'):
        metrics("ssuu", ["acc", "loss", "acc", "loss"])
    with pytest.raises(ColumnError, match="no column and no metric `los`"):
        metrics("ss", ["acc", "loss"], score="los")
    own = metrics("su", ["accuracy", "loss"])
    assert (own.name, own.signs) == (SEVERAL, {"accuracy": 1.0, "loss": -1.0})
    with pytest.raises(ColumnError, match="`zork` does not say whether higher is better"):
        metrics("su", ["accuracy", "zork"])


def places(*columns: str) -> list[Place]:
    return [Place(columns={c: (c,)}, keys={}) for c in columns]


def test_the_metric_is_the_column_unless_files_call_it_after_their_models() -> None:
    assert metric_of(places("accuracy", "Accuracy")) == "accuracy"
    assert metric_of(places("svm", "forest")) == ""
    assert metric_of([Place(columns={"a": ("a",), "b": ("b",)}, keys={})]) == ""
    with pytest.raises(ColumnError, match="different scores: `accuracy`, `loss`"):
        metric_of(places("accuracy", "loss"))


def test_a_wide_table_says_which_columns_are_models_and_which_are_not() -> None:
    frame = pd.DataFrame(
        {"id": [1, 2, 3], "svm": [0.5, 0.6, 0.7], "tree": [0.4, 0.6, 0.8], "note": list("xyz")}
    )
    notes = rw.read(frame, higher_is_better=True).audit.notes
    assert "models: columns `svm`, `tree`" in notes
    assert "left out: `note` (no numbers)" in notes
    with pytest.raises(DataError, match="scores of only one model"):
        rw.read(frame[["id", "svm"]])
    with pytest.raises(ColumnError, match="which are the models"):
        rw.read(frame.assign(score=0.5))

"""Which columns are predictions, and of which models."""

from __future__ import annotations

import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import ColumnError, DataError
from ropewalk.read.prediction_layout import prediction_columns
from ropewalk.read.roles import Options, Roles
from ropewalk.read.table import table_of

BASE = {"id": [1, 2, 3, 4], "truth": list("abab")}


def found(**columns: object) -> tuple[str, ...]:
    return prediction_columns(Roles(table_of(BASE | columns, name="t", stem="t"), Options()), ["a", "b"])


def test_the_column_of_predictions_or_of_each_class() -> None:
    assert found(prediction=list("aabb")) == ("prediction",)
    assert found(p_a=[0.1] * 4, p_b=[0.9] * 4) == ("p_a", "p_b")
    assert found(probability=[0.1] * 4) == ("probability",)
    assert found(svm=list("aabb")) == ("svm",)
    assert found() == ()
    with pytest.raises(ColumnError, match="several columns that could be the prediction: `u`, `v`"):
        found(u=list("aabb"), v=list("abba"))


def test_a_wide_table_leaves_out_words_that_are_no_labels() -> None:
    frame = pd.DataFrame(
        BASE | {"svm": list("aabb"), "tree": list("abbb"), "text": ["one", "two", "three", "four"]}
    )
    data = rw.read(frame)
    assert isinstance(data, rw.Predictions)
    assert data.models == ("svm", "tree")
    assert "left out: `text` (no predictions)" in data.audit.notes
    with pytest.raises(DataError, match="predictions of only one model"):
        rw.read(frame[["id", "truth", "svm"]])
    with pytest.raises(DataError, match="a truth and no predictions"):
        rw.read(frame[["id", "truth"]])


def test_a_model_is_not_called_like_a_truth() -> None:
    frame = pd.DataFrame(
        {
            "id": [1, 2, 3, 4],
            "label": list("abab"),
            "svm": list("aabb"),
            "tree": list("abbb"),
            "nb": list("bbab"),
        }
    )
    with pytest.raises(
        ColumnError, match="`label` would be compared as a model, and its name is that of a"
    ) as e:
        rw.read(frame, truth="svm")
    assert "--truth label" in str(e.value)
    assert "--model tree --model nb" in str(e.value)
    assert rw.read(frame, truth="svm", model=["tree", "nb"]).models == ("tree", "nb")
    assert rw.read(frame).models == ("svm", "tree", "nb")

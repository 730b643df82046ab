"""Blocks of predictions are paired with one truth."""

from __future__ import annotations

import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import DataError, PairingError

A = pd.DataFrame({"id": [1, 2, 3], "truth": list("xyx"), "prediction": list("xyy")})
B = pd.DataFrame({"id": [3, 1, 2], "truth": list("xxy"), "prediction": list("xxx")})


def test_rows_meet_by_their_ids() -> None:
    data = rw.read({"a": A, "b": B})
    assert isinstance(data, rw.Predictions)
    assert data.truth.tolist() == ["x", "y", "x"]
    assert data.outputs["b"].tolist() == ["x", "x", "x"]
    assert (data.audit.paired, data.classes) == (3, ("x", "y"))


def test_two_truths_of_one_example_are_an_error() -> None:
    with pytest.raises(PairingError, match="truth"):
        rw.read({"a": A, "b": B.assign(truth=list("yxy"))})


def test_a_single_example_is_no_comparison() -> None:
    with pytest.raises(DataError, match='one unit only: "1"'):
        rw.read({"a": A[:1], "b": B[1:2]}, labels=["y"])


def test_the_column_of_the_split_and_the_task_are_kept() -> None:
    more = {"split": ["train", "test", "test"], "task": list("uuv")}
    frame = A.assign(**more).rename(columns={"prediction": "a"}).assign(b=list("xxx"))
    data = rw.read(pd.concat([frame, frame.assign(id=[4, 5, 6])]), split="split")
    assert isinstance(data, rw.Predictions)
    assert data.split.tolist() == more["split"] * 2
    assert sorted(data.tasks.tolist()) == sorted(more["task"] * 2)


def test_statistics_are_kept_as_columns() -> None:
    rows = [(m, i, i + k, 10) for k, m in enumerate("ab") for i in range(3)]
    data = rw.read(
        pd.DataFrame(rows, columns=["model", "id", "hits", "length"]), statistics=["hits", "length"]
    )
    assert isinstance(data, rw.Predictions)
    assert data.kind == "statistics"
    assert data.outputs["b"].tolist() == [[1, 10], [2, 10], [3, 10]]

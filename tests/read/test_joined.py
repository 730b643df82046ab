"""What cannot be joined."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ropewalk as rw
from ropewalk.data import Summed
from ropewalk.errors import CellError, PairingError


def test_two_rows_of_one_unit(long: pd.DataFrame) -> None:
    twice = pd.concat([long, long.iloc[:2]])
    with pytest.raises(PairingError, match="some units have more than one row of a model"):
        rw.read(twice, in_place=True)
    wide = pd.DataFrame({"id": [1, 1, 2], "a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.5]})
    with pytest.raises(PairingError, match="3 rows and 2 units"):
        rw.read(wide, in_place=True)


def test_a_unit_twice_in_both_files_is_seen() -> None:
    """Two and two rows make four: n_a·n_b = n_a only where n_b is 1."""
    frame = pd.DataFrame({"model": list("aabbab"), "id": [1, 1, 1, 1, 2, 2], "score": np.arange(6) / 10})
    with pytest.raises(PairingError, match="more than one row of a model"):
        rw.read(frame, in_place=True)


def test_a_unit_twice_that_no_other_model_has_is_seen() -> None:
    """The reader in memory refuses it too, although the unit counts nowhere."""
    frame = pd.DataFrame({"model": list("aaaabb"), "id": [1, 2, 9, 9, 1, 2], "score": np.arange(6) / 10})
    for in_place in (True, False):
        with pytest.raises(PairingError, match="more than one row"):
            rw.read(frame, in_place=in_place)


def test_a_row_without_an_id(long: pd.DataFrame) -> None:
    frame = pl.from_pandas(long).with_columns(
        id=pl.when(pl.col("id") == 5).then(None).otherwise(pl.col("id"))
    )
    with pytest.raises(CellError, match="rows have no unit"):
        rw.read(frame, in_place=True)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_an_empty_id_is_none(make: Any) -> None:
    """The reader in memory refuses it; Parquet files and frames keep it as text."""
    frame = {"id": ["q1", "q2", "q3", ""], "score": [0.1, 0.2, 0.3, 0.4]}
    sides = {"a": make(frame), "b": make(frame)}
    for in_place in (True, False):
        with pytest.raises(CellError, match=r"no value|rows have no unit"):
            rw.read(sides, in_place=in_place)


def test_nothing_shared() -> None:
    a = pd.DataFrame({"id": [1, 2, 3], "score": [0.1, 0.2, 0.3]})
    with pytest.raises(PairingError, match="a and b share no unit"):
        rw.read({"a": a, "b": a.assign(id=[7, 8, 9])}, in_place=True)


def test_two_truths_for_one_unit() -> None:
    a = pd.DataFrame({"id": [1, 2, 3], "label": ["x", "y", "x"], "prediction": ["x", "x", "x"]})
    b = a.assign(label=["x", "x", "x"])
    with pytest.raises(PairingError, match="a and b differ in the truth of 1 units"):
        rw.read({"a": a, "b": b}, in_place=True)
    found = rw.read({"a": a, "b": b.drop(columns="label")}, in_place=True)
    assert isinstance(found, Summed)
    assert found.counts("a", "b", found.tasks[0]) == (1, 0, 0, 2)

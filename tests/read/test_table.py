"""Cells as text and as numbers, and how rows are named in messages."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.data.arrays import strings
from ropewalk.errors import CellError, ReadError
from ropewalk.read.table import (
    array_column,
    as_text,
    check_width,
    column_of,
    has_numbers,
    int_or_none,
    numbers,
    parsed,
    shown_cell,
    table_of,
    text,
)


def test_columns_keep_whole_numbers_floats_and_text_apart() -> None:
    assert column_of([1, 2, 3]).dtype == np.int64
    assert column_of([1.5, 2, None]).dtype == np.float64
    assert column_of([1, None]).tolist() == ["1", ""]  # an id may be missing, and is no number then
    assert column_of([2**70, 1]).tolist() == [str(2**70), "1"]
    assert column_of(["a", 1, True]).tolist() == ["a", "1", "True"]
    assert column_of([[1], [2]]) is None
    assert array_column(np.array(["2024-01-02", "NaT"], dtype="M8[D]")).tolist() == ["2024-01-02", ""]


def test_numbers_have_the_text_that_a_person_would_write() -> None:
    assert as_text(np.array([1.0, 2.5, np.nan])).tolist() == ["1", "2.5", ""]
    assert as_text(np.array([7, 8])).tolist() == ["7", "8"]
    assert int_or_none(3.0) == 3
    assert int_or_none(3.5) is None
    assert int_or_none(float(2**60)) is None  # floats skip whole numbers there


def test_text_is_parsed_as_python_does_but_for_underscores() -> None:
    cells = strings(["1", " 2.5", "true", "FALSE", "x", "1_000", "1e3"])
    assert parsed(cells)[:4].tolist() == [1, 2.5, 1, 0]
    assert np.isnan(parsed(cells)[4:6]).all()
    assert parsed(cells)[6] == 1000
    assert has_numbers(strings(["a", "0,85"]))
    assert not has_numbers(strings(["a", "b", ""]))
    assert has_numbers(strings(["", ""]))


def test_cells_that_are_empty_or_no_numbers_are_named_with_their_rows() -> None:
    table = table_of({"a": ["1", "", "85%"], "b": ["x", "y", "z"]}, name="t.csv", stem="t")
    with pytest.raises(CellError, match=r"t\.csv: 1 cell of column `a` holds no value") as problem:
        text(table, "a")
    assert "row 2: empty" in str(problem.value)
    with pytest.raises(CellError, match="2 cells of column `a` hold no finite number") as problem:
        numbers(table, "a")
    assert "instead of 0,85 or 85%" in str(problem.value)
    assert numbers(table, "a", np.array([0])).tolist() == [1]


def test_rows_are_counted_as_in_the_file_also_when_some_were_left_out() -> None:
    table = table_of({"a": list("abcdefgh")}, name="t.csv", stem="t")
    assert table.places([0, 6]) == "rows 1, 7"
    rest = table.filtered(np.array([1, 5, 7])).filtered(np.array([1, 2]))
    assert rest.columns["a"].tolist() == ["f", "h"]
    assert rest.places([0, 1]) == "rows 6, 8"
    assert table.places(range(8)) == "rows 1, 2, 3, 4, 5, …"


def test_what_is_asked_of_all_rows_goes_beyond_the_sample() -> None:
    n = 10_500
    table = table_of({"id": list(range(n)), "x": ["a"] * (n - 1) + ["b"]}, name="t", stem="t")
    sample = table.sample()
    assert (sample.height, len(sample.columns["x"])) == (10_000, 10_000)
    assert sample.distinct("x") == [("a",), ("b",)]
    assert not sample.comes_back("id")
    assert sample.comes_back("x")
    assert sample.only("x", "b").columns["id"].tolist() == [n - 1]
    assert sample.apart("id", [])
    assert not sample.apart("id", [(sample, "id")])


def test_tables_without_rows_or_with_too_many_columns_are_refused() -> None:
    with pytest.raises(ReadError, match="t has no rows"):
        table_of({"a": []}, name="t", stem="t")
    with pytest.raises(ReadError, match="no column of plain values"):
        table_of({"a": [[1], [2]]}, name="t", stem="t")
    with pytest.raises(ReadError, match="has 10,001 columns"):
        check_width(10_001, "t")


def test_cells_in_messages() -> None:
    assert [shown_cell(c) for c in ("", "x", float("nan"), 3)] == ["empty", '"x"', "NaN or missing", '"3"']

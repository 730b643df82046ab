from __future__ import annotations

import datetime
import decimal
import uuid

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ropewalk.data import Scores
from ropewalk.errors import CellError, ColumnError, DataError, OptionError, ReadError
from ropewalk.read import read
from ropewalk.read.frame import from_frame


def scores_of(source: object, **options: object) -> Scores:
    data = read(source, **options)  # type: ignore[arg-type]
    assert isinstance(data, Scores)
    return data


def test_ids_in_the_index_of_pandas() -> None:
    named = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}, index=pd.Index(["x", "y"], name="id"))
    assert scores_of(named).tasks[0].units.tolist() == ["x", "y"]
    words = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}, index=["x", "y"])
    assert scores_of(words).tasks[0].units.tolist() == ["x", "y"]
    filtered = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [3.0, 4.0, 5.0]}).iloc[1:]
    assert scores_of(filtered).tasks[0].units.tolist() == ["1", "2"]
    grouped = pd.DataFrame({"model": list("aabb"), "task": list("xyxy"), "acc": [0.1, 0.2, 0.3, 0.4]})
    s = scores_of(grouped.groupby(["model", "task"]).mean())
    assert (s.models, s.design.unit) == (("a", "b"), "task")


def test_series_are_paired_on_their_index_not_on_their_order() -> None:
    a = pd.Series([1.0, 2.0, 3.0], index=["x", "y", "z"])
    b = pd.Series([30.0, 20.0], index=["z", "y"])
    s = scores_of({"a": a, "b": b})
    assert s.tasks[0].units.tolist() == ["y", "z"]
    assert s.tasks[0].values.tolist() == [[2, 20], [3, 30]]
    assert [(d.reason, d.units) for d in s.audit.dropped] == [("only in a", 1)]
    with pytest.raises(DataError, match='the scores of "b" have no index'):
        read({"a": a, "b": [1, 2, 3]})


def test_kinds_of_column() -> None:
    frame = pl.DataFrame(
        {
            "i": [1, None],
            "f": [1.5, None],
            "s": ["a", None],
            "b": [True, None],
            "d": [decimal.Decimal("1.50"), None],
            "day": [datetime.date(2020, 1, 2), None],
            "list": [[1], [2]],
            "cat": pl.Series(["p", "q"], dtype=pl.Categorical),
            "u": pl.Series([2**64 - 1, 1], dtype=pl.UInt64),
        }
    )
    table = from_frame(frame)
    assert table is not None
    cells = {name: [str(c) for c in column] for name, column in table.columns.items()}
    assert cells == {
        "i": ["1", ""],
        "f": ["1.5", "nan"],
        "s": ["a", ""],
        "b": ["True", ""],
        "d": ["1.50", ""],
        "day": ["2020-01-02", ""],
        "cat": ["p", "q"],
        "u": [str(2**64 - 1), "1"],
    }
    assert table.skipped == {"list": "holds lists or objects"}


def test_dates_and_missing_floats_as_keys() -> None:
    days = pd.to_datetime(["2020-01-01", "2020-01-02"])
    s = scores_of(pd.DataFrame({"id": days, "a": [1.0, 2.0], "b": [3.0, 4.0]}))
    assert s.tasks[0].units[0].startswith("2020-01-01")
    with pytest.raises(CellError, match="column `id` holds no value\n\n  row 2: NaN or missing"):
        read(pl.DataFrame({"id": [1.5, None], "a": [1.0, 2.0], "b": [3.0, 4.0]}))


def test_kinds_of_duckdb_column() -> None:
    import duckdb

    connection = duckdb.connect()  # DuckDB before 2.0 closes one that nobody holds
    relation = connection.sql(
        "select 1 as i, 2.5::double as a, 3::decimal(4,1) as b, uuid() as id, [1] as l, date '2020-01-01' t "
        "union all select 2, 4.5, 6, uuid(), [2], null"
    )
    s = scores_of(relation, model=["a", "b"])
    assert s.tasks[0].values.tolist() == [[2.5, 3.0], [4.5, 6.0]]
    assert all(uuid.UUID(u) for u in s.tasks[0].units)


def test_numbers_as_names_of_columns() -> None:
    frame = pd.DataFrame(np.array([[0.5, 0.25], [1.0, 0.75]]))
    assert scores_of(frame).models == ("0", "1")
    assert scores_of(frame, model=[0, 1]).models == ("0", "1")
    with pytest.raises(ColumnError, match="no column `5`, which was given as unit"):
        read(frame, unit=5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("frame", "error", "message"),
    [
        (
            pd.DataFrame({"a": [1.0, None], "b": [1.0, 2.0]}),
            CellError,
            "the frame: 1 cell of column `a`.*\n\n  row 2: NaN",
        ),
        (pl.DataFrame({"a": [1.0, float("inf")], "b": [1, 2]}), CellError, 'row 2: "inf"'),
        (pa.table({"a": [1, None], "b": [1, 2]}), CellError, "row 2: empty"),
        (pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]), ColumnError, 'more than one column called "a"'),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), ColumnError, 'more than one column called "1"'),
        (pl.DataFrame({"a": [], "b": []}), ReadError, "the frame has no rows"),
        (pl.DataFrame({"a": [[1]]}), ReadError, "the frame has no column of plain values"),
        (pd.Series([1, 2]), DataError, "an object of the type Series cannot be read"),
        (object(), DataError, "an object of the type object cannot be read"),
        (3, DataError, "an object of the type int cannot be read"),
    ],
)
def test_bad_frames(frame: object, error: type[DataError], message: str) -> None:
    with pytest.raises(error, match=message):
        read(frame)


def test_a_relation_that_fails() -> None:
    import duckdb

    connection = duckdb.connect()
    relation = connection.sql("select 1 as a, 2 as b from range(3)")
    failing = connection.sql("select error('no') as a, 2 as b")
    assert scores_of(relation).audit.paired == 3
    with pytest.raises(ReadError, match="the relation cannot be fetched"):
        read(failing)


def test_options_that_name_columns_need_columns() -> None:
    with pytest.raises(OptionError, match="The random seed is rng="):
        read({"a": [1, 0], "b": [1, 1]}, seed="3")
    with pytest.raises(OptionError, match='a dict has no columns, but "unit" was given'):
        read({"a": [1, 2], "b": [3, 4]}, unit="id")
    with pytest.raises(OptionError, match='an array has no columns, but "model" was given'):
        read(np.ones((3, 2)), model=["a", "b"])

"""Parquet files: the values that were written, and files that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from ropewalk.errors import ReadError
from ropewalk.read.parquet import from_parquet, parquet_rows

ROWS = {
    "id": [1, 2, 3],
    "x": [0.5, None, 2.0],
    "name": ["a", "b", None],
    "more": [{"k": 1}, {"k": 2}, {"k": 3}],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "a[1]*.parquet"  # a name that DuckDB would take for a pattern
    pd.DataFrame(ROWS).to_parquet(found)
    return found


def test_the_values_that_were_written(path: Path) -> None:
    table = from_parquet(path, name="a", stem="a")
    assert table.columns["id"].tolist() == [1, 2, 3]
    assert [str(x) for x in table.columns["x"].tolist()] in (["0.5", "nan", "2.0"], ["0.5", "", "2"])
    assert table.columns["name"].tolist() == ["a", "b", ""]
    assert table.skipped == {"more": "holds lists or objects"}


def test_rows_as_python_values(path: Path) -> None:
    rows = parquet_rows(path, name="a", columns=["more", "id", "nowhere"])
    assert rows[1] == {"more": {"k": 2}, "id": 2}
    with pytest.raises(ReadError, match='a has none of the columns "nowhere"'):
        parquet_rows(path, name="a", columns=["nowhere"])


def test_a_file_that_was_cut_is_refused(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ReadError, match="a cannot be read as Parquet"):
        from_parquet(path, name="a", stem="a")

"""A published table of accuracies, as a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk.claims.table import read_table
from ropewalk.errors import CellError, ColumnError, ReadError

FOUND = ({"a": "50.0%", "b": "0.4"}, {"a": 1000, "b": 1000})


@pytest.mark.parametrize(
    "text",
    [
        'Model, Accuracy, N\na, 50.0%, "1,000"\nb, 0.4, 1000\n',
        "model;accuracy;n\na;50.0%;1000\nb;0.4;1000\n",
        "name\tacc\texamples\na\t50.0%\t1000\nb\t0.4\t1_000\n",
        "year,method,accuracy,n\n2020,a,50.0%,1000\n2021,b,0.4,1000\n",
    ],
)
def test_every_spelling_of_a_table(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    assert read_table(str(path)) == FOUND


def test_digits_are_kept(tmp_path: Path) -> None:
    # 0.860 says more than 0.86.
    path = tmp_path / "t.csv"
    path.write_text("model,accuracy,n\na,0.860,1000\nb,0.85,1000\n", encoding="utf-8")
    assert read_table(str(path))[0] == {"a": "0.860", "b": "0.85"}


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("model,score\na,0.5\n", ColumnError, "has no column accuracy and no column n"),
        ("model,accuracy,n\na,0.5,10\na,0.6,10\n", CellError, "holds a model that occurs twice"),
        ("model,accuracy,n\n,0.5,10\na,0.6,10\n", CellError, "holds no model"),
        ("model,accuracy,n\na,0.5,ten\nb,0.4,10\n", CellError, "holds not a whole number"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, error: type[Exception], message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(error, match=message):
        read_table(str(path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="there is no file"):
        read_table(str(tmp_path / "none.csv"))

"""Data sets in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ropewalk.errors import CellError, ColumnError, ReadError
from ropewalk.experiment.files import from_file, from_folder

CSV = """id,age,colour,hospital,sick
1,20,red,A,no
2,30.5,blue,A,yes
3,,red,B,no
4,50,,B,yes
"""


ARFF = """% a comment
@relation 'two words'
@attribute 'petal length' numeric
@attribute colour {red,'dark blue'}
@attribute species {a,b}
@data
1.5,red,a
?,'dark blue',b
2.5,?,a
"""


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "patients.csv"
    path.write_text(CSV)
    return path


def test_a_csv_file_with_a_target_column(csv: Path) -> None:
    """Oracle: read by eye. Words become columns of 0 and 1, an empty number NaN, an empty word no column."""
    data = from_file(csv, name="p", target="sick", groups="hospital", drop=["id"])
    expected = [[20, 1, 0], [30.5, 0, 1], [np.nan, 1, 0], [50, 0, 0]]
    assert np.array_equal(data.X, expected, equal_nan=True)
    assert data.y.tolist() == ["no", "yes", "no", "yes"]
    assert data.groups is not None
    assert data.groups.tolist() == ["A", "A", "B", "B"]


def test_a_parquet_file_is_the_same(csv: Path, tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "patients.parquet"
    with duckdb.connect() as connection:
        connection.read_csv(str(csv), dtype={"sick": "VARCHAR"}).write_parquet(str(path))
    a, b = (from_file(p, name="p", target="sick", drop=["id"]) for p in (csv, path))
    assert np.array_equal(a.X, b.X, equal_nan=True)
    assert a.y.tolist() == b.y.tolist()


def test_an_arff_file_predicts_its_last_attribute(tmp_path: Path) -> None:
    path = tmp_path / "flowers.arff"
    path.write_text(ARFF)
    data = from_file(path, name="f")
    assert np.array_equal(data.X, [[1.5, 1, 0], [np.nan, 0, 1], [2.5, 0, 0]], equal_nan=True)
    assert data.y.tolist() == ["a", "b", "a"]


def test_a_folder_is_one_data_set_for_each_file(tmp_path: Path, csv: Path) -> None:
    (tmp_path / "flowers.arff").write_text(ARFF)
    (tmp_path / "notes.md").write_text("nothing")
    (tmp_path / "patients.csv").write_text(CSV.replace("sick", "class"))
    assert [d.name for d in from_folder(tmp_path)] == ["flowers", "patients"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReadError, match="has no data sets"):
        from_folder(tmp_path / "empty")
    with pytest.raises(ReadError, match="cannot be read"):
        from_folder(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["target", "Class", "LABEL", "y"])
def test_the_target_may_be_recognised(tmp_path: Path, name: str) -> None:
    path = tmp_path / "d.csv"
    path.write_text(f"a,{name}\n1,0\n2,1\n")
    assert from_file(path, name="d").y.tolist() == [0, 1]


def test_whole_numbers_are_classes_and_others_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("a,y\n1,0.5\n2,1\n")
    assert from_file(path, name="d").y.dtype.kind == "f"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, ColumnError, "does not say which column is to be predicted"),
        ({"target": "sik"}, ColumnError, 'has no column "sik"'),
        ({"target": "sick", "groups": "clinic"}, ColumnError, 'has no column "clinic"'),
        ({"target": "sick", "drop": ["ID"]}, ColumnError, 'has no column "ID"'),
        (
            {"target": "sick", "drop": ["id", "age", "colour", "hospital"]},
            ColumnError,
            "has no feature columns",
        ),
        ({"target": "age"}, CellError, "1 cell of column `age` holds no value"),
    ],
)
def test_bad_columns_are_named(
    csv: Path, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        from_file(csv, name="p", **options)


def test_a_column_of_names_is_no_feature(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("name,a,y\n" + "".join(f"n{i},{i},{i % 2}\n" for i in range(200)))
    with pytest.raises(ColumnError, match="column `name` has 200 different texts in 200 rows") as caught:
        from_file(path, name="d")
    assert 'drop = ["name"]' in caught.value.hint


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="there is no file"):
        from_file(tmp_path / "nothing.csv", name="d")
    with pytest.raises(ReadError, match="cannot be opened"):
        from_file(tmp_path / "nothing.arff", name="d")

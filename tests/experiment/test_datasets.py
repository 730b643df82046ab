"""Data sets from files, from scikit-learn, and what can be made of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.naive_bayes import GaussianNB

from ropewalk.errors import CellError, ColumnError, DataError, MissingExtraError, OptionError, ReadError
from ropewalk.experiment import cross_validate
from ropewalk.experiment.datasets import Dataset, dataset, shipped
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
            "no column to learn from",
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


def test_what_scikit_learn_ships() -> None:
    assert shipped("digits").n == 1797
    with pytest.raises(OptionError, match='scikit-learn ships no data set "irsi"') as caught:
        shipped("irsi")
    assert 'Did you mean "iris"?' in caught.value.hint
    with pytest.raises(OptionError, match="ships no data set"):
        shipped("california_housing")


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match="is part of scikit-learn"):
        shipped("iris")


def test_a_bunch_is_a_data_set() -> None:
    assert dataset("iris", load_iris()).n == 150


def test_classes_may_be_chosen_joined_and_cut() -> None:
    """Oracle: counted by NumPy."""
    digits = shipped("digits")
    truth = load_digits().target
    assert digits.only([3, 8]).n == np.isin(truth, [3, 8]).sum()
    assert digits.positive([0, 2, 4, 6, 8]).y.tolist() == (truth % 2 == 0).astype(int).tolist()
    numbers = Dataset(name="d", X=np.zeros((4, 1)), y=np.array([1.0, 2.0, 3.0, 10.0]))
    assert numbers.above("median").y.tolist() == [0, 0, 1, 1]
    assert numbers.above(1.5).y.tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda d: d.only([77]), 'data set "iris" has no class "77"'),
        (lambda d: d.only("01"), r"classes is 01\n\n  Give a list of classes"),
        (lambda d: d.positive([]), r"positive is \[\]"),
        (lambda d: d.above("mean"), "above is mean"),
        (lambda d: d.above(True), "above is True"),
        (
            lambda d: Dataset(name="w", X=d.X, y=d.y.astype(str)).above(1),
            "is no number, so nothing is above 1",
        ),
    ],
)
def test_what_cannot_be_made_is_an_error(make: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make(shipped("iris"))


def test_the_hash_changes_with_every_part() -> None:
    X, y = load_iris(return_X_y=True)
    groups = np.array(["a"] * 150, dtype=object)
    found = {
        Dataset(name="a", X=X, y=y).digest,
        Dataset(name="b", X=X, y=y).digest,
        Dataset(name="a", X=X + 1, y=y).digest,
        Dataset(name="a", X=X, y=1 - y).digest,
        Dataset(name="a", X=X, y=y, groups=groups).digest,
    }
    assert len(found) == 4


def test_frames_and_sparse_matrices_are_taken_as_they_are() -> None:
    import pandas as pd
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    X, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(X, columns=list("abcd"))
    plain = cross_validate({"a": GaussianNB()}, {"d": (X, y)}, design="3cv")
    framed = cross_validate({"a": GaussianNB()}, {"d": (frame, pd.Series(y))}, design="3cv")
    assert [f.values for f in plain.fits] == [f.values for f in framed.fits]
    sparse = cross_validate({"a": LogisticRegression(max_iter=1000)}, {"d": (csr_matrix(X), y)}, design="3cv")
    assert not any(f.error for f in sparse.fits)
    assert dataset("d", (frame, y)).digest != dataset("d", (frame.rename(columns={"a": "z"}), y)).digest
    assert dataset("d", (csr_matrix(X), y)).digest != dataset("d", (csr_matrix(X + 1), y)).digest


@pytest.mark.parametrize("X", [None, 7])
def test_a_data_set_without_rows(X: Any) -> None:
    with pytest.raises(DataError, match='data set "odd" has no rows'):
        dataset("odd", (X, [0, 1]))


def test_rows_of_different_lengths() -> None:
    with pytest.raises(DataError, match='data set "odd" is no table'):
        dataset("odd", ([[1, 2], [3]], [0, 1]))

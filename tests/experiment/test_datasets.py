"""Data sets from files, from scikit-learn, and what can be made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.naive_bayes import GaussianNB

from ropewalk.errors import DataError, MissingExtraError, OptionError
from ropewalk.experiment import cross_validate
from ropewalk.experiment.datasets import Dataset, dataset, shipped


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
            "is not a number, so nothing is above 1",
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
    with pytest.raises(DataError, match='data set "odd" is not a table'):
        dataset("odd", ([[1, 2], [3]], [0, 1]))

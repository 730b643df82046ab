"""The same splits for every algorithm, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import Ridge
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from ropewalk.errors import CellError, DataError, MissingExtraError, OptionError
from ropewalk.experiment import cross_validate
from tests.experiment.small_runs import MODELS, WINE


def test_every_algorithm_sees_the_same_rows_and_the_hash_proves_it() -> None:
    exp = cross_validate(MODELS, {**WINE, "iris": load_iris(return_X_y=True)}, design="3x4cv")
    by_split: dict[tuple[str, int, int], set[str]] = {}
    for f in exp.fits:
        by_split.setdefault((f.task, f.repeat, f.fold), set()).add(f.split_hash)
    assert len(by_split) == 24
    assert all(len(hashes) == 1 for hashes in by_split.values())
    assert "24 split hashes" in exp.scores().audit.notes[0]


def test_the_scores_are_those_of_cross_val_score() -> None:
    """Oracle: scikit-learn's own loop over the same splits."""
    from ropewalk.experiment.cross_validate import dataset
    from ropewalk.experiment.splits import SplitPlan

    X, y = WINE["wine"]
    exp = cross_validate({"bayes": GaussianNB(), "knn": KNeighborsClassifier()}, WINE, design="2x5cv", seed=4)
    data = dataset("wine", (X, y))
    splits = SplitPlan.parse("2x5cv").splits(data.n, classes=data.codes, groups=None, seed=4)
    theirs = cross_val_score(KNeighborsClassifier(), X, y, cv=[(s.train, s.test) for s in splits])
    assert np.array_equal(exp.scores().tasks[0].values[:, 1], theirs)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"models": {}}, "there is no algorithm"),
        ({"models": [GaussianNB()]}, r"models is a list\s+Give a dict from names to models"),
        ({"models": {"a": GaussianNB}}, 'algorithm "a" is a class'),
        ({"models": {"a": 3}}, 'algorithm "a" is a int without fit'),
        ({"models": {"": GaussianNB()}}, "are not all text"),
        ({"datasets": {}}, "there is no data set"),
        ({"metrics": []}, "there is no metric"),
        ({"metrics": ["accuracy", "acc"]}, 'the metric "acc" is given twice'),
        ({"metrics": ["accuracy", "rmse"]}, "metrics for classes and metrics for numbers"),
        ({"metrics": ["bleu"]}, "needs more than a prediction for each row"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": True}, "seed is True"),
        ({"calibrate": "isotonic"}, "calibrate is isotonic"),
        ({"timeout": -1}, "timeout is -1"),
        ({"select": {"svm": {"C": [1]}}}, 'select names "svm", which is not a model'),
        ({"select": {"tree": {"max_deph": [1]}}}, 'no parameter "max_deph" to choose'),
        ({"select": {"tree": {"max_depth": 3}}}, 'the values of "max_depth" to choose from are 3'),
    ],
)
def test_bad_options_say_what_is_wrong(changed: dict[str, Any], message: str) -> None:
    options: dict[str, Any] = {"models": MODELS, "datasets": WINE, "design": "2cv"} | changed
    with pytest.raises(OptionError, match=message):
        cross_validate(options.pop("models"), options.pop("datasets"), **options)


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (3, DataError, 'data set "d" is a int'),
        (([[1.0], [2.0]], [0, 1, 1]), DataError, "has 2 rows and 3 targets"),
        (([[1.0], [2.0]], [[0, 1], [1, 0]]), DataError, "has 2 dimensions, 1 was expected"),
        (([[1.0]], [0]), DataError, "has 1 rows\n\n  Give at least two"),
        (([[1.0], [2.0]], [0.0, np.nan]), CellError, "is missing in 1 of 2 rows"),
        (([[1.0], [2.0]], [0, 1], [1]), DataError, "has 2 rows and 1 groups"),
        (load_diabetes(return_X_y=True), DataError, "has 214 different values in 442 rows"),
        (([[1.0], [2.0]], [1, 1]), DataError, "has 1 different values in 2 rows"),
    ],
)
def test_bad_data_say_what_is_wrong(data: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cross_validate(MODELS, {"d": data}, design="2cv")


def test_words_are_no_numbers() -> None:
    with pytest.raises(DataError, match='the target of data set "d" is not a number'):
        cross_validate({"a": Ridge()}, {"d": ([[1.0], [2.0]], ["x", "y"])}, design="2cv", metrics=["rmse"])


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "joblib", None)
    with pytest.raises(MissingExtraError, match="experiments need scikit-learn") as caught:
        cross_validate(MODELS, WINE)
    assert caught.value.hint == "pip install 'ropewalk[sklearn]'"

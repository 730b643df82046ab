"""scikit-learn: written by scikit-learn itself, read back as objects, JSON and CSV."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ropewalk import compare
from ropewalk.data import Scores
from ropewalk.errors import DataError, PairingError, ReadError
from ropewalk.read import read

pytest.importorskip("sklearn")

CV = dict[str, Any]


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


def plain(value: Any) -> Any:
    """As a person would save it."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return plain(value.tolist()) if isinstance(value, np.ndarray) else value


@pytest.fixture(scope="module")
def data() -> tuple[Any, Any]:
    from sklearn.datasets import load_iris

    x, y = load_iris(return_X_y=True)
    return x, y


@pytest.fixture(scope="module")
def run(data: tuple[Any, Any]) -> Callable[..., dict[str, CV]]:
    from sklearn.model_selection import cross_validate
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    def run(cv: Any, **how: Any) -> dict[str, CV]:
        models = {"tree": DecisionTreeClassifier(max_depth=1, random_state=0), "nb": GaussianNB()}
        return {name: cross_validate(m, *data, cv=cv, **how) for name, m in models.items()}

    return run


@pytest.fixture(scope="module")
def repeated(run: Callable[..., dict[str, CV]]) -> dict[str, CV]:
    from sklearn.model_selection import RepeatedKFold

    splits = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    return run(splits, return_indices=True, scoring=["accuracy", "neg_log_loss"])


def test_dicts_of_cross_validate(repeated: dict[str, CV]) -> None:
    s = scores(repeated, score="accuracy")
    assert s.models == ("tree", "nb")
    assert s.metric == "accuracy"
    assert s.tasks[0].values.T.tolist() == [repeated[m]["test_accuracy"].tolist() for m in s.models]
    # 150 rows: five folds of 30, twice, found in the indices alone.
    assert (s.design.folds, s.design.repeats, s.design.n_test, s.design.n_train) == (5, 2, 30, 120)
    assert "all units: 10 of 10 paired" in s.audit.notes
    assert s.audit.warnings == ()
    assert compare(repeated, score="accuracy").comparisons[0].n == 10


def test_the_first_metric_unless_another_is_asked_for(repeated: dict[str, CV]) -> None:
    assert scores(repeated).metric == "accuracy"
    s = scores(repeated, score="neg_log_loss")
    assert s.higher_is_better
    assert (s.tasks[0].values < 0).all()


def test_random_splits_are_no_folds(run: Callable[..., dict[str, CV]]) -> None:
    from sklearn.model_selection import ShuffleSplit

    s = scores(run(ShuffleSplit(n_splits=6, test_size=0.2, random_state=0), return_indices=True))
    assert (s.design.folds, s.design.repeats, s.design.n_test) == (0, 6, 30)


@pytest.mark.parametrize("together", [True, False])
def test_json(together: bool, repeated: dict[str, CV], tmp_path: Path) -> None:
    if together:
        (tmp_path / "both.json").write_text(json.dumps(plain(repeated)))
    else:
        for model, found in repeated.items():
            (tmp_path / f"{model}.json").write_text(json.dumps(plain(found), indent=1))
    s = scores(tmp_path)
    assert set(s.models) == {"tree", "nb"}
    column = s.tasks[0].values[:, s.models.index("nb")]
    assert column.tolist() == repeated["nb"]["test_accuracy"].tolist()
    assert s.design.repeats == 2


def test_other_splits_are_refused(run: Callable[..., dict[str, CV]]) -> None:
    from sklearn.model_selection import KFold

    one, two = (run(KFold(5, shuffle=True, random_state=seed), return_indices=True) for seed in (0, 1))
    with pytest.raises(PairingError, match="tree and nb differ in the split of 5 units"):
        read({"tree": one["tree"], "nb": two["nb"]})


def test_other_numbers_of_folds_are_said(run: Callable[..., dict[str, CV]]) -> None:
    five, ten = run(5), run(10)
    s = scores({"tree": five["tree"], "nb": ten["nb"]})
    assert s.audit.paired == 5
    assert "all units: 5 of 10 paired" in s.audit.warnings
    assert any("same splits" in w for w in s.audit.warnings)


@pytest.fixture(scope="module")
def search(data: tuple[Any, Any]) -> Any:
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    grid = {"max_depth": [1, 2], "criterion": ["gini", "entropy"]}
    return GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=4).fit(*data)


@pytest.mark.parametrize("how", ["object", "frame", "json", "csv"])
def test_candidates_of_a_search(how: str, search: Any, tmp_path: Path) -> None:
    found = search.cv_results_
    source: Any = found
    if how == "json":
        source = tmp_path / "search.json"
        source.write_text(json.dumps(plain(found), default=str))
    elif how in ("frame", "csv"):
        pd = pytest.importorskip("pandas")
        source = pd.DataFrame(found)
        if how == "csv":
            source = tmp_path / "search.csv"
            pd.DataFrame(found).to_csv(source, index=False)
    s = scores(source)
    assert len(s.models) == 4
    assert s.models[0] == "criterion=gini, max_depth=1"
    assert np.allclose(s.tasks[0].values.mean(axis=0), found["mean_test_score"])
    assert s.tasks[0].values.shape == (4, 4)
    assert s.design.folds == 4


def test_a_candidate_that_failed(search: Any) -> None:
    found = dict(search.cv_results_)
    found["split1_test_score"] = np.array([np.nan, 1, 1, 1])
    with pytest.raises(DataError, match="no finite number"):
        read(found)


def test_odd_lengths(search: Any, repeated: dict[str, CV]) -> None:
    with pytest.raises(ReadError, match="4 candidates, but `split1_test_score` has 3 values"):
        read({**search.cv_results_, "split1_test_score": [1.0, 1.0, 1.0]})
    odd = {m: {**cv, "test_accuracy": [1.0]} for m, cv in repeated.items()}
    with pytest.raises(ReadError, match=r"different numbers of splits: \[1, 10\]"):
        read(odd)
    odd = {m: {**cv, "indices": {"train": ["x"] * 10, "test": ["x"] * 10}} for m, cv in repeated.items()}
    with pytest.raises(ReadError, match="indices of a split are not whole numbers"):
        read(odd)


def test_json_without_scores(tmp_path: Path) -> None:
    path = tmp_path / "times.json"
    path.write_text('{"fit_time": [0.1], "score_time": [0.1]}')
    with pytest.raises(ReadError, match="no test scores of single splits"):
        read(path)


def test_csv_that_is_no_utf8(tmp_path: Path) -> None:
    path = tmp_path / "search.csv"
    path.write_bytes(b"params,split0_test_score\n\xff,1\n")
    with pytest.raises(ReadError, match="not UTF-8"):
        read(path)

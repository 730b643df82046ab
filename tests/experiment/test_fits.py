"""One fit: what it measures, what it may see, and what becomes of one that fails."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, log_loss, mean_absolute_error, r2_score, roc_auc_score
from sklearn.model_selection import ParameterGrid
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info

from ropewalk.experiment.datasets import Dataset
from tests.experiment.fitted_rows import done, inner_folds, sets


def test_metrics_are_those_of_scikit_learn() -> None:
    """Oracle: clone, fit and predict by hand, scored by sklearn.metrics (AUROC: one against the rest)."""
    data = sets(load_wine)
    found, job = done(GaussianNB(), data, "accuracy", "log_loss", "roc_auc", "f1_macro")
    s = job.split
    model = clone(GaussianNB()).fit(data.X[s.train], data.y[s.train])
    p = model.predict_proba(data.X[s.test])
    truth = data.y[s.test]
    assert found.values["accuracy"] == accuracy_score(truth, model.predict(data.X[s.test]))
    assert found.values["log_loss"] == pytest.approx(log_loss(truth, p))
    assert found.values["roc_auc"] == pytest.approx(roc_auc_score(truth, p, multi_class="ovr"))
    assert found.error == ""
    assert (found.n_train, found.n_test) == (len(s.train), len(s.test))


def test_numbers_are_measured_too() -> None:
    data = sets(load_diabetes)
    found, job = done(Ridge(), data, "mae", "r2", classes=False)
    s = job.split
    said = Ridge().fit(data.X[s.train], data.y[s.train]).predict(data.X[s.test])
    assert found.values["mae"] == pytest.approx(mean_absolute_error(data.y[s.test], said))
    assert found.values["r2"] == pytest.approx(r2_score(data.y[s.test], said))


def test_anything_with_fit_and_predict_will_do() -> None:
    class Most:
        def fit(self, X: Any, y: Any) -> Most:
            self.most = np.bincount(y).argmax()
            return self

        def predict(self, X: Any) -> Any:
            return np.full(len(X), self.most)

    data = sets(load_iris)
    found, job = done(Most(), data)
    assert found.values["accuracy"] == np.mean(data.y[job.split.test] == 0)


def test_inner_libraries_are_held_to_one_thread() -> None:
    class Threads(GaussianNB):
        def fit(self, X: Any, y: Any) -> Any:
            self.counts = [lib["num_threads"] for lib in threadpool_info()]
            if any(n != 1 for n in self.counts):
                raise RuntimeError(f"threads: {self.counts}")
            return super().fit(X, y)

    np.ones((2, 2)) @ np.ones((2, 2))
    found, _ = done(Threads(), sets(load_iris))
    assert found.error == ""


def test_selection_never_sees_the_test_rows(recorder: Any, rows: tuple[Any, Any]) -> None:
    """Oracle: the estimator itself remembers every row that it was given."""
    data = Dataset(name="d", X=rows[0], y=rows[1])
    found, job = done(recorder(), data, grid={"turn": [-1.0, 1.0, 2.0]})
    test = set(job.split.test.tolist())
    assert len(recorder.seen) == 3 * 5 + 1
    assert not any(test & seen for seen in recorder.seen)
    assert recorder.seen[-1] == set(job.split.train.tolist())
    assert found.chosen == '{"turn": 1.0}'


def test_selection_takes_the_best_mean_of_the_first_metric() -> None:
    """Oracle: the same inner folds, scored by hand."""
    data = sets(load_wine)
    grid = {"max_depth": [1, 2, 8], "min_samples_leaf": [1, 20]}
    found, job = done(DecisionTreeClassifier(), data, "accuracy", grid=grid)
    inner = inner_folds(data, job)
    means = {}
    for choice in ParameterGrid(grid):
        model = DecisionTreeClassifier(random_state=job.split.seed, **choice)
        means[str(choice)] = np.mean(
            [model.fit(data.X[a], data.y[a]).score(data.X[b], data.y[b]) for a, b in inner]
        )
    best = max(means, key=lambda c: means[c])
    assert found.chosen.replace('"', "'") == best


def test_platt_scaling_never_sees_the_test_rows(recorder: Any, rows: tuple[Any, Any]) -> None:
    data = Dataset(name="d", X=rows[0], y=rows[1])
    found, job = done(recorder(), data, "log_loss")
    test = set(job.split.test.tolist())
    assert len(recorder.seen) == 1 + 5
    assert not any(test & seen for seen in recorder.seen)
    assert np.isfinite(found.values["log_loss"])


def test_platt_scaling_with_selection_sees_training_rows_only(recorder: Any, rows: tuple[Any, Any]) -> None:
    data = Dataset(
        name="d", X=rows[0], y=rows[1], groups=np.array([f"g{i // 3}" for i in range(120)], object)
    )
    _, job = done(recorder(), data, "log_loss", "accuracy", calibrate="platt", grid={"turn": [1.0, 2.0]})
    groups = {int(i) // 3 for i in job.split.test}
    assert all(groups.isdisjoint(i // 3 for i in seen) for seen in recorder.seen)


@pytest.mark.parametrize("loader", [load_wine, load_iris])
def test_platt_scaling_is_that_of_scikit_learn(loader: Any) -> None:
    """Oracle: CalibratedClassifierCV(ensemble=False) on the same inner folds; labels are not calibrated."""
    data = sets(loader)
    found, job = done(LinearDiscriminantAnalysis(), data, "log_loss", "accuracy", calibrate="platt")
    s = job.split
    inner = [(np.searchsorted(s.train, a), np.searchsorted(s.train, b)) for a, b in inner_folds(data, job)]
    theirs = CalibratedClassifierCV(LinearDiscriminantAnalysis(), cv=inner, ensemble=False)
    p = theirs.fit(data.X[s.train], data.y[s.train]).predict_proba(data.X[s.test])
    assert found.values["log_loss"] == pytest.approx(log_loss(data.y[s.test], p))
    plain = LinearDiscriminantAnalysis().fit(data.X[s.train], data.y[s.train])
    assert found.values["accuracy"] == plain.score(data.X[s.test], data.y[s.test])


def test_selection_by_a_metric_of_probabilities_scales_inside_too(
    recorder: Any, rows: tuple[Any, Any]
) -> None:
    """Oracle: counted by hand. 2 choices x 5 folds x (1 fit + 5 to scale), then 1 fit and 5 to scale."""
    data = Dataset(name="d", X=rows[0], y=rows[1])
    found, job = done(recorder(), data, "log_loss", grid={"turn": [-1.0, 1.0]})
    test = set(job.split.test.tolist())
    assert len(recorder.seen) == 60 + 6
    assert not any(test & seen for seen in recorder.seen)
    assert found.error == ""


class Bare:
    """Has scores and labels, but nothing else that scikit-learn needs of a classifier."""

    def fit(self, X: Any, y: Any) -> Bare:
        return self

    def decision_function(self, X: Any) -> Any:
        return X[:, 0]

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X), dtype=int)


def test_what_cannot_be_calibrated_still_has_its_labels() -> None:
    found, _ = done(Bare(), sets(load_wine), "accuracy", "log_loss")
    assert np.isfinite(found.values["accuracy"])
    assert np.isnan(found.values["log_loss"])
    assert found.error.startswith("log_loss: ")


def test_calibrate_none_leaves_an_svm_without_probabilities() -> None:
    found, _ = done(SVC(), sets(load_wine), "accuracy", "log_loss", calibrate="none")
    assert np.isfinite(found.values["accuracy"])
    assert np.isnan(found.values["log_loss"])
    assert found.error == 'log_loss: SVC has no predict_proba, and calibrate is "none"'

"""One fit: what it measures, what it may see, and what becomes of one that fails."""

from __future__ import annotations

import warnings
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, log_loss, mean_absolute_error, r2_score, roc_auc_score
from sklearn.model_selection import ParameterGrid
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info

from ropewalk.experiment.algorithms import Algorithm
from ropewalk.experiment.datasets import Dataset
from ropewalk.experiment.fits import fit
from ropewalk.experiment.processes import Worker
from ropewalk.experiment.rows import Rows
from ropewalk.experiment.splits import SplitPlan
from ropewalk.experiment.work import Fit, Work


def work(estimator: Any, data: Dataset, metrics: tuple[str, ...] = ("accuracy",), **options: Any) -> Work:
    grid = options.pop("grid", {})
    classes = options.pop("classes", True)
    split = next(
        iter(
            SplitPlan.parse("5cv").splits(
                data.n, classes=data.codes if classes else None, groups=data.groups, seed=3
            )
        )
    )
    return Work(
        algorithm=Algorithm(name="it", estimator=estimator, grid=grid),
        task=data.name,
        data=data.digest,
        split=split,
        metrics=metrics,
        labels=data.labels if classes else None,
        **options,
    )


def done(estimator: Any, data: Dataset, *metrics: str, **options: Any) -> tuple[Fit, Work]:
    job = work(estimator, data, metrics or ("accuracy",), **options)
    return fit(data.X, data.y, data.groups, job), job


def inner_folds(data: Dataset, job: Work) -> list[tuple[Any, Any]]:
    """The rows to learn from and the others, for each fold inside the training set."""
    train = job.split.train
    folds = Rows(data.X, data.y, data.groups, job).folds.split(train[:, None])
    return [(train[a], train[b]) for a, b in folds]


def sets(loader: Any) -> Dataset:
    X, y = loader(return_X_y=True)
    return Dataset(name="d", X=X, y=y)


# --- what is measured ----------------------------------------------------------------------------------


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


def test_two_classes_are_ranked_by_the_decision_function() -> None:
    X, y = load_iris(return_X_y=True)
    data = Dataset(name="d", X=X, y=np.where(y == 2, "virginica", "other"))
    found, job = done(LinearSVC(), data, "roc_auc", "f1")
    s = job.split
    model = LinearSVC(random_state=s.seed).fit(X[s.train], data.y[s.train])
    expected = roc_auc_score(data.y[s.test] == "virginica", model.decision_function(X[s.test]))
    assert found.values["roc_auc"] == pytest.approx(expected)


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


def test_the_seed_of_the_fit_is_that_of_the_split() -> None:
    data = sets(load_wine)
    a, _ = done(DecisionTreeClassifier(max_features=1), data)
    b, _ = done(DecisionTreeClassifier(max_features=1, random_state=17), data)
    assert a.values == b.values
    assert a.model_hash != b.model_hash


def test_a_class_that_the_training_set_lacks_has_probability_zero() -> None:
    data = sets(load_iris)
    job = work(GaussianNB(), data, ("brier", "accuracy"))
    train = job.split.train[data.y[job.split.train] != 1]
    found = fit(data.X, data.y, None, replace(job, split=replace(job.split, train=train)))
    assert found.error == ""
    assert found.values["accuracy"] == pytest.approx(2 / 3)


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


def test_an_estimator_with_n_jobs_keeps_to_one_core() -> None:
    algorithm = Algorithm(name="it", estimator=LogisticRegression())
    assert algorithm.fresh(0, {}).get_params().get("n_jobs") in (None, 1)


# --- what it may see -----------------------------------------------------------------------------------


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


def test_inner_folds_keep_groups_whole(rows: tuple[Any, Any]) -> None:
    data = Dataset(
        name="d", X=rows[0], y=rows[1], groups=np.array([f"g{i // 3}" for i in range(120)], object)
    )
    job = work(GaussianNB(), data)
    for learn, use in inner_folds(data, job):
        assert {i // 3 for i in learn}.isdisjoint(i // 3 for i in use)


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


def test_probabilities_of_zero_and_one_can_be_scaled() -> None:
    found, _ = done(DecisionTreeClassifier(), sets(load_wine), "log_loss", calibrate="platt")
    assert np.isfinite(found.values["log_loss"])


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


# --- what fails ----------------------------------------------------------------------------------------


class Failing(BaseEstimator):
    def __init__(self, how: str = "raise") -> None:
        self.how = how

    def fit(self, X: Any, y: Any) -> Failing:
        if self.how == "raise":
            raise ValueError("no luck\nat all")
        if self.how == "exit":
            raise SystemExit(3)
        if self.how == "warn":
            warnings.warn("did not converge", UserWarning, stacklevel=1)
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), {"nan": np.nan, "label": 77, "warn": 0}[self.how])


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("raise", "ValueError: no luck at all"),
        ("exit", "SystemExit: 3"),
        ("nan", "accuracy: predict answers NaN or infinity"),
        ("label", "accuracy: predict answers labels that are no class of the data set"),
    ],
)
def test_a_failing_fit_is_recorded_with_its_message(how: str, message: str) -> None:
    found, _ = done(Failing(how), sets(load_iris))
    assert np.isnan(found.values["accuracy"])
    assert found.error == message


def test_one_metric_may_fail_alone() -> None:
    found, _ = done(DecisionTreeClassifier(), sets(load_wine), "accuracy", "log_loss")
    assert np.isfinite(found.values["accuracy"])
    assert "log_loss: the true class has a probability of 0" in found.error


def test_warnings_are_kept_and_not_printed(recwarn: pytest.WarningsRecorder) -> None:
    found, _ = done(Failing("warn"), sets(load_iris))
    assert found.warning == "UserWarning: did not converge"
    assert not recwarn.list


class Stuck(BaseEstimator):
    def __init__(self, how: str = "sleep") -> None:
        self.how = how

    def fit(self, X: Any, y: Any) -> Stuck:
        import os
        import time

        if self.how == "sleep":
            time.sleep(600)
        if self.how == "die":
            os.abort()
        if self.how == "print":
            print("I am an algorithm that talks")  # noqa: T201
        return self

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X), dtype=int)


def test_a_fit_that_takes_too_long_or_dies_is_recorded_and_the_next_one_works() -> None:
    data = sets(load_iris)
    given = (data.X, data.y, None)
    with closing(Worker()) as worker:
        slow = worker.fit(given, work(Stuck("sleep"), data, timeout=0.2))
        assert slow.error == "TimeoutError: no answer after 0.2 seconds"
        assert slow.timed_out
        dead = worker.fit(given, work(Stuck("die"), data))
        assert dead.error == "the process died with exit code -6"
        fine = worker.fit(given, work(Stuck("print"), data, timeout=60))
        assert fine.error == ""
        assert fine.values["accuracy"] == pytest.approx(1 / 3)


class Unknown(BaseEstimator):
    """Can be pickled, but not unpickled."""

    def __reduce__(self) -> Any:
        return _fails, ()


def _fails() -> None:
    raise ImportError("no module for it here")


def test_what_cannot_be_unpickled_is_recorded_with_its_message() -> None:
    data = sets(load_iris)
    with closing(Worker()) as worker:
        found = worker.fit((data.X, data.y, None), work(Stuck("print"), data, timeout=60))
        assert found.error == ""
        job = replace(work(Stuck("print"), data), labels=Unknown())
        assert worker.fit((data.X, data.y, None), job).error == "ImportError: no module for it here"

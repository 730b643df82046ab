"""Rows that a fit may see, and what is measured on the others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from ropewalk.experiment.datasets import Dataset
from ropewalk.experiment.fits import fit
from tests.experiment.fitted_rows import done, inner_folds, sets, work


def test_two_classes_are_ranked_by_the_decision_function() -> None:
    X, y = load_iris(return_X_y=True)
    data = Dataset(name="d", X=X, y=np.where(y == 2, "virginica", "other"))
    found, job = done(LinearSVC(), data, "roc_auc", "f1")
    s = job.split
    model = LinearSVC(random_state=s.seed).fit(X[s.train], data.y[s.train])
    expected = roc_auc_score(data.y[s.test] == "virginica", model.decision_function(X[s.test]))
    assert found.values["roc_auc"] == pytest.approx(expected)


def test_a_class_that_the_training_set_lacks_has_probability_zero() -> None:
    data = sets(load_iris)
    job = work(GaussianNB(), data, ("brier", "accuracy"))
    train = job.split.train[data.y[job.split.train] != 1]
    found = fit(data.X, data.y, None, replace(job, split=replace(job.split, train=train)))
    assert found.error == ""
    assert found.values["accuracy"] == pytest.approx(2 / 3)


def test_inner_folds_keep_groups_whole(rows: tuple[Any, Any]) -> None:
    data = Dataset(
        name="d", X=rows[0], y=rows[1], groups=np.array([f"g{i // 3}" for i in range(120)], object)
    )
    job = work(GaussianNB(), data)
    for learn, use in inner_folds(data, job):
        assert {i // 3 for i in learn}.isdisjoint(i // 3 for i in use)


def test_probabilities_of_zero_and_one_can_be_scaled() -> None:
    found, _ = done(DecisionTreeClassifier(), sets(load_wine), "log_loss", calibrate="platt")
    assert np.isfinite(found.values["log_loss"])

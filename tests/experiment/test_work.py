"""What a fit leaves behind, also where it fails."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from tests.experiment.fitted_rows import done, sets


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
        ("nan", "accuracy: predict returned NaN or infinity"),
        ("label", "accuracy: predict returned labels that are not classes of the data set"),
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

"""Small data sets whose first column is the number of the row, and estimators that tell what they saw."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from ropewalk.experiment import Experiment, cross_validate


class Recorder(ClassifierMixin, BaseEstimator):
    """Remembers the rows of every fit; scores by the second column, turned by `turn`."""

    seen: ClassVar[list[set[int]]] = []

    def __init__(self, turn: float = 1.0, random_state: int | None = None) -> None:
        self.turn = turn
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> Recorder:
        self.seen.append({int(i) for i in X[:, 0]})
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X: np.ndarray) -> np.ndarray:
        return self.turn * X[:, 1]

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


@pytest.fixture
def recorder() -> type[Recorder]:
    Recorder.seen.clear()
    return Recorder


@pytest.fixture
def rows() -> tuple[Any, Any]:
    """120 rows of two classes, hard to tell apart."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    return np.column_stack([np.arange(120.0), y - 0.5 + rng.normal(size=120)]), y


@pytest.fixture(scope="session")
def experiment() -> Experiment:
    """Splits, seeds and hyperparameter draws varied together."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    y = (X[:, 0] + 0.8 * rng.normal(size=80) > 0).astype(int)
    models = {"tree": DecisionTreeClassifier(max_features=1), "line": LogisticRegression()}
    select = {"tree": {"max_depth": [1, 2, 4, 8]}}
    return cross_validate(models, {"made": (X, y)}, design="3x2x2sources", select=select)

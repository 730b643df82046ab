"""Small experiments."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

MODELS: dict[str, Any] = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}


WINE = {"wine": load_wine(return_X_y=True)}


class Brittle(BaseEstimator):
    """Fails where some row is in the test set, that is: not in the training set."""

    def __init__(self, row: float = 14.23) -> None:
        self.row = row

    def fit(self, X: Any, y: Any) -> Brittle:
        if not (X[:, 0] == self.row).any():
            raise ValueError("the first row is missing")
        self.inner = GaussianNB().fit(X, y)
        return self

    def predict(self, X: Any) -> Any:
        return self.inner.predict(X)


class Never(Brittle):
    def fit(self, X: Any, y: Any) -> Never:
        raise MemoryError("too small")

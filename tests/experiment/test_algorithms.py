"""Algorithms: their seeds, and one core each."""

from __future__ import annotations

from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from ropewalk.experiment.algorithms import Algorithm
from tests.experiment.fitted_rows import done, sets


def test_the_seed_of_the_fit_is_that_of_the_split() -> None:
    data = sets(load_wine)
    a, _ = done(DecisionTreeClassifier(max_features=1), data)
    b, _ = done(DecisionTreeClassifier(max_features=1, random_state=17), data)
    assert a.values == b.values
    assert a.model_hash != b.model_hash


def test_an_estimator_with_n_jobs_keeps_to_one_core() -> None:
    algorithm = Algorithm(name="it", estimator=LogisticRegression())
    assert algorithm.fresh(0, {}).get_params().get("n_jobs") in (None, 1)

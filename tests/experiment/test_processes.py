"""Fits in processes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris

from ropewalk.experiment.processes import Worker
from tests.experiment.fitted_rows import sets, work


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


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """One for all: a process takes a second to start."""
    with closing(Worker()) as one:
        yield one


def test_a_fit_that_takes_too_long_or_dies_is_recorded_and_the_next_one_works(worker: Worker) -> None:
    data = sets(load_iris)
    given = (data.X, data.y, None)
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


def test_what_cannot_be_unpickled_is_recorded_with_its_message(worker: Worker) -> None:
    data = sets(load_iris)
    found = worker.fit((data.X, data.y, None), work(Stuck("print"), data, timeout=60))
    assert found.error == ""
    job = replace(work(Stuck("print"), data), labels=Unknown())
    assert worker.fit((data.X, data.y, None), job).error == "ImportError: no module for it here"

"""What the runner adds to the fits themselves, and to the number of them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

from ropewalk.experiment import Experiment, cross_validate
from ropewalk.experiment.algorithms import Algorithm
from ropewalk.experiment.datasets import dataset
from ropewalk.experiment.setup import Setup
from ropewalk.experiment.store import Store
from ropewalk.experiment.work import record

pytestmark = pytest.mark.proof


class Busy(BaseEstimator):
    """A fit that keeps the processor busy for 50 ms."""

    def __init__(self, seconds: float = 0.05) -> None:
        self.seconds = seconds

    def fit(self, X: Any, y: Any) -> Busy:
        end = time.process_time() + self.seconds
        while time.process_time() < end:
            pass
        return self

    def predict(self, X: Any) -> Any:
        return (X[:, 0] > 0).astype(int)


def test_the_runner_adds_less_than_five_percent_to_fits_of_50_ms(tmp_path: Path) -> None:
    """Processor time beside a bare loop of clone, fit and predict, the least of four rounds of each.

    Processor time, not the clock: other processes on the machine do not count. With the store, with the
    fixed cost of a run of twelve fits in it.
    """
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 20)), rng.integers(0, 2, 500)
    setup = Setup(
        algorithms=(Algorithm(name="a", estimator=Busy()),),
        datasets=(dataset("d", (X, y)),),
        design="12x0.9",
        metrics=("accuracy",),
    )
    splits = list(setup.splits(setup.datasets[0]))
    cross_validate({"a": Busy(0)}, {"d": (X, y)}, design="2x0.9", store=tmp_path / "warm")  # imports
    bare, run = [], []
    for i in range(4):
        start = time.process_time()
        for s in splits:
            clone(Busy()).fit(X[s.train], y[s.train]).predict(X[s.test])
        middle = time.process_time()
        cross_validate({"a": Busy()}, {"d": (X, y)}, design="12x0.9", store=tmp_path / str(i))
        run.append(time.process_time() - middle)
        bare.append(middle - start)
    with Store(tmp_path / "fold", setup.manifest()) as results:
        for _, work in setup.work():
            results.add(record(work, values={"accuracy": 0.5}))
        start = time.process_time()
        results.fold()
        fold = time.process_time() - start  # once in a run, not once in a fit
    assert (min(run) - fold) / min(bare) < 1.05, f"{min(run):.3f} s beside {min(bare):.3f} s"


def test_loading_grows_no_faster_than_the_fits(tmp_path: Path) -> None:
    """Ten times the fits: at most twenty times the processor time."""
    spent = {}
    for repeats in (5, 50):
        rng = np.random.default_rng(1)
        X, y = rng.normal(size=(40, 2)), np.arange(40) % 2
        setup = Setup(
            algorithms=tuple(Algorithm(name=f"a{i}", estimator=Busy(i)) for i in range(4)),
            datasets=tuple(dataset(f"d{i}", (X + i, y)) for i in range(5)),
            design=f"{repeats}x10cv",
            metrics=("accuracy",),
        )
        folder = tmp_path / str(repeats)
        with Store(folder, setup.manifest()) as store:
            for _, work in setup.work():
                store.add(record(work, values={"accuracy": 0.8 + 0.05 * rng.standard_normal()}))
        times = []
        for _ in range(3):
            start = time.process_time()
            scores = Experiment.load(folder).scores()
            times.append(time.process_time() - start)
        assert sum(len(t.units) for t in scores.tasks) == 50 * repeats
        spent[repeats] = min(times)
    assert spent[50] < 20 * spent[5]

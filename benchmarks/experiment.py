"""What the runner costs: beside a bare loop of clone, fit, predict; and 100,000 recorded fits.

    python benchmarks/experiment.py

The loop and the runner take turns, so that a busy machine slows both; the median ratio is told.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from ropewalk.experiment import Dataset, Experiment, cross_validate
from ropewalk.experiment.algorithms import Algorithm
from ropewalk.experiment.setup import Setup
from ropewalk.experiment.store import Store
from ropewalk.experiment.work import record

FIT = 0.05  # seconds
ROUNDS, TIMES = 7, 20


class Sleeper(ClassifierMixin, BaseEstimator):
    """A fit of 50 ms that keeps no core busy."""

    def __init__(self, seconds: float = FIT, random_state: int | None = None) -> None:
        self.seconds = seconds
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> Sleeper:
        self.classes_ = np.unique(y)
        time.sleep(self.seconds)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.classes_[(X[:, 0] > 0).astype(int)]


def rows(n: int = 500) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 20)), rng.integers(0, 2, n)


def overhead() -> None:
    X, y = rows()
    setup = Setup(
        algorithms=(Algorithm(name="a", estimator=Sleeper()),),
        datasets=(Dataset(name="d", X=X, y=y),),
        design=f"{TIMES}x0.9",
        metrics=("accuracy",),
    )
    splits = list(setup.splits(setup.datasets[0]))
    ratios, fixed = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for s in splits:
            fitted = clone(Sleeper()).fit(X[s.train], y[s.train])
            fitted.predict(X[s.test])
        bare = time.perf_counter() - start
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            cross_validate({"a": Sleeper()}, {"d": (X, y)}, design=f"{TIMES}x0.9", store=folder)
            run = time.perf_counter() - start
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            cross_validate({"a": Sleeper(seconds=0)}, {"d": (X, y)}, design="2x0.9", store=folder)
            fixed.append(time.perf_counter() - start)
        ratios.append((run - median(fixed)) / bare)
    print(f"fits of {FIT * 1e3:.0f} ms: {100 * (median(ratios) - 1):+.1f}% beside a bare loop")
    print(f"fixed: {median(fixed):.2f} s")


def many(algorithms: int, datasets: int) -> None:
    """10x10cv: 100 fits of each algorithm on each data set.

    Algorithms differ by a point or so, on each data set by another two, and a fold adds five.
    """
    rng = np.random.default_rng(1)
    level = 0.8 + 0.01 * rng.standard_normal(algorithms) + 0.02 * rng.standard_normal((datasets, algorithms))
    X, y = rows(40)
    setup = Setup(
        algorithms=tuple(Algorithm(name=f"a{i}", estimator=Sleeper(seconds=i)) for i in range(algorithms)),
        datasets=tuple(Dataset(name=f"d{i}", X=X + i, y=y) for i in range(datasets)),
        design="10x10cv",
        metrics=("accuracy",),
    )
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        with Store(folder, setup.manifest()) as store:
            for _, work in setup.work():
                mean = level[int(work.task[1:]), int(work.algorithm.name[1:])]
                store.add(record(work, values={"accuracy": mean + 0.05 * rng.standard_normal()}))
        wrote = time.perf_counter() - start
        start = time.perf_counter()
        found = Experiment.load(folder)
        loaded = time.perf_counter() - start
        report = found.compare(rope=0.01)
        compared = time.perf_counter() - start - loaded
        size = (Path(folder) / "results.parquet").stat().st_size / 1e6
    print(
        f"{len(found.fits):,} fits ({len(found.models)} algorithms, {len(found.tasks)} data sets, "
        f"{len(report.overall)} pairs): written in {wrote:.1f} s ({size:.1f} MB), loaded in {loaded:.1f} s, "
        f"compared in {compared:.1f} s"
    )


if __name__ == "__main__":
    overhead()
    many(algorithms=20, datasets=50)
    many(algorithms=13, datasets=77)
    many(algorithms=10, datasets=100)
    many(algorithms=5, datasets=200)

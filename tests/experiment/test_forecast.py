"""How long an experiment takes: one fit of each kind, times how many are left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ropewalk.experiment import algorithms, datasets, forecast, processes
from ropewalk.experiment.setup import Setup
from tests.experiment.small_runs import MODELS, WINE


def setup() -> Setup:
    return Setup(
        algorithms=tuple(algorithms.Algorithm(name=name, estimator=e) for name, e in MODELS.items()),
        datasets=tuple(datasets.dataset(name, data) for name, data in WINE.items()),
        design="2x5cv",
        metrics=("accuracy",),
    )


class Instant:
    """In place of a process: a fit of the first algorithm takes 2 s, of the second 3 s and fails."""

    def fit(self, data: Any, work: Any) -> Any:
        from ropewalk.experiment.work import Fit

        first = work.algorithm.name == next(iter(MODELS))
        return Fit(
            model=work.algorithm.name,
            task=work.task,
            repeat=0,
            fold=0,
            random_state=0,
            split_hash="",
            model_hash="",
            data_hash="",
            n_train=1,
            n_test=1,
            values={},
            fit_seconds=1.5 if first else 3.0,
            predict_seconds=0.5 if first else 0.0,
            error="" if first else "too small",
        )

    def close(self) -> None:
        pass


def test_the_time_of_one_fit_times_how_many_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "Worker", Instant)
    found = forecast.forecast(setup(), tmp_path / "none")
    assert (found.fits, found.done, found.at_least) == (20, 0, False)
    assert found.seconds == pytest.approx(10 * 2.0 + 10 * 3.0)
    assert found.failing == ("tree on wine: too small",)
    assert not (tmp_path / "none").exists()
    assert processes.Worker is not Instant

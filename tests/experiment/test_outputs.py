"""What is said where an experiment has no predictions to show, or an algorithm answers in an odd shape."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from ropewalk.errors import DataError, OptionError, ReadError, RopewalkError
from ropewalk.experiment import cluster, cross_validate, outputs, store
from ropewalk.experiment.algorithms import Algorithm
from ropewalk.experiment.datasets import dataset
from ropewalk.experiment.experiment import Experiment
from ropewalk.experiment.file import read_experiment
from ropewalk.experiment.rows import _codes, _columns
from ropewalk.experiment.setup import Setup

X, Y = np.arange(24.0).reshape(12, 2), np.array([0, 1] * 6)


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    models = {"a": DummyClassifier(), "b": DummyClassifier(strategy="stratified", random_state=0)}
    return cross_validate(models, {"set": (X, Y)}, design="1x2cv", keep_predictions=True)


def stub(experiment: Experiment, **changes: Any) -> Any:
    """The experiment with something missing."""
    names = ("plan", "fits", "models", "classes", "outputs")
    return SimpleNamespace(**{**{n: getattr(experiment, n) for n in names}, **changes})


def test_no_fits(experiment: Experiment) -> None:
    with pytest.raises(DataError, match='there are no fits on "set"'):
        outputs.predictions(stub(experiment, fits=()), "set", 0, None)


def test_a_fit_without_predictions(experiment: Experiment) -> None:
    with pytest.raises(DataError, match="a made no predictions on set"):
        outputs.predictions(stub(experiment, outputs=lambda fit: {}), "set", 0, None)


def test_no_common_kind(experiment: Experiment) -> None:
    def rows_only(fit: Any) -> dict[str, Any]:
        return {"rows": np.arange(6), "truth": Y[:6]}

    with pytest.raises(DataError, match="there is no kind of prediction that every algorithm has"):
        outputs.predictions(stub(experiment, outputs=rows_only), "set", 0, None)


def test_other_rows(experiment: Experiment) -> None:
    def shifted(fit: Any) -> dict[str, Any]:
        found = dict(experiment.outputs(fit))
        return found if fit.model == "a" else {**found, "rows": found["rows"] + 1}

    with pytest.raises(
        DataError, match='"b" has no predictions for some of the rows that the others predicted'
    ):
        outputs.predictions(stub(experiment, outputs=shifted), "set", 0, None)


def test_answers_in_odd_shapes() -> None:
    labels = np.array([0, 1])
    with pytest.raises(
        DataError, match=r"predict returned the shape \(3, 1\), one label per row was expected"
    ):
        _codes(np.zeros((3, 1)), labels)
    one = SimpleNamespace(classes_=labels)
    with pytest.raises(DataError, match=r"predict_proba returned the shape \(3, 4\) for 2 classes"):
        _columns(np.zeros((3, 4)), one, labels, "predict_proba")
    with pytest.raises(DataError, match="a class has no row in the training set, so it has no score"):
        _columns(np.zeros((3, 2)), one, np.array([0, 1, 2]), "decision_function")


def test_workers_that_break_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise OSError("killed")

    monkeypatch.setattr(cluster, "_submitted", broken)
    with pytest.raises(RopewalkError, match=r"the workers crashed \d times: OSError: killed"):
        cross_validate({"a": DummyClassifier()}, {"set": (X, Y)}, design="1x2cv", dask="tcp://nowhere:1")


def test_two_of_one_name() -> None:
    twice = (Algorithm(name="a", estimator=DummyClassifier()),) * 2
    with pytest.raises(OptionError, match='two algorithms are called "a"'):
        Setup(algorithms=twice, datasets=(dataset("set", (X, Y)),), design="1x2cv", metrics=("accuracy",))


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cross_validate({"a": DummyClassifier()}, {"set": (X, Y)}, design="1x2cv", store=tmp_path / "kept")

    def broken(*_: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(store, "_load", broken)
    with pytest.raises(ReadError, match="kept cannot be read: Permission denied"):
        store.load(tmp_path / "kept")
    with pytest.raises(ReadError, match="cannot be read: Is a directory"):
        read_experiment(tmp_path)

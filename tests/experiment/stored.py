"""Experiments that are recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from ropewalk.experiment import Experiment, cross_validate


def made(folder: Path | None, **changed: Any) -> Experiment:
    options: dict[str, Any] = {
        "models": {"bayes": GaussianNB(), "most": DummyClassifier()},
        "datasets": {"wine": load_wine(return_X_y=True)},
        "design": "2x3cv",
        "metrics": ["accuracy", "log_loss"],
        "store": folder,
    }
    options |= changed
    return cross_validate(options.pop("models"), options.pop("datasets"), **options)

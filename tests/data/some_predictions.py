"""A few predictions of each kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from ropewalk.data import Audit, Predictions
from ropewalk.data.arrays import strings


def labels(**changes: Any) -> Predictions:
    fields: dict[str, Any] = {
        "models": ("svm", "forest"),
        "units": strings("1234"),
        "truth": strings(["cat", "dog", "cat", "emu"]),
        "outputs": {
            "svm": strings(["cat", "cat", "cat", "emu"]),
            "forest": strings(["cat", "dog", "dog", "dog"]),
        },
        "kind": "labels",
        "classes": ("cat", "dog", "emu"),
        "audit": Audit(paired=4),
    }
    return Predictions(**(fields | changes))


def probabilities(p: np.ndarray, truth: list[str] | None = None, **changes: Any) -> Predictions:
    fields: dict[str, Any] = {
        "models": ("svm", "forest"),
        "units": strings(range(len(p))),
        "truth": strings(truth or ["cat", "dog"] * (len(p) // 2)),
        "outputs": {"svm": p, "forest": np.full_like(p, 1 / p.shape[1])},
        "kind": "probabilities",
        "classes": ("cat", "dog", "emu")[: p.shape[1]],
        "audit": Audit(paired=len(p)),
    }
    return Predictions(**(fields | changes))


def numbers() -> Predictions:
    return Predictions(
        models=("ridge", "knn"),
        units=strings("123"),
        truth=np.array([1.0, 2.0, 3.5]),
        outputs={"ridge": np.array([1.5, 2.0, 3.0]), "knn": np.array([0.0, 2.0, 4.5])},
        kind="numbers",
        audit=Audit(paired=3),
    )


def gappy(kind: str = "labels", **changes: Any) -> Predictions:
    """Two tasks of three rows; "c" was not run on the second."""
    outputs: dict[str, Any] = {
        "labels": {
            "a": strings(["x", "y", "x", "x", "y", "y"]),
            "b": strings(["x", "x", "x", "x", "x", "y"]),
            "c": np.array(["y", "y", "x", None, None, None], dtype=object),
        },
        "numbers": {"a": np.arange(6.0), "b": np.ones(6), "c": np.r_[1.0, 2.0, 4.0, [np.nan] * 3]},
    }[kind]
    fields: dict[str, Any] = {
        "models": ("a", "b", "c"),
        "units": strings("123123"),
        "truth": strings(["x", "y", "x", "y", "y", "x"]) if kind == "labels" else np.arange(6.0),
        "outputs": outputs,
        "kind": kind,
        "classes": ("x", "y") if kind == "labels" else (),
        "tasks": strings(["t"] * 3 + ["u"] * 3),
        "audit": Audit(paired=6),
    }
    return Predictions(**(fields | changes))

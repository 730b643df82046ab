"""Rows with scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from ropewalk.data import Audit, Predictions
from ropewalk.data.arrays import strings


def noisy(n: int, slope: float = 1.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    s = random.normal(0, 2, n)
    return s, random.random(n) < 1 / (1 + np.exp(-(slope * s - 0.5)))


def predictions(n: int = 60, *, kind: str = "scores", seed: int = 0, **changes: Any) -> Predictions:
    s, y = noisy(n, seed=seed)
    other = s + np.random.default_rng(seed + 1).normal(0, 1, n)
    outputs: dict[str, Any] = {"svm": s, "forest": other}
    if kind == "probabilities":
        p = {m: 1 / (1 + np.exp(-v)) for m, v in outputs.items()}
        outputs = {m: np.column_stack([1 - v, v]) for m, v in p.items()}
    fields: dict[str, Any] = {
        "models": ("svm", "forest"),
        "units": strings(range(n)),
        "truth": strings(np.where(y, "yes", "no")),
        "outputs": outputs,
        "kind": kind,
        "classes": ("no", "yes"),
        "audit": Audit(paired=n),
    }
    return Predictions(**(fields | changes))

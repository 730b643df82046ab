"""Predictions that are ranked."""

from __future__ import annotations

import numpy as np
import pandas as pd


def predictions(n: int = 400, *, seed: int = 0) -> pd.DataFrame:
    """Two classes; svm separates them better than tree."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    scores = {m: k * (2 * y - 1) + rng.normal(0, 1.5, n) for m, k in (("svm", 1.5), ("tree", 0.7))}
    return pd.DataFrame({"id": range(n), "truth": y, **{m: 1 / (1 + np.exp(-s)) for m, s in scores.items()}})

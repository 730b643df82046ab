"""Suites of tasks."""

from __future__ import annotations

import numpy as np
import pandas as pd


def folds(models: int = 3, tasks: int = 6, k: int = 5) -> pd.DataFrame:
    rng = np.random.default_rng(8)
    rows = [
        (f"m{m}", f"t{t}", f, 0.8 + 0.02 * m + 0.01 * (t % 3) * m + 0.02 * rng.normal())
        for t in range(tasks)
        for m in range(models)
        for f in range(k)
    ]
    return pd.DataFrame(rows, columns=["model", "task", "fold", "accuracy"])


def numbers(models: int = 3, tasks: int = 12) -> pd.DataFrame:
    return folds(models, tasks).groupby(["model", "task"])["accuracy"].mean().reset_index()

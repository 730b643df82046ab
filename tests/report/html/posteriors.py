"""Posteriors of the page."""

from __future__ import annotations

import numpy as np
import pandas as pd

import ropewalk as rw
from ropewalk.report import Report


def tasks(models: int, count: int, n: int = 30, seed: int = 5, question: str | None = None) -> Report:
    rng, rows = np.random.default_rng(seed), []
    for t in range(count):
        common = rng.normal(0, 1, n)
        for m in range(models):
            score = common + rng.normal(0.1 * m, 0.5, n)
            one = {"model": f"org/model-{m}-7b", "task": f"task number {t}", "id": range(n), "score": score}
            rows.append(pd.DataFrame(one))
    return rw.compare(pd.concat(rows), question=question)

"""A small report of every method that compare can pick."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.report import Report

TASKS = ("iris", "wine", "glass", "sonar", "heart", "yeast")
COUNTS = {
    "de": (18, 63, 66, 183),
    "da": (54, 159, 198, 589),
    "fr": (79, 180, 167, 574),
    "tr": (19, 64, 30, 103),
}
RIGHT = {"GNN": [0] * 213 + [1] * 787, "LLM": [0] * 54 + [1] * 159 + [0] * 198 + [1] * 589}


def _rows(*columns: str, rows: Any) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=list(columns))


def _shuffled() -> dict[str, Any]:
    """Right and wrong answers without a trend in their order."""
    order = np.random.default_rng(0).permutation(1000)
    return {name: np.array(x)[order] for name, x in RIGHT.items()}


def _scores(models: str = "ab") -> dict[str, Any]:
    rng = np.random.default_rng(1)
    easy = rng.normal(0, 1, 60)
    return {m: easy + 0.1 * i + rng.normal(0, 0.3, 60) for i, m in enumerate(models)}


def _folds(k: int, repeats: int, *, models: str = "ab", tasks: tuple[str, ...] = ("iris",)) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    rows = (
        (t, m, r, f, 0.8 + 0.015 * i + float(rng.normal(0, 0.02)))
        for t in tasks
        for i, m in enumerate(models)
        for r in range(repeats)
        for f in range(k)
    )
    return _rows("task", "model", "repeat", "fold", "accuracy", rows=rows)


def _predicted() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    return pd.DataFrame(
        {"id": range(200), "truth": y, "a": y + rng.normal(0, 1, 200), "b": y + rng.normal(0, 1.3, 200)}
    )


def _runs() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    rows = (
        (m, s, u, float(rng.normal(0.1 * (m == "a"), 0.5)))
        for m in ("a", "b")
        for s in range(4)
        for u in range(30)
    )
    return _rows("model", "seed", "unit", "score", rows=rows)


def _clustered() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    level = rng.normal(0, 0.2, 24)
    rows = (
        (f"{c}-{i}", c, m, float(rng.normal((0.1 + level[c]) * (m == "a"), 0.3)))
        for c in range(24)
        for i in range(5)
        for m in ("a", "b")
    )
    return _rows("id", "mouse", "model", "score", rows=rows)


def _counts() -> pd.DataFrame:
    return _rows("task", "n00", "n01", "n10", "n11", rows=((t, *n) for t, n in COUNTS.items()))


def _per_task() -> pd.DataFrame:
    rng = np.random.default_rng(7)
    rows = ((f"t{i}", m, float(rng.normal(0.8, 0.02))) for i in range(12) for m in "ab")
    return _rows("task", "model", "accuracy", rows=rows)


REPORTS: dict[str, Callable[[], Report]] = {
    "mcnemar": lambda: rw.compare(_shuffled(), scale="phi"),
    "accuracy_difference": lambda: rw.compare(_shuffled(), rope=0.01),
    "t": lambda: rw.compare(_scores()),
    "robust_t": lambda: rw.compare(_scores(), method="robust_t"),
    "sign": lambda: rw.compare(_scores(), method="sign"),
    "signed_rank": lambda: rw.compare(_per_task(), method="signed_rank"),
    "per_task": lambda: rw.compare(_per_task()),
    "correlated_t": lambda: rw.compare(_folds(10, 2)),
    "five_by_two": lambda: rw.compare(_folds(2, 5)),
    "bootstrap": lambda: rw.compare(_predicted(), metric="auroc", truth="truth"),
    "crossed": lambda: rw.compare(_runs(), rope=0.1),
    "clusters": lambda: rw.compare(_clustered(), cluster="mouse", rope=0.05),
    "ess": lambda: rw.compare(_clustered(), cluster="mouse", rope=0.05, method="ess"),
    "cluster_bootstrap": lambda: rw.compare(_clustered(), cluster="mouse", rope=0.05, method="bootstrap"),
    "hierarchical_t": lambda: rw.compare(_folds(5, 2, tasks=TASKS)),
    "likeliest": lambda: rw.compare(_folds(5, 2, tasks=TASKS), question="likeliest"),
    "hierarchical_mcnemar": lambda: rw.compare(_counts(), rope="0.1sd", question="next"),
    "hierarchical_accuracy": lambda: rw.compare(_counts()),
    "poisson_binomial": lambda: rw.compare(_folds(5, 2, tasks=TASKS), method="poisson_binomial"),
    "many": lambda: rw.compare(_scores("abc")),
    "reference": lambda: rw.compare(_scores("abc"), reference="a"),
    "many_over_tasks": lambda: rw.compare(_folds(5, 1, models="abc", tasks=TASKS), method="hierarchical_t"),
    "identical": lambda: rw.compare({"a": [0.5, 0.75, 1.0, 0.75], "b": [0.5, 0.75, 1.0, 0.75]}),
    "no_rope": lambda: rw.compare(_shuffled(), rope=0),
    "loss_matrix": lambda: rw.compare(_shuffled(), rope=0.01, loss_matrix=rw.decide.TWENTY_TO_ONE),
}


@cache
def _made(name: str) -> Report:
    return REPORTS[name]()


@pytest.fixture(scope="session")
def made() -> Callable[[str], Report]:
    """The report of a name in REPORTS, made once."""
    return _made


@pytest.fixture(params=list(REPORTS))
def each(request: pytest.FixtureRequest) -> Report:
    """Every report in turn."""
    return _made(request.param)

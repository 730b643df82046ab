"""Data of the papers that several tests use."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

CV54 = Path(__file__).parents[2].parent / "shared" / "data" / "cv54.csv"


@pytest.fixture(scope="session")
def cv54():
    """{model: {task: 100 accuracies}}, the data behind the tables of Benavoli et al. 2017 (P4)."""
    if not CV54.exists():
        pytest.skip("the data of Benavoli et al. 2017 are not on this machine and not ours to ship")
    cells: dict[str, dict[str, dict[tuple[str, str], float]]] = {}
    with CV54.open(newline="") as file:
        for row in csv.DictReader(file):
            folds = cells.setdefault(row["model"], {}).setdefault(row["task"], {})
            folds[row["repeat"], row["fold"]] = float(row["score"])
    keys = sorted(cells["nbc"]["anneal"])
    return {
        model: {task: np.array([folds[key] for key in keys]) for task, folds in tasks.items()}
        for model, tasks in cells.items()
    }


@pytest.fixture(scope="session")
def language_pairs():
    """{language pair: (n01, n10)}, Table 1 of the paper on Bayesian paired tests (P1): GNN = A, LLM = B."""
    names = "de-en da-en es-en fr-en it-en id-en nl-en sv-en tr-en tr-de zh-en"
    n01 = [63, 159, 175, 180, 202, 185, 195, 156, 64, 113, 44]
    n10 = [66, 198, 149, 167, 167, 193, 176, 133, 30, 103, 46]
    return dict(zip(names.split(), zip(n01, n10, strict=True), strict=True))

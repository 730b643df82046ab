"""What several test files share."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("ropewalk", deadline=None, print_blob=True)  # machines are shared and noisy
settings.load_profile("ropewalk")

CV54 = Path(__file__).parents[2] / "shared" / "data" / "cv54.csv"

# P1 (Williams), Table 1: n00, n01, n10, n11 for eleven language pairs; A is the GNN, B the LLM.
TABLE_1 = {
    "de-en": (18, 63, 66, 183),
    "da-en": (54, 159, 198, 589),
    "es-en": (58, 175, 149, 478),
    "fr-en": (79, 180, 167, 574),
    "it-en": (36, 202, 167, 595),
    "id-en": (52, 185, 193, 570),
    "nl-en": (68, 195, 176, 561),
    "sv-en": (48, 156, 133, 423),
    "tr-en": (19, 64, 30, 103),
    "tr-de": (39, 113, 103, 298),
    "zh-en": (19, 44, 46, 92),
}


@pytest.fixture(scope="session")
def table_1() -> dict[str, tuple[int, int, int, int]]:
    return TABLE_1


@pytest.fixture(scope="session")
def cv54_path() -> Path:
    if not CV54.exists():
        pytest.skip("the cross-validation results behind the tables of Benavoli et al. 2017 are not here")
    return CV54


@pytest.fixture(scope="session")
def cv54(cv54_path: Path) -> Callable[[str, str], dict[str, np.ndarray]]:
    """Accuracy differences in [0, 1] per task, 100 folds each: cv54("nbc", "aode")["anneal"]."""
    scores: dict[str, dict[str, list[float]]] = {}
    with cv54_path.open() as file:
        for row in csv.DictReader(file):
            scores.setdefault(row["model"], {}).setdefault(row["task"], []).append(float(row["score"]) / 100)

    def differences(a: str, b: str) -> dict[str, np.ndarray]:
        return {task: np.subtract(scores[a][task], scores[b][task]) for task in scores[a]}

    return differences

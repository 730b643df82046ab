"""Decisions from the first rows: what stands further down is asked for, or found when it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Predictions, Scores, Summed
from ropewalk.errors import CellError, PairingError
from ropewalk.read import in_place, table

FIRST = 20


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


@pytest.fixture(autouse=True)
def _few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "SAMPLE", FIRST)
    monkeypatch.setattr(in_place, "SAMPLE", FIRST)


def _sums(data: Any) -> tuple[tuple[str, ...], int, float, float]:
    if isinstance(data, Predictions):
        data = data.scores().as_accuracy()
    assert isinstance(data, (Scores, Summed))
    a, b = data.models[:2]
    found = (
        data.sums(a, b, data.tasks[0]) if isinstance(data, Summed) else data.sums(a, b, data.tasks[0].name)
    )
    return data.models, found.n, found.mean, found.m2


def _both(path: Path, **options: Any) -> tuple[tuple[str, ...], int, float, float]:
    here, there = (_sums(rw.read(path, in_place=where, **options)) for where in (False, True))
    assert here[:2] == there[:2]
    assert here[2:] == pytest.approx(there[2:], rel=1e-12, abs=1e-12)
    return here


def _saved(frame: pd.DataFrame, folder: Path) -> Path:
    frame.to_csv(folder / "t.csv", index=False)
    return folder / "t.csv"


def test_models_below_the_first_rows(tmp_path: Path, rng: np.random.Generator) -> None:
    """A long table that is sorted by model: the order of the models is that of the file."""
    rows = [(m, i, round(rng.random(), 3)) for m in ("z", "m", "a") for i in range(50)]
    path = _saved(pd.DataFrame(rows, columns=["model", "id", "score"]), tmp_path)
    assert _both(path)[:2] == (("z", "m", "a"), 50)


def test_classes_below_the_first_rows(tmp_path: Path, rng: np.random.Generator) -> None:
    """A table that is sorted by the truth has columns of probabilities for classes further down."""
    truth = ["cat"] * 40 + ["dog"] * 40
    p = rng.random((2, 80)).round(3)
    for name, column in zip("ab", p, strict=True):
        pd.DataFrame({"id": range(80), "label": truth, "cat": column, "dog": (1 - column).round(3)}).to_csv(
            tmp_path / f"{name}.csv", index=False
        )
    data = rw.read([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert isinstance(data, Predictions)
    assert (data.kind, set(data.classes)) == ("probabilities", {"cat", "dog"})


def test_a_row_number_is_told_from_an_id_by_all_rows(tmp_path: Path) -> None:
    """An id that comes back once per model is unique in the first rows."""
    rows = [(i, m, f"t{i % 2}", (i * 7 + len(m)) % 5 / 8) for m in ("aa", "b") for i in range(60)]
    path = _saved(pd.DataFrame(rows, columns=["id", "model", "task", "score"]), tmp_path)
    assert _both(path)[1] == 30


def test_a_metric_below_the_first_rows(tmp_path: Path, rng: np.random.Generator) -> None:
    rows = [
        (k, m, i, round(rng.random(), 3)) for k in ("f1", "accuracy") for m in ("a", "b") for i in range(30)
    ]
    path = _saved(pd.DataFrame(rows, columns=["metric", "model", "id", "score"]), tmp_path)
    assert _both(path, score="accuracy")[1] == 30


@pytest.mark.parametrize("where", [True, False])
def test_what_is_wrong_below_the_first_rows(where: bool, tmp_path: Path) -> None:
    score = [str(i / 8) for i in range(60)]
    frame = pd.DataFrame({"id": range(60), "a": score, "b": [*score[:50], "?", *score[51:]]})
    with pytest.raises(CellError, match=r"row 51 \(line 52\)"):
        rw.read(_saved(frame, tmp_path), in_place=where)
    frame = pd.DataFrame({"id": [*range(59), 7], "a": score, "b": score})
    with pytest.raises(PairingError, match="rows 8, 60"):
        rw.read(_saved(frame, tmp_path), in_place=where)
    rows = [(m if i < 55 else "", i, i / 8) for m in ("a", "b") for i in range(60)]
    frame = pd.DataFrame(rows, columns=["model", "id", "score"])
    with pytest.raises(CellError, match="column `model`"):
        rw.read(_saved(frame, tmp_path), in_place=where)

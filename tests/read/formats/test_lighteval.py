"""lighteval: details in Parquet, in the columns of newer and of older versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ropewalk.data import Scores
from ropewalk.errors import PairingError, ReadError
from ropewalk.read import read

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

DATE, LATER = "2025-01-02T03-04-05.678901", "2025-02-02T03-04-05.678901"
N = 6
Row = dict[str, Any]


def new(i: int, score: float) -> Row:
    return {
        "doc": {"query": f"question {i}", "choices": ["a", "b"], "gold_index": [i % 2], "id": str(i)},
        "model_response": {"text": ["..."]},
        "metric": {"em": score, "maj@8": [score]},
    }


def old(i: int, score: float) -> Row:
    return {
        "example": f"question {i}",
        "full_prompt": f"few shots. question {i}",
        "gold": ["a"],
        "choices": ["a", "b"],
        "predictions": ["a"],
        "metrics": {"em": score, "maj@8": [score]},
    }


def write(
    root: Path, model: str, rows: list[Row], *, date: str = DATE, task: str = "lighteval|gsm8k|0"
) -> Path:
    folder = root / "details" / "lab" / model / date
    folder.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.Table.from_pylist(rows), folder / f"details_{task}_{date}.parquet")
    return root


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


@pytest.mark.parametrize("row", [new, old])
def test_details(row: Any, tmp_path: Path) -> None:
    write(tmp_path, "a", [row(i, i % 2) for i in range(N)])
    write(tmp_path, "b", [row(i, 1.0) for i in reversed(range(N))])
    s = scores(tmp_path)
    assert s.models == ("lab/a", "lab/b")
    assert s.tasks[0].name == "lighteval|gsm8k|0"
    assert s.metric == "em"
    assert s.higher_is_better
    assert s.tasks[0].values.tolist() == [[i % 2, 1.0] for i in range(N)]
    assert "skipped: maj@8 of lighteval|gsm8k|0 (no number for 6 of 6 examples)" in s.audit.notes
    assert s.audit.warnings == ()


def test_the_latest_run_counts(tmp_path: Path) -> None:
    for model in "ab":
        write(tmp_path, model, [new(i, 0.0) for i in range(N)])
        write(tmp_path, model, [new(i, 1.0) for i in range(N)], date=LATER)
    s = scores(tmp_path)
    assert s.tasks[0].values.min() == 1.0
    assert any("2 older files" in n for n in s.audit.notes)


def test_the_same_question_again_is_a_repeat(tmp_path: Path) -> None:
    for model in "ab":
        write(tmp_path, model, [new(i % 3, i % 2) for i in range(N)])
    s = scores(tmp_path)
    assert s.tasks[0].clusters is not None
    assert len(set(s.tasks[0].clusters)) == 3


def test_misalignments(tmp_path: Path) -> None:
    write(tmp_path, "a", [old(i, 1.0) for i in range(N)])
    rows = [old(i, 1.0) for i in range(N)]
    for r in rows:
        r["full_prompt"] = "no shots"
    write(tmp_path, "b", rows[:4])
    s = scores(tmp_path)
    assert s.audit.warnings == ('lighteval|gsm8k|0: 4 of 6 paired; prompt differs for "lab/b"',)
    rows[1]["gold"] = ["b"]
    write(tmp_path, "b", rows)
    with pytest.raises(PairingError, match="differ in the gold answer of 1 unit"):
        read(tmp_path)


def test_broken_files(tmp_path: Path) -> None:
    write(tmp_path, "a", [{**new(i, 1.0), "metric": {"f1": [1.0]}} for i in range(N)])
    with pytest.raises(ReadError, match="no metric with one number per example"):
        read(tmp_path)
    path = next(tmp_path.rglob("*.parquet"))
    path.write_bytes(b"PAR1 doc metric model_response")
    with pytest.raises(ReadError, match="cannot be read as Parquet"):
        read(tmp_path)

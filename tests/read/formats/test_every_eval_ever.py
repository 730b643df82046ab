"""Every Eval Ever: instance rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ropewalk.data import Scores
from ropewalk.errors import PairingError, ReadError
from ropewalk.read import read


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


def by_unit(s: Scores) -> dict[str, list[float]]:
    return dict(zip(s.tasks[0].units, s.tasks[0].values.tolist(), strict=True))


N = 5


def row(model: str, i: int, right: bool) -> dict[str, Any]:
    return {
        "evaluation_id": f"{model}/gpqa",
        "model_id": model,
        "evaluation_name": "gpqa",
        "sample_id": f"s{i}",
        "sample_hash": f"hash {i}",
        "evaluation": {"score": right / 2, "is_correct": right},
    }


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))
    return path


def test_models_in_one_file_or_in_two(tmp_path: Path) -> None:
    a, b = ([row(m, i, i % 2 == k) for i in range(N)] for k, m in enumerate(("lab/a", "lab/b")))
    for source in (
        write(tmp_path / "both.jsonl", a + b),
        [write(tmp_path / "a.jsonl", a), write(tmp_path / "b.jsonl", b[::-1])],
    ):
        s = scores(source, score="accuracy")
        assert s.models == ("lab/a", "lab/b")
        assert s.tasks[0].name == "gpqa"
        assert by_unit(s) == {f"s{i}": [float(i % 2 == 0), float(i % 2 == 1)] for i in range(N)}
    assert scores(source).tasks[0].values.max() == 0.5


def test_misalignments(tmp_path: Path) -> None:
    a, b = ([row(m, i, True) for i in range(N)] for m in ("lab/a", "lab/b"))
    b[2]["sample_hash"] = "another"
    with pytest.raises(PairingError, match="differ in the sample of 1 unit"):
        read(write(tmp_path / "x.jsonl", a + b))
    assert scores(write(tmp_path / "x.jsonl", a + b[3:])).audit.paired == 2
    with pytest.raises(PairingError, match="more than one row"):
        read(write(tmp_path / "x.jsonl", a + b + a[:1]))
    del b[2]["model_id"]
    with pytest.raises(ReadError, match="line 8: a row needs model_id, evaluation_name, sample_id"):
        read(write(tmp_path / "x.jsonl", a + b))

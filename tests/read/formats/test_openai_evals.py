"""OpenAI evals: a log line by line."""

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


def lines(model: str, right: list[bool], *, times: int = 1, report: bool = True) -> list[dict[str, Any]]:
    spec = {"completion_fns": [model], "eval_name": "arith.dev.v0", "split": "dev", "run_id": "x"}
    out: list[dict[str, Any]] = [{"spec": spec}]
    for i, correct in enumerate(right):
        event = {"run_id": "x", "sample_id": f"arith.dev.{i}"}
        out.append({**event, "type": "sampling", "data": {"prompt": "?", "sampled": ["4"]}})
        data = {"correct": correct, "expected": str(i), "picked": "4"}
        out += [{**event, "type": "match", "data": data}] * times
    return out + ([{"final_report": {"accuracy": 0.5}}] if report else [])


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "1.jsonl", lines("gpt-a", [i % 2 == 0 for i in range(N)]))
    write(tmp_path / "2.jsonl", lines("gpt-b", [True] * N))
    return tmp_path


def test_matches(folder: Path) -> None:
    s = scores(folder)
    assert s.models == ("gpt-a", "gpt-b")
    assert s.metric == "accuracy"
    assert s.tasks[0].name == "arith.dev.v0"
    assert by_unit(s) == {f"arith.dev.{i}": [float(i % 2 == 0), 1.0] for i in range(N)}
    assert s.audit.warnings == ()


def test_several_answers_are_repeats(folder: Path) -> None:
    for k in "12":
        write(folder / f"{k}.jsonl", lines(f"gpt-{k}", [True, False], times=3))
    s = scores(folder)
    assert s.audit.paired == 6
    assert s.tasks[0].clusters is not None


def test_metrics_events(folder: Path) -> None:
    for k in "12":
        rows = lines(f"gpt-{k}", [])
        rows += [{"sample_id": str(i), "type": "metrics", "data": {"f1": i / 10, "x": "?"}} for i in range(N)]
        write(folder / f"{k}.jsonl", rows)
    s = scores(folder)
    assert s.metric == "f1"
    assert by_unit(s)["3"] == [0.3, 0.3]


def test_misalignments(folder: Path) -> None:
    rows = lines("gpt-b", [True] * N, report=False)
    write(folder / "2.jsonl", rows[:-2])
    s = scores(folder)
    assert s.audit.paired == N - 1
    assert "arith.dev.v0, gpt-b: the run has no final report: is it complete?" in s.audit.warnings
    rows[2]["data"]["expected"] = "77"
    write(folder / "2.jsonl", rows)
    with pytest.raises(PairingError, match="differ in the expected answer of 1 unit"):
        read(folder)
    del rows[2]["sample_id"]
    write(folder / "2.jsonl", rows)
    with pytest.raises(ReadError, match="line 3: no sample_id"):
        read(folder)
    write(folder / "2.jsonl", lines("gpt-b", []))
    with pytest.raises(ReadError, match="has no scores"):
        read(folder)

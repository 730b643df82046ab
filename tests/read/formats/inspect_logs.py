"""Logs of inspect_ai."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ropewalk.data import Scores
from ropewalk.read import read

N = 12


Log = dict[str, Any]


def score(model: str, i: int, epoch: int = 1) -> float:
    return float((i * 7 + epoch * (3 if model == "good" else 5)) % 4 > (0 if model == "good" else 1))


def sample(model: str, i: int, epoch: int = 1) -> dict[str, Any]:
    value = "C" if score(model, i, epoch) else "I"
    return {
        "id": f"q{i}",
        "epoch": epoch,
        "input": f"question {i}?",
        "target": f"answer {i}",
        "metadata": {"story": f"s{i // 3}", "tags": ["x"]},
        "scores": {"match": {"value": value, "answer": "..."}},
    }


def log(model: str, *, epochs: int = 1, task: str = "trivia", created: str = "2025-01-01T00:00:00") -> Log:
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "task": task,
            "model": f"lab/{model}",
            "created": created,
            "dataset": {"name": "trivia", "samples": N},
            "config": {"epochs": epochs},
        },
        "results": {"scores": [{"name": "match", "scorer": "match"}]},
        "samples": [sample(model, i, e) for e in range(1, epochs + 1) for i in range(N)],
    }


def write_json(log: Log, path: Path) -> None:
    path.with_suffix(".json").write_text(json.dumps(log, indent=2))


def write_eval(log: Log, path: Path, samples: str = "summaries.json") -> None:
    header = {k: v for k, v in log.items() if k != "samples"}
    with zipfile.ZipFile(path.with_suffix(".eval"), "w", zipfile.ZIP_DEFLATED) as file:
        start = {"version": 2, "eval": log["eval"], "plan": {}}
        file.writestr("_journal/start.json", json.dumps(start))
        for s in log["samples"]:
            file.writestr(f"samples/{s['id']}_epoch_{s['epoch']}.json", json.dumps(s))
        if samples == "summaries.json":
            file.writestr("summaries.json", json.dumps(log["samples"]))
            file.writestr("header.json", json.dumps(header))
        if samples == "journal":
            half = len(log["samples"]) // 2
            file.writestr("_journal/summaries/1.json", json.dumps(log["samples"][:half]))
            file.writestr("_journal/summaries/2.json", json.dumps(log["samples"][half:]))


WRITERS: dict[str, Callable[[Log, Path], None]] = {
    "json": write_json,
    "eval": write_eval,
    "eval of a run that broke off": lambda log, path: write_eval(log, path, "journal"),
    "eval with samples alone": lambda log, path: write_eval(log, path, "samples"),
}


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


def write(logs: dict[str, Log], folder: Path, how: str = "json") -> Path:
    for name, content in logs.items():
        WRITERS[how](content, folder / name)
    return folder


def half(logs: dict[str, Log]) -> None:
    logs["poor"]["status"] = "cancelled"
    logs["poor"]["samples"] = logs["poor"]["samples"][: N // 2]

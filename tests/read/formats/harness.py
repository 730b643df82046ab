"""Logs of lm-evaluation-harness."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ropewalk.data import Scores
from ropewalk.read import read

DATE = "2025-01-02T03-04-05.678901"


LATER = "2025-02-02T03-04-05.678901"


N = 40


Row = dict[str, Any]


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def row(i: int, *, task: str = "gsm8k", filter: str = "none", shots: int = 5, **metrics: Any) -> Row:
    doc = {"question": f"{task} question {i}?"}
    prompt = "example. " * shots + doc["question"]
    return {
        "doc_id": i,
        "doc": doc,
        "target": str(i * 7),
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n"]}}},
        "resps": [["..."]],
        "filtered_resps": ["..."],
        "filter": filter,
        "metrics": list(metrics),
        "doc_hash": sha(json.dumps(doc)),
        "prompt_hash": sha(prompt),
        "target_hash": sha(str(i * 7)),
        **metrics,
    }


def right(model: str, i: int) -> float:
    return float(sha(f"{model} {i}") < ("c" if model == "good" else "8"))


def samples(
    model: str, *, task: str = "gsm8k", metric: str = "exact_match", n: int = N, **how: Any
) -> list[Row]:
    return [row(i, task=task, **how, **{metric: right(model, i)}) for i in range(n)]


def results(model: str, *, task: str = "gsm8k", n: int = N, shots: int = 5, **more: Any) -> Row:
    return {
        "results": {task: {"alias": task, "exact_match,none": 0.5, "exact_match_stderr,none": 0.01}},
        "group_subtasks": {task: []},
        "configs": {task: {"task": task}},
        "n-shot": {task: shots},
        "higher_is_better": {task: {"exact_match": True}},
        "n-samples": {task: {"original": n, "effective": n}},
        "model_name": f"org/{model}",
        **more,
    }


@dataclass
class Out:
    """An output directory in the making: the rows of each model's only task."""

    root: Path
    rows: dict[str, list[Row]] = field(default_factory=lambda: {m: samples(m) for m in ("good", "poor")})
    results: dict[str, Row] = field(default_factory=lambda: {m: results(m) for m in ("good", "poor")})

    def write(self, task: str = "gsm8k", date: str = DATE) -> Path:
        for model, rows in self.rows.items():
            folder = self.root / f"org__{model}"
            folder.mkdir(parents=True, exist_ok=True)
            lines = "".join(json.dumps(r) + "\n" for r in rows)
            (folder / f"samples_{task}_{date}.jsonl").write_text(lines)
            if model in self.results:
                (folder / f"results_{date}.json").write_text(json.dumps(self.results[model], indent=2))
        return self.root


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


def values(s: Scores, model: str, task: int = 0) -> list[float]:
    by_id = dict(zip(s.tasks[task].units, s.tasks[task].values[:, s.models.index(model)], strict=True))
    return [by_id[str(i)] for i in range(len(by_id))]


def two_filters(out: Out) -> None:
    strict = {m: samples(m, filter="strict-match") for m in out.rows}
    for model in out.rows:
        flexible = [r | {"filter": "flexible-extract", "exact_match": 1.0} for r in strict[model]]
        mixed = [r for pair in zip(strict[model], flexible, strict=True) for r in pair]
        out.rows[model] = mixed

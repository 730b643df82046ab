"""Files as the tools write them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from ropewalk.data import Scores
from ropewalk.read import read

SAMPLES = Path(__file__).parent / "samples"


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


def means(s: Scores) -> dict[str, float]:
    return dict(zip(s.models, s.tasks[0].values.mean(axis=0).tolist(), strict=True))


def deepeval(right: list[float], *, inner: bool = False, error: int = -1) -> str:
    """A test run as DeepEval 3 saves it, under the names of its API."""
    cases = [
        {
            "name": f"test_case_{i}",
            "input": f"question {i}",
            "actualOutput": "…",
            "expectedOutput": f"answer {i}",
            "success": value >= 0.5,
            "metricsData": [
                {
                    "name": "Answer Relevancy",
                    "threshold": 0.5,
                    "success": value >= 0.5,
                    "score": None if i == error else value,
                    "strictMode": False,
                    "error": "timeout" if i == error else None,
                }
            ],
            "runDuration": 0.1,
            "order": i,
        }
        for i, value in enumerate(right)
    ]
    run = {"testFile": None, "testCases": cases, "conversationalTestCases": [], "metricsScores": []}
    return json.dumps({"testRunData": run} if inner else run)


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def ragas(values: list[Any]) -> list[dict[str, Any]]:
    return [
        {
            "user_input": f"What is {i}?",
            "retrieved_contexts": "['a, b', 'c']",
            "response": f"It is\n{v}",
            "reference": f"{i}",
            "faithfulness": v,
            "answer_relevancy": 0.5,
        }
        for i, v in enumerate(values)
    ]

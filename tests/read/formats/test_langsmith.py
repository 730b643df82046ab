"""Exports of LangSmith."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.read.formats.written import means, scores, write


def langsmith(values: list[float], experiment: str) -> list[dict[str, Any]]:
    """`to_pandas()` of the results of `evaluate`."""
    return [
        {
            "inputs.question": f"q{i}",
            "outputs.answer": "3",
            "error": "",
            "reference.answer": str(i),
            "feedback.correctness": v,
            "execution_time": 0.1 * (i + 1),
            "example_id": f"0000-{i}",
            "id": f"{experiment}-{i}",
        }
        for i, v in enumerate(values)
    ]


def test_langsmith(tmp_path: Path) -> None:
    write(tmp_path / "base.csv", langsmith([1, 0, 1, 0, 1], "x"))
    write(tmp_path / "new.csv", list(reversed(langsmith([1, 1, 1, 0, 1], "y"))))
    s = scores(tmp_path)
    assert s.models == ("base", "new")
    assert s.metric == "correctness"
    assert means(s) == {"base": 0.6, "new": 0.8}
    assert "examples are paired by example_id" in s.audit.notes
    slow = scores(tmp_path, score="execution_time")
    assert not slow.higher_is_better


def test_langsmith_from_the_download_button(tmp_path: Path) -> None:
    for name, values in (("base", [1, 0, 1]), ("new", [1, 1, 1])):
        rows = [
            {
                "id": f"{name}-{i}",
                "inputs": json.dumps({"question": f"q{i}"}),
                "outputs": json.dumps({"answer": "3"}),
                "reference_outputs": json.dumps({"answer": str(i)}),
                "correctness": v,
                "latency": 1.5,
                "tokens": 100,
            }
            for i, v in enumerate(values)
        ]
        write(tmp_path / f"{name}.csv", rows)
    s = scores(tmp_path)
    assert s.metric == "correctness"
    assert s.tasks[0].values.tolist() == [[1, 1], [0, 1], [1, 1]]
    assert "examples are paired by their inputs" in s.audit.notes

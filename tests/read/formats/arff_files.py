"""ARFF files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ropewalk.data import Scores
from ropewalk.read import read


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


ROWS = 10


TRUTH = ["yes" if i % 3 else "no" for i in range(ROWS)]


def sure(model: str, i: int, repeat: int = 0) -> float:
    """The probability of "yes"."""
    return ((i * (3 if model == "svm" else 7) + repeat) % 10 + 0.5) / 10


def openml(
    model: str, *, repeats: int = 1, rows: Sequence[int] = range(ROWS), truth: list[str] = TRUTH
) -> str:
    lines = ["% run of a flow", "@RELATION openml_task_59_predictions", ""]
    for name in ("repeat", "fold", "row_id"):
        lines.append(f"@ATTRIBUTE {name} NUMERIC")
    lines += [f"@ATTRIBUTE {name} {{yes,no}}" for name in ("prediction", "correct")]
    lines += ["@ATTRIBUTE confidence.yes NUMERIC", "@ATTRIBUTE 'confidence.no' NUMERIC", "", "@DATA"]
    for r in range(repeats):
        for i in rows:
            p = sure(model, i, r)
            guess = "yes" if p > 0.5 else "no"
            lines.append(f"{r},{i % 2},{i},{guess},{truth[i]},{p},{round(1 - p, 10)}")
    return "\n".join(lines) + "\n"

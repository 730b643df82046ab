"""Archives and workbooks."""

from __future__ import annotations

from typing import Any

from ropewalk.data import Scores

ROWS = [["id", "svm", "forest"], [1, 0.5, 0.75], [2, 0.25, 0.5], [3, 1.0, 0.75]]


CSV = "\n".join(",".join(map(str, row)) for row in ROWS) + "\n"


def values(found: Any) -> list[list[float]]:
    assert isinstance(found, Scores)
    out: list[list[float]] = found.tasks[0].values.tolist()
    return out

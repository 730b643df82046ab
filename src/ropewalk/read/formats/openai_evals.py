"""OpenAI evals: JSON lines with a spec, one event per sample, and a final report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ropewalk.errors import ReadError, short
from ropewalk.read.formats.file import File, as_dict, as_list, canonical, plain_number
from ropewalk.read.formats.rows import by_name, log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table

NAME = "OpenAI evals"

_HEAD = re.compile(rb'\s*\{\s*"spec"\s*:\s*\{')


def recognises(file: File) -> bool:
    """Check for a first line with the specification of the run."""
    return _HEAD.match(file.head) is not None and b'"completion_fns"' in file.head


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per run."""
    return [_table(file) for file in files]


def _table(file: File) -> Table:
    objects, source = file.json_lines()
    rows: list[tuple[Any, ...]] = []
    lines, model, task, finished = [], file.stem, "eval", False
    times: Counter[tuple[str, str]] = Counter()
    for line, row in objects:
        if "spec" in row:
            spec = as_dict(row["spec"])
            model = ", ".join(map(str, as_list(spec.get("completion_fns")))) or model
            task = str(spec.get("eval_name", task))
        finished = finished or "final_report" in row
        for metric, value in _scores(row):
            sample = str(row.get("sample_id", ""))
            if not sample:
                raise ReadError(f"{short(file.name)}, line {line:,}: no sample_id")
            times[sample, metric] += 1  # several answers to one sample are repeats
            expected = canonical(as_dict(row["data"]).get("expected"), file.name)
            rows.append((model, task, sample, times[sample, metric], metric, value, expected))
            lines.append(line)
    said = (
        () if finished else (f"{short(task)}, {short(model)}: the run has no final report: is it complete?",)
    )
    return log_table(
        file,
        by_name(("model", "task", "id", "repeat", "metric", "score", "expected"), rows),
        lines=lines,
        source=source,
        log=Log(format=NAME, warnings=said, same={"expected answer": "expected"}),
    )


def _scores(row: dict[str, Any]) -> list[tuple[str, float]]:
    """Return the scores of an event: right or wrong for a match, the numbers for metrics."""
    data = as_dict(row.get("data"))
    if row.get("type") == "match":
        correct = plain_number(data.get("correct"))
        return [] if correct is None else [("accuracy", correct)]
    if row.get("type") == "metrics":
        return [(m, number) for m, v in data.items() if (number := plain_number(v)) is not None]
    return []

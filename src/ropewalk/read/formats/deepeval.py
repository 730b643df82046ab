"""DeepEval: a test run, with the metrics of each test case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ropewalk.errors import ReadError, short
from ropewalk.read.formats.file import File, as_dict, as_list, canonical, digest, plain_number
from ropewalk.read.formats.rows import by_name, log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table

NAME = "DeepEval"

_CASES = ("testCases", "conversationalTestCases")
_KEYS = (b'"metricsData"', b'"testCases"')


def recognises(file: File) -> bool:
    """Check for test cases with the data of their metrics."""
    return file.head.lstrip().startswith(b"{") and all(key in file.head + file.tail for key in _KEYS)


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per test run, named after its file."""
    return [_table(file) for file in files]


def _table(file: File) -> Table:
    document, source = file.json()
    run = as_dict(document)
    run = as_dict(run.get("testRunData", run))  # .latest_test_run.json nests it one level deeper
    cases = [as_dict(case) for key in _CASES for case in as_list(run.get(key))]
    rows: list[tuple[Any, ...]] = []
    times: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    for case in cases:
        unit = digest(canonical(_asked(case), file.name))
        times[unit] += 1
        for metric, value in _scores(case):
            if value is None:
                errors[metric] += 1
                continue
            expected = digest(canonical(case.get("expectedOutput", case.get("expectedOutcome")), file.name))
            rows.append((file.stem, unit, times[unit], metric, value, expected))
    if cases and not rows:
        raise ReadError(f"{short(file.name)} has test cases without a score", hint="Did the metrics run?")
    return log_table(
        file,
        by_name(("model", "id", "repeat", "metric", "score", "expected"), rows),
        source=source,
        log=Log(
            format=NAME,
            notes=("test cases are paired by their input",),
            warnings=tuple(
                f"{short(file.stem)}: {n:,} test case{'s' if n > 1 else ''} without a score of "
                f"`{short(m)}` (errors?), which are left out"
                for m, n in errors.items()
            ),
            same={"expected output": "expected"},
        ),
    )


def _asked(case: Mapping[str, Any]) -> Any:
    """Return the question of a test case: its input, or a conversation's scenario or user messages."""
    if case.get("input") is not None:
        return case["input"]
    if case.get("scenario") is not None:
        return case["scenario"]
    turns = [as_dict(t) for t in as_list(case.get("turns"))]
    return [t.get("content") for t in turns if t.get("role") == "user"] or case.get("name")


def _scores(case: Mapping[str, Any]) -> list[tuple[str, float | None]]:
    """Return the scores by metric, None where a metric failed, and whether all metrics passed."""
    found = [as_dict(m) for m in as_list(case.get("metricsData"))]
    scores: list[tuple[str, float | None]] = [
        (str(m.get("name")), None if m.get("error") else plain_number(m.get("score"))) for m in found
    ]
    return [*scores, ("pass", plain_number(case.get("success")))]

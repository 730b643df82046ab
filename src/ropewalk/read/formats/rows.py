"""Columns that a format found -> the long table that everything after it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, TypeVar

import numpy as np

from ropewalk.data.arrays import strings
from ropewalk.data.audit import Input
from ropewalk.errors import ReadError, listed, short
from ropewalk.read.formats.file import File, plain_number
from ropewalk.read.log import Log
from ropewalk.read.table import Table

T = TypeVar("T")

_SHORT = 100  # most characters of a name; anything longer is a text
_MOST_FIELDS = 30
_PLAIN = {type(None), str, bool, int, float}


def log_table(
    file: File,
    columns: Mapping[str, Sequence[Any]],
    *,
    log: Log,
    source: Input | None,
    lines: Sequence[int] | None = None,
) -> Table:
    """Make a table with model, task (if any), metric, score, keys of a unit, and the columns in `log`."""
    height = len(columns["score"])
    if not height:
        raise ReadError(
            f"{short(file.name)} has no scores", hint="Was the run finished and the file written?"
        )
    return Table(
        name=file.name,
        stem=file.stem,
        columns={
            name: np.array(cells, dtype=np.float64) if name == "score" else strings(cells)
            for name, cells in columns.items()
        },
        height=height,
        lines=None if lines is None else np.array(lines, dtype=np.intp),
        input=source,
        log=log,
    )


def by_name(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """Return the columns of these names.

    >>> by_name(("id", "score"), [("a", 1.0), ("b", 0.0)])
    {'id': ('a', 'b'), 'score': (1.0, 0.0)}
    """
    return dict(zip(names, zip(*rows, strict=True) if rows else repeat(()), strict=False))


def whole_metrics(
    cells: Mapping[str, Sequence[Any]], file: File
) -> tuple[dict[str, list[float]], dict[str, str]]:
    """Return the metrics that have a number for every example, and the others with the reason."""
    found: dict[str, list[float]] = {}
    skipped: dict[str, str] = {}
    for metric, values in cells.items():
        numbers = [n for v in values if (n := plain_number(v)) is not None]
        if len(numbers) == len(values):
            found[metric] = numbers
        else:
            skipped[metric] = f"no number for {len(values) - len(numbers):,} of {len(values):,} examples"
    if not found:
        raise no_metric(file, skipped)
    return found, skipped


def no_metric(file: File, skipped: Mapping[str, str]) -> ReadError:
    """Return the error for a log without a metric that can be paired."""
    return ReadError(
        f"{short(file.name)} has no metric with one number per example",
        where=[f"`{short(m)}`: {why}" for m, why in list(skipped.items())[:5]],
        hint="Totals of a whole task cannot be paired example by example.",
    )


def skipped_notes(skipped: Mapping[str, str], task: str) -> list[str]:
    """Note the metrics of a task that are not read."""
    return [f"skipped: {short(m)} of {short(task)} ({why})" for m, why in skipped.items()]


def metadata_columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return metadata fields that can be clusters: fields whose values are all short and plain.

    >>> metadata_columns([{"story": "s1", "text": ["long"]}, {"story": None}])
    {'metadata.story': ['s1', '']}
    """
    found: dict[str, list[Any]] = {}
    for key in dict.fromkeys(key for row in rows for key in row):
        values = [row.get(key) for row in rows]
        texts = {v for v in values if isinstance(v, str)} if str in (kinds := set(map(type, values))) else ()
        if kinds <= _PLAIN and all(len(t) <= _SHORT for t in texts) and len(found) < _MOST_FIELDS:
            found[f"metadata.{key}"] = ["" if v is None else v for v in values]
    return found


def repeats(units: Iterable[Hashable]) -> list[int]:
    """Number the occurrences of each unit: an equal unit further down is a repeat.

    >>> repeats(["a", "b", "a"])
    [1, 1, 2]
    """
    times: Counter[Hashable] = Counter()
    out = []
    for unit in units:
        times[unit] += 1
        out.append(times[unit])
    return out


def newest(
    items: Sequence[T], key: Callable[[T], object], date: Callable[[T], str]
) -> tuple[list[T], list[T]]:
    """Return the newest entry of each key (dates sort as text), in the given order, and the others.

    >>> newest(["a1", "b1", "a2"], key=lambda s: s[0], date=lambda s: s[1])
    (['b1', 'a2'], ['a1'])
    """
    last = {key(item): item for item in sorted(items, key=date)}
    return [i for i in items if last[key(i)] is i], [i for i in items if last[key(i)] is not i]


def older_note(names: Sequence[str]) -> list[str]:
    """Note files that are not read because there is a newer one for the same model and task."""
    if not names:
        return []
    many = "s" if len(names) > 1 else ""
    return [f"{len(names):,} older file{many} of the same model and task not read: {listed(names, most=3)}"]


def by_metric(
    shared: Mapping[str, Sequence[Any]], metrics: Mapping[str, Sequence[float]]
) -> dict[str, list[Any]]:
    """Convert wide to long: the rows are repeated for each metric.

    >>> by_metric({"id": ["a", "b"]}, {"f1": [0.1, 0.2], "em": [0, 1]})["metric"]
    ['f1', 'f1', 'em', 'em']
    """
    return {
        **{name: list(cells) * len(metrics) for name, cells in shared.items()},
        "metric": [metric for metric, values in metrics.items() for _ in values],
        "score": [v for values in metrics.values() for v in values],
    }

"""Exports with one row per example and a column for each metric -> the long table of a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ropewalk.data.arrays import Strings
from ropewalk.errors import DataError, ReadError, listed, short
from ropewalk.read.csv import dialect, from_csv
from ropewalk.read.formats.file import File, canonical, decoded, digest
from ropewalk.read.formats.rows import by_name, log_table, repeats
from ropewalk.read.jsonl import from_json
from ropewalk.read.log import Log
from ropewalk.read.table import Table, as_text, has_numbers, parsed


def header_of(file: File) -> frozenset[str]:
    """Return the columns of a CSV file, or the keys of the first JSON row, as far as the first bytes show."""
    start = file.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start or start[:1] in b"{[":
        return frozenset()
    try:
        line = start.split(b"\n", 1)[0].decode("utf-8")
        return frozenset(dialect(line + "\n", name=file.name).header)
    except (DataError, ValueError):  # it is not an export of one of these tools
        return frozenset()


def read_export(file: File) -> Table:
    """Read a CSV file, JSON lines or an array of objects as a table."""
    content, source = file.content()
    text = decoded(content, file.name)
    read = from_json if text.lstrip()[:1] in ("{", "[") else from_csv
    return read(text, name=file.name, stem=file.stem, source=source)


def log_of(
    file: File,
    table: Table,
    *,
    log: Log,
    units: Sequence[str],
    metrics: Mapping[str, str],
    same: Mapping[str, Sequence[str]],
) -> Table:
    """Return a log with one row per example and metric; the model is named after the file.

    `units` are the columns that identify an example: a single column unchanged, several by their hash.
    `metrics` maps each metric to its column; rows without a number in it are left out, with a note. `same`
    lists the columns that must agree wherever an example occurs.
    """
    ids = _ids(table, units, file)
    again = repeats(ids)
    agreed = {what: _hashes(table, columns, file) for what, columns in same.items() if columns}
    lines = table.lines if table.lines is not None else np.arange(1, table.height + 1)
    cells: list[tuple[Any, ...]] = []
    kept_lines: list[int] = []
    warnings = list(log.warnings)
    for metric, column in metrics.items():
        values = parsed(table.columns[column])
        rows = np.flatnonzero(np.isfinite(values))
        if len(rows) < table.height:
            warnings.append(
                f"{short(file.stem)}: {table.height - len(rows):,} of {table.height:,} rows have no number "
                f"in `{short(column)}` and are left out of this metric"
            )
        for i in rows:
            cells.append((file.stem, ids[i], again[i], metric, values[i], *(a[i] for a in agreed.values())))
            kept_lines.append(int(lines[i]))
    if not cells:
        raise ReadError(
            f"{short(file.name)} has no column of numbers that could be a metric",
            where=[f"columns: {listed(table.columns, most=12)}"],
            hint="Was a metric or an evaluator run?",
        )
    columns = by_name(("model", "id", "repeat", "metric", "score", *agreed), cells)
    told = replace(log, warnings=tuple(warnings), same={what: what for what in agreed})
    return log_table(file, columns, log=told, source=table.input, lines=kept_lines)


def metric_columns(table: Table, without: Sequence[str]) -> dict[str, str]:
    """Return the remaining numeric columns."""
    return {c: c for c in table.columns if c not in without and _is_metric(table, c)}


def _is_metric(table: Table, column: str) -> bool:
    cells = table.columns[column]
    return has_numbers(cells) and bool(np.isfinite(parsed(cells)).any())


def _ids(table: Table, units: Sequence[str], file: File) -> Strings:
    if len(units) == 1:
        return as_text(table.columns[units[0]])
    return _hashes(table, units, file)


def _hashes(table: Table, columns: Sequence[str], file: File) -> Strings:
    cells = zip(*(as_text(table.columns[c]).tolist() for c in columns), strict=True)
    out = np.empty(table.height, dtype=object)
    out[:] = [digest(canonical(row, file.name)) for row in cells]
    return out

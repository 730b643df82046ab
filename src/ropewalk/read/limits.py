"""Cells such as ">3600": a run that was stopped at its limit, so that the true value exceeds it.

The table is split into two of the same shape, one with the limits in place of the values and one with marks,
and both are read in the usual way: so the marks pair up exactly as the values do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ropewalk.data import Scores
from ropewalk.errors import ColumnError, DataError, short
from ropewalk.read.files import from_paths, is_paths
from ropewalk.read.frame import frames, from_frame
from ropewalk.read.in_memory import read_tables
from ropewalk.read.roles import Options, Roles
from ropewalk.read.score_layout import score_columns
from ropewalk.read.table import Column, Table, as_text

_LIMIT = re.compile(r"\s*>=?\s*([-+]?\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?)\s*")
_YES = ("1", "true", "yes", "y", "t", "1.0")
_NO = ("0", "false", "no", "n", "f", "0.0", "")


def read_limits(source: Any, column: str | None, options: Options) -> tuple[Scores, Scores] | None:
    """Return scores with limits as values, and marks (1 for a limit); None if nothing is limited.

    In a long table, `column` names the column of marks; otherwise cells such as ">3600" mark limits.
    """
    tables = _tables(source, options)
    if not tables:
        return None
    found = [_by_column(t, column, options) if column is not None else _by_cells(t) for t in tables]
    if not any(marks for _, marks in found):
        return None
    values = read_tables([table for table, _ in found], options)
    if not isinstance(values, Scores):
        raise DataError(
            "only scores can have limits, and these are predictions or counts",
            hint="Give one value per model and unit, such as a run time.",
        )
    zeros = [_marked(table, marks, values.models) for table, marks in found]
    marks = read_tables(zeros, replace(options, higher_is_better=True))
    assert isinstance(marks, Scores)  # marks have the same shape as the scores
    return values, marks


def _tables(source: Any, options: Options) -> list[Table]:
    if is_paths(source):
        return from_paths(source, options)
    if isinstance(source, (Mapping, list, tuple)):
        return frames(source)
    table = from_frame(source)
    return [] if table is None else [table]


def _by_cells(table: Table) -> tuple[Table, dict[str, Column]]:
    """Return columns in which some cells are limits, without the sign, and which cells were limits."""
    columns, marks = dict(table.columns), {}
    for name, cells in table.columns.items():
        if cells.dtype != object:
            continue
        limits = [_LIMIT.fullmatch(cell) for cell in cells]
        if not any(limits):
            continue
        # Parsed as text, so that empty and non-numeric cells are handled in the usual way.
        texts = [m[1] if m else cell for m, cell in zip(limits, cells, strict=True)]
        columns[name] = np.array(texts, dtype=object)
        marked = ["1" if m else "0" if cell.strip() else cell for m, cell in zip(limits, cells, strict=True)]
        marks[name] = np.array(marked, dtype=object)
    return replace(table, columns=columns), marks


def _by_column(table: Table, column: str, options: Options) -> tuple[Table, dict[str, Column]]:
    """Remove the column of marks from the table; each mark belongs to the score of its row."""
    if column not in table.columns:
        raise ColumnError(
            f"{short(table.name)} has no column `{short(column)}`",
            hint=f"Its columns are {', '.join(f'`{short(c)}`' for c in list(table.columns)[:8])}.",
        )
    words = [cell.strip().lower() for cell in as_text(table.columns[column])]
    bad = np.array([k for k, word in enumerate(words) if word not in (*_YES, *_NO)], dtype=np.intp)
    if bad.size:
        raise table.bad_cells(
            column, bad, "neither yes nor no", "Write 1 where a run hit its limit, and 0 elsewhere."
        )
    rest = replace(table, columns={c: x for c, x in table.columns.items() if c != column})
    (score,) = score_columns(Roles(rest, options))
    return rest, {score: np.array([float(word in _YES) for word in words])}


def _marked(table: Table, marks: Mapping[str, Column], models: Sequence[str]) -> Table:
    """Return the table with marks in place of the values: in a wide table, in every model's column."""
    columns = dict(table.columns)
    wide = [m for m in models if m in columns and m not in marks]
    for name in wide if any(m in columns for m in models) else ():
        columns[name] = np.zeros(table.height)
    return replace(table, columns={**columns, **marks})

"""Tables of n00, n01, n10, n11 -> Counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.data import Audit, Counts, TaskCounts
from ropewalk.data.counts import MOST_COUNT
from ropewalk.errors import DataError, listed, short
from ropewalk.read.roles import compact
from ropewalk.read.table import Table, as_text, numbers, parsed, text

_CELLS = ("n00", "n01", "n10", "n11")


def has_counts(table: Table) -> bool:
    """Whether the table has all four count columns."""
    return set(_CELLS) <= {compact(c) for c in table.columns}


def read_counts(tables: Sequence[Table], task: str | None) -> Counts:
    """Read one row per task; the columns `a` and `b` (or `model_a`, `model_b`) name the models."""
    if len(tables) > 1:
        raise DataError(
            f"there are {len(tables)} files of counts",
            where=[short(t.name) for t in tables[:5]],
            hint="Give one file: one row per task, n00, n01, n10 and n11 of one pair of models.",
        )
    table = tables[0]
    found = {compact(c): c for c in table.columns}
    cells = [table.columns[found[cell]] for cell in _CELLS]
    counted = np.any([(as_text(column) != "") & (parsed(column) != 0) for column in cells], axis=0)
    rows = np.flatnonzero(counted)
    columns = {}
    for cell in _CELLS:
        values = numbers(table, found[cell], rows)
        bad = np.flatnonzero((values < 0) | (values > MOST_COUNT) | (values != np.floor(values)))
        if bad.size:
            raise table.bad_cells(found[cell], rows[bad], "no count", "Counts are whole numbers from 0 up.")
        columns[cell] = values
    names = None if task is None else text(table, task)
    empty = [] if names is None else names[~counted].tolist()
    lost = [f"left out, because nothing was counted there: {listed(empty)}"] if empty else []
    if names is None and table.height > 1:
        raise DataError(
            f"{short(table.name)} has {table.height} rows of counts and no column that names the tasks",
            hint='Give one row per task, with the task\'s name in a column: task="COLUMN" (--task COLUMN).',
        )
    tasks = tuple(
        TaskCounts(name=None if names is None else names[i], **{c: int(columns[c][k]) for c in _CELLS})
        for k, i in enumerate(rows)
    )
    notes = (
        "n01 counts examples that the first model gets wrong and the second right",
        *([] if task is None else [f"tasks: `{short(task)}`"]),
    )
    return Counts(
        a=_model(table, found, "a"),
        b=_model(table, found, "b"),
        tasks=tasks,
        audit=Audit(
            paired=sum(t.n for t in tasks),
            notes=notes,
            warnings=tuple(lost),
            inputs=() if table.input is None else (table.input,),
        ),
    )


def _model(table: Table, found: dict[str, str], side: str) -> str:
    column = found.get(f"model{side}", found.get(side))
    if column is None:
        return side.upper()
    names = list(dict.fromkeys(as_text(table.columns[column]).tolist()))
    if len(names) > 1:
        raise DataError(
            f"{short(table.name)} has counts of several models in `{short(column)}`: {listed(names)}",
            hint="Give the counts of one pair of models at a time.",
        )
    return str(names[0])

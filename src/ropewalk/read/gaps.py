"""Models that were not run on some of the tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Strings, coded, strings
from ropewalk.errors import short
from ropewalk.read.block import Block
from ropewalk.read.table import as_text


def without_empty_tasks(blocks: Sequence[Block]) -> list[Block]:
    """In wide tables of three or more models, drop a model's rows on tasks where all its cells are empty.

    Models that were run on the same tasks stay together. Single empty cells are left for the reader to
    report.
    """
    return [part for block in blocks for part in _parted(block)]


def without_empty_cells(blocks: Sequence[Block]) -> list[Block]:
    """Drop the rows of each model whose cell is empty: the model lacks these units.

    Rows that are paired by position are numbered first. A block with the truth alone stays as it is.
    """
    return [part for block in blocks for part in _filled(_with_rows(block))]


def _with_rows(block: Block) -> Block:
    if block.keys or len(block.columns) < 2:
        return block
    rows = strings(range(1, block.table.height + 1))
    table = replace(block.table, columns={**block.table.columns, "row": rows})
    return replace(block, table=table, keys={"unit": "row"})


def _filled(block: Block) -> list[Block]:
    parts: dict[bytes, tuple[NDArray[np.bool_], dict[str, tuple[str, ...]]]] = {}
    for model, columns in block.columns.items():
        filled = np.logical_and.reduce([as_text(block.table.columns[c][block.rows]) != "" for c in columns])
        parts.setdefault(filled.tobytes(), (filled, {}))[1][model] = columns
    if not parts:
        return [block]
    return [
        replace(block, rows=block.rows[filled], columns=columns)
        for filled, columns in parts.values()
        if filled.any()
    ]


def _parted(block: Block) -> list[Block]:
    if len(block.columns) < 3 or "task" not in block.keys:
        return [block]
    task, names = coded(block.key("task"))
    size = np.bincount(task)
    parts: dict[bytes, tuple[NDArray[np.bool_], dict[str, tuple[str, ...]]]] = {}
    for model, columns in block.columns.items():
        empty = np.logical_and.reduce([as_text(block.table.columns[c][block.rows]) == "" for c in columns])
        run = np.bincount(task, weights=empty, minlength=len(names)) < size
        parts.setdefault(run.tobytes(), (run, {}))[1][model] = columns
    if len(parts) == 1:
        return [block]
    return [
        replace(block, rows=block.rows[run[task]], columns=columns)
        for run, columns in parts.values()
        if run.any()
    ]


def not_run(
    absent: Mapping[str, NDArray[np.bool_]], tasks: Strings | None, owner: Mapping[str, str] | None = None
) -> list[str]:
    """Describe which models were not run on which tasks, by missing rows; without `tasks`, a row is a task.

    `owner` has the model of each training run, from which the run's name derives.
    """
    if not any(rows.any() for rows in absent.values()):
        return []
    n = next(iter(absent.values())).size
    where, names = (np.arange(n), None) if tasks is None else coded(tasks)
    found: dict[str, set[int]] = {}
    for name, rows in absent.items():
        model, lacking = (owner or {}).get(name, name), set(where[rows].tolist())
        found[model] = found.get(model, lacking) & lacking  # a model is present if one of its runs is
    some = {m: lacking for m, lacking in found.items() if lacking}
    if not some:
        return []
    listing = ", ".join(f"{short(m)} on {_which(lacking, names)}" for m, lacking in list(some.items())[:8])
    more = ", …" if len(some) > 8 else ""
    return [f"models that were not run on some of the {len(np.unique(where)):,} tasks: {listing}{more}"]


def _which(lacking: set[int], names: Strings | None) -> str:
    """Return the number of tasks, and their names if they are few."""
    count = f"{len(lacking):,}"
    if names is None or len(lacking) > 3:
        return count
    return f"{count} ({', '.join(short(names[t]) for t in sorted(lacking))})"

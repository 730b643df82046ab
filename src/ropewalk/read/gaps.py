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
    return _with_their_rows(block, {m: ~empty for m, empty in _empty(block).items()})


def _parted(block: Block) -> list[Block]:
    if len(block.columns) < 3 or "task" not in block.keys:
        return [block]
    task, _ = coded(block.key("task"))
    size = np.bincount(task)
    ran = {m: (np.bincount(task, weights=empty) < size)[task] for m, empty in _empty(block).items()}
    # A task that no model was run on stays, so that its empty cells are reported.
    return [block] if len({kept.tobytes() for kept in ran.values()}) == 1 else _with_their_rows(block, ran)


def _empty(block: Block) -> dict[str, NDArray[np.bool_]]:
    """Return the rows on which all cells of a model are empty."""
    return {
        model: np.logical_and.reduce([as_text(block.table.columns[c][block.rows]) == "" for c in columns])
        for model, columns in block.columns.items()
    }


def _with_their_rows(block: Block, rows: Mapping[str, NDArray[np.bool_]]) -> list[Block]:
    """Return a block for each set of models that have the same rows; the block itself if all have all."""
    if all(kept.all() for kept in rows.values()):
        return [block]
    parts: dict[bytes, dict[str, tuple[str, ...]]] = {}
    for model, kept in rows.items():
        parts.setdefault(kept.tobytes(), {})[model] = block.columns[model]
    masks = [(np.frombuffer(kept, dtype=bool), columns) for kept, columns in parts.items()]
    return [replace(block, rows=block.rows[kept], columns=own) for kept, own in masks if kept.any()]


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

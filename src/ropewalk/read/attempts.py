"""Several attempts of a model at the same item: their mean is the item's score.

The first attempt of one model has nothing to do with the first of another, so attempts are not paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ropewalk.data.arrays import Strings, coded
from ropewalk.errors import short
from ropewalk.read.block import Block
from ropewalk.read.keys import combined
from ropewalk.read.table import Table, numbers


def averaged(blocks: Sequence[Block]) -> tuple[list[Block], list[str]]:
    """The blocks with one row per item, and a note of how many attempts each model had.

    Attempts are what a column called `attempt` tells apart; repeats too, where the models have different
    numbers of them on the same items. Other blocks stay as they are.
    """
    role = _role(blocks)
    if role is None:
        return list(blocks), []
    counts: dict[str, set[int]] = {}
    out = []
    for block in blocks:
        merged, each = _mean_of_attempts(block, role)
        out.append(merged)
        for model in block.columns:
            counts.setdefault(model, set()).update(each)
    said = ", ".join(f"{short(m)} {_span(found)}" for m, found in list(counts.items())[:8])
    return out, [f"attempts at the same item were averaged: {said}"]


def _role(blocks: Sequence[Block]) -> str | None:
    """The role that tells attempts apart, if there are any."""
    if not all("unit" in b.keys for b in blocks):
        return None
    if all("attempt" in b.keys for b in blocks):
        return "attempt"
    if not all("repeat" in b.keys for b in blocks) or any("fold" in b.keys for b in blocks):
        return None  # repeats of a cross-validation are paired
    apart = all(len(_items(b, "")[1]) == len(b.rows) for b in blocks)  # two alike are a mistake
    return "repeat" if apart and len({_largest(b, "repeat") for b in blocks}) > 1 else None


def _items(block: Block, role: str) -> tuple[np.ndarray, np.ndarray]:
    keys = [coded(block.key(r))[0] for r in block.keys if r != role]
    return combined(keys)


def _largest(block: Block, role: str) -> int:
    """The largest number of rows of one item."""
    return int(np.bincount(_items(block, role)[0]).max())


def _mean_of_attempts(block: Block, role: str) -> tuple[Block, set[int]]:
    item, first = _items(block, role)
    times = np.bincount(item)
    table = block.table
    columns: dict[str, Strings | np.ndarray] = {
        name: cells[block.rows][first] for name, cells in table.columns.items()
    }
    for column, *_rest in block.columns.values():
        columns[column] = np.bincount(item, weights=numbers(table, column, block.rows)) / times
    merged = Table(
        name=table.name, stem=table.stem, columns=columns, height=len(first), input=table.input, log=table.log
    )
    keys = {r: c for r, c in block.keys.items() if r != role}
    return replace(block, table=merged, rows=np.arange(len(first)), keys=keys), set(times.tolist())


def _span(found: set[int]) -> str:
    low, high = min(found), max(found)
    return f"{low} each" if low == high else f"{low} to {high}"

"""Several attempts of a model at the same item: their mean is the item's score.

The first attempt of one model is unrelated to the first of another, so attempts are not paired. An
attempt that is a prediction is right or wrong, and an item's score the share of its attempts that are right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ropewalk.data.arrays import Floats, Strings, coded, strings
from ropewalk.errors import DataError, OptionError, PairingError, listed, short
from ropewalk.read.block import Block
from ropewalk.read.keys import combined
from ropewalk.read.kinds import outputs_of
from ropewalk.read.roles import Options
from ropewalk.read.table import Table, numbers


def averaged(blocks: Sequence[Block]) -> tuple[list[Block], list[str]]:
    """Return blocks with one row per item, and a note with each model's number of attempts.

    A column called `attempt` numbers the attempts. Repeats count as attempts if the models have different
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


def right_or_wrong(blocks: Sequence[Block], options: Options) -> list[Block] | None:
    """Score predictions with several attempts per item, 1 for right; None if no item has several."""
    having = [b for b in blocks if b.columns]
    role = _role(having)
    if role is None:
        return None
    if options.pick not in (None, "accuracy"):
        raise OptionError(
            f"{short(options.pick)} is not defined for several attempts at the same item",
            hint="Omit it to compare the proportion of right attempts; or keep one attempt per item.",
        )
    outputs = outputs_of(list(blocks), options)
    if outputs.kind != "labels":
        raise DataError(
            f"there are several attempts at the same item, and their predictions are {outputs.kind}",
            hint="Only right and wrong answers are averaged. Give a column `score` with the score of each\n"
            "attempt, which is averaged per item; or keep one attempt per item.",
        )
    truth = _truth_of_items(blocks, outputs.truth, role)
    found = []
    for i, block in enumerate(blocks):
        if not block.columns:
            continue
        true = truth(block)
        columns = {name: cells[block.rows] for name, cells in block.table.columns.items()}
        places = {m: f"{m} is right" for m in block.columns}
        columns |= {places[m]: (outputs.values[m][i] == true).astype(np.float64) for m in places}
        table = replace(block.table, columns=columns, height=len(block.rows))
        outcomes: dict[str, tuple[str, ...]] = {m: (column,) for m, column in places.items()}
        found.append(replace(block, table=table, rows=np.arange(table.height), columns=outcomes, truth=None))
    return found


def _truth_of_items(
    blocks: Sequence[Block], told: Mapping[int, Strings | Floats], role: str
) -> Callable[[Block], Strings]:
    """Return the truth of every row of a block, from whichever file has the truth of its item."""

    def names(block: Block) -> list[tuple[str, ...]]:
        return [*zip(*(block.key(r) for r in block.keys if r != role), strict=True)]

    known: dict[tuple[str, ...], str] = {}
    for i, true in told.items():
        for item, label in zip(names(blocks[i]), true.tolist(), strict=True):
            if known.setdefault(item, label) != label:
                raise PairingError(
                    f'the item "{short("/".join(item))}" has two truths: {listed([known[item], label])}',
                    hint="All attempts at an item need the same truth.",
                )

    def of(block: Block) -> Strings:
        items = names(block)
        without = next((item for item in items if item not in known), None)
        if without is not None:
            raise PairingError(
                f'{short(block.label)}: the item "{short("/".join(without))}" has no truth',
                hint="Give the truth of every item that was attempted.",
            )
        return strings(known[item] for item in items)

    return of


def _role(blocks: Sequence[Block]) -> str | None:
    """Return the role of the column that numbers the attempts, if there is one."""
    if not all("unit" in b.keys for b in blocks):
        return None
    if all("attempt" in b.keys for b in blocks):
        return "attempt"
    if not all("repeat" in b.keys for b in blocks) or any("fold" in b.keys for b in blocks):
        return None  # repeats of a cross-validation are paired
    apart = all(len(_items(b, "")[1]) == len(b.rows) for b in blocks)  # two equal rows are a mistake
    return "repeat" if apart and len({_largest(b, "repeat") for b in blocks}) > 1 else None


def _items(block: Block, role: str) -> tuple[np.ndarray, np.ndarray]:
    keys = [coded(block.key(r))[0] for r in block.keys if r != role]
    return combined(keys)


def _largest(block: Block, role: str) -> int:
    """Return the largest number of rows of one item."""
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

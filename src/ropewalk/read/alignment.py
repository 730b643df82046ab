"""Whether paired rows of evaluation logs are about the same example: the audit of each task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ropewalk.data.arrays import Ints, Strings, rows_by_name, strings
from ropewalk.errors import PairingError, listed, short
from ropewalk.read.block import Block
from ropewalk.read.log import NO_TASK
from ropewalk.read.pairing import Paired
from ropewalk.read.table import Column

_MOST_LINES = 24  # with more tasks than this, only those that need attention get a line


def alignment(paired: Paired) -> tuple[list[str], list[str]]:
    """Notes and warnings, one line per task: the number of units paired, and models with different prompts.

    It is an error if the document or target of a unit differs between models.
    """
    if any(b.table.log is None for b in paired.blocks):
        return [], []
    tasks = paired.parts.get("task", strings([NO_TASK] * len(paired.names)))
    units = rows_by_name(tasks)
    for what in _kinds(paired, "same"):
        values = _by_model(paired, "same", what)
        for name, rows in units:
            _must_agree(values, rows, what, name, paired.names)
    total = _totals(paired)
    differ: dict[str, list[str]] = {name: [] for name, _ in units}
    for what in _kinds(paired, "alike"):
        values = _by_model(paired, "alike", what)
        for name, rows in units:
            odd = _odd_ones(values, rows)
            if odd:
                differ[name].append(f"{what} differs for {listed(odd, most=4)}")
    notes, warnings = [], []
    for name, rows in units:
        line = "; ".join([f"{short(name)}: {len(rows):,} of {total[name]:,} paired", *differ[name]])
        if differ[name] or len(rows) < total[name]:
            warnings.append(line)
        else:
            notes.append(line)
    if len(notes) > _MOST_LINES:
        notes = [f"{len(notes):,} tasks: all units paired"]
    return notes, warnings


def _kinds(paired: Paired, kind: str) -> list[str]:
    return list(dict.fromkeys(what for b in paired.blocks for what in getattr(b.table.log, kind)))


def _by_model(paired: Paired, kind: str, what: str) -> dict[str, Column]:
    """Return each model's value for each unit; None where the model was not run."""

    def column(block: Block) -> list[str]:
        name = getattr(block.table.log, kind).get(what)
        return [name] if name in block.table.columns else []

    return next((cells for _, cells in paired.by_model(column)), {})


def _must_agree(values: dict[str, Strings], rows: Ints, what: str, task: str, units: Column) -> None:
    """Raise an error unless all models that were run on a task have the same values."""
    ran = [(model, cells[rows]) for model, cells in values.items() if None not in cells[rows]]
    for model, cells in ran[1:]:
        first, asked = ran[0]
        other = np.flatnonzero(cells != asked)
        if other.size:
            place = "" if task == NO_TASK else f"{short(task)}: "
            raise PairingError(
                f"{place}{short(first)} and {short(model)} differ in the {what} of {other.size:,} "
                f"unit{'s' if other.size > 1 else ''}",
                where=[
                    f'"{short(units[rows[k]])}": "{short(asked[k])}" and "{short(cells[k])}"'
                    for k in other[:5]
                ],
                hint="One unit must be one example: were both made from the same data?",
            )


def _odd_ones(values: dict[str, Strings], rows: Ints) -> list[str]:
    """Return the models outside the largest group of models that agree on all units."""
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for model, cells in values.items():
        own = tuple(cells[rows])
        if None not in own:  # None: not run on this task
            groups[own].append(model)
    if len(groups) < 2:
        return []
    usual = max(groups.values(), key=len)
    return [m for group in groups.values() if group is not usual for m in group]


def _totals(paired: Paired) -> dict[str, int]:
    """Count the units of each task that at least one model has."""
    found: dict[str, set[Sequence[str]]] = defaultdict(set)
    for block in paired.blocks:
        keys = [block.key(role) for role in paired.key.roles if role != "row"]
        tasks = block.key("task") if "task" in block.keys else strings([NO_TASK] * len(block.rows))
        for task, *key in zip(tasks, *keys, strict=True):
            found[task].add(tuple(key))
    return {task: len(keys) for task, keys in found.items()}

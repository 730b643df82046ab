"""Whether paired rows of evaluation logs are about the same example: the audit of each task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ropewalk.data.arrays import Ints, Strings, coded, strings
from ropewalk.errors import PairingError, listed, short
from ropewalk.read.log import NO_TASK
from ropewalk.read.pairing import Paired
from ropewalk.read.table import Column, as_text

_MOST_LINES = 24  # with more tasks than this, only those that need attention get a line


def alignment(paired: Paired) -> tuple[list[str], list[str]]:
    """Notes and warnings, one line per task: the number of units paired, and models with different prompts.

    It is an error if the document or target of a unit differs between models.
    """
    if any(b.table.log is None for b in paired.blocks):
        return [], []
    tasks = paired.parts.get("task", strings([NO_TASK] * len(paired.names)))
    codes, names = coded(tasks)
    units = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    for what in _kinds(paired, "same"):
        values = _by_model(paired, "same", what)
        for name, rows in zip(names, units, strict=True):
            _must_agree(values, rows, what, name, paired.names)
    total = _totals(paired)
    differ: dict[str, list[str]] = {name: [] for name in names}
    for what in _kinds(paired, "alike"):
        values = _by_model(paired, "alike", what)
        for name, rows in zip(names, units, strict=True):
            odd = _odd_ones(values, rows)
            if odd:
                differ[name].append(f"{what} differs for {listed(odd, most=4)}")
    notes, warnings = [], []
    for name, rows in zip(names, units, strict=True):
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


def _columns(paired: Paired, kind: str, what: str) -> dict[int, Column]:
    """Return the values of a column for each block that has it."""
    out = {}
    for i, block in enumerate(paired.blocks):
        column = getattr(block.table.log, kind).get(what)
        if column in block.table.columns:
            out[i] = as_text(block.table.columns[column][block.rows])
    return out


def _by_model(paired: Paired, kind: str, what: str) -> dict[str, Strings]:
    """Return each model's value for each unit; None where the model was not run."""
    columns = _columns(paired, kind, what)
    blocks: dict[str, dict[int, Column]] = defaultdict(dict)
    for i, cells in columns.items():
        for model in paired.blocks[i].columns:
            blocks[model][i] = cells
    return {model: paired.gather(parts) for model, parts in blocks.items()}


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

"""Paired units -> Design: how many folds, how many repeats, how large the test sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.data import Design
from ropewalk.data.arrays import Floats, Ints, coded, rows_by_name
from ropewalk.read.keys import combined
from ropewalk.read.pairing import Paired
from ropewalk.read.table import Table, numbers

# A single cross-validation rarely has this many folds: it is probably a repeated one.
_MANY_FOLDS = 10


def designs_of(paired: Paired) -> tuple[Design, dict[str, Design], list[str]]:
    """Return the overall design, the design of each task that differs from it, and warnings.

    The largest task defines the overall design. With one task, or none named, there is no other.
    """
    task = paired.parts.get("task") if paired.key.kind != "task" else None
    sizes = _sizes_of(paired) if paired.key.kind in ("fold", "seed") else None
    whole = _design(paired, sizes, np.arange(len(paired.names)))
    warnings = []
    if whole.folds > _MANY_FOLDS and not _runs(paired):
        warnings.append(
            f"{whole.folds} folds and no repeats: if this is repeated cross-validation, name the column of "
            "the repeats (--repeat COLUMN), because the correlation 1/k depends on it"
        )
    if paired.key.kind == "seed" and "repeat" in paired.key.roles and sizes is None:
        warnings.append(
            "the repeats are treated as runs that share no training data; if each is another random split of "
            "the same data, give their correlation n_test / (n_test + n_train) with rho= (--rho)"
        )
    if task is None or paired.key.kind not in ("fold", "seed"):
        return whole, {}, warnings
    each = {name: _design(paired, sizes, units) for name, units in rows_by_name(task)}
    return whole, {name: design for name, design in each.items() if design != whole}, warnings


def _runs(paired: Paired) -> list[str]:
    return [r for r in paired.key.roles if r in ("repeat", "seed")]


def _design(paired: Paired, sizes: tuple[Floats, Floats] | None, units: Ints) -> Design:
    """Infer the design of these units."""
    kind = paired.key.kind
    n_test, n_train = (round(float(s[units].mean())) for s in sizes) if sizes else (0, 0)
    if kind != "fold":
        return Design(unit=kind, n_test=n_test, n_train=n_train)
    code = {role: coded(paired.parts[role][units])[0] for role in paired.key.roles}
    outer = [code[r] for r in code if r != "fold"]  # task, repeat, seed
    folds = _most(outer, code["fold"])
    task = [code["task"]] if "task" in code else []
    repeats = _most(task, combined([code[r] for r in _runs(paired)])[0]) if _runs(paired) else 1
    # If the folds differ from repeat to repeat, so that no repeat has a second fold, they are random splits.
    return Design(unit=kind, folds=folds if folds > 1 else 0, repeats=repeats, n_test=n_test, n_train=n_train)


def _most(groups: Sequence[Ints], inner: Ints) -> int:
    """Return the largest number of different `inner` values within one group."""
    _, first = combined([*groups, inner])
    if not groups:
        return len(first)
    group = combined(groups)[0][first]
    return int(np.bincount(group).max())


def _sizes_of(paired: Paired) -> tuple[Floats, Floats] | None:
    """Return the sizes of each unit's test and training sets, from columns such as n_test and n_train."""
    known = {i: (b, b.sizes) for i, b in enumerate(paired.blocks) if b.sizes is not None}
    if len(known) < len(paired.blocks):
        return None
    test, train = (
        paired.gather({i: _sizes(b.table, sizes[k])[b.rows] for i, (b, sizes) in known.items()})
        for k in (0, 1)
    )
    return test, train


def _sizes(table: Table, column: str) -> Floats:
    values = numbers(table, column)
    bad = np.flatnonzero(values < 1)
    if bad.size:
        raise table.bad_cells(column, bad, "no size", "A test or training set has at least one example.")
    return values

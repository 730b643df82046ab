"""Paired units -> Design: how many folds, how many repeats, how large the test sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.data import Design
from ropewalk.data.arrays import Floats, Ints, coded
from ropewalk.read.keys import combined
from ropewalk.read.pairing import Paired
from ropewalk.read.roles import Roles
from ropewalk.read.table import Table, numbers

# Hardly anybody runs a single cross-validation of so many folds: it is a repeated one.
_MANY_FOLDS = 10


def design_of(paired: Paired, sizes: tuple[int, int]) -> tuple[Design, list[str]]:
    """The design, and what looks odd about it."""
    kind, roles = paired.key.kind, paired.key.roles
    n_test, n_train = sizes if kind in ("fold", "seed") else (0, 0)
    if kind != "fold":
        return Design(unit=kind, n_test=n_test, n_train=n_train), []
    code = {role: coded(paired.parts[role])[0] for role in roles}
    outer = [code[r] for r in roles if r != "fold"]  # task, repeat, seed
    folds = _most(outer, code["fold"])
    runs = [code[r] for r in roles if r in ("repeat", "seed")]
    task = [code["task"]] if "task" in code else []
    repeats = _most(task, combined(runs)[0]) if runs else 1
    warnings = []
    if folds > _MANY_FOLDS and not runs:
        warnings.append(
            f"{folds} folds and no repeats: if this is repeated cross-validation, name the column of the "
            "repeats (--repeat COLUMN), because the correlation 1/k depends on it"
        )
    # Folds that differ from repeat to repeat so that none has a second one are random splits.
    return Design(
        unit=kind, folds=folds if folds > 1 else 0, repeats=repeats, n_test=n_test, n_train=n_train
    ), warnings


def _most(groups: Sequence[Ints], inner: Ints) -> int:
    """The largest number of different `inner` values within one group."""
    _, first = combined([*groups, inner])
    if not groups:
        return len(first)
    group = combined(groups)[0][first]
    return int(np.bincount(group).max())


def sizes_of(roles: Sequence[Roles]) -> tuple[int, int]:
    """The mean sizes of test and training sets, from columns such as n_test and n_train; 0 where unknown."""
    pairs = [(r.table, r.test_size, r.train_size) for r in roles if r.test_size and r.train_size]
    if not pairs or len(pairs) < len(roles):
        return 0, 0
    test = np.concatenate([_sizes(table, column) for table, column, _ in pairs])
    train = np.concatenate([_sizes(table, column) for table, _, column in pairs])
    return round(float(test.mean())), round(float(train.mean()))


def _sizes(table: Table, column: str) -> Floats:
    values = numbers(table, column)
    bad = np.flatnonzero(values < 1)
    if bad.size:
        raise table.bad_cells(column, bad, "no size", "A test or training set has at least one example.")
    return values

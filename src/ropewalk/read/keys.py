"""The key columns that identify a unit, and what a unit then is."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ropewalk.data.arrays import Ints, first_codes
from ropewalk.data.design import UnitKind
from ropewalk.errors import PairingError
from ropewalk.read.block import KeyColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """The roles whose columns together identify a unit; "row" stands for the position of the row."""

    roles: tuple[str, ...]
    kind: UnitKind

    @property
    def repeats_examples(self) -> bool:
        """Whether an example occurs in several repeats, folds or seeds."""
        return "unit" in self.roles and bool({"repeat", "fold", "seed"} & set(self.roles))


def choose(
    columns: Mapping[str, KeyColumn],
    models: Sequence[Ints],
    *,
    examples: bool,
    by_position: bool,
    one_block: bool,
    naming: Callable[[], str | None] = lambda: None,
) -> Key:
    """Return the smallest set of key columns that distinguishes the rows of each model.

    `columns` has the keys over all rows, `models` the rows of each model. `examples` says that each row is
    one example (predictions), not the score of a fold, a run or a task. `naming` finds a column that may
    name the examples: the error suggests it, but it is never used unasked.
    """
    codes = {role: column.codes for role, column in columns.items()}
    task = ["task"] if "task" in codes else []
    # A constant column (split = test, seed = 0) distinguishes nothing.
    varying: list[str] = [r for r in ("seed", "repeat", "fold") if r in codes and codes[r].max() > 0]

    def unique(roles: list[str]) -> bool:
        unit, first = combined_keys([columns[r] for r in roles])
        return all(np.bincount(unit[rows], minlength=len(first)).max() <= 1 for rows in models)

    if task and not examples and codes["task"].max() > 0 and unique(task):
        return Key(roles=("task",), kind="task")

    def fewest(first: list[str], then: list[str]) -> tuple[str, ...]:
        tries = (more for size in range(len(then) + 1) for more in combinations(then, size))
        return next((tuple(key) for more in tries if unique(key := [*first, *more])), (*first, *then))

    if "unit" in codes:
        # Models that were split differently have the same example in different folds, so the fold comes last.
        return Key(roles=fewest([*task, "unit"], varying), kind="example")
    if varying and not examples:
        kind: UnitKind = "fold" if "fold" in varying else "seed"
        start = [r for r in varying if r != "seed"] if kind == "fold" else varying[:1]
        roles = fewest([*task, *start], [r for r in varying if r not in start])
        if not by_position or unique(list(roles)):
            return Key(roles=roles, kind=kind)
    if all(len(rows) == 1 for rows in models):
        raise PairingError(
            "there is one score per model, and no unit to pair them on",
            hint="One number per model cannot be compared: give the scores per example, fold or task.",
        )
    if not (one_block or by_position):
        column = naming()
        hint = "(--by-position); if a column names the examples, give it with unit=COLUMN (--unit COLUMN)."
        if column is not None:
            hint = (
                f"(--by-position). If the column `{column}` names the examples, say so with\n"
                f"unit={column!r} (--unit {shlex.quote(column)})."
            )
        raise PairingError(
            "no column says which row of one model belongs with which row of another",
            hint="If row k is the same example for every model, say so with by_position=True\n" + hint,
        )
    return Key(roles=(*task, "row"), kind="example")


def combined_keys(columns: Sequence[KeyColumn]) -> tuple[Ints, Ints]:
    """Combine several keys into one (see `combined`); a single key stays as it is."""
    if len(columns) == 1:
        return columns[0].codes, columns[0].first
    return combined([column.codes for column in columns])


def combined(codes: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Combine several coded columns: the code of each row by first appearance, and where each code begins.

    >>> combined([np.array([0, 1, 0]), np.array([5, 5, 5])])
    (array([0, 1, 0]), array([0, 1]))
    """
    whole, first = first_codes(codes[0])
    for column in codes[1:]:
        # Recoded at every step, so that the product of many sizes does not overflow.
        whole, first = first_codes(whole * (column.max() + 1) + column)
    return whole, first


def positions(task: Ints | None, sizes: Sequence[int]) -> Ints:
    """Number each row within its block and task, from 0.

    >>> positions(np.array([0, 1, 0, 0]), [3, 1])
    array([0, 0, 1, 0])
    """
    starts = np.concatenate([[0], np.cumsum(sizes)])
    block = np.repeat(np.arange(len(sizes)), sizes)
    group, first = combined([block] if task is None else [block, task])
    order = np.argsort(group, kind="stable")
    begins = np.searchsorted(group[order], np.arange(len(first)))
    place = np.empty(starts[-1], dtype=np.intp)
    place[order] = np.arange(starts[-1]) - begins[group[order]]
    return place

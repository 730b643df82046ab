"""Blocks of rows: a whole wide table, one model's part of a long table, or one model's file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ropewalk.data.arrays import Ints, Strings, first_codes, strings, text_codes
from ropewalk.errors import PairingError, short
from ropewalk.read.table import FLOATED, Column, Table, as_text, text


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """The roles of the columns of one table: decided once, applied in memory or where the data are.

    `columns` has the outputs of each model; of a long table `model` is the column that names the model of a
    row. All rows belong to the task `task` where the table itself is one. `sizes` are the columns with the
    sizes of the test and the training set.
    """

    columns: dict[str, tuple[str, ...]]
    keys: dict[str, str]
    model: str | None = None
    task: str | None = None
    cluster: str | None = None
    truth: str | None = None
    split: str | None = None
    sizes: tuple[str, str] | None = None

    def block(self, table: Table, rows: Ints, label: str, columns: dict[str, tuple[str, ...]]) -> Block:
        """Some rows of the table."""
        return Block(
            table=table,
            rows=rows,
            label=label,
            columns=columns,
            keys=self.keys,
            cluster=self.cluster,
            truth=self.truth,
            split=self.split,
            sizes=self.sizes,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """Rows of a table, with the columns that hold each model's outputs on them.

    `label` is what messages call it: the file for one file per model, the model in a long table. `columns`
    may be empty, when a file has the truth alone.
    """

    table: Table
    rows: Ints
    label: str
    columns: dict[str, tuple[str, ...]]
    keys: dict[str, str]
    cluster: str | None = None
    truth: str | None = None
    split: str | None = None
    sizes: tuple[str, str] | None = None

    def ids(self, role: str) -> Column:
        """A key column on these rows: whole numbers as they are, everything else as `key` has it."""
        cells = self.table.columns[self.keys[role]]
        return cells[self.rows] if cells.dtype == np.int64 else self.key(role)

    def key(self, role: str) -> Strings:
        """A key column's text on these rows, every cell filled; ids saved as 1.0, 2.0, ... are 1, 2, ..."""
        cells = text(self.table, self.keys[role], self.rows, hint=f"Every row needs its {role}.")
        if cells[0].endswith("0") and all(FLOATED.fullmatch(c) for c in cells):
            return strings(c.partition(".")[0] for c in cells)
        return cells

    def named(self, roles: Iterable[str]) -> list[str]:
        """The names of the columns of these roles."""
        return [self.keys[r] for r in roles if r in self.keys]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeyColumn:
    """A key over the rows of all blocks: a number for each value, in the order of their first appearance."""

    codes: Ints
    cells: Column
    first: Ints  # where each value appears first

    @classmethod
    def of(cls, blocks: list[Block], role: str) -> KeyColumn:
        """Whole numbers are compared as such where all blocks have them, and as text otherwise."""
        parts = [b.ids(role) for b in blocks]
        if all(p.dtype == np.int64 for p in parts):
            cells = np.concatenate(parts)
            codes, first = first_codes(cells, head=len(parts[0]))
        else:
            cells = np.concatenate([as_text(p) for p in parts])
            codes, first = text_codes(cells)
        return cls(codes=codes, cells=cells, first=first)

    def text(self, rows: Ints) -> Strings:
        """What stands in some of the rows."""
        return as_text(self.cells[rows])


def same_keys(known: Sequence[tuple[str, Mapping[str, str]]], by_position: bool) -> list[str]:
    """The roles of the keys, which all must have if one has them (ids not by position); `known` by label."""
    roles = [
        r for r in dict.fromkeys(role for _, keys in known for role in keys) if r != "unit" or not by_position
    ]
    for role in roles:
        without = [label for label, keys in known if role not in keys]
        if without:
            having, column = next((label, keys[role]) for label, keys in known if role in keys)
            raise PairingError(
                f"{short(having)} has a column for the {role}, {short(without[0])} has none",
                where=[f"{short(having)}: `{short(column)}`"],
                hint="The rows cannot be paired. "
                + (
                    "Number the attempts at an item in a column `attempt` of every file."
                    if role == "attempt"
                    else f"Add the column, or say which it is: --{role} COLUMN."
                ),
            )
    return roles

"""Blocks of rows: a whole wide table, one model's part of a long table, or one model's file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from ropewalk.data.arrays import Ints, Strings, first_codes, strings, text_codes
from ropewalk.errors import PairingError, short
from ropewalk.read.table import FLOATED, Column, Table, as_text, text


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """The roles of the columns of one table, decided once and applied in memory or in place.

    `columns` maps each model to the columns of its outputs. In a long table, `model` is the column that names
    the model of a row. If the table itself is a task, all rows belong to `task`. `sizes` are the columns with
    the sizes of the test and training sets.
    """

    columns: dict[str, tuple[str, ...]]
    keys: dict[str, str]
    model: str | None = None
    task: str | None = None
    cluster: str | None = None
    truth: str | None = None
    split: str | None = None
    sizes: tuple[str, str] | None = None

    @property
    def used(self) -> set[str | None]:
        """Return the columns with a role: keys, outputs, truth, cluster and split."""
        outputs = {c for columns in self.columns.values() for c in columns}
        return {*self.keys.values(), *outputs, self.truth, self.cluster, self.split}

    def block(self, table: Table, rows: Ints, label: str, columns: dict[str, tuple[str, ...]]) -> Block:
        """Return the block of some rows of the table."""
        roles = {f.name: getattr(self, f.name) for f in fields(Place)}
        return Block(**roles | {"columns": columns}, table=table, rows=rows, label=label)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block(Place):
    """Rows of a table, with the roles of its columns.

    `label` is the block's name in messages: the file if there is one file per model, the model in a long
    table. `columns` may be empty if a file has the truth alone.
    """

    table: Table
    rows: Ints
    label: str

    def ids(self, role: str) -> Column:
        """Return a key column on these rows: whole numbers unchanged, everything else as text (see `key`)."""
        cells = self.table.columns[self.keys[role]]
        return cells[self.rows] if cells.dtype == np.int64 else self.key(role)

    def key(self, role: str) -> Strings:
        """Return a key column as text, every cell filled; ids saved as 1.0, 2.0, ... become 1, 2, ..."""
        cells = text(self.table, self.keys[role], self.rows, hint=f"Every row needs its {role}.")
        if cells[0].endswith("0") and all(FLOATED.fullmatch(c) for c in cells):
            return strings(c.partition(".")[0] for c in cells)
        return cells

    def named(self, roles: Iterable[str]) -> list[str]:
        """Return the names of the columns with these roles."""
        return [self.keys[r] for r in roles if r in self.keys]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeyColumn:
    """A key over the rows of all blocks: each value is coded by a number, in order of first appearance."""

    codes: Ints
    cells: Column
    first: Ints  # row of each value's first appearance

    @classmethod
    def of(cls, blocks: list[Block], role: str) -> KeyColumn:
        """Code a key: as whole numbers if all blocks have them, otherwise as text."""
        parts = [b.ids(role) for b in blocks]
        if all(p.dtype == np.int64 for p in parts):
            cells = np.concatenate(parts)
            codes, first = first_codes(cells, head=len(parts[0]))
        else:
            cells = np.concatenate([as_text(p) for p in parts])
            codes, first = text_codes(cells)
        return cls(codes=codes, cells=cells, first=first)

    def text(self, rows: Ints) -> Strings:
        """Return the values of some rows as text."""
        return as_text(self.cells[rows])


def same_keys(known: Sequence[tuple[str, Mapping[str, str]]], by_position: bool) -> list[str]:
    """Return the roles of the keys, an error if only some tables have one; `by_position` leaves ids out."""
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


def naming_column(models: Sequence[Sequence[Block]]) -> str | None:
    """Return a column without a role whose values differ between the rows of a model and recur in all models.

    Numbers with decimals name nothing. At least half of the values must be those of the first model.
    """
    blocks = [b for model in models for b in model]
    for column, cells in blocks[0].table.columns.items():
        if any(column in b.used or column not in b.table.columns for b in blocks) or cells.dtype.kind == "f":
            continue
        values = [
            np.concatenate([as_text(b.table.columns[column][b.rows]) for b in model]) for model in models
        ]
        sets = [set(v.tolist()) for v in values]
        different = all(len(s) == len(v) for s, v in zip(sets, values, strict=True))
        if different and all(2 * len(s & sets[0]) >= max(len(s), len(sets[0])) for s in sets):
            return column
    return None

"""A table as it was read: named columns of text or numbers, and where each row stands in its file."""

from __future__ import annotations

import datetime
import decimal
import math
import re
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats, Ints, Strings, first_codes, strings
from ropewalk.data.audit import Input
from ropewalk.errors import CellError, ColumnError, ReadError, listed, short
from ropewalk.read.log import Log

# Text (object, "" for a missing cell), float64 (NaN if missing) or int64.
Column: TypeAlias = NDArray[Any]

FLOATED = re.compile(r"(-?\d+)\.0+")  # a whole number that was saved as a float
MOST_COLUMNS = 10_000
SAMPLE = 10_000  # number of first rows from which the roles of the columns are decided
_SHOWN = 5
_DECORATED = re.compile(r"[-+]?\d[\d.,]*\s*%?")  # readable as a number by a person: 0,85 or 85%
_EXACT = 2**53  # above it, a float cannot hold every whole number
_FLAT = (str, bool, int, float, decimal.Decimal, datetime.date, datetime.time, uuid.UUID)


class Columns(Protocol):
    """Questions about all rows of a table that the layout asks, in memory or in place."""

    def distinct(self, *columns: str) -> list[tuple[str, ...]]:
        """Return the distinct values of these columns together, in order of first appearance."""

    def comes_back(self, column: str) -> bool:
        """Whether a value of the column occurs in more than one row."""

    def apart(self, column: str, others: Sequence[tuple[Self, str]]) -> bool:
        """Whether no value of the column occurs in more than one of this table and the others."""

    def only(self, column: str, value: str) -> Table:
        """Return the first of the rows with this value in the column."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Columns of equal length. `name` is the table's name in messages, `stem` the name of a model in it."""

    name: str
    stem: str
    columns: dict[str, Column]
    height: int
    lines: Ints | None = None  # line of the file on which each row begins
    skipped: dict[str, str] = field(default_factory=dict)  # unusable columns, and why
    input: Input | None = None
    origin: Ints | None = None  # row numbers in the file, if some rows were left out
    log: Log | None = None  # facts from an evaluation tool beyond the rows
    whole: Any = None  # Columns: where all rows are, if these are only the first of them

    def first(self, columns: dict[str, Column], whole: Columns) -> Table:
        """Return the first rows, from which the roles of the columns are decided; all are in `whole`."""
        return replace(self, columns=columns, height=min(self.height, SAMPLE), whole=whole)

    def sample(self) -> Table:
        """Return the first rows."""
        return self.first({name: cells[:SAMPLE] for name, cells in self.columns.items()}, self)

    def distinct(self, *columns: str) -> list[tuple[str, ...]]:
        """Return the distinct values of these columns together, in order of first appearance."""
        if self.whole is not None:
            found: list[tuple[str, ...]] = self.whole.distinct(*columns)
            return found
        return list(dict.fromkeys(zip(*(as_text(self.columns[c]).tolist() for c in columns), strict=True)))

    def comes_back(self, column: str) -> bool:
        """Whether a value of the column occurs in more than one row."""
        if self.whole is not None:
            return bool(self.whole.comes_back(column))
        cells = self.columns[column]
        found = first_codes(cells)[1] if cells.dtype == np.int64 else set(cells.tolist())
        return len(found) < self.height

    def apart(self, column: str, others: Sequence[tuple[Table, str]]) -> bool:
        """Whether no value of the column occurs in more than one of this table and the others."""
        if self.whole is not None:
            return bool(self.whole.apart(column, [(table.whole, c) for table, c in others]))
        found = [set(as_text(table.columns[c]).tolist()) for table, c in ((self, column), *others)]
        return sum(map(len, found)) == len(set().union(*found))

    def only(self, column: str, value: str) -> Table:
        """Return the first of the rows with this value in the column."""
        if self.whole is not None:
            found: Table = self.whole.only(column, value)
            return found
        return self.filtered(np.flatnonzero(as_text(self.columns[column]) == value)).sample()

    def filtered(self, rows: Ints) -> Table:
        """Return some rows of the table; messages still count them as in the file."""
        return replace(
            self,
            columns={name: cells[rows] for name, cells in self.columns.items()},
            height=len(rows),
            lines=None if self.lines is None else self.lines[rows],
            origin=rows if self.origin is None else self.origin[rows],
        )

    def places(self, rows: Sequence[int] | Ints) -> str:
        """Describe rows for a message, counted from 1 without the header: "rows 3, 7 (lines 4, 8)"."""
        shown = [int(r) for r in rows[:_SHOWN]]
        more = ", …" if len(rows) > _SHOWN else ""
        many = "s" if len(rows) > 1 else ""
        counted = shown if self.origin is None else [int(self.origin[r]) for r in shown]
        text = f"row{many} " + ", ".join(f"{r + 1:,}" for r in counted) + more
        if self.lines is None:
            return text
        return f"{text} (line{many} " + ", ".join(f"{self.lines[r]:,}" for r in shown) + f"{more})"

    def bad_cells(self, column: str, rows: Ints, what: str, hint: str) -> CellError:
        """Return an error that names the file, the column, the rows and their content."""
        values = self.columns[column]
        where = [f"{self.places([int(r)])}: {shown_cell(values[int(r)])}" for r in rows[:_SHOWN]]
        if len(rows) > _SHOWN:
            where.append(f"and {len(rows) - _SHOWN:,} more")
        one = len(rows) == 1
        cells = f"{len(rows):,} cell{'' if one else 's'} of column `{short(column)}`"
        return CellError(
            f"{short(self.name)}: {cells} {'holds' if one else 'hold'} {what}", where=where, hint=hint
        )


def check_width(columns: int, name: str) -> None:
    """Refuse a table with too many columns before its cells are parsed: no tool writes one."""
    if columns > MOST_COLUMNS:
        raise ReadError(
            f"{short(name)} has {columns:,} columns; at most {MOST_COLUMNS:,} can be read",
            hint="Give one row per model and unit instead: the columns `model`, `id` and `score`.",
        )


def check_names(names: Sequence[str], name: str) -> None:
    """Refuse columns with the same name, and a table with too many columns."""
    twice = [n for n, times in Counter(names).items() if times > 1]
    if twice:
        raise ColumnError(
            f"{short(name)} has more than one column called {listed(twice)}",
            hint="Give the columns different names.",
        )
    check_width(len(names), name)


def text(table: Table, column: str, rows: Ints | None = None, *, hint: str = "") -> Strings:
    """Return the cells of some rows as text; every cell must be filled."""
    cells = as_text(table.columns[column] if rows is None else table.columns[column][rows])
    bad = np.flatnonzero(cells == "")
    if bad.size:
        at = bad if rows is None else rows[bad]
        raise table.bad_cells(column, at, "no value", hint or "Fill these cells, or drop these rows.")
    return cells


def as_text(cells: Column) -> Strings:
    """Return any column as text; a missing cell is empty."""
    if cells.dtype == object:
        return cells
    if cells.dtype == np.int64:
        return strings(cells.tolist())
    return strings(map(_number_text, cells.tolist()))


NOT_A_NUMBER = (
    "Every model needs a number on every unit. Write pass and fail, yes and no as 1 and 0. Where a model\n"
    "gave no result, leave the cell empty and say what to do with the unit: --missing worst counts it as\n"
    "wrong, --missing drop leaves it out (missing=)."
)


def numbers(table: Table, column: str, rows: Ints | None = None) -> Floats:
    """Return the cells of some rows as finite numbers; true and false are 1 and 0."""
    cells = table.columns[column] if rows is None else table.columns[column][rows]
    values = parsed(cells)
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        hint = NOT_A_NUMBER
        if cells.dtype == object and any(_DECORATED.fullmatch(cells[i]) for i in bad[:_SHOWN]):
            hint = "Write plain numbers with a decimal point: 0.85 instead of 0,85 or 85%."
        raise table.bad_cells(column, bad if rows is None else rows[bad], "no finite number", hint)
    return values


def parsed(cells: Column) -> Floats:
    """Parse a column as numbers, NaN for a cell that is not a number."""
    if cells.dtype != object:
        return cells.astype(np.float64)
    items = cells.tolist()
    try:
        if "_" not in "".join(items):  # float() would read 1_000 as a thousand
            return np.fromiter(map(float, items), dtype=np.float64, count=len(items))
    except ValueError:
        pass
    known = {item: _parse(item) for item in set(items)}
    return np.fromiter(map(known.__getitem__, items), dtype=np.float64, count=len(items))


def has_numbers(cells: Column) -> bool:
    """Whether any cell is a number: a column without one contains words."""
    if cells.dtype != object:
        return True
    filled = [item for item in set(cells.tolist()) if item]
    return not filled or any(_DECORATED.fullmatch(item) or not math.isnan(_parse(item)) for item in filled)


def table_of(arrays: dict[str, Any], *, name: str, stem: str, source: Input | None = None) -> Table:
    """Make a table of named arrays or lists; columns of lists or objects are set aside."""
    check_width(len(arrays), name)
    columns: dict[str, Column] = {}
    skipped: dict[str, str] = {}
    for key, values in arrays.items():
        column = array_column(values)
        if column is None:
            skipped[key] = "holds lists or objects"
        else:
            columns[key] = column
    height = len(next(iter(columns.values()))) if columns else 0
    if height == 0:
        raise ReadError(
            f"{short(name)} has no rows" if columns else f"{short(name)} has no column of plain values",
            hint="Give a table with one row per unit.",
        )
    return Table(name=name, stem=stem, columns=columns, height=height, skipped=skipped, input=source)


def array_column(values: Any) -> Column | None:
    """Convert an array or a list to a column; None if a cell is a list or an object."""
    plain = isinstance(values, np.ndarray) and not isinstance(values, np.ma.MaskedArray)
    if plain and values.dtype.kind == "f":
        return np.asarray(values, dtype=np.float64)
    if plain and values.dtype.kind in "iu" and (values.dtype != np.uint64 or values.max(initial=0) < 2**63):
        return np.asarray(values, dtype=np.int64)
    if plain and values.dtype.kind == "M":
        return strings("" if np.isnat(v) else v for v in values)
    return column_of(values.tolist() if isinstance(values, np.ndarray) else values)


def column_of(values: Sequence[Any]) -> Column | None:
    """Convert Python values to a column; None if a cell is a list or an object."""
    kinds = {type(v) for v in values}
    filled = kinds - {type(None)}
    if filled and all(issubclass(k, (int, np.integer)) and not issubclass(k, bool) for k in filled):
        if type(None) in kinds or not all(abs(v) < 2**63 for v in values):
            return strings("" if v is None else v for v in values)
        return np.array(values, dtype=np.int64)
    if filled and all(k in (int, float) for k in filled) and _exact(values):
        return np.array([math.nan if v is None else v for v in values], dtype=np.float64)
    if not all(issubclass(k, (*_FLAT, np.generic)) for k in filled):
        return None
    return strings(map(_cell_text, values))


def _exact(values: Iterable[Any]) -> bool:
    return all(type(v) is not int or abs(v) <= _EXACT for v in values)


def _cell_text(value: object) -> str:
    if value is None or value != value:  # NaN and NaT differ from themselves
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    return _number_text(value) if isinstance(value, float) else str(value)


def _number_text(value: float) -> str:
    if math.isnan(value):
        return ""
    return str(int(value)) if value == int_or_none(value) else repr(value)


def int_or_none(value: float) -> int | None:
    """Return the whole number that a float equals, if it is small enough to be exact; otherwise None."""
    return int(value) if math.isfinite(value) and abs(value) <= _EXACT and value == int(value) else None


def _parse(item: str) -> float:
    word = item.strip().lower()
    if word in ("true", "false"):
        return float(word == "true")
    try:
        return math.nan if "_" in item else float(item)
    except ValueError:
        return math.nan


def shown_cell(cell: object) -> str:
    """Format a cell for a message."""
    if cell != cell:
        return "NaN or missing"
    return "empty" if cell == "" else f'"{short(cell)}"'

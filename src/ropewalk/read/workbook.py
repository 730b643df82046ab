"""A sheet of an Excel workbook -> Table."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from ropewalk.data.audit import Input
from ropewalk.errors import (
    MissingExtraError,
    OptionError,
    ReadError,
    did_you_mean,
    short,
)
from ropewalk.read.content import broken_zip, room_for_packed_values, room_unpacked
from ropewalk.read.table import Table, check_names, check_width, column_of

# Errors of openpyxl for parts that are missing, truncated or malformed; XML errors are SyntaxError.
_PARTS = (SyntaxError, KeyError, TypeError, IndexError, AttributeError, OverflowError)
_MOST_ROWS = 1 << 20  # rows of a sheet, as in Excel
_ROW, _CELL = 56, 32  # bytes of a row and of a cell in memory


def is_workbook(path: str) -> bool:
    """Whether it is a zip archive with the parts of a workbook."""
    try:
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except broken_zip():
        return False


def from_workbook(path: Path, *, name: str, stem: str, sheet: str | None, source: Input | None) -> Table:
    """Read the first sheet, or the named one; its first row has the names of the columns."""
    filled, chosen = _rows(path, name, sheet)
    if len(filled) < 2:
        raise ReadError(
            f'{short(name)}: the sheet "{short(chosen)}" has no table',
            hint="Put the names of the columns into its first row; or name another sheet: --sheet NAME.",
        )
    top, *below = filled
    header = ["" if h is None else str(h).strip() for h in filled[top]]
    while header and not header[-1]:
        header.pop()
    wide = next((i for i in below if any(c not in (None, "") for c in filled[i][len(header) :])), None)
    if wide is not None or "" in header:
        raise ReadError(
            f'{short(name)}: the sheet "{short(chosen)}" has cells outside of its named columns',
            where=[f"row {top if wide is None else wide:,} of the sheet"],
            hint="Put one table on a sheet, with a name over each column and nothing above or next to it.",
        )
    check_names(header, name)
    columns = {h: column_of([_cell(filled[i], k) for i in below]) for k, h in enumerate(header)}
    return Table(
        name=name,
        stem=stem,
        columns={h: c for h, c in columns.items() if c is not None},
        height=len(below),
        lines=np.array(below, dtype=np.intp),
        input=source,
    )


def _cell(row: tuple[Any, ...], k: int) -> Any:
    value = row[k] if k < len(row) else None
    return value.strip() if isinstance(value, str) else value


def _rows(path: Path, name: str, sheet: str | None) -> tuple[dict[int, tuple[Any, ...]], str]:
    """Return the sheet and its nonempty rows by number; a formula has the value that Excel last computed."""
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise MissingExtraError(
            f"{short(name)} is an Excel workbook, and openpyxl is not installed",
            hint="pip install 'ropewalk[excel]'; or save the sheet as CSV.",
        ) from None
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(info.file_size for info in archive.infolist())
        if size > room_unpacked(path.stat().st_size):
            raise ReadError(f"{short(name)} unpacks to {size:,} bytes, too many for a workbook of its size")
        with path.open("rb") as file:  # given a path, openpyxl would judge by the suffix
            book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
            names = [s.title for s in book.worksheets]
            if sheet is not None and sheet not in names:
                raise OptionError(
                    f'{short(name)} has no sheet "{short(sheet)}"', hint=did_you_mean(sheet, names)
                )
            chosen = sheet if sheet is not None else names[0]
            found = book[chosen]
            found.reset_dimensions()  # the sheet's claimed size is not trusted
            rows = _filled(found, name)
            book.close()
    except _broken() as problem:
        if isinstance(problem, (ReadError, OptionError)):
            raise
        raise ReadError(
            f"{short(name)} cannot be read as an Excel workbook: {short(problem)}",
            hint="Is the file complete? Save the sheet as CSV.",
        ) from None
    return rows, chosen


def _broken() -> tuple[type[Exception], ...]:
    return (*broken_zip(), *_PARTS)


def _filled(sheet: Any, name: str) -> dict[int, tuple[Any, ...]]:
    """Return the nonempty rows by number.

    A cell far to the right or far below makes openpyxl fill in every cell before it.
    """
    rows, size = {}, 0
    for i, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        if i > _MOST_ROWS:
            raise ReadError(f"{short(name)} has cells below row {_MOST_ROWS:,}, the last one of Excel")
        if any(c is not None and c != "" for c in row):
            check_width(len(row), name)
            size += _ROW + _CELL * len(row)
            if size > room_for_packed_values():
                raise ReadError(
                    f"{short(name)} would take too much memory as a table", hint="Save the sheet as CSV."
                )
            rows[i] = row
    return rows

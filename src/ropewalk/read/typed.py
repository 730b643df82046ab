"""A large CSV file by DuckDB: columns of whole numbers and numbers as arrays of these, others as text.

The table is the one that the reader of text would give, read several times as fast. Whole numbers must be
written as Python writes them, so that an id has the same text either way, and numbers must be plain: every
cell is checked. Anything unusual (a blank line, a line break in a cell, a misplaced quote) is left to the
reader of text, which has the error messages.
"""

from __future__ import annotations

import csv
import re
from itertools import repeat
from typing import Any

import numpy as np

from ropewalk.data.audit import Input
from ropewalk.read.csv import Dialect
from ropewalk.read.database import database, failures, quoted
from ropewalk.read.formats import File
from ropewalk.read.roles import Options, may_be_key
from ropewalk.read.scan import csv_cells, dialect_of
from ropewalk.read.table import Column, Table

_LARGE = 1 << 20  # bytes: smaller files are read before DuckDB is imported
_SAMPLE = 1_000  # rows used to guess the column types, which are then checked on all rows
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)
_NUMBER = r"-?[0-9]{1,17}(\.[0-9]{1,20})?([eE][-+]?[0-9]{1,2})?"
_SPACE = "' '"
_ODD = (b"_", b"+")  # DuckDB reads 1_000 and +-1 as numbers
_OTHER = (b"e", b"E", b"x", b"X")  # and 12e2 and 0x4B0, which are no longer than the same number in digits


def typed_csv(content: bytes, file: File, source: Input, options: Options) -> Table | None:
    """Read a CSV file with types; None if it is small or unusual. Possible keys are text or whole numbers."""
    if len(content) < _LARGE or not file.head or file.head != content[: len(file.head)]:
        return None
    if content.startswith(b"\n") or content[:100].lstrip()[:1] in (b"{", b"[", b""):
        return None
    if b"\x00" in content or (b"\r" in content and content.count(b"\r") != content.count(b"\r\n")):
        return None
    found = dialect_of(file)
    if found is None or len(found.header) < 2:
        return None
    try:
        with database() as connection:
            cells = csv_cells(connection, file, found, spaces=False)
            body = content.find(b"\n")
            odd, other = (any(content.find(m, body) >= 0 for m in marks) for marks in (_ODD, _OTHER))
            kinds = _kinds(file.head, found)
            columns = _columns(cells, kinds, found, options, content, odd=odd, other=other)
    except failures():
        return None  # the reader of text reports what is wrong, and where
    if columns is None:
        return None
    height = len(next(iter(columns.values())))
    last = 0 if content.endswith(b"\n") else 1
    if content.count(b"\n") + last != height + 1 + found.skipped:
        return None  # some rows span several lines, or some lines are not rows
    return Table(
        name=file.name,
        stem=file.stem,
        columns=columns,
        height=height,
        lines=np.arange(2 + found.skipped, height + 2 + found.skipped, dtype=np.intp),
        input=source,
    )


def _columns(
    cells: Any,
    kinds: dict[str, str],
    found: Dialect,
    options: Options,
    content: bytes,
    *,
    odd: bool,
    other: bool,
) -> dict[str, Column] | None:
    # An id of 1.0 or 1.50 must keep its text, which a number would lose.
    kinds |= {c: "text" for c, kind in kinds.items() if kind == "number" and may_be_key(c, options)}
    while True:
        spaces = "text" in kinds.values() and _has_spaces(content, found)
        fetched = cells.select(
            ", ".join(
                part
                for k, (name, kind) in enumerate(kinds.items())
                for part in _parts(k, name, kind, spaces=spaces, odd=odd, other=other)
            )
        ).fetchnumpy()
        wrong = [
            name
            for k, (name, kind) in enumerate(kinds.items())
            if kind != "text" and not _is_plain(*(fetched.get(f"{part}{k}") for part in ("c", "ok", "n")))
        ]
        if not wrong:
            break
        kinds |= dict.fromkeys(wrong, "text")
    if not len(fetched["c0"]):
        return None
    return {name: np.ma.getdata(fetched[f"c{k}"]) for k, name in enumerate(kinds)}


def _is_plain(values: Any, flags: Any, lengths: Any) -> bool:
    """Whether every cell is a finite number and passes the check of its flag and length, if there is one."""
    if np.ma.getmaskarray(np.ma.asarray(values)).any() or not np.isfinite(np.ma.getdata(values)).all():
        return False
    if lengths is not None:
        return int(np.ma.getdata(lengths).sum(dtype=np.int64)) == _characters(np.ma.getdata(values))
    return flags is None or bool(np.ma.filled(np.ma.asarray(flags), False).all())


def _characters(values: Any) -> int:
    """Count the characters of whole numbers as Python writes them.

    >>> _characters(np.array([0, -7, 10, -(2**63)]))
    25
    """
    size = np.abs(values).view(np.uint64)
    most = len(str(size.max(initial=0)))
    longer = sum(int(np.count_nonzero(size >= np.uint64(10**k))) for k in range(1, most))
    return len(values) + int(np.count_nonzero(values < 0)) + longer


def _has_spaces(content: bytes, found: Dialect) -> bool:
    """Whether spaces may follow a delimiter, which our reader of text skips."""
    if found.delimiter == "\t":
        return False
    return any(mark.encode() + b" " in content for mark in (found.delimiter, "\n", '"'))


def _kinds(head: bytes, found: Dialect) -> dict[str, str]:
    """Guess types from the first rows: "whole", "number" or "text"; all rows are checked later."""
    text = head[: head.rfind(b"\n")].decode("utf-8-sig")
    lines = text.splitlines()[found.skipped + 1 : found.skipped + 1 + _SAMPLE]
    rows = [row for row in csv.reader(lines, delimiter=found.delimiter) if len(row) == len(found.header)]
    return {
        name: "whole"
        if all(_WHOLE.fullmatch(cell) for cell in cells)
        else "number"
        if all(re.fullmatch(_NUMBER, cell, re.ASCII) for cell in cells)
        else "text"
        for name, cells in zip(found.header, zip(*rows, strict=True) if rows else repeat(()), strict=False)
    }


def _parts(k: int, name: str, kind: str, *, spaces: bool, odd: bool, other: bool) -> list[str]:
    """Select a column, with a check of each cell if conversion to numbers alone is not enough.

    A whole number in another form, such as 007, is longer than in its usual form, except for a few with
    letters.
    """
    cell = quoted(name)
    if kind == "text":
        return [f"coalesce({f'ltrim({cell}, {_SPACE})' if spaces else cell}, '') as c{k}"]
    if kind == "whole" and not other:
        return [f"try_cast({cell} as bigint) as c{k}", f"strlen({cell})::utinyint as n{k}"]
    if kind == "whole":
        same = f"coalesce(try_cast({cell} as bigint)::varchar = {cell}, false)"
        return [f"try_cast({cell} as bigint) as c{k}", f"{same} as ok{k}"]
    plain = [f"coalesce(regexp_full_match({cell}, '{_NUMBER}'), false) as ok{k}"] if odd else []
    return [f"try_cast({cell} as double) as c{k}", *plain]

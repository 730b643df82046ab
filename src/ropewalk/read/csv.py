"""Comma-, tab-, semicolon- and bar-separated text -> Table.

The standard library's reader rather than DuckDB's: it never guesses types, it reads any small or odd
file, and it knows the line of every row.
"""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ropewalk.data.arrays import strings
from ropewalk.data.audit import Input
from ropewalk.errors import ReadError, listed, short
from ropewalk.read.table import Column, Table, check_names, parsed

_DELIMITERS = (",", "\t", ";", "|")
_CHUNK = 50_000
_FIELD = 1 << 27  # most characters of a cell; the standard library allows 131,072, and prompts are longer
_LOCK = threading.Lock()  # the standard library's limit applies to the whole process


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How to split a text: the delimiter, the number of leading blank lines, and the column names."""

    delimiter: str
    skipped: int
    header: tuple[str, ...]


def dialect(head: str, *, name: str) -> Dialect:
    """Find the dialect of a text from its first lines."""
    return _begun(head, name)[0]


def _begun(content: str, name: str) -> tuple[Dialect, str, Any]:
    """Return the dialect, the text without leading blank lines, and a reader of the rows."""
    start = len(content) - len(content.lstrip("\r\n"))
    body, skipped = content[start:], content.count("\n", 0, start)
    delimiter = _delimiter(body)
    reader = _reader(body, delimiter, strict=True)
    with _named(name, reader, skipped):
        header = [h.strip() for h in next(reader)]
    _check_header(header, name)
    return Dialect(delimiter=delimiter, skipped=skipped, header=tuple(header)), body, reader


def from_csv(content: str, *, name: str, stem: str, source: Input | None = None) -> Table:
    """Parse text whose first line names the columns."""
    found, content, reader = _begun(content, name)
    delimiter, skipped, header = found.delimiter, found.skipped, found.header
    with _named(name, reader, skipped):
        columns, lines = _plain(content, delimiter, len(header), skipped) or _columns(
            reader, len(header), name, skipped
        )
    if delimiter != "\t" and '" ' in content:  # DuckDB cannot tell whether spaces were inside quotes
        columns = [_column([cell.lstrip(" ") for cell in column]) for column in columns]
    if not lines:
        raise ReadError(f"{short(name)} has a header and no rows", hint="Is the file complete?")
    table = dict(zip(header, columns, strict=True))
    if header[-1] == "" and not any(columns[-1]):  # every line ends in a delimiter
        del table[""]
    return Table(
        name=name,
        stem=stem,
        columns=table,
        height=len(lines),
        lines=np.array(lines, dtype=np.intp),
        input=source,
    )


@contextmanager
def _named(name: str, reader: Any, skipped: int) -> Iterator[None]:
    """Add the file and line to errors of the reader; allow long cells meanwhile."""
    try:
        with _LOCK:
            before = csv.field_size_limit(_FIELD)
            try:
                yield
            finally:
                csv.field_size_limit(before)
    except csv.Error as problem:
        raise ReadError(
            f"{short(name)} cannot be read as a table: {short(problem)}",
            where=[f"line {reader.line_num + skipped:,}"],
            hint="Look for a quotation mark that is never closed.",
        ) from None


def _reader(content: str, delimiter: str, *, strict: bool) -> Any:
    # "a, b" is a list of two plain words, not of "a" and " b". Strict, because a quote that is never closed
    # would otherwise swallow the rest of the file.
    return csv.reader(
        io.StringIO(content, newline=""),
        delimiter=delimiter,
        skipinitialspace=delimiter != "\t",
        strict=strict,
    )


def _delimiter(content: str) -> str:
    """Return the delimiter that splits the first lines into equal numbers of fields, and the most fields."""
    head = "".join(islice(io.StringIO(content, newline=""), 20))
    best, widest = ",", 1
    for delimiter in _DELIMITERS:
        try:
            widths = [len(row) for row in _reader(head, delimiter, strict=False) if row]
        except csv.Error:
            continue
        # The last line may be cut in the middle of a quoted field.
        even = widths if len(set(widths)) == 1 else widths[:-1] if len(set(widths[:-1])) == 1 else []
        if even and even[0] > widest:
            best, widest = delimiter, even[0]
    if widest == 1:  # the lines are ragged with every delimiter: take the most frequent one in the header
        line = content.split("\n", 1)[0]
        best = max(_DELIMITERS, key=line.count)
    return best


def _check_header(header: list[str], name: str) -> None:
    check_names(header, name)
    if np.isfinite(parsed(strings(header))).all():
        raise ReadError(
            f"the first line of {short(name)} holds numbers, not names of columns",
            where=[f"line 1: {listed(header)}"],
            hint="Add a first line with the names of the columns.",
        )


def _plain(content: str, delimiter: str, width: int, skipped: int) -> tuple[list[Column], list[int]] | None:
    """Split text without quotes, blank lines or odd rows at once, which is five times as fast."""
    body = content.replace("\r\n", "\n").rstrip("\n")
    odd = ('"', "\r", "\n\n", "\n ", delimiter + " ")
    if any(o in body for o in odd) or width == 1:
        return None
    rows = body.split("\n")
    if any(row.count(delimiter) != width - 1 for row in rows):
        return None
    cells = body.replace("\n", delimiter).split(delimiter)
    columns = [_column(cells[width + i :: width]) for i in range(width)]
    return columns, list(range(2 + skipped, len(rows) + 1 + skipped))


def _columns(reader: Any, width: int, name: str, skipped: int) -> tuple[list[Column], list[int]]:
    """Return the columns, and the line on which each row begins."""
    parts: list[list[str]] = [[] for _ in range(width)]
    lines: list[int] = []
    blank: list[int] = []  # blank lines of a one-column file: empty cells if more rows follow
    end = reader.line_num
    while True:
        chunk: list[list[str]] = []
        for row in islice(reader, _CHUNK):
            begin, end = end + skipped + 1, reader.line_num
            if not row:
                if width == 1:
                    blank.append(begin)
                continue
            if blank:
                chunk.extend([""] for _ in blank)
                lines.extend(blank)
                blank = []
            chunk.append(row)
            lines.append(begin)
        if set(map(len, chunk)) - {width}:
            _ragged(chunk, lines[-len(chunk) :], len(lines) - len(chunk), width, name)
        if not chunk:
            break
        for part, cells in zip(parts, zip(*chunk, strict=True), strict=True):
            part.extend(cells)
    return [_column(part) for part in parts], lines


def _column(cells: list[str]) -> Column:
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column


def _ragged(chunk: list[list[str]], lines: list[int], before: int, width: int, name: str) -> None:
    bad = [i for i, row in enumerate(chunk) if len(row) != width]
    where = [f"row {before + i + 1:,} (line {lines[i]:,}): {len(chunk[i])} fields" for i in bad[:5]]
    raise ReadError(
        f"{short(name)} has {width} columns, but some rows have more or fewer fields",
        where=where,
        hint="Put quotes around a field that contains the delimiter. Is the file complete?",
    )

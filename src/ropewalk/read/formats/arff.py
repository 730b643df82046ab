"""ARFF, as WEKA and OpenML write it: names of the attributes, then rows with commas."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ropewalk.errors import ReadError, listed, short
from ropewalk.read.formats.file import File, decoded
from ropewalk.read.table import check_names

_ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)""", re.IGNORECASE)
_RELATION = re.compile(r"@relation\s+(.*)", re.IGNORECASE)
# No two parts can match the same blanks; otherwise a line of blanks would take quadratic time.
_CELL = re.compile(r"""\s*(?:('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*|([^,]*))(?:,|$)""")
_QUOTES = ("'", '"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Arff:
    """Columns of text by attribute name; "" for a missing cell."""

    relation: str
    columns: dict[str, list[str]]
    lines: list[int]


def attributes(head: bytes) -> set[str]:
    """Return the attribute names from the beginning of a file, in lower case."""
    text = head.decode("utf-8", "replace")
    return {_bare(m[1]).lower() for m in _ATTRIBUTE.finditer(text)}


def parse_arff(content: bytes, file: File) -> Arff:
    """Parse a dense ARFF file."""
    lines = decoded(content, file.name).splitlines()
    names: list[str] = []
    relation = ""
    start = None
    for number, line in enumerate(lines):
        if found := _RELATION.match(line.strip()):
            relation = _bare(found[1].strip())
        elif found := _ATTRIBUTE.match(line.strip()):
            names.append(_bare(found[1]))
        elif line.strip().lower() == "@data":
            start = number + 1
            break
    if start is None or not names:
        raise ReadError(f"{short(file.name)} has no @data", hint="Is the file complete?")
    columns, numbers = rows_of(lines, start, names, file)
    return Arff(relation=relation, columns=columns, lines=numbers)


def rows_of(
    lines: Sequence[str], start: int, names: Sequence[str], file: File
) -> tuple[dict[str, list[str]], list[int]]:
    """Return the rows from a line on, split at commas outside quotes, and the line number of each."""
    check_names(names, file.name)
    cells: list[list[str]] = []
    numbers = []
    for number, line in enumerate(lines[start:], start=start + 1):
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        row = _cells(text)
        if len(row) != len(names):
            raise ReadError(
                f"{short(file.name)}, line {number:,}: {len(row):,} values for {len(names):,} columns",
                hint="Sparse rows ({0 1, 3 x}) are not read." if text.startswith("{") else "",
            )
        cells.append(row)
        numbers.append(number)
    if not cells:
        raise ReadError(f"{short(file.name)} has no rows", hint="Is the file complete?")
    return {name: list(column) for name, column in zip(names, zip(*cells, strict=True), strict=True)}, numbers


def check_columns(columns: Collection[str], needed: Sequence[str], file: File) -> None:
    """Check the columns: the words that identified the file may occur outside the attribute names."""
    lacking = [name for name in needed if name not in columns]
    if lacking:
        raise ReadError(
            f"{short(file.name)} has no column called {listed(lacking)}",
            where=[f"columns: {listed(columns)}"],
            hint="Is the file complete?",
        )


def _cells(line: str) -> list[str]:
    if not any(q in line for q in _QUOTES):
        return ["" if (c := cell.strip()) == "?" else c for cell in line.split(",")]
    out, at = [], 0
    while at <= len(line):
        found = _CELL.match(line, at)
        if found is None:  # a quote that is never closed: checking the number of cells will find it
            out.append(line[at:])
            break
        out.append(_bare(found[1]) if found[1] else "" if (c := found[2].strip()) == "?" else c)
        if found.end() == len(line) and not line.endswith(","):
            break
        at = found.end() if found.end() > at else at + 1
        if at == len(line):  # the line ends in a comma, so one more empty cell follows
            out.append("")
            break
    return out


def _bare(text: str) -> str:
    """Remove the quotes and unescape their content."""
    if len(text) >= 2 and text[0] in _QUOTES and text[-1] == text[0]:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text

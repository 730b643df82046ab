"""ARFF, as WEKA and OpenML write it: names of the attributes, then rows with commas."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ropewalk.errors import ReadError, listed, short
from ropewalk.read.formats.file import File

_ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)""", re.IGNORECASE)
_RELATION = re.compile(r"@relation\s+(.*)", re.IGNORECASE)
# No two parts of it can match the same blanks in turn: a line of them would take the square of its length.
_CELL = re.compile(r"""\s*(?:('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*|([^,]*))(?:,|$)""")
_QUOTES = ("'", '"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Arff:
    """Columns of text by the attribute's name; "" where a cell is missing."""

    relation: str
    columns: dict[str, list[str]]
    lines: list[int]


def attributes(head: bytes) -> set[str]:
    """The names of the attributes in the beginning of a file, in lower case."""
    text = head.decode("utf-8", "replace")
    return {_bare(m[1]).lower() for m in _ATTRIBUTE.finditer(text)}


def parse_arff(content: bytes, file: File) -> Arff:
    """A dense ARFF file."""
    lines = decoded(content, file).splitlines()
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
    """The rows from a line on, cut at commas outside of quotes; and the line of each."""
    if len(set(names)) < len(names):
        raise ReadError(f"{short(file.name)} has two columns of one name", hint="Rename one of them.")
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
    """A file is known by words in its beginning, which may stand elsewhere than among the names."""
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
        if found is None:  # a quote that is never closed: the count of the cells will tell
            out.append(line[at:])
            break
        out.append(_bare(found[1]) if found[1] else "" if (c := found[2].strip()) == "?" else c)
        if found.end() == len(line) and not line.endswith(","):
            break
        at = found.end() if found.end() > at else at + 1
        if at == len(line):  # the line ends in a comma: one more empty cell
            out.append("")
            break
    return out


def _bare(text: str) -> str:
    """Without quotes and what they escape."""
    if len(text) >= 2 and text[0] in _QUOTES and text[-1] == text[0]:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def decoded(content: bytes, file: File) -> str:
    """UTF-8 text."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ReadError(f"{short(file.name)} is not UTF-8 text", hint="Save it as UTF-8.") from None

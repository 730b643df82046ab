"""JSON lines, or one JSON array of flat objects -> Table."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

import numpy as np

from ropewalk.data.audit import Input
from ropewalk.errors import ReadError, short
from ropewalk.read.content import parsed_size, room_for_values
from ropewalk.read.table import Column, Table, check_width, column_of


def from_json(content: str, *, name: str, stem: str, source: Input | None = None) -> Table:
    """Parse objects, one per line or in an array; their keys are the columns."""
    if parsed_size(content) > room_for_values():
        raise ReadError(
            f"{short(name)} would take more than {room_for_values():,} bytes of memory",
            hint="Leave out what is not needed; or aggregate it in place: in_place=True (--in-place).",
        )
    if content.lstrip()[0] == "[":
        objects, lines = _array(content, name), None
    else:
        objects, lines = _lines(content, name)
    for i, item in enumerate(objects):
        if not isinstance(item, dict):
            place = f"row {i + 1:,}" if lines is None else f"row {i + 1:,} (line {lines[i]:,})"
            raise ReadError(
                f"{short(name)}, {place}: not an object",
                hint='Each row must be one: {"id": 1, "score": 0.8}.',
            )
    columns, skipped = _columns(objects, name)
    if not columns:
        raise ReadError(
            f"{short(name)} has no column of plain values",
            where=[f"`{short(key)}`: {why}" for key, why in list(skipped.items())[:5]],
            hint="Each row must be a flat object: text, numbers, true or false under each key.",
        )
    return Table(
        name=name,
        stem=stem,
        columns=columns,
        height=len(objects),
        lines=None if lines is None else np.array(lines, dtype=np.intp),
        skipped=skipped,
        input=source,
    )


def _lines(content: str, name: str) -> tuple[list[Any], list[int]]:
    objects, lines = [], []
    # Only a line feed ends a line: JSON strings may contain every other separator.
    for number, line in enumerate(content.split("\n"), start=1):
        if line and not line.isspace():
            objects.append(_loads(line, name, number))
            lines.append(number)
    return objects, lines


def _array(content: str, name: str) -> list[Any]:
    rows = _loads(content, name, None)
    assert isinstance(rows, list)  # the text begins with a bracket and was parsed
    if not rows:
        raise ReadError(f"{short(name)} is an empty array", hint="Is the file complete?")
    return rows


def _loads(piece: str, name: str, line: int | None) -> Any:
    try:
        value = json.loads(piece)
        # A repeated key would be lost. Checking every key is slow, so it is done only if the text seems to
        # have more keys than the object.
        if not isinstance(value, dict) or piece.count('":') + piece.count('" :') > len(value):
            value = json.loads(piece, object_pairs_hook=_object)
        return value
    except (RecursionError, ValueError) as error:
        place = short(name) if line is None else f"{short(name)}, line {line:,}"
        if isinstance(error, RecursionError):
            raise ReadError(f"{place}: nested too deeply", hint="Each row must be a flat object.") from None
        why = f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else error
        raise ReadError(
            f"{place}: not valid JSON ({short(why)})",
            hint='Write one object per line, such as {"id": 1, "score": 0.8}, or one array of objects.',
        ) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise ValueError("a key occurs twice in one object")
    return row


def _columns(objects: list[dict[str, Any]], name: str) -> tuple[dict[str, Column], dict[str, str]]:
    keys = dict.fromkeys(chain.from_iterable(objects))
    check_width(len(keys), name)
    columns: dict[str, Column] = {}
    skipped: dict[str, str] = {}
    for key in keys:
        column = column_of([row.get(key) for row in objects])
        if column is None:
            skipped[key] = "holds lists or objects"
        else:
            columns[key] = column
    return columns, skipped

"""Every Eval Ever: one JSON row per model, evaluation and sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ropewalk.errors import ReadError, short
from ropewalk.read.formats.file import File, as_dict, plain_number
from ropewalk.read.formats.rows import by_name, log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table

NAME = "Every Eval Ever"

_KEYS = (b'"evaluation_id"', b'"model_id"', b'"sample_id"')
_NAMES = ("model_id", "evaluation_name", "sample_id")


def recognises(file: File) -> bool:
    """Check the first row for the keys of an instance."""
    head = file.head.lstrip()
    return head.startswith(b"{") and all(k in head for k in _KEYS)


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per file."""
    return [_table(file) for file in files]


def _table(file: File) -> Table:
    objects, source = file.json_lines()
    rows: list[tuple[Any, ...]] = []
    lines = []
    for line, row in objects:
        names = [row.get(n) for n in _NAMES]
        if not all(isinstance(n, (str, int)) and n != "" for n in names):
            raise ReadError(
                f"{short(file.name)}, line {line:,}: a row needs {', '.join(_NAMES)}",
                hint="Was the file written by another version?",
            )
        found = as_dict(row.get("evaluation"))
        for metric, key in (("score", "score"), ("accuracy", "is_correct")):
            value = plain_number(found.get(key))
            if value is not None:
                rows.append((*names, row.get("sample_hash") or "none", metric, value))
                lines.append(line)
    columns = by_name(("model", "task", "sample_id", "sample_hash", "metric", "score"), rows)
    return log_table(
        file, columns, lines=lines, source=source, log=Log(format=NAME, same={"sample": "sample_hash"})
    )

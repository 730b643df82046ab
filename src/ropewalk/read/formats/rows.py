"""Columns that a format found -> the long table that everything after it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ropewalk.data.arrays import strings
from ropewalk.data.audit import Input
from ropewalk.errors import ReadError, short
from ropewalk.read.formats.file import File
from ropewalk.read.log import Log
from ropewalk.read.table import Table


def log_table(
    file: File,
    columns: Mapping[str, Sequence[Any]],
    *,
    log: Log,
    source: Input,
    lines: Sequence[int] | None = None,
) -> Table:
    """`columns` has model, task, metric, score, what names a unit, and what `log` speaks of."""
    height = len(columns["score"])
    if not height:
        raise ReadError(
            f"{short(file.name)} has no scores", hint="Was the run finished and the file written?"
        )
    return Table(
        name=file.name,
        stem=file.stem,
        columns={
            name: np.array(cells, dtype=np.float64) if name == "score" else strings(cells)
            for name, cells in columns.items()
        },
        height=height,
        lines=None if lines is None else np.array(lines, dtype=np.intp),
        input=source,
        log=log,
    )

"""AutoGluon and TabArena: dataset, fold, framework, metric_error, one row each, as CSV."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.errors import listed, short
from ropewalk.read.formats.arff import check_columns
from ropewalk.read.formats.exports import read_export
from ropewalk.read.formats.file import File
from ropewalk.read.formats.rows import log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table, as_text, parsed

NAME = "AutoGluon results"

_NEEDED = {b"dataset", b"fold", b"metric_error"}
_MODEL = ("framework", "method")


def recognises(file: File) -> bool:
    """Check for the columns in the first line."""
    columns = {c.strip(b' "\r\xef\xbb\xbf') for c in file.head.split(b"\n", 1)[0].split(b",")}
    return columns >= _NEEDED and any(m.encode() in columns for m in _MODEL)


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per file."""
    return [_table(file) for file in files]


def _table(file: File) -> Table:
    table = read_export(file)
    column = {name: as_text(cells) for name, cells in table.columns.items()}
    model = next((m for m in _MODEL if m in column), _MODEL[0])
    check_columns(column, ("dataset", "fold", "metric_error", model), file)
    models = column[model]
    imputed = np.zeros(table.height, dtype=bool)
    if "imputed" in column:
        imputed = parsed(table.columns["imputed"]) == 1
    kept = np.flatnonzero(~imputed)
    metric = column.get("metric")
    warnings = []
    if imputed.any():
        who = listed(dict.fromkeys(models[imputed]))
        warnings.append(
            f"{short(file.name)}: {int(imputed.sum()):,} imputed rows do not come from a run and are left "
            f"out: {who}"
        )
    assert table.lines is not None  # CSV tables always have line numbers
    return log_table(
        file,
        {
            "model": models[kept].tolist(),
            "task": column["dataset"][kept].tolist(),
            "fold": column["fold"][kept].tolist(),
            "metric": ["metric_error" if metric is None else f"{metric[i]}_error" for i in kept],
            "score": parsed(table.columns["metric_error"])[kept].tolist(),
        },
        lines=table.lines[kept].tolist(),
        source=table.input,
        log=Log(
            format=NAME,
            warnings=tuple(warnings),
            higher_is_better={} if metric is None else {f"{m}_error": False for m in set(metric)},
        ),
    )

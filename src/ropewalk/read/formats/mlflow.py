"""MLflow: eval_results_table.json, one row per input with the scores of each metric."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ropewalk.data.metrics import direction
from ropewalk.errors import ReadError, short
from ropewalk.read.formats.file import File, as_dict, as_list, canonical, digest
from ropewalk.read.formats.rows import by_metric, log_table, repeats, whole_metrics
from ropewalk.read.log import Log
from ropewalk.read.table import Table

NAME = "MLflow evaluation table"

_HEAD = re.compile(rb'\s*\{\s*"columns"\s*:\s*\[')
_SCORE = re.compile(r"(.+?)(/v\d+)?/(score|value)")
_INPUTS = ("inputs", "input", "question", "request", "query", "prompt")
_TARGETS = ("targets", "target", "ground_truth", "expected_response", "expectations", "label")
_LONGEST_NAME = 1000  # bytes
_OUTPUTS = ("outputs", "output", "prediction", "predictions", "response", "request_id", "trace_id", "trace")


def recognises(file: File) -> bool:
    """Check for columns and data, with a metric's score or an input among the columns."""
    head = file.head.split(b"]", 1)[0]
    named = any(f'"{name}"'.encode() in head for name in _INPUTS)
    return _HEAD.match(file.head) is not None and (named or b"/score" in head)


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per file; the model is named after its run, or its folder if names repeat."""
    folders = [re.sub(r"(/artifacts)?/eval_results_table$", "", f.stem) for f in files]
    called = [_run_name(f) or folder for f, folder in zip(files, folders, strict=True)]
    runs = {Path(f.path).absolute().parent for f in files}
    models = folders if len(set(called)) < len(runs) else called
    return [_table(file, model) for file, model in zip(files, models, strict=True)]


def _run_name(file: File) -> str:
    """Return the user's run name, from RUN/tags/mlflow.runName next to RUN/artifacts in a file store."""
    folder = Path(file.path).absolute().parent
    tag = folder.parent / "tags" / "mlflow.runName"
    try:
        if folder.name != "artifacts" or not tag.is_file() or tag.stat().st_size > _LONGEST_NAME:
            return ""
        return tag.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""


def _table(file: File, model: str) -> Table:
    document, source = file.json()
    names, rows = (as_list(as_dict(document).get(key)) for key in ("columns", "data"))
    if not rows or not all(isinstance(r, list) and len(r) == len(names) for r in rows):
        raise ReadError(f"{short(file.name)}: the rows do not have a value for each of the columns")
    cells = {str(name): list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    metrics, skipped = whole_metrics(_metrics(cells), file)
    inputs = _inputs(cells)
    if not inputs:
        raise ReadError(f"{short(file.name)} has no inputs to pair the rows by", hint="Log the inputs too.")
    target = next((t for t in _TARGETS if t in cells), None)
    units = [digest(canonical([cells[c][i] for c in inputs], file.name)) for i in range(len(rows))]
    shared: dict[str, Sequence[Any]] = {"model": [model] * len(rows), "id": units, "repeat": repeats(units)}
    if target is not None:
        shared = {**shared, "target_text": [canonical(v, file.name) for v in cells[target]]}
    return log_table(
        file,
        by_metric(shared, metrics),
        source=source,
        log=Log(
            format=NAME,
            notes=(
                "rows are paired by their inputs: " + ", ".join(f"`{short(c)}`" for c in inputs),
                *(f"skipped: {short(m)} ({why})" for m, why in skipped.items()),
            ),
            same={} if target is None else {"target": "target_text"},
        ),
    )


def _metrics(cells: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """Return columns METRIC/v1/score, and columns named after a metric."""
    scores = {name: _SCORE.fullmatch(name) for name in cells}
    others = (*_INPUTS, *_TARGETS, *_OUTPUTS)
    return {
        score[1] if score else name: cells[name]
        for name, score in scores.items()
        if score or (direction(name) is not None and name not in others)
    }


def _inputs(cells: Mapping[str, Sequence[Any]]) -> list[str]:
    """Return the inputs by their usual names, otherwise all text columns that are not outputs or remarks."""
    usual = [c for c in _INPUTS if c in cells]
    if usual:
        return usual
    other = (*_OUTPUTS, *_TARGETS)
    return [
        c
        for c, column in cells.items()
        if c not in other and "/" not in c and all(isinstance(v, str) for v in column)
    ]

"""OpenML: the predictions of one run on a task, as ARFF."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ropewalk.data.arrays import strings
from ropewalk.errors import ReadError, short
from ropewalk.read.formats.arff import Arff, attributes, check_columns, parse_arff
from ropewalk.read.formats.file import File
from ropewalk.read.formats.rows import by_metric, log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table, parsed

NAME = "OpenML predictions"

_NEEDED = ("row_id", "prediction", "correct")
_CONFIDENCE = "confidence."
_TASK = re.compile(r"openml_task_(\d+)", re.IGNORECASE)


def recognises(file: File) -> bool:
    """Check for the attributes of a prediction file."""
    return attributes(file.head).issuperset(_NEEDED)


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per file, named after its model."""
    return [_table(file) for file in files]


def _table(file: File) -> Table:
    content, source = file.content()
    found = parse_arff(content, file)
    arff = {name.lower(): cells for name, cells in found.columns.items() if not _is_confidence(name)}
    check_columns(arff, _NEEDED, file)
    if any(c == "" for name in _NEEDED for c in arff[name]):
        raise ReadError(
            f"{short(file.name)} has rows without a row_id, a prediction or the truth",
            hint="Every row of the task needs a prediction.",
        )
    task = _TASK.search(found.relation)
    metrics = _metrics(arff["prediction"], arff["correct"], _confidences(found))
    height = len(found.lines)
    shared: dict[str, Sequence[Any]] = {
        "model": [file.stem] * height,
        "task": [task[1] if task else found.relation or "task"] * height,
        "row_id": arff["row_id"],
        "repeat": arff.get("repeat", ["0"] * height),
        "truth": arff["correct"],
        "fold_of_row": arff.get("fold", ["0"] * height),
    }
    return log_table(
        file,
        by_metric(shared, metrics),
        lines=found.lines * len(metrics),
        source=source,
        log=Log(format=NAME, same={"truth": "truth"}, alike={"fold": "fold_of_row"}),
    )


def _is_confidence(name: str) -> bool:
    return name.lower().startswith(_CONFIDENCE)


def _confidences(found: Arff) -> dict[str, list[float]]:
    """Return the probability of each class, if every row has them."""
    out = {}
    for name, cells in found.columns.items():
        if _is_confidence(name):
            values = parsed(strings(cells))
            if not np.isfinite(values).all():
                return {}
            out[name[len(_CONFIDENCE) :]] = values.tolist()
    return out


def _metrics(
    predicted: Sequence[str], correct: Sequence[str], confidences: Mapping[str, Sequence[float]]
) -> dict[str, list[float]]:
    """Return right or wrong and the Brier score sum_c (p_c - [y = c])^2; errors if the truth is a number."""
    truth, guess = parsed(strings(correct)), parsed(strings(predicted))
    numeric = np.isfinite(truth).all() and np.isfinite(guess).all()
    if numeric and not confidences and np.any(truth != np.floor(truth)):
        error = guess - truth
        return {"absolute error": np.abs(error).tolist(), "squared error": (error**2).tolist()}
    out = {"accuracy": [float(p == y) for p, y in zip(predicted, correct, strict=True)]}
    if set(correct) <= set(confidences):
        p = np.column_stack(list(confidences.values()))
        y = np.column_stack([[c == label for c in correct] for label in confidences])
        out["brier score"] = ((p - y) ** 2).sum(axis=1).tolist()
    return out

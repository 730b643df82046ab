"""WEKA experimenter: one row per data set, scheme, run and fold, as CSV or ARFF."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ropewalk.data.arrays import strings
from ropewalk.data.audit import Input
from ropewalk.errors import ReadError, short
from ropewalk.read.formats.arff import attributes, check_columns, parse_arff, rows_of
from ropewalk.read.formats.file import File, decoded
from ropewalk.read.formats.rows import by_metric, log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table, parsed

NAME = "WEKA experimenter"

_SCHEME = ("Key_Scheme", "Key_Scheme_options", "Key_Scheme_version_ID")
_KEYS = ("Key_Dataset", "Key_Run", "Key_Scheme")
_SIZES = {"n_test": "Number_of_testing_instances", "n_train": "Number_of_training_instances"}
# The measures that are read, in order of preference, and whether higher is better.
_MEASURES = {
    "Percent_correct": True,
    "Root_mean_squared_error": False,
    "Mean_absolute_error": False,
    "Area_under_ROC": True,
    "F_measure": True,
    "Kappa_statistic": True,
    "Correlation_coefficient": True,
    "Root_relative_squared_error": False,
}
_SPELT = {name.lower(): name for name in (*_KEYS, *_SCHEME, "Key_Fold", *_SIZES.values(), *_MEASURES)}


def recognises(file: File) -> bool:
    """Check for the key columns in the first line or among the attributes."""
    names = {k.lower() for k in _KEYS}
    first = file.head.split(b"\n", 1)[0].decode("utf-8", "replace")
    return names <= {c.strip("\r \"'\ufeff").lower() for c in first.split(",")} or names <= attributes(
        file.head
    )


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per file; schemes get the shortest names that tell all of them apart."""
    read_in = [(file, *_read(file)) for file in files]
    names = _names([key for _, columns, _, _ in read_in for key in _schemes(columns)])
    return [_table(*parts, names) for parts in read_in]


def _read(file: File) -> tuple[dict[str, list[str]], list[int], Input]:
    content, source = file.content()
    if content.lstrip(b"\xef\xbb\xbf \r\n")[:4].lower() == b"key_":
        lines = decoded(content, file.name).splitlines()
        names = [c.strip("\"' \ufeff") for c in lines[0].split(",")]
        columns, numbers = rows_of(lines, 1, names, file)
    else:
        arff = parse_arff(content, file)
        columns, numbers = arff.columns, arff.lines
    columns = {_SPELT.get(name.lower(), name): cells for name, cells in columns.items()}
    check_columns(columns, _KEYS, file)
    return columns, numbers, source


def _schemes(columns: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    height = len(columns["Key_Scheme"])
    return list(zip(*(columns.get(k, [""] * height) for k in _SCHEME), strict=True))


def _names(schemes: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """Return class names, with options if a class has several, and with the version if still ambiguous."""
    different = list(dict.fromkeys(schemes))
    levels = [
        {s: s[0].rpartition(".")[2] or s[0] for s in different},
        {s: s[0] for s in different},
        {s: " ".join(filter(None, s[:2])) for s in different},
        {s: " ".join(filter(None, s)) for s in different},
    ]
    names = levels[0]
    for finer in levels[1:]:
        times: dict[str, int] = defaultdict(int)
        for name in names.values():
            times[name] += 1
        names = {s: finer[s] if times[name] > 1 else name for s, name in names.items()}
    return names


def _table(
    file: File,
    columns: Mapping[str, list[str]],
    lines: list[int],
    source: Input,
    names: Mapping[tuple[str, ...], str],
) -> Table:
    found = {m: parsed(strings(columns[m])) for m in _MEASURES if m in columns}
    metrics = {m: values.tolist() for m, values in found.items() if np.isfinite(values).all()}
    if not metrics:
        raise ReadError(
            f"{short(file.name)} has no measure that every row has",
            where=[f"looked for: {', '.join(_MEASURES)}"],
            hint="Was the experiment finished?",
        )
    shared: dict[str, list[Any]] = {
        "model": [names[s] for s in _schemes(columns)],
        "task": columns["Key_Dataset"],
        "repeat": columns["Key_Run"],
    }
    if "Key_Fold" in columns:
        shared["fold"] = columns["Key_Fold"]
    if all(c in columns for c in _SIZES.values()):
        shared |= {ours: columns[theirs] for ours, theirs in _SIZES.items()}
    return log_table(
        file,
        by_metric(shared, metrics),
        lines=lines * len(metrics),
        source=source,
        log=Log(
            format=NAME,
            notes=tuple(f"skipped: {m} (not on every row)" for m in found if m not in metrics),
            higher_is_better={m: _MEASURES[m] for m in metrics},
        ),
    )

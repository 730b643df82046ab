"""A published table of accuracies: model, accuracy, n."""

from __future__ import annotations

import numpy as np

from ropewalk.errors import ColumnError, short
from ropewalk.read.files import from_paths
from ropewalk.read.table import Table, as_text

# The accepted names of each column, the usual one first.
_NAMES = {
    "model": ("model", "method", "name"),
    "accuracy": ("accuracy", "acc"),
    "n": ("n", "examples", "size"),
}


def read_table(path: str) -> tuple[dict[str, str], dict[str, int]]:
    """Return accuracies as printed, and test set sizes, by model."""
    (table,) = from_paths(path)
    columns = _columns(table)
    models, accuracies, sizes = (
        [cell.strip() for cell in as_text(table.columns[columns[role]])] for role in _NAMES
    )
    first = {model: k for k, model in reversed([*enumerate(models)])}
    odd = [k for k, model in enumerate(models) if not model or first[model] != k]
    if odd:
        what = "a model that occurs twice" if models[odd[0]] else "no model"
        raise table.bad_cells(columns["model"], np.array(odd), what, "Give one row per model.")
    counts = [size.replace(",", "").replace("_", "") for size in sizes]
    odd = [k for k, count in enumerate(counts) if not count.isdigit()]
    if odd:
        raise table.bad_cells(
            columns["n"], np.array(odd), "not a whole number", "Give the number of test examples."
        )
    return dict(zip(models, accuracies, strict=True)), dict(zip(models, map(int, counts), strict=True))


def _columns(table: Table) -> dict[str, str]:
    """Return the columns of model, accuracy and n."""
    given = {name.strip().lower(): name for name in reversed(table.columns)}
    found = {role: next((given[n] for n in names if n in given), None) for role, names in _NAMES.items()}
    lacking = [role for role, name in found.items() if name is None]
    if lacking:
        raise ColumnError(
            f"{short(table.name)} has no column {' and no column '.join(lacking)}",
            where=[f"columns: {', '.join(short(name) for name in table.columns) or 'none'}"],
            hint="A published table has the columns model, accuracy and n.",
        )
    return {role: name for role, name in found.items() if name is not None}

"""A published table of accuracies: model, accuracy, n."""

from __future__ import annotations

import csv
from pathlib import Path

from ropewalk.errors import CellError, ColumnError, DataError

_COLUMNS = ("model", "accuracy", "n")


def read_table(path: str) -> tuple[dict[str, str], dict[str, int]]:
    """Accuracies as they are printed, and test set sizes, by model."""
    rows = _rows(Path(path))
    accuracies: dict[str, str] = {}
    sizes: dict[str, int] = {}
    for line, row in enumerate(rows, start=2):
        model = row["model"]
        if not model or model in accuracies:
            problem = f'the model "{model}" is there twice' if model else "a row has no model"
            raise CellError(problem, where=[f"{path}, line {line}"], hint="Give one row per model.")
        size = row["n"].replace(",", "").replace("_", "")
        if not size.isdigit():
            raise CellError(
                f'n is "{row["n"]}"', where=[f"{path}, line {line}"], hint="Give a whole number of examples."
            )
        accuracies[model], sizes[model] = row["accuracy"], int(size)
    return accuracies, sizes


def _rows(path: Path) -> list[dict[str, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise DataError(
            f"{path} cannot be read: {problem}", hint="Give a CSV file: model, accuracy, n."
        ) from None
    reader = csv.DictReader(text.splitlines(), skipinitialspace=True)
    found = {name.strip().lower(): name for name in reader.fieldnames or ()}
    lacking = [name for name in _COLUMNS if name not in found]
    if lacking:
        raise ColumnError(
            f"{path} has no column {' and no column '.join(lacking)}",
            where=[f"columns: {', '.join(found) or 'none'}"],
            hint="A published table has the columns model, accuracy and n.",
        )
    return [{name: (row[found[name]] or "").strip() for name in _COLUMNS} for row in reader]

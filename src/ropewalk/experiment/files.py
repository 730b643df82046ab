"""CSV, Parquet and ARFF with a target column -> Dataset."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats, coded, strings
from ropewalk.errors import ColumnError, ReadError, did_you_mean, listed, short
from ropewalk.experiment.datasets import Dataset
from ropewalk.read.files import from_paths
from ropewalk.read.formats.arff import parse_arff
from ropewalk.read.formats.file import File
from ropewalk.read.table import Column, Table, as_text, parsed, text

_TARGETS = ("target", "class", "label", "y")
_SUFFIXES = (".csv", ".tsv", ".parquet", ".pq", ".jsonl", ".arff")
_MOST_TEXTS = 100  # a column with more distinct texts than this and than a fifth of the rows holds names


def from_file(
    path: str | os.PathLike[str],
    *,
    name: str,
    target: str | None = None,
    groups: str | None = None,
    drop: Sequence[str] = (),
) -> Dataset:
    """Read a data set from a table: all columns other than the target, the groups or dropped are features.

    By default the target is a column named `target`, `class`, `label` or `y`; in an ARFF file the last
    column. A text column becomes one column of 0 and 1 for each word. An empty number is NaN.
    """
    table = _table(path)
    goal = _target(table, target, last=Path(path).suffix.lower() == ".arff")
    for column in (goal, *([groups] if groups else []), *drop):
        _known(table, column)
    features = [c for c in table.columns if c not in {goal, groups, *drop}]
    if not features:
        raise ColumnError(
            f"{short(table.name)} has no feature columns",
            where=[f"columns: {listed(table.columns)}"],
            hint="A data set needs at least one column besides the target.",
        )
    X = np.column_stack([part for c in features for part in _feature(table, c)])
    return Dataset(
        name=name, X=X, y=_goal(table, goal), groups=text(table, groups) if groups is not None else None
    )


def from_folder(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    groups: str | None = None,
    drop: Sequence[str] = (),
) -> list[Dataset]:
    """Read each table of a folder as a data set, named after its file; columns as in `from_file`."""
    try:
        found = sorted(p for p in Path(path).iterdir() if p.suffix.lower() in _SUFFIXES and p.is_file())
    except (OSError, ValueError) as error:  # also a null character
        why = getattr(error, "strerror", None) or error
        raise ReadError(f"the folder {short(path)} cannot be read: {short(why)}") from None
    if not found:
        raise ReadError(
            f"the folder {short(path)} has no data sets", hint=f"It may contain {', '.join(_SUFFIXES)} files."
        )
    return [from_file(p, name=p.stem, target=target, groups=groups, drop=drop) for p in found]


def _table(path: str | os.PathLike[str]) -> Table:
    if Path(path).suffix.lower() != ".arff":
        (table,) = from_paths([path])
        return table
    file = File(path=str(path), name=Path(path).name, stem=Path(path).stem)
    content, source = file.content()
    arff = parse_arff(content, file)
    columns: dict[str, Column] = {name: strings(cells) for name, cells in arff.columns.items()}
    lines = np.array(arff.lines, dtype=np.intp)
    return Table(
        name=file.name, stem=file.stem, columns=columns, height=len(lines), lines=lines, input=source
    )


def _target(table: Table, asked: str | None, *, last: bool) -> str:
    if asked is not None:
        return asked
    lower = {c.lower(): c for c in table.columns}
    for name in _TARGETS:
        if name in lower:
            return lower[name]
    if last:
        return list(table.columns)[-1]
    raise ColumnError(
        f"{short(table.name)} does not say which column is to be predicted",
        where=[f"columns: {listed(table.columns)}"],
        hint='Name it: target = "COLUMN".',
    )


def _known(table: Table, column: str) -> None:
    if column not in table.columns:
        raise ColumnError(
            f'{short(table.name)} has no column "{short(column)}"',
            hint=did_you_mean(str(column), table.columns),
        )


def _numbers(cells: Column) -> Floats | None:
    """Return the column as numbers, NaN for an empty cell; None for a text column."""
    values = parsed(cells)
    if cells.dtype == object and not np.array_equal(np.isnan(values), cells == ""):
        return None
    return None if np.isnan(values).all() and cells.dtype == object else values


def _goal(table: Table, column: str) -> NDArray[Any]:
    """Return the target as whole numbers, numbers or words."""
    cells = text(table, column, hint="Leave out rows without a target.")
    values = _numbers(table.columns[column])
    if values is None:
        return np.asarray(cells.tolist())  # fixed-width text, which algorithms sort and compare faster
    whole = np.isfinite(values).all() and bool((values == np.round(values)).all())
    return values.astype(np.int64) if whole else values


def _feature(table: Table, column: str) -> list[Floats]:
    cells = table.columns[column]
    values = _numbers(cells)
    if values is not None:
        return [values]
    words = as_text(cells)
    codes, names = coded(words)
    if len(names) > max(_MOST_TEXTS, table.height / 5):
        raise ColumnError(
            f"{short(table.name)}: column `{short(column)}` has {len(names):,} different texts in "
            f"{table.height:,} rows",
            where=[f"such as {listed(names, most=3)}"],
            hint=f'If it is a name or an id, exclude it: drop = ["{short(column)}"].',
        )
    return [(codes == k).astype(np.float64) for k, word in enumerate(names) if word != ""]

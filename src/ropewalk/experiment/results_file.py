"""The fits of a store as Parquet, which every tool can read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ropewalk.disk import sync_file, sync_folder
from ropewalk.errors import short
from ropewalk.experiment.columns import columns, fit_of, row_of
from ropewalk.experiment.manifest import REPAIR, DamagedError
from ropewalk.experiment.work import Fit
from ropewalk.read.database import database, exact_pattern, failures, first_line


def unfinished(path: Path) -> tuple[Path, Path]:
    """The files next to a Parquet file that exist only while it is written: its rows, and the new table."""
    return path.with_suffix(".jsonl.new"), path.with_suffix(".parquet.new")


def write_parquet(path: Path, fits: Iterable[Fit], metrics: Sequence[str]) -> None:
    """Write one row for each fit; the file is on the disk, under its name, when this returns.

    Raises
    ------
    OSError
        If it cannot be written, also where it is DuckDB that says so. The old file is as it was.
    """
    lines, table = unfinished(path)
    try:
        with lines.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row_of(fit), allow_nan=False) + "\n" for fit in fits)
        try:
            with database() as connection:
                rows = connection.read_json(
                    exact_pattern(str(lines)), columns=columns(metrics), format="newline_delimited"
                )
                rows.write_parquet(str(table))
        except failures() as error:
            raise OSError(None, first_line(error, longest=200)) from error
        sync_file(table)
        table.replace(path)
        sync_folder(path.parent)
    finally:
        lines.unlink(missing_ok=True)
        table.unlink(missing_ok=True)


def read_parquet(path: Path, metrics: Sequence[str]) -> list[Fit]:
    """Read the fits of a Parquet file; none where there is no file.

    Raises
    ------
    DamagedError
        If the file cannot be read.
    """
    import duckdb

    if not path.exists():
        return []
    unreadable: tuple[type[Exception], ...] = (*failures(), TypeError, ValueError)
    try:
        with database() as connection:
            table = connection.read_parquet(exact_pattern(str(path)))
            rows: list[tuple[Any, ...]] = table.select(
                *map(duckdb.ColumnExpression, columns(metrics))
            ).fetchall()
        return [fit_of(row, metrics) for row in rows]
    except unreadable as error:
        raise DamagedError(
            f"{short(path)} cannot be read as results", where=[first_line(error)], hint=REPAIR
        ) from None

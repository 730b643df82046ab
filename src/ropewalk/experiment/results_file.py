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
from ropewalk.read.content import check_regular, room_for_packed_values
from ropewalk.read.database import database, exact_pattern, failures, first_line, quoted

_FIT = 1_000  # bytes of a fit in memory, without its texts
_MOST_RATIO = 100  # no results compress better, because every fit took a different time


def unfinished(path: Path) -> tuple[Path, Path]:
    """Return the temporary files next to a Parquet file during writing: its rows, and the new table."""
    return path.with_suffix(".jsonl.new"), path.with_suffix(".parquet.new")


def write_parquet(path: Path, fits: Iterable[Fit], metrics: Sequence[str]) -> None:
    """Write one row per fit; on return the file is on disk under its name.

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
    """Read the fits of a Parquet file; none if there is no file.

    Raises
    ------
    DamagedError
        If the file cannot be read.
    """
    import duckdb

    if not path.exists():
        return []
    unreadable: tuple[type[Exception], ...] = (*failures(), OSError, TypeError, ValueError)
    try:
        check_regular(path)
        with database() as connection:
            table = connection.read_parquet(exact_pattern(str(path)))
            _check_size(table, columns(metrics), path.stat().st_size)
            rows: list[tuple[Any, ...]] = table.select(
                *map(duckdb.ColumnExpression, columns(metrics))
            ).fetchall()
        return [fit_of(row, metrics) for row in rows]
    except unreadable as error:
        raise DamagedError(
            f"{short(path)} cannot be read as results", where=[first_line(error)], hint=REPAIR
        ) from None


def _check_size(table: Any, kinds: dict[str, str], packed: int) -> None:
    """Refuse a stranger's table that would fill the memory: a million equal rows compress to nothing."""
    texts = " + ".join(f"coalesce(strlen({quoted(c)}), 0)" for c, kind in kinds.items() if kind == "VARCHAR")
    ((size,),) = table.aggregate(f"count(*) * {_FIT} + coalesce(sum({texts}), 0)").fetchall()
    if size > max(room_for_packed_values(), _MOST_RATIO * packed):
        raise ValueError("it unpacks to far more bytes than results of its size")

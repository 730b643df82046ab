"""A Parquet file -> Table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ropewalk.data.audit import Input
from ropewalk.errors import ReadError, short
from ropewalk.read.database import database
from ropewalk.read.table import Table, table_of


def from_parquet(path: Path, *, name: str, stem: str, source: Input | None = None) -> Table:
    """Read a Parquet file with DuckDB."""
    with _opened(path, name) as relation:
        names, arrays = list(relation.columns), relation.fetchnumpy()
    return table_of({n: arrays[n] for n in names}, name=name, stem=stem, source=source)


def parquet_rows(path: Path, *, name: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    """The rows as Python values, structs as dicts; of the columns named here those that the file has."""
    import duckdb

    with _opened(path, name) as relation:
        kept = [c for c in columns if c in relation.columns]
        rows = relation.select(*map(duckdb.ColumnExpression, kept)).fetchall()
    return [dict(zip(kept, row, strict=True)) for row in rows]


@contextmanager
def _opened(path: Path, name: str) -> Iterator[Any]:
    import duckdb

    # Brackets keep DuckDB from reading the characters of a file's name as a pattern.
    pattern = "".join(f"[{c}]" if c in "*?[" else c for c in str(path.absolute()))
    try:
        with database() as connection:
            yield connection.from_parquet(pattern)
    except duckdb.Error as problem:
        raise ReadError(
            f"{short(name)} cannot be read as Parquet",
            where=[short(str(problem).splitlines()[0], longest=100)],
            hint="Was the file written to its end?",
        ) from None

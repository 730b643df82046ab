"""A Parquet file -> Table."""

from __future__ import annotations

from pathlib import Path

from ropewalk.data.audit import Input
from ropewalk.errors import ReadError, short
from ropewalk.read.table import Table, table_of


def from_parquet(path: Path, *, name: str, stem: str, source: Input | None = None) -> Table:
    """Read a Parquet file with DuckDB."""
    import duckdb

    # Brackets keep DuckDB from reading the characters of a file's name as a pattern.
    pattern = "".join(f"[{c}]" if c in "*?[" else c for c in str(path.absolute()))
    try:
        with duckdb.connect(config={"autoinstall_known_extensions": "false"}) as connection:
            relation = connection.from_parquet(pattern)
            names, arrays = list(relation.columns), relation.fetchnumpy()
    except duckdb.Error as problem:
        raise ReadError(
            f"{short(name)} cannot be read as Parquet",
            where=[short(str(problem).splitlines()[0], longest=100)],
            hint="Was the file written to its end?",
        ) from None
    return table_of({n: arrays[n] for n in names}, name=name, stem=stem, source=source)

"""A Parquet file -> Table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ropewalk.data.audit import Input
from ropewalk.errors import ReadError, listed, short
from ropewalk.read.content import room
from ropewalk.read.database import database, exact_pattern, failures, first_line
from ropewalk.read.table import Table, check_width, table_of

_LONG = ("varchar", "blob", "list", "array", "struct", "map", "union")  # types of variable size
CELL = 64  # bytes of a short value in Python


def from_parquet(path: Path, *, name: str, stem: str, source: Input | None = None) -> Table:
    """Read a Parquet file with DuckDB."""
    with _opened(path, name) as relation:
        names = list(relation.columns)
        check_width(len(names), name)
        check_room(relation, names, name)
        arrays = relation.fetchnumpy()
    if set(names) != set(arrays):  # DuckDB cuts a name at its first zero byte
        raise _broken(name, "the name of a column holds a zero byte")
    return table_of({n: arrays[n] for n in names}, name=name, stem=stem, source=source)


def parquet_rows(path: Path, *, name: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows as Python values, structs as dicts, with those of the named columns that exist."""
    import duckdb

    with _opened(path, name) as relation:
        kept = [c for c in columns if c in relation.columns]
        if not kept:
            raise ReadError(
                f"{short(name)} has none of the columns {listed(columns, most=3)}",
                where=[f"columns: {listed(relation.columns)}"],
                hint="Was the file written by another version?",
            )
        check_room(relation, kept, name)
        rows = relation.select(*map(duckdb.ColumnExpression, kept)).fetchall()
    return [dict(zip(kept, row, strict=True)) for row in rows]


def check_room(relation: Any, columns: Sequence[str], name: str) -> None:
    """Refuse a file that does not fit in memory unpacked: a few kilobytes can be a billion equal rows."""
    kinds = dict(zip(relation.columns, relation.types, strict=True))
    long = ['"' + c.replace('"', '""') + '"' for c in columns if kinds[c].id in _LONG]
    lengths = [f"coalesce(sum(strlen({column}::varchar)), 0)" for column in long]
    (found,) = relation.aggregate(", ".join(["count(*)", *lengths])).fetchall()
    if found[0] * len(columns) * CELL + sum(found[1:]) > room():
        raise ReadError(
            f"{short(name)} unpacks to {found[0]:,} rows of {len(columns):,} columns, which do not "
            "fit into memory",
            hint="Leave out columns that are not needed; or aggregate it in place: in_place=True "
            "(--in-place).",
        )


@contextmanager
def _opened(path: Path, name: str) -> Iterator[Any]:
    try:
        with database() as connection:
            yield connection.from_parquet(exact_pattern(path))
    except failures() as problem:
        raise _broken(name, problem) from None


def _broken(name: str, why: object) -> ReadError:
    return ReadError(
        f"{short(name)} cannot be read as Parquet",
        where=[first_line(why)],
        hint="Is the file complete?",
    )

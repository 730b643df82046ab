"""The rows of an SQL query: from a connection, from the file of a database, or from files that it names."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from ropewalk.errors import MissingExtraError, OptionError, ReadError, listed, short
from ropewalk.read.content import room
from ropewalk.read.database import database, failures, first_line
from ropewalk.read.files import is_paths
from ropewalk.read.frame import from_relation, is_relation
from ropewalk.read.parquet import CELL, check_room
from ropewalk.read.table import Table, check_names, table_of

_SQLITE = b"SQLite format 3\x00"
_DUCKDB = b"DUCK"  # found after an eight-byte checksum
_POSTGRES = ("postgresql://", "postgres://")
_NAME = "the query"
_MOST_ROWS = 2**31 - 2  # SQLite counts the rows to fetch by a C int
_READING = ("SELECT", "MULTI")  # a pivot is a select after a lookup of the names of its columns
_PIVOT = ["CREATE", "SELECT"]  # what DuckDB before 2.0 turns a pivot into
_READING_SQLITE = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)


@contextmanager
def queried(source: Any, query: str) -> Iterator[Any]:
    """Run a query: a DuckDB relation, valid while its connection is open, or a fetched table.

    `source` is a connection (DuckDB, SQLite, ADBC or any other of Python's database API), the path of a
    DuckDB or SQLite file, which is opened read-only, the address of a Postgres database, or None: then the
    query itself names files that DuckDB reads.
    """
    if not isinstance(query, str) or not query.strip():
        raise OptionError("the query is empty", hint='Give one: "select model, id, score from results".')
    with ExitStack() as stack:
        connection = source
        if source is None:
            connection = stack.enter_context(database())
        elif is_paths(source):
            connection = stack.enter_context(_opened(source))
        try:
            if connection is not source and _is_duckdb(connection):
                connection.execute("set python_enable_replacements = false")  # our variables are no tables
                _check_reads_only(connection, query)
            elif connection is not source and not isinstance(connection, sqlite3.Connection):
                query = (
                    f"select * from (\n{query.strip().rstrip(';')}\n) as query"  # `copy` would write files
                )
            yield _relation(connection, query) if _is_duckdb(connection) else _fetched(connection, query)
        except (*failures(), *_errors(connection)) as problem:
            raise _failed(problem) from None


def rows_of_query(source: Any, query: str) -> Table:
    """Run a query and fetch its rows."""
    with queried(source, query) as rows:
        return fetched(rows)


def fetched(rows: Any) -> Table:
    """Return the rows of a query as a table, if they fit into memory."""
    if not is_relation(rows):
        table: Table = rows
        return table
    check_room(rows, rows.columns, _NAME)
    return from_relation(rows)


def query_note(query: str) -> str:
    """Return the note in a report that names the query."""
    return f"rows of the query: {short(query, 200)}"


def _check_reads_only(connection: Any, query: str) -> None:
    """Refuse queries that write files or load extensions, because queries are often pasted unread.

    DuckDB can copy to other files and attach them even if the database is opened read-only.
    """
    statements = connection.extract_statements(query)
    kinds = [s.type.name for s in statements]
    # Statements added by DuckDB have no text.
    pivot = kinds == _PIVOT and not any(s.query for s in statements)
    if not pivot and (len(kinds) != 1 or kinds[0] not in _READING):
        raise ReadError(
            "the query is not a single select",
            where=[f"its statements: {listed(kinds)}"],
            hint="Write a single select. To prepare data first, open the database yourself in Python\n"
            "and give the connection: rw.compare(connection, query=...).",
        )


def _permits(action: int, *_: object) -> int:
    """Authorize a statement for SQLite, which asks first; `vacuum into` and `attach` write other files."""
    return sqlite3.SQLITE_OK if action in _READING_SQLITE else sqlite3.SQLITE_DENY


def _errors(connection: Any) -> tuple[type[Exception], ...]:
    """Return the exceptions of a connection's driver: most have the class on the connection (PEP 249)."""
    found = getattr(connection, "Error", None)
    return (found,) if isinstance(found, type) and issubclass(found, Exception) else ()


def _is_duckdb(connection: Any) -> bool:
    return type(connection).__name__ == "DuckDBPyConnection"


@contextmanager
def _opened(source: Any) -> Iterator[Any]:
    if isinstance(source, (list, tuple)):
        if len(source) != 1:
            raise OptionError(
                f"a query runs in one database, but {len(source)} files were given",
                hint="Give one database; or give none, and name the files in the query: from 'a.parquet'.",
            )
        (source,) = source
    path = os.fspath(source)
    if path.startswith(_POSTGRES):
        with closing(_postgres(path)) as connection:
            connection.execute("set session characteristics as transaction read only").close()
            connection.commit()
            yield connection
        return
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):  # opening a pipe would block
            raise ReadError(f"{short(path)} is not a file", hint="Give a database file.")
        with Path(path).open("rb") as file:
            head = file.read(16)
    except OSError as problem:
        raise ReadError(f"{short(path)} cannot be opened: {problem.strerror or problem}") from None
    if head.startswith(_SQLITE):
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.set_authorizer(_permits)
            yield connection
    elif head[8:12] == _DUCKDB:
        try:
            with database(path, read_only=True) as connection:
                yield connection
        except failures() as problem:
            raise _failed(problem) from None
    else:
        raise ReadError(
            f"{short(path)} is not a DuckDB or SQLite database",
            hint="To query a table in a file, omit the path and name it in the query: from 'a.parquet'.",
        )


def _postgres(address: str) -> Any:
    try:
        from adbc_driver_postgresql import dbapi
    except ImportError:
        raise MissingExtraError(
            "reading a Postgres database needs ADBC, which is not installed",
            hint="pip install adbc-driver-postgresql pyarrow",
        ) from None
    try:
        return dbapi.connect(address)
    except dbapi.Error as problem:
        raise _failed(problem) from None


def _relation(connection: Any, query: str) -> Any:
    relation = connection.sql(query)
    if relation is None:
        raise _no_rows()
    return relation


def _fetched(connection: Any, query: str) -> Table:
    """Fetch all rows through Python's database API, if they fit into memory."""
    if not hasattr(connection, "cursor"):
        raise OptionError(
            f"an object of the type {type(connection).__name__} is not a connection to a database",
            hint="Give a connection, or the path of a DuckDB or SQLite file.",
        )
    with closing(connection.cursor()) as cursor:
        cursor.execute(query)
        if cursor.description is None:
            raise _no_rows()
        names = [str(column[0]) for column in cursor.description]
        check_names(names, _NAME)
        most = min(room() // (len(names) * CELL), _MOST_ROWS)
        rows = cursor.fetchmany(most + 1)
        if len(rows) > most:
            raise ReadError(
                f"{_NAME} returns more than {most:,} rows, which do not fit into memory",
                hint="Select fewer columns or rows.",
            )
    columns = list(zip(*rows, strict=True)) if rows else [() for _ in names]
    return table_of(
        {name: list(cells) for name, cells in zip(names, columns, strict=True)}, name=_NAME, stem="query"
    )


def _no_rows() -> ReadError:
    return ReadError("the query returns no table", hint="Write a select.")


def _failed(problem: object) -> ReadError:
    return ReadError(
        "the query failed",
        where=[first_line(problem, longest=200)],
        hint="Try it in the database's own shell first.",
    )

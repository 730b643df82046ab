"""DuckDB, which fetches nothing from the network and draws nothing on the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ropewalk.errors import short


@contextmanager
def database(path: str = ":memory:", *, read_only: bool = False, **settings: str) -> Iterator[Any]:
    """Open a separate connection with these settings, to a database in memory or in a file."""
    import duckdb

    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",  # the extension for network access may be installed
        **settings,
    }
    with duckdb.connect(path, read_only=read_only, config=config) as connection:
        # In a notebook and under `python -c`, the progress bar would go to standard output.
        connection.execute("set enable_progress_bar = false")
        yield connection


def failures() -> tuple[type[Exception], ...]:
    """Return the exceptions that DuckDB raises for a broken file.

    Names that are not UTF-8 and dates after the year 9999 raise Python's own errors.
    """
    import duckdb

    return (duckdb.Error, RuntimeError, SystemError, UnicodeError, OverflowError, MemoryError)


def first_line(problem: object, longest: int = 100) -> str:
    """Return the error message without the query that DuckDB prints below it.

    DuckDB 1.4 sometimes reports first that a failed query has no result, and then why it failed.

    >>> first_line("Invalid Input Error: Attempting to execute ...\\nError: CSV Error on Line: 7")
    'CSV Error on Line: 7'
    """
    lines = str(problem).splitlines()
    causes = [line.removeprefix("Error: ") for line in lines[1:] if line.startswith("Error: ")]
    return short(next(iter([*causes, *lines]), ""), longest)


def quoted(name: str, mark: str = '"') -> str:
    """Quote a name for SQL."""
    return mark + name.replace(mark, 2 * mark) + mark


def exact_pattern(path: str | Path) -> str:
    """Put special characters in brackets, so that DuckDB does not read a file's name as a pattern."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in str(Path(path).absolute()))

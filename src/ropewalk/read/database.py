"""DuckDB, which fetches nothing from the network and draws nothing on the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ropewalk.errors import short


@contextmanager
def database(path: str = ":memory:", *, read_only: bool = False, **settings: str) -> Iterator[Any]:
    """A connection of its own, with these settings; to a database in memory, or to a file."""
    import duckdb

    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",  # one for the network may be installed
        **settings,
    }
    with duckdb.connect(path, read_only=read_only, config=config) as connection:
        # In a notebook and under `python -c` the bar would go to the standard output.
        connection.execute("set enable_progress_bar = false")
        yield connection


def failures() -> tuple[type[Exception], ...]:
    """What DuckDB raises over a broken file.

    Names that are not UTF-8 and dates beyond the year 9999 come out as errors of Python's own.
    """
    import duckdb

    return (duckdb.Error, RuntimeError, SystemError, UnicodeError, OverflowError, MemoryError)


def first_line(problem: object, longest: int = 100) -> str:
    """What went wrong, without the query that DuckDB prints below it.

    DuckDB 1.4 sometimes says first that a failed query has no result, and then why it failed.

    >>> first_line("Invalid Input Error: Attempting to execute ...\\nError: CSV Error on Line: 7")
    'CSV Error on Line: 7'
    """
    lines = str(problem).splitlines()
    causes = [line.removeprefix("Error: ") for line in lines[1:] if line.startswith("Error: ")]
    return short(next(iter([*causes, *lines]), ""), longest)


def quoted(name: str, mark: str = '"') -> str:
    """A name as SQL writes it."""
    return mark + name.replace(mark, 2 * mark) + mark


def exact_pattern(path: str | Path) -> str:
    """Brackets keep DuckDB from reading the characters of a file's name as a pattern."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in str(Path(path).absolute()))

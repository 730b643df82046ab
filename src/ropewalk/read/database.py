"""DuckDB, which fetches nothing from the network and draws nothing on the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def database(**settings: str) -> Iterator[Any]:
    """A connection of its own, with these settings."""
    import duckdb

    with duckdb.connect(config={"autoinstall_known_extensions": "false", **settings}) as connection:
        # In a notebook and under `python -c` the bar would go to the standard output.
        connection.execute("set enable_progress_bar = false")
        yield connection

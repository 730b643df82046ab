"""A block of a small table, for tests of what is done with blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.read.block import Block
from ropewalk.read.table import table_of


def block(
    cells: dict[str, Sequence[object]], *, models: Sequence[str], truth: str | None = None, **keys: str
) -> Block:
    """All rows of a table whose columns `models` are models, with these key columns."""
    table = table_of(dict(cells), name="t.csv", stem="t")
    return Block(
        table=table,
        rows=np.arange(table.height),
        label="t.csv",
        columns={m: (m,) for m in models},
        keys=keys,
        truth=truth,
    )

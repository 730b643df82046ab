"""Rows of a file that hold the same text under different ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.data.arrays import Floats
from ropewalk.data.duplicates import repeated, repeated_scores, says_what_a_row_is
from ropewalk.errors import short
from ropewalk.read.block import Block

_TEXT = 12  # characters: shorter cells are labels rather than texts
_COUNTED = "if they are the same example, it counts more than once. Leave the copies out."


def same_content(blocks: Sequence[Block]) -> list[str]:
    """Return a warning for each table in which the same texts occur under different ids."""
    warnings = {}
    for block in blocks:
        if "unit" not in block.keys or block.table.name in warnings:
            continue
        columns = {c: cells[block.rows] for c, cells in block.table.columns.items() if c not in block.used}
        texts = [c for c in columns.values() if c.dtype == object and _is_text(c.tolist())]
        found = repeated(texts) if any(map(says_what_a_row_is, texts)) else None
        if found is not None:
            count, (first, again) = found
            places = block.table.places(np.array([block.rows[first], block.rows[again]]))
            warnings[block.table.name] = (
                f"{short(block.table.name)}: {count:,} of {len(block.rows):,} rows hold the same text as an "
                f"earlier one under another id, such as {places}: {_COUNTED}"
            )
    return list(warnings.values())


def same_scores(values: Floats, *, distinct_units: bool) -> list[str]:
    """Return a warning if real-valued scores of all models repeat together, as in copied rows."""
    count = repeated_scores(values) if distinct_units and values.shape[1] > 1 else 0
    if not count:
        return []
    return [
        f"{count:,} of {len(values):,} units have exactly the scores of another unit, for every model: "
        + _COUNTED
    ]


def _is_text(cells: Sequence[str]) -> bool:
    return sum(map(len, cells[:100])) > _TEXT * len(cells[:100])

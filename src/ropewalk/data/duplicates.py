"""Rows with the same content under different ids: each counts as an example of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import mixed

_MOSTLY = 0.5  # a column with this share of distinct values identifies the content of a row
_TWICE = 0.4  # if every value occurs twice, there are half as many distinct values as rows
_SHARE = 0.05  # share of equal real-valued scores that may occur by chance


def repeated(columns: Sequence[NDArray[Any]]) -> tuple[int, tuple[int, int]] | None:
    """Count rows that repeat an earlier one in all of these columns, and find the first two equal ones.

    >>> repeated([np.array(["a", "b", "a"], dtype=object)])
    (1, (0, 2))
    """
    seen: dict[tuple[Any, ...], int] = {}
    count, first = 0, None
    for i, row in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
        before = seen.setdefault(row, i)
        if before != i:
            count += 1
            first = first or (before, i)
    return None if first is None else (count, first)


def says_what_a_row_is(values: NDArray[Any]) -> bool:
    """Whether a column has enough distinct values that equal ones are unlikely by chance.

    >>> says_what_a_row_is(np.array(["yes", "no", "yes", "no"], dtype=object))
    False
    """
    return len(set(values.tolist())) > max(_MOSTLY * len(values) - 1, 2)


def repeated_scores(values: NDArray[np.float64]) -> int:
    """Count rows of real-valued scores (units x models) that repeat another one, if not by chance.

    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(50, 2))
    >>> repeated_scores(x), repeated_scores(np.vstack([x, x]))
    (0, 50)
    """
    # A row is hashed to 64 bits: among a million different rows, two collide once in ten million tables.
    rows = mixed((column + 0.0 for column in values.T), len(values))  # -0.0 is 0.0
    found = len(values) - _distinct(rows)
    if found <= _SHARE * len(values) or any(_distinct(column) < _TWICE * len(column) for column in values.T):
        return 0
    return found


def _distinct(values: NDArray[Any]) -> int:
    """Count the distinct values."""
    ordered = np.sort(values)
    return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + min(len(ordered), 1)

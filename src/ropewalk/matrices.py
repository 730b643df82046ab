"""Checks for the tests that take a matrix."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import CellError, DataError
from ropewalk.sums import numeric

Floats: TypeAlias = NDArray[np.float64]


def matrix(z: ArrayLike, *, rows: str, columns: str) -> Floats:
    """Check a two-dimensional array of finite numbers; errors use the names `rows` and `columns`."""
    x = numeric(
        z,
        f"this is not a table of numbers, one row per {rows} and one column per {columns}",
        "Give a 2-D array of floats; a missing cell makes the rows unequal.",
    )
    if x.ndim != 2:
        raise DataError(
            f"the table has {x.ndim} dimension{'s' if x.ndim != 1 else ''}, 2 were expected",
            hint=f"Give one row per {rows} and one column per {columns}.",
        )
    bad = np.argwhere(~np.isfinite(x))
    if bad.size:
        raise CellError(
            f"{len(bad)} of {x.size} cells are NaN or infinite",
            where=[f"{rows} {i}, {columns} {j}: {x[i, j]}" for i, j in bad[:5]],
            hint=f"Drop the {rows} for every {columns}, or find out why it has no score.",
        )
    return x


def scores(z: ArrayLike) -> Floats:
    """Check a table of tasks x models with at least two of each."""
    x = matrix(z, rows="task", columns="model")
    if min(x.shape) < 2:
        raise DataError(
            f"the table has {x.shape[0]} tasks and {x.shape[1]} models, at least 2 of each are needed",
            hint="Give one row per task and one column per model.",
        )
    return x


def model_ranks(z: Floats) -> Floats:
    """The rank of each model within its row: 1 for the highest score, with mean ranks for ties.

    >>> model_ranks(np.array([[0.9, 0.7, 0.7]]))
    array([[1. , 2.5, 2.5]])
    """
    order = np.argsort(-z, axis=1)
    best_first = np.take_along_axis(z, order, axis=1)
    place = np.broadcast_to(np.arange(z.shape[1]), z.shape)
    edge = np.ones((z.shape[0], z.shape[1] + 1), dtype=bool)  # where a block of equal scores begins or ends
    edge[:, 1:-1] = best_first[:, 1:] != best_first[:, :-1]
    first = np.maximum.accumulate(np.where(edge[:, :-1], place, 0), axis=1)
    last = np.minimum.accumulate(np.where(edge[:, 1:], place, z.shape[1])[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(z.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    return ranks

"""Values that are not results: marks such as -1, rows that sum up the others, scales ten times apart."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data.metrics import bounded, direction, is_resource, is_turned, may_be_negative
from ropewalk.data.scores import Scores
from ropewalk.errors import DataError, listed, short

if TYPE_CHECKING:
    from ropewalk.data.arrays import Floats

_SUMMARIES = frozenset((
    "mean", "avg", "average", "std", "stdev", "standard deviation", "median", "macro avg", "weighted avg",
    "overall", "total",
))  # fmt: skip
_MOST = 3  # more rows than this are not a summary
_APART = (8.0, 12.5)  # times, or a tenfold of it: scales that differ by a factor of ten or a hundred


def refuse_marks(scores: Scores) -> None:
    """An error where a share has one negative whole number among its cells: -1 marks a failure."""
    name = scores.metric
    if direction(name) is None or not bounded(name) or may_be_negative(name) or is_turned(name):
        return
    values = np.concatenate([t.values[np.isfinite(t.values)] for t in scores.tasks])
    below = values[values < 0]
    if below.size == 0 or np.unique(below).size > 1 or below[0] != np.round(below[0]):
        return
    raise DataError(
        f"`{short(name)}` is {below[0]:g} in {below.size:,} cells, and it cannot be below 0",
        hint="If it marks results that a model did not give, leave these cells empty and say what becomes\n"
        "of them: --missing worst or --missing drop (missing=).",
    )


def odd_values(scores: Scores) -> tuple[str, ...]:
    """Cautions about rows that are summaries, and models that are ten or a hundred times apart."""
    return (*_summaries(scores), *_apart(scores))


def _summaries(scores: Scores) -> tuple[str, ...]:
    every = [t.units.tolist() for t in scores.tasks]
    if len(scores.tasks) > 1:
        every.append([t.name or "" for t in scores.tasks])
    # Most ids end in a digit, and there may be millions of them.
    found = sorted(
        {
            name
            for names in every
            for name in names
            if not name[-1:].isdigit() and name.strip().lower().replace("_", " ") in _SUMMARIES
        }
    )
    if not found or len(found) > _MOST or len(set().union(*every)) < len(found) + 2:
        return ()
    return (
        f"{listed(found)} looks like a summary of the other rows, and is counted as one of them. "
        "Leave such rows out.",
    )


def _apart(scores: Scores) -> tuple[str, ...]:
    if direction(scores.metric) is False or is_resource(scores.metric):
        return ()  # of times and costs one may well be ten times the other
    columns = [np.concatenate([t.values[:, j] for t in scores.tasks]) for j in range(len(scores.models))]
    for i, j in combinations(range(len(columns)), 2):
        low, high = (i, j) if np.nanmean(columns[i]) < np.nanmean(columns[j]) else (j, i)
        if _tenfold(columns[low], columns[high]):
            return (
                f"the scores of {short(scores.models[high])} are about ten or a hundred times those of "
                f"{short(scores.models[low])}, and none of them overlap: are they on the same scale?",
            )
    return ()


def _tenfold(low: Floats, high: Floats) -> bool:
    """Whether two sets of scores are ten or a hundred times apart and do not overlap.

    >>> _tenfold(np.array([6.0, 8.0]), np.array([61.0, 85.0]))
    True
    >>> _tenfold(np.array([6.0, 7.0]), np.array([8.0, 9.0]))
    False
    """
    low, high = low[np.isfinite(low)], high[np.isfinite(high)]
    if low.size < 2 or high.size < 2 or low.min() < 0 or low.mean() == 0 or high.min() <= low.max():
        return False
    times = float(high.mean() / low.mean())
    return any(_APART[0] <= times / power <= _APART[1] for power in (1, 10))

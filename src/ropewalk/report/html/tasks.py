"""The comparisons on single tasks for the page: in full, or packed if there are too many.

The page expands the tasks of a pair when that pair is opened.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ropewalk.posterior import DirichletRegions, Draws, WeightedRegions
from ropewalk.report.html import curves
from ropewalk.results.comparison import Comparison
from ropewalk.results.formatting import VERDICTS

if TYPE_CHECKING:
    from ropewalk.posterior import Posterior
    from ropewalk.report.html.data import Strings

_FULL = 2_000  # more comparisons than this are packed
_MOST = 50_000  # more comparisons than this are only in the JSON document
_POINTS = 15  # points of the curve of a packed posterior

Row = dict[str, Any]


def of_pairs(pairs: Sequence[Comparison], each: Sequence[Comparison]) -> list[list[Comparison]]:
    """Return the comparisons on single tasks of each pair."""
    found: dict[tuple[str, str], list[Comparison]] = {(c.a, c.b): [] for c in pairs}
    for c in each:
        if (c.a, c.b) in found:
            found[c.a, c.b].append(c)
    return list(found.values())


def sent(found: Sequence[Sequence[Comparison]]) -> tuple[list[list[Comparison]], bool]:
    """Return the tasks of each pair that the page carries, and whether they are sent in full."""
    full = sum(map(len, found)) <= _FULL or not all(_is_smooth(c) for rows in found for c in rows)
    left = _FULL if full else _MOST
    out = []
    for rows in found:
        out.append(list(rows[:left]))
        left = max(left - len(rows), 0)
    return out, full


def _is_smooth(c: Comparison) -> bool:
    return not isinstance(c.posterior, Draws | DirichletRegions | WeightedRegions)


def packed(
    found: Sequence[Sequence[Comparison]], *, one: Callable[[Comparison], Row], text: Strings | None
) -> list[Row]:
    """Return the tasks of each pair; empty if no pair has tasks. With `text` their numbers are packed."""
    if not any(found):
        return []
    made = [[one(c) for c in rows] for rows in found]
    if text is None:
        return [_columns(rows) for rows in made]
    numbers = [
        _numbers(rows, text, [row["rope"][:2] for row in own]) for rows, own in zip(found, made, strict=True)
    ]
    brief = [[row | {"rope": row["rope"][2:]} for row in rows] for rows in made]
    return [_columns(rows) | own for rows, own in zip(brief, numbers, strict=True)]


def tally(rows: Sequence[Comparison]) -> Row:
    """Number of tasks with each verdict, also of those that are not sent."""
    names: list[str] = [c.verdict.name for c in rows]
    return {"tally": [names.count(name) for name in VERDICTS]}


def _columns(rows: Sequence[Row]) -> Row:
    """Return a list for each key, or a single value if all rows have the same."""
    keys = dict.fromkeys(key for row in rows for key in row)
    columns = {key: [row.get(key) for row in rows] for key in keys}
    same = {key: values[0] for key, values in columns.items() if all(x == values[0] for x in values)}
    own = {key: values for key, values in columns.items() if key not in same}
    return {"same": same, "rows": own, "count": len(rows)}


def _numbers(rows: Sequence[Comparison], text: Strings, ropes: Sequence[Sequence[float]]) -> Row:
    """Numbers of the tasks in 16 or 32 bits, as `expand` of curves.js reads them."""
    if not rows:
        return {}
    x = np.array([curves.quantiles(cast("Posterior", c.posterior), _POINTS) for c in rows])
    first, last = x[:, :1], x[:, -1:]
    wide = np.where(last > first, last - first, 1.0)
    estimate = np.array([[c.estimate.mean, c.estimate.low, c.estimate.high] for c in rows])
    p = np.array([[c.verdict.better, c.verdict.worse] for c in rows])
    tests = [c.classical[0].p_value if c.classical else np.nan for c in rows]
    ends = np.column_stack([first, last, [c.advantage for c in rows], tests, ropes])
    test = next((c.classical[0].name for c in rows if c.classical), "")
    between = (np.column_stack([estimate, x]) - first) / wide
    return {
        "packed": {
            "f": b64encode(ends.astype("<f4").tobytes()).decode(),
            "u": curves.shares(np.column_stack([between, p])),
            "points": _POINTS,
            "name": text(rows[0].estimate.name),
            "test": text(test),
        }
    }

"""Values that a metric of that name cannot have: marks of failures, errors below zero, points in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data.metrics import (
    bounded,
    direction,
    is_negated,
    is_nonnegative,
    is_resource,
    is_scaled,
    is_share,
    is_turned,
    may_be_negative,
)
from ropewalk.data.scores import Scores
from ropewalk.errors import DataError, short

if TYPE_CHECKING:
    from ropewalk.data.arrays import Floats

_PERCENT = 100 * (1 + 1e-9)
_FEWEST = 10  # values; fewer may be only 1 and 2 by chance
_FIRST_DAY = 9e8  # seconds since 1970: July 1998
_FAR = 10.0  # a missing-value code is this many times larger than every result
_MISSING = (
    "If it marks results that a model did not give, leave these cells empty and say what to do\n"
    "with them: --missing worst or --missing drop (missing=)."
)


def refuse_impossible(scores: Scores) -> None:
    """Raise an error if the values contradict the name of the column."""
    name = named(scores)
    values = np.concatenate([t.values[np.isfinite(t.values)] for t in scores.tasks])
    if not values.size:
        return
    low, high = float(values.min()), float(values.max())
    if low < 0:
        _refuse_mark_below(name, values)
        _refuse_negative(name, values, scores)
    if low < 0 or high > _PERCENT:
        _refuse_beyond(name, values, scores)
    if high > 1:
        _refuse_nines(name, values, high)
    _refuse_codes(name, values, low, high)
    _refuse_points_in_time(name, low, high)


def named(scores: Scores) -> str:
    """Return the name of the scores; for a wide table with metric names, its first column."""
    way = scores.way
    return way.name if way is not None and way.source == "columns" else scores.metric


def _refuse_mark_below(name: str, values: Floats) -> None:
    """Refuse a column whose negative values are all the same whole number: -1 marks a failure."""
    below = values[values < 0]
    mark = float(below[0])
    if np.any(below != mark) or mark != np.round(mark) or is_turned(name):
        return
    why = "it cannot be below 0"
    if direction(name) is None:
        rest = values[values >= 0]
        if below.size < 2 or not rest.size or rest.max() > 1 or np.all(rest == np.round(rest)):
            return
        why = "it is between 0 and 1 in all others"
    elif not is_nonnegative(name) and (not bounded(name) or may_be_negative(name)):
        return
    raise DataError(f"`{short(name)}` is {mark:g} in {below.size:,} cells, and {why}", hint=_MISSING)


def _refuse_negative(name: str, values: Floats, scores: Scores) -> None:
    """Refuse errors below zero: their sign was flipped, or they are signed, so the direction is unknown."""
    if _direction_is_given(scores) or not is_nonnegative(name):
        return
    below = values < 0
    raise DataError(
        f"`{short(name)}` is below 0 in {below.sum():,} of {values.size:,} cells, which it cannot be",
        hint="If these are scores with their sign flipped, such as scikit-learn's neg_mean_squared_error, "
        "set\n--higher-is-better (higher_is_better=True). For signed residuals, give the absolute values.",
    )


def _refuse_beyond(name: str, values: Floats, scores: Scores) -> None:
    """Refuse shares below 0, or above 100 among percentages, unless the name says how they were scaled."""
    low = float(values.min())
    scaled = is_turned(name) or may_be_negative(name) or is_scaled(name)
    if not is_share(name) or scaled or _direction_is_given(scores):
        return
    beyond = values < 0 if low < 0 else values > _PERCENT
    if low < 0 or np.median(values) > 1:
        raise DataError(
            f"`{short(name)}` is {'below 0' if low < 0 else 'above 100'} in {beyond.sum():,} of "
            f"{values.size:,} cells, which it cannot be",
            hint="Check these rows, and whether the column holds something else: --score COLUMN "
            "(score=COLUMN).",
        )


def _refuse_nines(name: str, values: Floats, high: float) -> None:
    """Refuse 99 or 9999 that recurs far above every other result: it codes a missing value."""
    if high != np.round(high) or set(f"{high:.0f}") != {"9"}:
        return
    marked = values == high
    rest = np.abs(values[~marked])
    if not rest.size:
        return
    among_shares = bounded(name) and rest.max() <= 1
    far = high > _FAR and marked.sum() > 1 and high >= _FAR * rest.max()
    if among_shares or far:
        raise DataError(
            f"`{short(name)}` is {high:g} in {marked.sum():,} cells and at most {rest.max():g} in all others",
            hint=_MISSING,
        )


def _refuse_codes(name: str, values: Floats, low: float, high: float) -> None:
    """Refuse 1 and 2 for right and wrong: nothing tells which is which."""
    if (low, high) != (1.0, 2.0) or values.size < _FEWEST or direction(name) is None or not bounded(name):
        return
    if np.isin(values, (1.0, 2.0)).all():
        raise DataError(
            f"`{short(name)}` is 1 or 2 in every cell: which of the two means right?",
            hint="Write 1 for right and 0 for wrong.",
        )


def _refuse_points_in_time(name: str, low: float, high: float) -> None:
    """Refuse seconds since 1970: they are points in time and not durations."""
    if is_resource(name) and low >= _FIRST_DAY and high < 2 * low:
        raise DataError(
            f"`{short(name)}` holds points in time ({low:.0f} to {high:.0f}), not durations",
            hint="Give the time that each unit took, or another column: --score COLUMN (score=COLUMN).",
        )


def against_the_name(scores: Scores) -> tuple[str, ...]:
    """Return a caution if the given direction contradicts the name, unless signs were flipped."""
    name, way = named(scores), scores.way
    if way is None or way.source != "given" or direction(name) is not (not way.higher):
        return ()
    if any(float(np.nanmin(t.values)) < 0 for t in scores.tasks):
        return ()
    given, other = ("higher", "lower") if way.higher else ("lower", "higher")
    return (
        f"{given} is better, as you set it (--{given}-is-better, higher_is_better=), but the name "
        f"`{short(name)}` says that {other} is.",
    )


def sign_doubts(scores: Scores) -> tuple[str, ...]:
    """Return a doubt if the sign of all values contradicts the name: a negative loss, a positive neg_loss."""
    name = named(scores)
    if direction(name) is None:
        return ()
    if direction(name) is False and name.lower().endswith(("loss", "nll")):
        apart = _flipped_in_one(name, scores)
        if apart:
            return apart
    if _direction_is_given(scores):
        return ()
    values = [t.values[np.isfinite(t.values)] for t in scores.tasks]
    low, high = min(float(v.min()) for v in values), max(float(v.max()) for v in values)
    loss = name.lower().endswith(("loss", "nll"))
    if is_negated(name) and low >= 0 < high:
        said = "never negative, although its name says that the sign is flipped"
    elif loss and direction(name) is False and high <= 0 and low < 0:
        said = "never positive, as if the sign were flipped"
    else:
        return ()
    return (
        f"`{short(name)}` is {said}: is higher or lower better? "
        "Set higher_is_better=True or False (--higher-is-better or --lower-is-better).",
    )


def _flipped_in_one(name: str, scores: Scores) -> tuple[str, ...]:
    """Return a doubt if one model's losses are all negative, and another's all positive."""
    columns = [np.concatenate([t.values[:, j] for t in scores.tasks]) for j in range(len(scores.models))]
    below = [bool(np.nanmax(v) < 0) for v in columns]
    above = [bool(np.nanmin(v) > 0) for v in columns]
    if not (any(below) and any(above)):
        return ()
    first, second = scores.models[below.index(True)], scores.models[above.index(True)]
    return (
        f"`{short(name)}` is negative in every row of {short(first)} and positive in every row of "
        f"{short(second)}: was the sign flipped in one of them?",
    )


def _direction_is_given(scores: Scores) -> bool:
    return scores.way is not None and scores.way.source in ("given", "log")

"""Rows that are shifted by one: predictions that fit the truth of their neighbors, and not their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data.order import kappa
from ropewalk.data.prediction_checks import absent
from ropewalk.data.predictions import Predictions
from ropewalk.errors import short

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ropewalk.data.arrays import Floats
    from ropewalk.data.scores import Scores

_FEWEST, _MOST = 30, 1_000  # rows: fewer show nothing, more are unnecessary
_VARIED = 10  # rows without the most frequent value: fewer may match a neighbor by chance
_FITS, _BETTER = 0.5, 0.4  # agreement with the neighbors; its excess over the agreement with the row itself
_EXACT = 0.9999
_CHANCE = 5.0  # standard errors of the agreement between unrelated rows


def shifted_by_one(data: Scores | Predictions) -> tuple[str, ...]:
    """Return doubts about models whose rows fit the previous or next row better than the paired one."""
    if isinstance(data, Predictions):
        return _of_predictions(data)
    if data.design.unit != "example":
        return ()
    values = data.tasks[0].values[:_MOST]
    found = []
    for model, x in zip(data.models[1:], values.T[1:], strict=True):
        own, near = _agreements(values[:, 0], x, _correlation)
        if _is_shifted(own, near):
            found.append(
                f"the scores of {short(model)} fit those of {short(data.models[0])} one row before or after "
                f"(correlation {near:.2f}), and not in the same row ({own:.2f}): are its rows shifted by one?"
            )
    return tuple(found)


def _of_predictions(data: Predictions) -> tuple[str, ...]:
    if data.kind not in ("labels", "numbers") or data.counts is not None:
        return ()
    found = []
    for model in data.models:
        said = data.outputs[model][:_MOST]
        if absent(said).any():
            continue
        own, near = _agreements(data.truth[:_MOST], said, kappa if data.kind == "labels" else _correlation)
        if _is_shifted(own, near):
            found.append(
                f"the predictions of {short(model)} fit the truth one row before or after (agreement "
                f"{near:.2f}), and not that of their own row ({own:.2f}): are its rows shifted by one?"
            )
    return tuple(found)


def _is_shifted(own: float, near: float) -> bool:
    """Whether neighbors fit much better, but not perfectly, as a forecast by the previous value does.

    >>> _is_shifted(0.02, 0.9), _is_shifted(0.7, 0.9), _is_shifted(0.02, 1.0)
    (True, False, False)
    """
    return max(_FITS, own + _BETTER) <= near < _EXACT


def _agreements(first: Any, second: Any, agreement: Callable[[Any, Any], float]) -> tuple[float, float]:
    """Return the agreement of rows with their own row and with the better neighbor; 0 for few rows."""
    if len(first) < _FEWEST or min(map(_varied, (first, second))) < _VARIED:
        return 0.0, 0.0
    own = agreement(first, second)
    if own > 1 - _BETTER:
        return own, 0.0
    near = max(agreement(first[1:], second[:-1]), agreement(first[:-1], second[1:]))
    return own, near if near >= _CHANCE / np.sqrt(len(first)) else 0.0


def _varied(values: Any) -> int:
    """Count the values other than the most frequent one.

    >>> _varied(np.array([1, 1, 0, 1]))
    1
    """
    return len(values) - int(np.unique(values, return_counts=True)[1].max())


def _correlation(x: Floats, y: Floats) -> float:
    """Return Pearson's correlation; 0 if a value is not finite or one side does not vary.

    >>> float(round(_correlation(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])), 6))
    1.0
    """
    x, y = (np.asarray(v, dtype=np.float64) for v in (x, y))
    if not (np.all(np.isfinite(x)) and np.all(np.isfinite(y))) or np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    x, y = x - x.mean(), y - y.mean()
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))

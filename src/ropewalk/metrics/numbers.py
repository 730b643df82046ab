"""Metrics of predicted numbers: RMSE, MAE, R²."""

from __future__ import annotations

from typing import Any

import numpy as np

from ropewalk.errors import CellError, MethodError
from ropewalk.metrics import check
from ropewalk.metrics.check import Floats
from ropewalk.metrics.metric import Weighted, mean_of, over
from ropewalk.sums import ROUNDING

_LARGEST = 1e150


def rmse(y: Any, prediction: Any) -> Weighted:
    """The square root of the mean squared error."""
    truth, said = _pair(y, prediction)
    mse = mean_of((truth - said) ** 2)
    return lambda w: np.sqrt(mse(w))


def mae(y: Any, prediction: Any) -> Weighted:
    """The mean absolute error."""
    truth, said = _pair(y, prediction)
    return mean_of(np.abs(truth - said))


def r2(y: Any, prediction: Any) -> Weighted:
    """1 - Σ w (y - ŷ)² / Σ w (y - m)², m the weighted mean of y; undefined where y does not vary."""
    truth, said = _pair(y, prediction)
    if np.ptp(truth) <= ROUNDING * np.abs(truth).max():
        raise MethodError(
            "the truth is the same number on every row: R² is not defined", hint='Use "rmse" or "mae".'
        )
    squared = (truth - said) ** 2
    centred = truth - truth.mean()  # the sums of squares below then lose few digits

    def values(w: Floats) -> Floats:
        about_zero = w @ centred**2
        about_mean = about_zero - over((w @ centred) ** 2, w.sum(axis=1))
        varies = about_mean > ROUNDING * about_zero
        return 1 - over(w @ squared, np.where(varies, about_mean, 0.0))

    return values


def _pair(y: Any, prediction: Any) -> tuple[Floats, Floats]:
    truth, said = check.numbers(y, "y"), check.numbers(prediction, "prediction")
    check.same_length(y=truth, prediction=said)
    largest = max(np.abs(truth).max(), np.abs(said).max())
    if largest > _LARGEST:
        raise CellError(
            f"a value is {largest:.3g}, and its square is no number any more",
            hint=f"Scale values beyond {_LARGEST:g} down first.",
        )
    return truth, said

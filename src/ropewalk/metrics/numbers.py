"""Metrics of predicted numbers: RMSE, MAE, MAPE, pinball loss, R²."""

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
    truth, said = pair(y, prediction)
    mse = mean_of((truth - said) ** 2)
    return lambda w: np.sqrt(mse(w))


def mae(y: Any, prediction: Any) -> Weighted:
    """The mean absolute error."""
    truth, said = pair(y, prediction)
    return mean_of(np.abs(truth - said))


def mape(y: Any, prediction: Any) -> Weighted:
    """The mean of |y - ŷ| / |y|, as a fraction: 0.1 means 10%. A true value of 0 is refused."""
    truth, said = pair(y, prediction)
    zero = np.flatnonzero(truth == 0)
    if zero.size:
        raise CellError(
            f"the truth is 0 on {zero.size:,} of {truth.size:,} rows: the MAPE is infinite",
            where=[f"row {i}" for i in zero[:5]],
            hint='Use "mae", or leave these rows out for every model.',
        )
    return mean_of(np.abs((truth - said) / truth))


def pinball(y: Any, prediction: Any, quantile: float = 0.5) -> Weighted:
    """The mean of q (y - ŷ) where y is above the prediction and (1 - q) (ŷ - y) where it is below.

    It is the loss of a prediction of the q-quantile (Koenker & Bassett 1978). "pinball@0.9" sets q; the
    default is 0.5, which gives half of the MAE.
    """
    truth, said = pair(y, prediction)
    short_by = truth - said
    return mean_of(np.where(short_by >= 0, quantile * short_by, (quantile - 1) * short_by))


def r2(y: Any, prediction: Any) -> Weighted:
    """1 - Σ w (y - ŷ)² / Σ w (y - m)², with m the weighted mean of y; undefined if y does not vary."""
    truth, said = pair(y, prediction)
    if np.ptp(truth) <= ROUNDING * np.abs(truth).max():
        raise MethodError(
            "the truth is the same number on every row: R² is not defined", hint='Use "rmse" or "mae".'
        )
    squared = (truth - said) ** 2
    centred = truth - truth.mean()  # centered, so that the sums of squares below lose few digits

    def values(w: Floats) -> Floats:
        about_zero = w @ centred**2
        about_mean = about_zero - over((w @ centred) ** 2, w.sum(axis=1))
        varies = about_mean > ROUNDING * about_zero
        return 1 - over(w @ squared, np.where(varies, about_mean, 0.0))

    return values


def pair(y: Any, prediction: Any) -> tuple[Floats, Floats]:
    """Return two columns of numbers with the same length, whose squares are finite."""
    truth, said = check.numbers(y, "y"), check.numbers(prediction, "prediction")
    check.same_length(y=truth, prediction=said)
    largest = max(np.abs(truth).max(), np.abs(said).max())
    if largest > _LARGEST:
        raise CellError(
            f"a value is {largest:.3g}, and its square overflows",
            hint=f"Scale values beyond {_LARGEST:g} down first.",
        )
    return truth, said

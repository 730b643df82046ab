"""Metrics of predicted probabilities: log loss, Brier score, calibration error, top-k accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ropewalk.errors import CellError, OptionError
from ropewalk.metrics import check
from ropewalk.metrics.check import Floats
from ropewalk.metrics.metric import Weighted, mean_of, over

_BINS = 15  # Guo, Pleiss, Sun & Weinberger 2017


def log_loss(y: Any, prediction: Any) -> Weighted:
    """The mean of -log(p), where p is the predicted probability of the true class."""
    truth, p = check.probabilities(y, prediction)
    given = p[np.arange(truth.size), truth]
    zero = np.flatnonzero(given == 0)
    if zero.size:
        raise CellError(
            f"the true class has a probability of 0 on {zero.size:,} of {truth.size:,} rows: the log loss "
            "is infinite",
            where=[f"row {i}" for i in zero[:5]],
            hint='Use "brier", which is proper and bounded, or clip the probabilities yourself.',
        )
    return mean_of(-np.log(given))


def brier(y: Any, prediction: Any) -> Weighted:
    """The mean of Σ_c (p_c - [c is true])² over all classes, from 0 to 2.

    For two classes this is twice the one-column form (p - y)².
    """
    truth, p = check.probabilities(y, prediction)
    right = np.zeros_like(p)
    right[np.arange(truth.size), truth] = 1.0
    return mean_of(np.sum((p - right) ** 2, axis=1))


def ece(y: Any, prediction: Any) -> Weighted:
    """Expected calibration error: Σ_b |Σ_(i in bin b) w_i (right_i - confidence_i)| / Σ w_i.

    The confidence is the highest probability of a row, and right_i says whether that class is the true one.
    There are 15 bins (low, high] of equal width on [0, 1]. It is biased upwards, above all if bins have few
    rows.
    """
    truth, p = check.probabilities(y, prediction)
    said = np.argmax(p, axis=1)
    confidence = p[np.arange(truth.size), said]
    gap = (truth == said) - confidence
    # The edges are computed as b/15 and not by multiplication, so that 0.6 is in the bin ending at 9/15.
    place = np.searchsorted(np.arange(1, _BINS) / _BINS, confidence, side="left")

    def values(w: Floats) -> Floats:
        in_bin = np.stack([np.bincount(place, row, minlength=_BINS) for row in w * gap])
        return over(np.abs(in_bin).sum(axis=1), w.sum(axis=1))

    return values


def top_k_accuracy(y: Any, prediction: Any, k: int) -> Weighted:
    """The share of rows whose true class is among the k most probable ones.

    If classes are tied at the last place, the row counts as the share of the tied classes that still fit,
    which is the mean over all orders of the tied classes.
    """
    truth, p = check.probabilities(y, prediction)
    if k >= p.shape[1]:
        raise OptionError(
            f"the top {k} of {p.shape[1]} classes always contain the true one",
            hint=f"Give a number below {p.shape[1]}, or compare by accuracy.",
        )
    given = p[np.arange(truth.size), truth][:, None]
    above, tied = (p > given).sum(axis=1), (p == given).sum(axis=1)
    return mean_of(np.clip((k - above) / tied, 0.0, 1.0))

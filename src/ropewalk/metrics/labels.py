"""Metrics of predicted labels: accuracy, F1, balanced accuracy, Matthews' correlation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ropewalk.errors import MethodError
from ropewalk.metrics import check
from ropewalk.metrics.check import Floats, Ints
from ropewalk.metrics.metric import Weighted, mean_of, over, ratio_of


def accuracy(y: Any, prediction: Any) -> Weighted:
    """The share of right answers. With one label a row the micro-averaged F1 is the same number."""
    _, truth, said = check.coded(y, prediction)
    return mean_of((truth == said).astype(np.float64))


def f1(y: Any, prediction: Any) -> Weighted:
    """2 TP / (2 TP + FP + FN) of the positive class: of two classes the second in sorted order.

    It is 0 where positives exist and none is predicted, undefined where none exists and none is predicted.
    """
    classes, truth, said = check.coded(y, prediction)
    if classes.size > 2:
        raise MethodError(
            f"there are {classes.size} classes, and F1 takes 2",
            hint='Use "f1_macro" or "f1_micro".',
        )
    check.several_classes(truth, "F1")
    positive, flagged = (truth == 1).astype(np.float64), (said == 1).astype(np.float64)
    return ratio_of(2 * positive * flagged, positive + flagged)


def f1_macro(y: Any, prediction: Any) -> Weighted:
    """The mean of the F1 of each class against the others, over the classes that are true or predicted."""
    sums = _by_class(y, prediction)

    def values(w: Floats) -> Floats:
        hit, real, flagged = sums(w)
        return _mean_defined(2 * hit, real + flagged)

    return values


def balanced_accuracy(y: Any, prediction: Any) -> Weighted:
    """The mean over the classes of the share of their rows that were found; at least two must have rows."""
    sums = _by_class(y, prediction, two_for="balanced accuracy")

    def values(w: Floats) -> Floats:
        hit, real, _ = sums(w)
        return np.where((real > 0).sum(axis=1) > 1, _mean_defined(hit, real), np.nan)

    return values


def mcc(y: Any, prediction: Any) -> Weighted:
    """Matthews' correlation of truth and prediction, for any number of classes (Gorodkin 2004).

    (s c - Σ_k t_k p_k) / sqrt((s² - Σ t_k²)(s² - Σ p_k²)): s rows, c right ones, t_k of class k, p_k said to
    be. It is 0 where one class only is predicted, undefined where one class only is true.
    """
    sums = _by_class(y, prediction, two_for="MCC")

    def values(w: Floats) -> Floats:
        hit, real, flagged = sums(w)
        right = over(hit.sum(axis=1), real.sum(axis=1))
        real, flagged = _shares(real), _shares(flagged)
        above = right - np.einsum("ij,ij->i", real, flagged)
        # 1 - Σ t² as Σ t (1 - t), where 1 - t of a class that has all the weight is exactly 0.
        spread = [np.einsum("ij,ij->i", x, 1 - x) for x in (real, flagged)]
        constant = spread[1] <= 0
        below = np.sqrt(spread[0] * np.where(constant, 1.0, spread[1]))
        return np.where(constant & (spread[0] > 0), 0.0, over(above, below))

    return values


def _by_class(
    y: Any, prediction: Any, *, two_for: str | None = None
) -> Callable[[Floats], tuple[Floats, Floats, Floats]]:
    """Weights -> those of each class that are found, that are true and that are predicted: (draws, classes).

    The rows are added up by cell of the confusion matrix first, which is one pass over them. `two_for` names
    a metric that needs two classes in the truth.
    """
    classes, truth, said = check.coded(y, prediction)
    if two_for:
        check.several_classes(truth, two_for)
    k = classes.size
    cells, cell = np.unique(truth * k + said, return_inverse=True)
    real, flagged = cells // k, cells % k
    found = np.where(real == flagged, real, k)  # a wrong answer goes to a class beyond the last

    def sums(w: Floats) -> tuple[Floats, Floats, Floats]:
        each = _added(w, cell, cells.size)
        return _added(each, found, k + 1)[:, :k], _added(each, real, k), _added(each, flagged, k)

    return sums


def _added(w: Floats, codes: Ints, k: int) -> Floats:
    """The sum of each line of w over each of k codes."""
    return np.array([np.bincount(codes, row, minlength=k) for row in w], dtype=np.float64)


def _shares(x: Floats) -> Floats:
    """Each line over its own sum: exactly 1 for a class that has all of it."""
    return over(x, np.broadcast_to(x.sum(axis=1, keepdims=True), x.shape))


def _mean_defined(above: Floats, below: Floats) -> Floats:
    """The mean of above / below over the classes where below is not 0."""
    defined = below > 0
    each = np.where(defined, over(above, below), 0.0)
    return over(each.sum(axis=1), defined.sum(axis=1).astype(np.float64))

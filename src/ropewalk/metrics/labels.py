"""Metrics of predicted labels: accuracy, precision, recall, F-beta, IoU, kappa, Matthews' correlation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ropewalk.errors import MethodError
from ropewalk.metrics import check
from ropewalk.metrics.check import Floats, Ints
from ropewalk.metrics.metric import Weighted, mean_of, over, ratio_of


def accuracy(y: Any, prediction: Any) -> Weighted:
    """The share of right answers. With one label per row, the micro-averaged F1 is the same number."""
    _, truth, said = check.coded(y, prediction)
    return mean_of((truth == said).astype(np.float64))


def f_beta(y: Any, prediction: Any, beta: float = 1.0) -> Weighted:
    """The F score of the positive class: (1 + β²) TP / ((1 + β²) TP + β² FN + FP).

    With β = 1 it is F1, also called Dice. The second of two classes in sorted order is the positive one. The
    score is 0 if there are positives but none is predicted, and undefined if there are neither positives nor
    predicted ones.
    """
    positive, flagged = _positives(y, prediction, f"F{beta:g}")
    return ratio_of((1 + beta**2) * positive * flagged, beta**2 * positive + flagged)


def precision(y: Any, prediction: Any) -> Weighted:
    """Precision of the positive class: TP / (TP + FP), or 0 if none is predicted."""
    positive, flagged = _positives(y, prediction, "precision")
    hits = ratio_of(positive * flagged, flagged)
    return lambda w: np.nan_to_num(hits(w))


def recall(y: Any, prediction: Any) -> Weighted:
    """Recall of the positive class: TP / (TP + FN), also called sensitivity or true-positive rate."""
    positive, flagged = _positives(y, prediction, "recall")
    return ratio_of(positive * flagged, positive)


def specificity(y: Any, prediction: Any) -> Weighted:
    """Specificity: TN / (TN + FP), the recall of the negative class."""
    positive, flagged = _positives(y, prediction, "specificity")
    return ratio_of((1 - positive) * (1 - flagged), 1 - positive)


def iou(y: Any, prediction: Any) -> Weighted:
    """Intersection over union (Jaccard index) of the positive class: TP / (TP + FP + FN)."""
    positive, flagged = _positives(y, prediction, "IoU")
    return ratio_of(positive * flagged, positive + flagged - positive * flagged)


def precision_macro(y: Any, prediction: Any) -> Weighted:
    """The mean precision over all classes that occur in the truth or in the predictions.

    A class that is never predicted counts as 0.
    """
    return _macro(y, prediction, lambda hit, real, flagged: (hit, flagged))


def recall_macro(y: Any, prediction: Any) -> Weighted:
    """The mean recall over all classes that occur in the truth or in the predictions.

    A class that is predicted but never true counts as 0; the balanced accuracy leaves it out.
    """
    return _macro(y, prediction, lambda hit, real, flagged: (hit, real))


def iou_macro(y: Any, prediction: Any) -> Weighted:
    """The mean IoU, each class against the others, over all classes that are true or predicted."""
    return _macro(y, prediction, lambda hit, real, flagged: (hit, real + flagged - hit))


def f1_macro(y: Any, prediction: Any) -> Weighted:
    """The mean F1, each class against the others, over all classes that are true or predicted."""
    return _macro(y, prediction, lambda hit, real, flagged: (2 * hit, real + flagged))


def balanced_accuracy(y: Any, prediction: Any) -> Weighted:
    """The mean recall over the classes of the truth, of which there must be at least two."""
    sums = _by_class(y, prediction, two_for="balanced accuracy")

    def values(w: Floats) -> Floats:
        hit, real, _ = sums(w)
        return np.where((real > 0).sum(axis=1) > 1, _mean_defined(hit, real), np.nan)

    return values


def mcc(y: Any, prediction: Any) -> Weighted:
    """Matthews' correlation of truth and prediction, for any number of classes (Gorodkin 2004).

    (s c - Σ_k t_k p_k) / sqrt((s² - Σ t_k²)(s² - Σ p_k²)), where s is the number of rows, c that of right
    answers, t_k that of rows of class k, and p_k that of rows predicted as k. It is 0 if only one class is
    predicted, and undefined if only one class occurs in the truth.
    """
    sums = _by_class(y, prediction, two_for="MCC")

    def values(w: Floats) -> Floats:
        hit, real, flagged = sums(w)
        right = over(hit.sum(axis=1), real.sum(axis=1))
        real, flagged = _shares(real), _shares(flagged)
        above = right - np.einsum("ij,ij->i", real, flagged)
        # 1 - Σ t² is computed as Σ t (1 - t), where 1 - t is exactly 0 for a class with all the weight.
        spread = [np.einsum("ij,ij->i", x, 1 - x) for x in (real, flagged)]
        constant = spread[1] <= 0
        below = np.sqrt(spread[0] * np.where(constant, 1.0, spread[1]))
        return np.where(constant & (spread[0] > 0), 0.0, over(above, below))

    return values


def kappa(y: Any, prediction: Any, power: int | None = None) -> Weighted:
    """Cohen's kappa: 1 - Σ v_ij O_ij / Σ v_ij E_ij, the disagreement over that expected by chance.

    O_ij is the share of rows of class i that are predicted as j, and E_ij the product of the two marginal
    shares. v_ij is 1 for i ≠ j, or the distance |i - j| of the classes ("kappa_linear"), or its square
    ("kappa_quadratic"). The distance is the difference of classes that are numbers, and otherwise the
    difference of their positions in sorted order. Kappa is undefined if truth and predictions
    contain only one class, and the same one (Cohen 1960, 1968).
    """
    classes, truth, said = check.coded(y, prediction)
    k = classes.size
    place = np.arange(k, dtype=np.float64) if classes.dtype.kind in "USb" else classes.astype(np.float64)
    apart = np.abs(place[:, None] - place)
    cost = (apart > 0).astype(np.float64) if power is None else apart**power
    wrong = cost[truth, said]

    def values(w: Floats) -> Floats:
        real, flagged = _shares(_added(w, truth, k)), _shares(_added(w, said, k))
        return 1 - over(over(w @ wrong, w.sum(axis=1)), np.einsum("di,ij,dj->d", real, cost, flagged))

    return values


def _positives(y: Any, prediction: Any, metric: str) -> tuple[Floats, Floats]:
    """Return 1 for each row that is positive, and 1 for each that is predicted positive."""
    classes, truth, said = check.coded(y, prediction)
    if classes.size > 2:
        macro = {"precision": "precision_macro", "recall": "recall_macro", "IoU": "iou_macro"}
        raise MethodError(
            f"there are {classes.size} classes, but {metric} needs 2",
            hint=f'Use "{macro[metric]}".' if metric in macro else 'Use "f1_macro" or "f1_micro".',
        )
    check.several_classes(truth, metric)
    return (truth == 1).astype(np.float64), (said == 1).astype(np.float64)


def _macro(
    y: Any, prediction: Any, ratio: Callable[[Floats, Floats, Floats], tuple[Floats, Floats]]
) -> Weighted:
    """Return the mean over classes with rows of a ratio per class, 0 if its denominator is 0."""
    sums = _by_class(y, prediction)

    def values(w: Floats) -> Floats:
        hit, real, flagged = sums(w)
        above, below = ratio(hit, real, flagged)
        there = real + flagged > 0
        return over(np.nan_to_num(over(above, below)).sum(axis=1), there.sum(axis=1).astype(np.float64))

    return values


def _by_class(
    y: Any, prediction: Any, *, two_for: str | None = None
) -> Callable[[Floats], tuple[Floats, Floats, Floats]]:
    """Return a function from weights to each class's weight found, true and predicted: (draws, classes).

    The rows are added up by cell of the confusion matrix first, in one pass. `two_for` names a metric that
    needs two classes in the truth.
    """
    classes, truth, said = check.coded(y, prediction)
    if two_for:
        check.several_classes(truth, two_for)
    k = classes.size
    cells, cell = np.unique(truth * k + said, return_inverse=True)
    real, flagged = cells // k, cells % k
    found = np.where(real == flagged, real, k)  # a wrong answer is assigned to an extra class after the last

    def sums(w: Floats) -> tuple[Floats, Floats, Floats]:
        each = _added(w, cell, cells.size)
        return _added(each, found, k + 1)[:, :k], _added(each, real, k), _added(each, flagged, k)

    return sums


def _added(w: Floats, codes: Ints, k: int) -> Floats:
    """Return the sum of each line of w over each of k codes."""
    return np.array([np.bincount(codes, row, minlength=k) for row in w], dtype=np.float64)


def _shares(x: Floats) -> Floats:
    """Divide each line by its own sum; the result is exactly 1 for a class with everything."""
    return over(x, np.broadcast_to(x.sum(axis=1, keepdims=True), x.shape))


def _mean_defined(above: Floats, below: Floats) -> Floats:
    """Return the mean of above / below over the classes where below is not 0."""
    defined = below > 0
    each = np.where(defined, over(above, below), 0.0)
    return over(each.sum(axis=1), defined.sum(axis=1).astype(np.float64))

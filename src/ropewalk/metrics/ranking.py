"""Metrics of how scores rank the positive class: AUROC and average precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ropewalk.metrics import check
from ropewalk.metrics.check import Floats, Ints
from ropewalk.metrics.metric import Weighted, over


def auroc(y: Any, prediction: Any) -> Weighted:
    """The probability that a positive scores higher than a negative; ties count half.

    Over blocks of equal scores, from the lowest: Σ_b P_b (N_1 + ... + N_b - N_b/2) / (P N).
    """
    sums = _by_score(y, prediction, "AUROC", ascending=True)

    def values(w: Floats) -> Floats:
        positive, negative = sums(w)
        p, n = positive.sum(axis=1), negative.sum(axis=1)
        above = _dot(positive, np.cumsum(negative, axis=1)) - 0.5 * _dot(positive, negative)
        return over(above, p * n)

    return values


def average_precision(y: Any, prediction: Any) -> Weighted:
    """The precision averaged over the positives: Σ_b (P_b / P) (P_1 + ... + P_b) / (n_1 + ... + n_b).

    The sum is over blocks b of equal scores from the highest, with n_b rows and P_b positives each. There is
    no interpolation.
    """
    sums = _by_score(y, prediction, "average precision", ascending=False)

    def values(w: Floats) -> Floats:
        positive, negative = sums(w)
        found = np.cumsum(positive, axis=1)
        flagged = found + np.cumsum(negative, axis=1)
        # Nothing is flagged, so this block has no positive either, and its term is 0.
        precision = np.divide(found, flagged, out=np.zeros(found.shape), where=flagged > 0)
        return over(_dot(positive, precision), positive.sum(axis=1))

    return values


def auroc_bounds(y: Any, score: Floats, counts: Floats, bins: Any) -> tuple[float, float]:
    """Return bounds of the AUROC if some blocks of equal scores are `bins` of different scores.

    Pairs of a positive and a negative in one bin count half; they could count 0 or 1. The bounds are
    therefore ± Σ_b P_b N_b / (2 P N).
    """
    positive, negative, inside = _bins(y, score, counts, bins, "AUROC")
    tied, all_pairs = (positive * negative)[inside].sum(), positive.sum() * negative.sum()
    value = auroc(y, score)(counts[None, :])[0]
    return float(value - tied / (2 * all_pairs)), float(value + tied / (2 * all_pairs))


def average_precision_bounds(y: Any, score: Floats, counts: Floats, bins: Any) -> tuple[float, float]:
    """Return bounds of the average precision, as `auroc_bounds` does for the AUROC.

    In a bin, the precision at a positive is at most that with all negatives of the bin after it, and at least
    that of the bin's first positive with all negatives before it.
    """
    positive, negative, inside = (x[::-1] for x in _bins(y, score, counts, bins, "average precision"))
    found, wrong = np.cumsum(positive), np.cumsum(negative)
    most, least = (found, wrong - negative * inside), (np.where(inside, found - positive + 1, found), wrong)

    def value(found: Floats, wrong: Floats) -> float:
        precision = np.divide(found, found + wrong, out=np.zeros(found.shape), where=found + wrong > 0)
        return float(positive @ precision / positive.sum())

    return value(*least), value(*most)


def _bins(y: Any, score: Floats, counts: Floats, bins: Any, metric: str) -> tuple[Floats, Floats, Any]:
    """Return positives, negatives and whether it is a bin, for each block of equal scores from the lowest."""
    truth = check.positives(y, metric)
    values, block = np.unique(score, return_inverse=True)
    positive, negative = (
        np.bincount(block, counts * which, values.size).astype(np.float64) for which in (truth, ~truth)
    )
    return positive, negative, np.bincount(block, bins, values.size) > 0


def blocks(score: Floats) -> tuple[Ints, Ints | None]:
    """Return the ascending order of the scores, and the start of each block of ties; None without ties."""
    order = np.argsort(score)
    ranked = score[order]
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    return order, None if starts.size == score.size else starts


def block_sums(w: Floats, starts: Ints | None) -> Floats:
    """Return the sums of each line over the blocks."""
    return w if starts is None else np.asarray(np.add.reduceat(w, starts, axis=1))


def _by_score(
    y: Any, prediction: Any, metric: str, *, ascending: bool
) -> Callable[[Floats], tuple[Floats, Floats]]:
    """Return a function from weights to the weights of positives and negatives per block of equal scores."""
    score = check.numbers(prediction, "prediction")
    truth = check.positives(y, metric)
    check.same_length(y=truth, prediction=score)
    order, starts = blocks(score if ascending else -score)
    positive = truth[order].astype(np.float64)

    def sums(w: Floats) -> tuple[Floats, Floats]:
        ranked = np.take(w, order, axis=1)
        in_positive = ranked * positive
        return block_sums(in_positive, starts), block_sums(ranked - in_positive, starts)

    return sums


def _dot(x: Floats, z: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", x, z))

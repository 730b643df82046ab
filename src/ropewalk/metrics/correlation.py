"""Correlations of truth and prediction, and the concordance index of survival times."""

from __future__ import annotations

from typing import Any

import numpy as np

from ropewalk.errors import MethodError
from ropewalk.metrics.check import Floats, Ints
from ropewalk.metrics.dominance import pairs_below, pairs_tied
from ropewalk.metrics.metric import Weighted, over
from ropewalk.metrics.numbers import pair
from ropewalk.metrics.ranking import block_sums, blocks
from ropewalk.sums import ROUNDING


def pearson(y: Any, prediction: Any) -> Weighted:
    """Pearson's correlation: Σ w (y - m)(ŷ - m') / sqrt(Σ w (y - m)² Σ w (ŷ - m')²).

    It is undefined if truth or prediction does not vary.
    """
    truth, said = _varying(y, prediction, "Pearson's correlation")
    # Centered and scaled, so that the sums of squares below lose few digits.
    truth, said = ((x - x.mean()) / x.std() for x in (truth, said))
    return lambda w: _correlation(w, np.broadcast_to(truth, w.shape), np.broadcast_to(said, w.shape))


def spearman(y: Any, prediction: Any) -> Weighted:
    """Spearman's correlation: Pearson's correlation of the ranks; tied values have their mean rank.

    With weights, the rank of a row is the weight of all rows below it plus half of that of the rows tied with
    it.
    """
    truth, said = _varying(y, prediction, "Spearman's correlation")
    ranks = [_weighted_ranks(x) for x in (truth, said)]
    return lambda w: _correlation(w, *(of(w) for of in ranks))


def kendall(y: Any, prediction: Any) -> Weighted:
    """Kendall's tau-b: (C - D) / sqrt(pairs not tied in the truth · pairs not tied in the prediction).

    C and D are the numbers of pairs that truth and prediction order in the same and in opposite ways. A pair
    has the product of its weights (Kendall 1945).
    """
    truth, said = _varying(y, prediction, "Kendall's tau")
    x, z = (np.unique(v, return_inverse=True)[1] for v in (truth, said))
    joint = np.unique(x * (z.max() + 1) + z, return_inverse=True)[1]
    alike = pairs_below(x, z)

    def values(w: Floats) -> Floats:
        total = w.sum(axis=1) ** 2
        in_x, in_z, in_both = (_tied(w, codes) for codes in (x, z, joint))
        concordant = 2 * alike(w, w)  # counts both orders of a pair, like the other sums
        apart = total - in_x - in_z + in_both
        return over(2 * concordant - apart, np.sqrt((total - in_x) * (total - in_z)))

    return values


def concordance(y: Any, prediction: Any) -> Weighted:
    """The share of comparable pairs that the prediction orders correctly; tied predictions count half.

    y is the time of the event, or minus the time at which a row was censored. The prediction must be higher
    for longer times (pass minus the risk). A pair is comparable if the earlier of its times is an event. At
    the same time, an event and a censoring are comparable, two events are not (Harrell et al. 1996).
    """
    signed, said = pair(y, prediction)
    if np.any(signed == 0):
        raise MethodError(
            "a time of 0 is ambiguous: event or censored?",
            hint="Give positive times of events, and minus the time for a censored row.",
        )
    event = signed > 0
    time = np.unique(np.abs(signed), return_inverse=True)[1]
    when, guess = 2 * time + ~event, np.unique(said, return_inverse=True)[1]
    below, tied = pairs_below(when, guess), pairs_tied(when, guess)
    comparable = pairs_tied(when, np.zeros_like(when))  # all pairs whose first row is earlier
    if comparable(event[None, :].astype(np.float64), np.ones((1, when.size)))[0] == 0:
        raise MethodError(
            "no two rows are comparable: the concordance index is not defined",
            hint="At least one event must come before another row's time.",
        )

    def values(w: Floats) -> Floats:
        first = w * event
        return over(below(first, w) + tied(first, w) / 2, comparable(first, w))

    return values


def _varying(y: Any, prediction: Any, metric: str) -> tuple[Floats, Floats]:
    columns = pair(y, prediction)
    for x, what in zip(columns, ("truth", "prediction"), strict=True):
        if np.ptp(x) <= ROUNDING * np.abs(x).max():
            raise MethodError(
                f"the {what} is the same number on every row: {metric} is not defined",
                hint='Use "rmse" or "mae".',
            )
    return columns


def _correlation(w: Floats, x: Floats, z: Floats) -> Floats:
    """Return the weighted correlation of each line; NaN if one side does not vary."""
    total = w.sum(axis=1, keepdims=True)
    centred = [v - over(np.einsum("ij,ij->i", w, v)[:, None], total) for v in (x, z)]
    varies = [
        np.einsum("ij,ij,ij->i", w, c, c) > ROUNDING**2 * np.einsum("ij,ij,ij->i", w, v, v)
        for c, v in zip(centred, (x, z), strict=True)
    ]
    xx, zz, xz = (np.einsum("ij,ij,ij->i", w, centred[a], centred[b]) for a, b in ((0, 0), (1, 1), (0, 1)))
    below = np.where(varies[0] & varies[1], np.sqrt(xx) * np.sqrt(zz), 0.0)
    return np.clip(over(xz, below), -1.0, 1.0)


def _weighted_ranks(x: Floats) -> Weighted:
    """Return a function from weights to the rank of each row in each line."""
    order, starts = blocks(x)
    back = np.empty_like(order)
    back[order] = np.arange(order.size)
    block = (
        np.arange(x.size) if starts is None else np.repeat(np.arange(starts.size), np.diff([*starts, x.size]))
    )

    def ranks(w: Floats) -> Floats:
        size = block_sums(np.take(w, order, axis=1), starts)
        return np.take(np.cumsum(size, axis=1) - size / 2, block[back], axis=1)

    return ranks


def _tied(w: Floats, codes: Ints) -> Floats:
    """Return Σ w_i w_j over the pairs (i, j) with the same code, including i = j."""
    k = codes.max() + 1
    sums = np.array([np.bincount(codes, row, minlength=k) for row in w])
    return np.asarray(np.einsum("ij,ij->i", sums, sums))

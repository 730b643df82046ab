"""Normalized discounted cumulative gain of one ranked list, or over queries."""

from __future__ import annotations

import inspect
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import CellError, MethodError, OptionError
from ropewalk.metrics import check
from ropewalk.metrics.check import Floats, Ints
from ropewalk.metrics.metric import Metric, Weighted, over
from ropewalk.metrics.ranking import block_sums, blocks
from ropewalk.metrics.retrieval import mean_over_groups


def ndcg_at(k: int | None) -> Metric:
    """Make the NDCG of the first k places of each list.

    Parameters
    ----------
    k : int or None
        Number of places; None for all of them.

    Returns
    -------
    Metric
        The metric, whose groups are the queries.

    Examples
    --------
    >>> round(ndcg_at(2).value([1, 0, 2], [0.9, 0.8, 0.1]), 4)
    0.3801
    """
    if k is not None and k < 1:
        raise OptionError(f"the cutoff of NDCG is {k}", hint='Give at least 1, as in "ndcg@10".')
    name = "NDCG" if k is None else f"NDCG@{k}"
    return Metric(
        name=name,
        takes="scores",
        higher_is_better=True,
        range=(0.0, 1.0),
        prepare=partial(_prepare, k),
        grouped=True,
        about=inspect.cleandoc(_prepare.__doc__ or ""),
    )


def _prepare(k: int | None, y: Any, prediction: Any, groups: ArrayLike | None = None) -> Weighted:
    """Normalized discounted cumulative gain, averaged over the queries.

    y is the relevance (0 or more), the prediction is the score, and the groups are the queries; without
    groups all rows are one list. A query has the mean weight of its rows, and counts as 0 if it has no
    relevant document. The gain is the relevance itself: pass 2^relevance - 1 as y for the exponential form.
    """
    gain, score = check.numbers(y, "y"), check.numbers(prediction, "prediction")
    n = check.same_length(y=gain, prediction=score)
    if np.any(gain < 0):
        raise CellError(
            f"{np.sum(gain < 0):,} of {n:,} relevances are negative", hint="Give 0 for no relevance."
        )
    if not np.any(gain):
        raise MethodError("no document is relevant: NDCG is not defined", hint="Give y = the relevance.")
    if groups is None:
        return _one_list(k, gain, score)

    def value(rows: Ints) -> float:
        return float(np.nan_to_num(_one_list(k, gain[rows], score[rows])(np.ones((1, rows.size)))[0]))

    return mean_over_groups(groups, score, value)


def _one_list(k: int | None, gain: Floats, score: Floats) -> Weighted:
    """Return DCG by score over DCG by relevance; weights are numbers of copies in the list."""
    by_score, by_gain = _discounted(k, gain, score), _discounted(k, gain, gain)
    return lambda w: over(by_score(w), by_gain(w))


def _discounted(k: int | None, gain: Floats, score: Floats) -> Weighted:
    """Σ_b (mean gain of block b) (D(c_b) - D(c_(b-1))), from the highest block of equal scores.

    c_b copies stand in the list up to block b, and D(c) = Σ_(r <= c) 1/log2(r + 1) is the discount of the
    first c places, linear between whole numbers and constant from k on. Tied documents share their places,
    the mean over their orders (McSherry & Najork 2008).
    """
    order, starts = blocks(-score)
    ranked_gain = gain[order]

    def values(w: Floats) -> Floats:
        ranked = np.take(w, order, axis=1)
        copies, total = block_sums(ranked, starts), block_sums(ranked * ranked_gain, starts)
        upto = np.zeros((len(w), copies.shape[1] + 1))
        np.cumsum(copies, axis=1, out=upto[:, 1:])
        places = int(np.ceil(upto.max())) if k is None else k
        discount = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(2, places + 2)))])
        share = np.diff(np.interp(upto, np.arange(places + 1), discount), axis=1)
        mean_gain = np.divide(total, copies, out=np.zeros(total.shape), where=copies > 0)
        return np.asarray(np.einsum("ij,ij->i", mean_gain, share))

    return values

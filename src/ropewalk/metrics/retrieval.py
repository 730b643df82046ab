"""Metrics of ranked lists, one for each query: hit rate, recall, precision, MRR and MAP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import MethodError
from ropewalk.metrics import check
from ropewalk.metrics.check import Floats, Ints
from ropewalk.metrics.metric import Weighted, ratio_of

# From the relevant documents of a list to its value. For each place there are: documents and relevant ones
# above its block of equal scores, the place within the block (from 1), documents and relevant ones in it.
ListValue = Callable[["_Places"], float]


class _Places:
    """The places of one list up to k; documents with equal scores share their places.

    All orders of tied documents are equally likely, and the value of a list is the mean over these orders
    (McSherry & Najork 2008), so it does not depend on the order of the rows.
    """

    def __init__(self, relevant: Floats, score: Floats, k: int | None) -> None:
        _, block = np.unique(-score, return_inverse=True)
        size, good = np.bincount(block), np.bincount(block, relevant)
        start, before = np.cumsum(size) - size, np.cumsum(good) - good
        at = np.repeat(np.arange(size.size), size)[:k]  # block of each place
        self.place = np.arange(1, at.size + 1)
        self.within = self.place - start[at]
        self.size, self.good, self.above = size[at], good[at], before[at]
        self.relevant = float(relevant.sum())
        self.k = k

    @property
    def chance(self) -> Floats:
        """Return the probability that the document at each place is relevant."""
        return np.asarray(self.good / self.size)

    @property
    def first(self) -> Floats:
        """Return the probability of the first relevant document at each place: C(n - i, g - 1) / C(n, g).

        The block has n documents, g of them relevant; i is the place within the block; no document above the
        block is relevant.
        """
        block = (self.above == 0) & (self.good > 0)  # all places of one block
        n, g, i = (x[block] for x in (self.size, self.good, self.within))
        out = np.zeros(block.size)
        later = np.maximum(n - i - g + 1, 0)[:-1] / np.maximum(n - i, 1)[:-1]  # C(n-i-1, g-1) / C(n-i, g-1)
        out[block] = (g / n)[:1] * np.cumprod(np.concatenate([np.ones(min(i.size, 1)), later]))
        return out


def hit_rate(y: Any, prediction: Any, groups: ArrayLike | None = None, k: int | None = None) -> Weighted:
    """The share of queries with a relevant document among the first k."""
    return _over_queries(y, prediction, groups, k, "the hit rate", lambda p: float(p.first.sum()))


def recall_at(y: Any, prediction: Any, groups: ArrayLike | None = None, k: int | None = None) -> Weighted:
    """The share of a query's relevant documents that are among the first k, averaged over the queries."""
    return _over_queries(y, prediction, groups, k, "recall", lambda p: p.chance.sum() / p.relevant)


def precision_at(y: Any, prediction: Any, groups: ArrayLike | None = None, k: int = 1) -> Weighted:
    """The share of relevant documents among the first k, averaged over the queries."""
    return _over_queries(y, prediction, groups, k, "precision", lambda p: p.chance.sum() / k)


def reciprocal_rank(
    y: Any, prediction: Any, groups: ArrayLike | None = None, k: int | None = None
) -> Weighted:
    """The mean over the queries of 1 / (rank of the first relevant document), or 0 if it is beyond rank k."""
    return _over_queries(
        y, prediction, groups, k, "the reciprocal rank", lambda p: float(p.first @ (1 / p.place))
    )


def mean_average_precision(
    y: Any, prediction: Any, groups: ArrayLike | None = None, k: int | None = None
) -> Weighted:
    """The mean average precision: Σ_(i <= k) [document i is relevant] precision@i / (relevant documents).

    It is averaged over the queries. The number of relevant documents of a query can be larger than k.
    """

    def value(p: _Places) -> float:
        # If place i of a block with g relevant ones among n is relevant, the expected number of relevant ones
        # above it in the block is (i - 1) (g - 1) / (n - 1).
        others = (p.within - 1) * (p.good - 1) / np.maximum(p.size - 1, 1)
        return float(np.sum(p.chance * (p.above + 1 + others) / p.place) / p.relevant)

    return _over_queries(y, prediction, groups, k, "average precision", value)


def _over_queries(
    y: Any, prediction: Any, groups: ArrayLike | None, k: int | None, what: str, value: ListValue
) -> Weighted:
    """Return the mean of a value of each query's list; a query has the mean weight of its rows.

    Documents with y above 0 are relevant; a query without any counts 0.
    """
    relevant = (check.numbers(y, "y") > 0).astype(np.float64)
    score = check.numbers(prediction, "prediction")
    check.same_length(y=relevant, prediction=score)
    if groups is None:
        raise MethodError(
            f"{what} is a mean over queries, but the query of each row is not known",
            hint="Name the query column: cluster= (--cluster), or groups= of Metric.value.",
        )
    if not relevant.any():
        raise MethodError(f"no document is relevant: {what} is not defined", hint="Give y = the relevance.")
    return mean_over_groups(
        groups,
        score,
        lambda rows: value(_Places(relevant[rows], score[rows], k)) if relevant[rows].any() else 0,
    )


def mean_over_groups(groups: ArrayLike, score: Floats, value: Callable[[Ints], float]) -> Weighted:
    """Return Σ_q w_q v_q / Σ_q w_q, with each group's value v_q and the mean weight w_q of its rows."""
    query = np.unique(check.labels(groups, "groups"), return_inverse=True)[1]
    check.same_length(prediction=score, groups=query)
    order = np.argsort(query, kind="stable")
    size = np.bincount(query)
    each = np.array([value(rows) for rows in np.split(order, np.cumsum(size)[:-1])])
    return ratio_of((each / size)[query], (1 / size)[query])

"""The paired permutation test on a metric of a set of predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.matrices import Floats
from ropewalk.metrics.metric import Metric
from ropewalk.metrics.resample import PairedMetric
from ropewalk.nhst.permutation import PermutationResult


def permutation_metric(
    metric: str | Metric | Callable[[Any, Any, Any], float],
    y: Any,
    a: Any,
    b: Any,
    *,
    clusters: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    values: tuple[float, float] | None = None,
    draws: int = 1_999,
    rng: int | np.random.Generator = 0,
) -> PermutationResult:
    """Does a metric of the whole set differ more than swapping the two models' predictions would make it?

    Parameters
    ----------
    metric : str, Metric or callable
        Name of a metric (`ropewalk metrics` lists them), or a function (y, prediction, weights) -> float
        that returns a higher value for a better model.
    y : array_like
        Truth of each row. With two classes, the second in sorted order is the positive one.
    a : array_like
        Predictions of A on the same rows.
    b : array_like
        Predictions of B on the same rows.
    clusters : array_like, optional
        Cluster of each row, if rows belong together. Each cluster then counts as one unit.
    counts : array_like, optional
        Number of identical units that each row stands for; by default 1.
    values : pair of float, optional
        More exact values of the metric for A and B, if the rows are bins of scores.
    draws : int, default 1999
        Number of draws.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator.

    Returns
    -------
    PermutationResult
        Difference of the metric and two-sided p-value.

    Notes
    -----
    Formula::

        under "no difference" the predictions of A and B can change places on any unit. A draw swaps them on
        each with probability 1/2 and has the advantage d*; p = (1 + #{|d*| >= |d|}) / (1 + draws).

    Assumes
        predictions of both models on the same scale; independent units. If rows belong together, pass
        `clusters`, whose rows are then swapped together. For NDCG, the clusters are the queries.

    Not for
        predictions on different scales, such as a margin and a probability (rank or calibrate them first; for
        AUROC, `delong` does not need this); learning algorithms that would be trained again.

    Of c identical units (`counts`), Binomial(c, 1/2) are swapped.

    References
    ----------
    .. [1] Yeh 2000, doi:10.3115/992730.992783.
    .. [2] Phipson & Smyth 2010, doi:10.2202/1544-6115.1585, for the +1.

    Examples
    --------
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1] * 10
    >>> a, b = [1, 2, 3, 4, 3, 5, 6, 7] * 10, [1, 2, 3, 4, 2, 1, 5, 6] * 10
    >>> permutation_metric("auroc", y, a, b, draws=999)
    PermutationResult(name='permutation', statistic=0.28125, p_value=0.001, exact=False, patterns=999,
                      undefined=0)
    """
    paired = PairedMetric.of(metric, y, {"A": a, "B": b}, clusters, counts, values)
    # For one query, A's ranking of the documents is one list, and B's ranking is another.
    unit = paired.unit_of_row
    lists = None if unit is None else np.concatenate([unit, paired.units + unit])
    both = None if y is None else np.concatenate([y, y])
    of = paired.metric.prepared(both, np.concatenate([a, b]), lists)

    def advantage(swapped: Floats) -> Floats:
        taken = paired.by_row(swapped)
        left = (1 if paired.counts is None else paired.counts) - taken
        return paired.signed(of(np.hstack([left, taken])), of(np.hstack([taken, left])))

    def batch(generator: np.random.Generator, size: int) -> Floats:
        if paired.sizes is None:
            swapped = generator.integers(0, 2, (size, paired.units))
        else:
            swapped = generator.binomial(paired.sizes.astype(np.int64), 0.5, (size, paired.rows))
        return advantage(swapped.astype(np.float64))

    observed = float(paired.signed(*np.array(paired.values)[:, None])[0])
    x = paired.in_batches(batch, draws=draws, rng=rng)
    x = x[np.isfinite(x)]
    extreme = int(np.sum(np.abs(x) >= abs(observed) - paired.slack))
    return PermutationResult(
        name="permutation",
        sources=("phipson2010",),
        statistic=observed,
        p_value=(1 + extreme) / (1 + x.size),
        exact=False,
        patterns=x.size,
        undefined=draws - x.size,
    )

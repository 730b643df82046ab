"""DeLong's test: two AUROCs on the same examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from ropewalk.errors import MethodError
from ropewalk.matrices import Floats
from ropewalk.metrics import check
from ropewalk.metrics.ranking import blocks
from ropewalk.nhst.result import IntervalResult
from ropewalk.sums import ROUNDING


@dataclass(frozen=True, slots=True, kw_only=True)
class DelongResult(IntervalResult):
    """Result of DeLong's test of two AUROCs.

    Parameters
    ----------
    name, statistic, p_value, sources, family, exact : see TestResult
        As for every test. The statistic is z = difference / standard error.
    auc_a, auc_b : float
        AUROC of each model.
    difference : float
        AUROC of A minus that of B.
    standard_error : float
        Standard error of the difference.

    See Also
    --------
    ropewalk.nhst.delong : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> found = nhst.delong([0, 0, 0, 1, 1, 1], [1, 2, 3, 2, 4, 5], [2, 1, 3, 1, 3, 5])
    >>> round(found.difference, 3)
    0.167
    """

    auc_a: float
    auc_b: float
    difference: float
    standard_error: float

    def _interval(self, level: float) -> tuple[float, float]:
        """Difference plus and minus the normal quantile times its standard error, within [-1, 1]."""
        half = -self.standard_error * float(ndtri((1 - level) / 2))
        return max(self.difference - half, -1.0), min(self.difference + half, 1.0)


def delong(
    y: Any,
    a: ArrayLike,
    b: ArrayLike,
    *,
    counts: ArrayLike | None = None,
    values: tuple[float, float] | None = None,
) -> DelongResult:
    """Do two models rank positives above negatives equally well?

    Parameters
    ----------
    y : array_like
        Truth of each row. With two classes, the second in sorted order is the positive one.
    a : array_like
        Scores of A, higher for the positive class.
    b : array_like
        Scores of B, higher for the positive class.
    counts : array_like, optional
        Number of identical units that each row stands for; by default 1.
    values : pair of float, optional
        More exact values of the metric for A and B, if the rows are bins of scores.

    Returns
    -------
    DelongResult
        Difference of the two AUROCs, its standard error and the p-value.

    Notes
    -----
    Formula::

        V_i is the share of the negatives below positive i, ties counting half, and U_j the share of the
        positives above negative j; their means are the AUROC. With the differences dV and dU of the two
        models, var = s²(dV)/P + s²(dU)/N, z = (AUROC_A - AUROC_B)/sqrt(var), p = 2 Phi(-|z|). The shares come
        from sorting, so the cost is O(n log n).

    Assumes
        independent examples, at least two of each class, and enough of both for approximately normal AUROCs.

    Not for
        few examples of one class, or AUROCs close to 1 (use `permutation_metric`); nested models on their
        training rows, where z is not normal; rows in clusters (use `bootstrap` with clusters).

    If both models rank every pair in the same way, the variance is zero; then z = 0 and p = 1.

    References
    ----------
    .. [1] DeLong, DeLong & Clarke-Pearson 1988, doi:10.2307/2531595.
    .. [2] Sun & Xu 2014, doi:10.1109/LSP.2014.2337313, for the cost.

    Examples
    --------
    >>> delong([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.6, 0.9], [0.2, 0.6, 0.5, 0.1, 0.7, 0.8])
    DelongResult(name='DeLong', statistic=0.89..., p_value=0.37..., auc_a=0.88..., auc_b=0.66...,
                 difference=0.22..., standard_error=0.24...)
    """
    first, second = check.numbers(a, "a"), check.numbers(b, "b")
    truth = check.positives(y)
    check.same_length(y=truth, a=first, b=second)
    times = np.ones(truth.size) if counts is None else check.counts(counts, truth.size)
    positives, negatives = np.flatnonzero(truth), np.flatnonzero(~truth)  # faster to index with than a mask
    of_positives, of_negatives = times[positives], times[negatives]
    p, n = int(of_positives.sum()), int(of_negatives.sum())
    if min(p, n) < 2:
        raise MethodError(
            f"there are {p:,} positives and {n:,} negatives: one example of a class has no variance",
            hint="At least two of each are needed; permutation_metric takes fewer.",
        )
    below_a, below_b = _below(first, truth, times), _below(second, truth, times)
    known = [float(below[positives] @ of_positives) / (2 * p * n) for below in (below_a, below_b)]
    auc_a, auc_b = known if values is None else values
    # In units of half an example of the other class. For a negative, U is 1 minus its share; the 1 cancels.
    d = below_a - below_b
    v, u = d[positives] / (2 * n), d[negatives] / (2 * p)
    difference = auc_a - auc_b
    error = float(np.sqrt(_variance(v, of_positives) / p + _variance(u, of_negatives) / n))
    if error <= ROUNDING:
        if abs(difference) > ROUNDING:
            raise MethodError(
                f"the AUROCs differ by {difference:.4g} and have no variance",
                where=[
                    "Every positive has the same rank among the negatives, and every negative among "
                    "the positives."
                ],
                hint="Use permutation_metric, which needs no variance.",
            )
        difference, error = 0.0, 0.0
    z = difference / error if error else 0.0
    return DelongResult(
        name="DeLong",
        sources=("delong1988",),
        statistic=z,
        p_value=float(2 * ndtr(-abs(z))),
        auc_a=auc_a,
        auc_b=auc_b,
        difference=difference,
        standard_error=error,
    )


def _variance(x: Floats, times: Floats) -> float:
    """s² of values with these counts."""
    n = float(times.sum())
    r = x - float(times @ x) / n
    return float(times @ (r * r)) / (n - 1)


def _below(score: Floats, truth: NDArray[np.bool_], times: Floats) -> Floats:
    """For each row, twice the number of examples of the other class below it; ties count half.

    For a block of equal scores, the examples before its start count twice and those in the block once.
    """
    order, starts = blocks(score)
    positive, each = truth[order], times[order]
    # Cumulative counts up to and including each row: whole numbers, exact in floats up to 2^53.
    rows, negatives = np.cumsum(each), np.cumsum(np.where(positive, 0.0, each))
    if starts is None:  # every row is its own block, without any of the other class
        rows, negatives = 2 * rows, 2 * negatives
    else:
        ends = np.append(starts[1:], score.size) - 1
        rows, negatives = (
            np.repeat(last + np.concatenate([[0.0], last[:-1]]), ends - starts + 1)
            for last in (rows[ends], negatives[ends])
        )
    out = np.empty(score.size)
    out[order] = np.where(positive, negatives, rows - negatives)
    return out

"""The Nemenyi test: which of several models differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import OptionError
from ropewalk.matrices import Floats, model_ranks, scores
from ropewalk.nhst.result import TestResult
from ropewalk.nhst.studentized_range import range_isf, range_sf


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NemenyiResult(TestResult):
    """Result of the Nemenyi test of all pairs at once.

    Parameters
    ----------
    name, statistic, p_value, sources, family, exact : see TestResult
        As for every test. They are those of the two models furthest apart.
    alpha : float
        Level of the test.
    critical_difference : float
        Difference of average ranks that is significant.
    average_ranks : ndarray
        Average rank of each model; 1 is best.
    p_values : ndarray
        Models x models, each already adjusted for all the pairs.
    groups : tuple of tuple of int
        Bars of a critical-difference diagram: the largest sets of models (column numbers, best first) whose
        average ranks all lie within less than `critical_difference`; every model is in at least one.

    See Also
    --------
    ropewalk.nhst.nemenyi : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> nhst.nemenyi([[0.9, 0.8, 0.7], [0.8, 0.7, 0.9], [0.6, 0.5, 0.4], [0.9, 0.6, 0.5]]).groups
    ((0, 1, 2),)
    """

    alpha: float
    critical_difference: float
    average_ranks: Floats
    p_values: Floats
    groups: tuple[tuple[int, ...], ...]


def nemenyi(z: ArrayLike, *, alpha: float = 0.05) -> NemenyiResult:
    """Which pairs of k models have different average ranks over N tasks?

    Parameters
    ----------
    z : array_like, tasks x models
        One score per task and model; higher is better.
    alpha : float, default 0.05
        Level of the test.

    Returns
    -------
    NemenyiResult
        Critical difference, p-values of the pairs, and groups that do not differ.

    Notes
    -----
    Formula::

        CD = q_alpha/sqrt(2)·sqrt(k(k + 1)/(6N)), with q_alpha the upper alpha quantile of the range of k
        standard normal numbers (the studentized range with infinite degrees of freedom). The p-value of a
        pair is the chance that this range exceeds |R_a - R_b| / sqrt(k(k + 1)/(12N)).

    Assumes
        independent tasks, one score per task and model, higher is better; enough tasks for the normal form
        (N of 10 or more).

    Not for
        comparisons with one reference model (`wilcoxon` with `adjust` has more power). The ranks of two
        models depend on which other models are in the table.

    References
    ----------
    .. [1] Nemenyi 1963, Distribution-free Multiple Comparisons, Princeton.
    .. [2] Demšar 2006, sec. 3.2.2 (jmlr.org/papers/v7/demsar06a.html).

    Examples
    --------
    >>> z = [[0.9, 0.8, 0.1], [0.8, 0.9, 0.2], [0.9, 0.7, 0.3], [0.8, 0.7, 0.4], [0.6, 0.7, 0.5]]
    >>> result = nemenyi(z)
    >>> result.critical_difference
    1.4822...
    >>> result.groups
    ((0, 1), (1, 2))
    """
    if not 0 < alpha < 1:
        raise OptionError(f"alpha is {alpha}", hint="Give a probability between 0 and 1, such as 0.05.")
    ranks = model_ranks(scores(z))
    n, k = ranks.shape
    average = ranks.mean(axis=0)
    unit = float(np.sqrt(k * (k + 1) / (12 * n)))
    apart = np.abs(average[:, np.newaxis] - average)
    # Row by row, because all pairs times all nodes of the integral would not fit into memory.
    p_values = np.array([range_sf(row / unit, k) for row in apart])
    critical = range_isf(alpha, k) * unit
    return NemenyiResult(
        name="Nemenyi",
        sources=("nemenyi1963", "demsar2006"),
        statistic=float(apart.max()) / unit,
        p_value=float(p_values.min()),
        alpha=alpha,
        critical_difference=critical,
        average_ranks=average,
        p_values=p_values,
        groups=_groups(average, critical),
    )


def _groups(average: Floats, critical: float) -> tuple[tuple[int, ...], ...]:
    """Maximal runs of neighbors in order of rank, none inside another."""
    order = np.argsort(average, kind="stable")
    sorted_ranks = average[order]
    groups: list[tuple[int, ...]] = []
    reached = 0
    for first in range(len(order)):
        end = int(np.sum(sorted_ranks - sorted_ranks[first] < critical))
        if end > reached:
            groups.append(tuple(int(j) for j in order[first:end]))
            reached = end
    return tuple(groups)

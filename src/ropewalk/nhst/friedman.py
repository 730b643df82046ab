"""The Friedman test: several models on several tasks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, fdtrc, gammaln

from ropewalk.matrices import Floats, model_ranks, scores
from ropewalk.nhst.result import TestResult


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FriedmanResult(TestResult):
    """Result of a Friedman test.

    Parameters
    ----------
    name, statistic, p_value, sources, family, exact : see TestResult
        As for every test. The statistic is chi-squared.
    df : int
        Degrees of freedom.
    average_ranks : ndarray
        Average rank of each model; 1 is best.
    f_statistic, f_df, f_p_value : float, (int, int), float
        The form of Iman and Davenport, which is less conservative.

    See Also
    --------
    ropewalk.nhst.friedman : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> nhst.friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.9], [0.6, 0.5, 0.4], [0.9, 0.6, 0.5]]).average_ranks
    array([1.25, 2.25, 2.5 ])
    """

    df: int
    average_ranks: Floats
    f_statistic: float
    f_df: tuple[int, int]
    f_p_value: float


def friedman(z: ArrayLike) -> FriedmanResult:
    """Do k models have the same average rank over N tasks?

    Parameters
    ----------
    z : array_like, tasks x models
        One score per task and model; higher is better.

    Returns
    -------
    FriedmanResult
        chi², the F of Iman and Davenport, both p-values and the average ranks.

    Notes
    -----
    Formula::

        r_ij the rank of model j on task i (1 for the highest score, ties at the mean of their ranks), R_j its
        average: chi² = (k - 1)·N²·sum of (R_j - (k + 1)/2)² / sum of (r_ij - (k + 1)/2)², which contains the
        correction for ties, with k - 1 degrees of freedom.
        Iman and Davenport: F = (N - 1)·chi² / (N(k - 1) - chi²) with k - 1 and (k - 1)(N - 1).

    Assumes
        independent tasks, one score per task and model, higher is better.

    Not for
        folds or seeds of one task as rows; two models whose differences have comparable sizes (`wilcoxon` has
        more power); finding out which models differ (use `nemenyi`).

    If the models tie on every task, chi² = 0 and p = 1. If every task ranks the models in the same way, F is
    infinite; its p-value is then the exact one, the probability that all tasks agree with the first (Conover
    1999, sec. 5.8).

    References
    ----------
    .. [1] Friedman 1937, doi:10.1080/01621459.1937.10503522.
    .. [2] Iman & Davenport 1980, doi:10.1080/03610928008827904.
    .. [3] Demšar 2006 (jmlr.org/papers/v7/demsar06a.html).

    Examples
    --------
    >>> result = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.9], [0.6, 0.5, 0.4], [0.9, 0.6, 0.5]])
    >>> result.average_ranks
    array([1.25, 2.25, 2.5 ])
    >>> result.statistic, result.p_value
    (3.5, 0.1737...)
    """
    ranks = model_ranks(scores(z))
    n, k = ranks.shape
    chi2 = _chi2(ranks)
    df, f_df = k - 1, (k - 1, (k - 1) * (n - 1))
    if chi2 > 0 and np.all(ranks == ranks[0]):
        f, f_p = float("inf"), _all_agree(ranks)
    else:
        f = (n - 1) * chi2 / (n * (k - 1) - chi2)
        f_p = float(fdtrc(*f_df, f))
    return FriedmanResult(
        name="Friedman",
        sources=("friedman1937",),
        statistic=chi2,
        p_value=float(chdtrc(df, chi2)),
        df=df,
        average_ranks=ranks.mean(axis=0),
        f_statistic=f,
        f_df=f_df,
        f_p_value=f_p,
    )


def _chi2(ranks: Floats) -> float:
    """The Friedman statistic; zero if all models tie on all tasks, where the ratio is 0/0."""
    centred = ranks - (ranks.shape[1] + 1) / 2
    spread = float((centred**2).sum())
    between = float((centred.sum(axis=0) ** 2).sum())  # N² times the squared average ranks
    return (ranks.shape[1] - 1) * between / spread if spread > 0 else 0.0


def _all_agree(ranks: Floats) -> float:
    """(t!.../k!)^(N - 1): one over the number of arrangements of a row's ranks, for all tasks but one."""
    n, k = ranks.shape
    _, tied = np.unique(ranks[0], return_counts=True)
    return float(np.exp((n - 1) * (gammaln(tied + 1.0).sum() - gammaln(k + 1.0))))

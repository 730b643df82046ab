"""Alpaydin's combined 5x2cv F test."""

from __future__ import annotations

from numpy.typing import ArrayLike
from scipy.special import fdtrc

from ropewalk.nhst.five_by_two import replications
from ropewalk.nhst.result import TestResult


def five_by_two_f(p: ArrayLike) -> TestResult:
    """Do two learning algorithms differ, from all ten differences of 5x2 cross-validation?

    Parameters
    ----------
    p : array_like, 5 x 2
        Differences on the two folds of each of the five replications.

    Returns
    -------
    TestResult
        F and the p-value.

    Notes
    -----
    Formula::

        F = sum of p_ij² / (2·sum of s_i²) with 10 and 5 degrees of freedom; row i of p holds the differences
        on the two folds of replication i, and s_i² = (p_i1 - p_i2)²/2.

    Assumes
        normal differences, and numerators that are independent of the variances; both hold only roughly.

    Not for
        designs other than 5x2cv (use `corrected_t`); one-sided questions, because F has no sign.

    If all differences are zero, F = 0 and p = 1.

    References
    ----------
    .. [1] Alpaydin 1999, doi:10.1162/089976699300016007.

    Examples
    --------
    >>> five_by_two_f([[0.03, 0.01], [0.02, 0.02], [0.01, 0.03], [0.02, 0.01], [0.03, 0.02]]).p_value
    0.0529...
    """
    x, s2 = replications(p)
    f = float((x**2).sum() / (2 * s2.sum())) if x.any() else 0.0
    return TestResult(name="5x2cv F", statistic=f, sources=("alpaydin1999",), p_value=float(fdtrc(10, 5, f)))

"""Dietterich's 5x2cv t test."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.nhst.five_by_two import replications
from ropewalk.nhst.result import TestResult
from ropewalk.nhst.tails import student_two_sided


def five_by_two_t(p: ArrayLike) -> TestResult:
    """Do two learning algorithms differ, from five replications of 2-fold cross-validation?

    Parameters
    ----------
    p : array_like, 5 x 2
        Differences on the two folds of each of the five replications.

    Returns
    -------
    TestResult
        t and the p-value.

    Notes
    -----
    Formula::

        t = p_11 / sqrt(mean of s_i²) with 5 degrees of freedom; row i of p holds the differences on the two
        folds of replication i, and s_i² = (p_i1 - p_i2)²/2.

    Assumes
        normal differences, and replications whose variances are independent; both hold only roughly.

    Not for
        designs other than 5x2cv (use `corrected_t`). Only the first difference is in the numerator, so the
        answer depends on the order of the folds: prefer `five_by_two_f`.

    If all differences are zero, t = 0 and p = 1.

    References
    ----------
    .. [1] Dietterich 1998, doi:10.1162/089976698300017197.

    Examples
    --------
    >>> five_by_two_t([[0.03, 0.01], [0.02, 0.02], [0.01, 0.03], [0.02, 0.01], [0.03, 0.02]]).p_value
    0.0300...
    """
    x, s2 = replications(p)
    t = float(x[0, 0] / np.sqrt(s2.mean())) if x.any() else 0.0
    return TestResult(
        name="5x2cv t", statistic=t, sources=("dietterich1998",), p_value=student_two_sided(t, 5)
    )

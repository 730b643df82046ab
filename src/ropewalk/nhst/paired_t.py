"""The paired t test."""

from __future__ import annotations

from numpy.typing import ArrayLike

from ropewalk.nhst.corrected_t import t_test
from ropewalk.nhst.result import TTestResult
from ropewalk.sums import Sums, as_sums


def paired_t(d: ArrayLike | Sums) -> TTestResult:
    """Is the mean difference between two models on the same units zero?

    Parameters
    ----------
    d : array_like or Sums
        Advantage of A over B on each unit: the difference of their scores, positive where A is better.

    Returns
    -------
    TTestResult
        t, its degrees of freedom and the p-value.

    Notes
    -----
    Formula::

        t = m / (s/sqrt(n)) with n - 1 degrees of freedom; m and s are the mean and the standard deviation
        of the differences.

    Assumes
        independent units, and differences that are normal or many.

    Not for
        folds of cross-validation, whose training sets overlap (use `corrected_t`); 0/1 outcomes (use
        `mcnemar`); few differences with heavy tails (use `wilcoxon`); units in clusters (average within
        the clusters first).

    If all differences are zero, t = 0 and p = 1. If they are all the same but not zero, t does not exist, and
    an error is raised.

    References
    ----------
    .. [1] Student 1908, doi:10.1093/biomet/6.1.1.
    .. [2] Dietterich 1998, doi:10.1162/089976698300017197.

    Examples
    --------
    >>> result = paired_t([0.02, 0.01, 0.03, 0.00, 0.02])
    >>> result.p_value
    0.034...
    >>> result.confidence_interval(0.95)
    (0.0018..., 0.0301...)
    """
    return t_test("paired t", as_sums(d), rho=0.0, sources=("student1908",))

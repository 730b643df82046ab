"""McNemar's test: two classifiers on the same examples, right or wrong."""

from __future__ import annotations

from scipy.special import chdtrc

from ropewalk.nhst.result import TestResult
from ropewalk.nhst.tails import binomial_two_sided
from ropewalk.sums import whole

# Below this number of discordant examples the chi-squared approximation is too rough (Dietterich 1998).
_EXACT_BELOW = 25

_SOURCES = ("mcnemar1947",)


def mcnemar(n01: int, n10: int) -> TestResult:
    """Do two classifiers make mistakes at the same rate?

    Parameters
    ----------
    n01 : int
        Number of examples that A got wrong and B right.
    n10 : int
        Number of examples that A got right and B wrong.

    Returns
    -------
    TestResult
        Statistic and two-sided p-value.

    Notes
    -----
    Formula::

        chi² = max(|n01 - n10| - 1, 0)² / (n01 + n10) with 1 degree of freedom; n01 counts the examples that
        A got wrong and B right, n10 the reverse. Below 25 discordant examples exact: twice the tail of
        Binomial(n01 + n10, 1/2) at min(n01, n10), which is then the statistic.

    Assumes
        independent examples; the two classifiers are fixed.

    Not for
        real-valued losses (use `paired_t`), learning algorithms that would be trained again (use
        `corrected_t` or `five_by_two_f`), examples that come in clusters.

    The correction stops at zero, so equal counts give chi² = 0 and p = 1. R's `mcnemar.test` leaves the
    correction out in this case, with the same result. Without any discordant example, chi² = 0 and p = 1 as
    well.

    References
    ----------
    .. [1] McNemar 1947, doi:10.1007/BF02295996.
    .. [2] The continuity correction is Edwards 1948, doi:10.1007/BF02289261.

    Examples
    --------
    >>> mcnemar(159, 198)
    TestResult(name='McNemar', statistic=4.04..., p_value=0.0443...)
    >>> mcnemar(2, 9)
    TestResult(name='McNemar (exact)', statistic=2.0, p_value=0.065...)
    """
    a, b = whole(n01=n01, n10=n10)
    if a + b < _EXACT_BELOW:
        k = min(a, b)
        return TestResult(
            name="McNemar (exact)",
            family="McNemar",
            exact=True,
            sources=_SOURCES,
            statistic=float(k),
            p_value=binomial_two_sided(k, a + b),
        )
    chi2 = max(abs(a - b) - 1, 0) ** 2 / (a + b)
    return TestResult(name="McNemar", sources=_SOURCES, statistic=chi2, p_value=float(chdtrc(1, chi2)))

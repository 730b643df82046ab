"""The sign test."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from ropewalk.nhst.result import TestResult
from ropewalk.nhst.tails import binomial_two_sided
from ropewalk.sums import tallied


@dataclass(frozen=True, slots=True, kw_only=True)
class SignResult(TestResult):
    """Result of a sign test.

    Parameters
    ----------
    name, statistic, p_value, sources, family, exact : see TestResult
        As for every test. The statistic is the number of wins of A.
    n : int
        Number of units used.
    zeros : int
        Number of units without a difference, which were left out.

    See Also
    --------
    ropewalk.nhst.sign : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> nhst.sign([0.1, 0.2, -0.1, 0.0, 0.3]).zeros
    1
    """

    n: int
    zeros: int


def sign(d: ArrayLike, *, counts: ArrayLike | None = None) -> SignResult:
    """Does A win as often as B?

    Parameters
    ----------
    d : array_like
        Advantage of A over B on each unit: the difference of their scores, positive where A is better.
    counts : array_like, optional
        Number of identical units that each row stands for; by default 1.

    Returns
    -------
    SignResult
        Number of wins and two-sided p-value.

    Notes
    -----
    Formula::

        the number of positive differences ~ Binomial(n, 1/2), exact and two-sided; n is the number of
        differences that are not zero.

    Assumes
        independent units; nothing about the size of the differences.

    Not for
        data in which the size of a difference is meaningful (`wilcoxon` and `paired_t` have more power); data
        with many zeros, which show that the models are similar but are dropped here.

    With `counts`, each difference counts that many times. If all differences are zero, p = 1.

    References
    ----------
    .. [1] Dixon & Mood 1946, doi:10.1080/01621459.1946.10501898.
    .. [2] Demšar 2006, sec. 3.1.4 (jmlr.org/papers/v7/demsar06a.html).

    Examples
    --------
    >>> sign([0.03, 0.02, 0.00, 0.01, 0.05, 0.02])
    SignResult(name='sign', statistic=5.0, p_value=0.0625, n=5, zeros=1)
    """
    x, times = tallied(d, counts)
    wins, n, zeros = (int(times[where].sum()) for where in (x > 0, x != 0, x == 0))
    return SignResult(
        name="sign",
        statistic=float(wins),
        sources=("dixon1946",),
        p_value=binomial_two_sided(wins, n),
        n=n,
        zeros=zeros,
    )

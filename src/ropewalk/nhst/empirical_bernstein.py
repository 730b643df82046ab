"""A test and bounds for the mean of bounded differences from their variance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.nhst.betting import check_reach
from ropewalk.nhst.result import BoundedMeanResult
from ropewalk.sums import as_sums, differences


@dataclass(frozen=True, slots=True, kw_only=True)
class EmpiricalBernsteinResult(BoundedMeanResult):
    """Result of an empirical Bernstein test.

    Parameters
    ----------
    name, statistic, p_value, sources, family, exact : see TestResult
        As for every test. The statistic is the mean advantage of A over B.
    n : int
        Number of units.
    sd : float
        Standard deviation of the advantages.
    reach : float
        Largest advantage that a unit can have.

    See Also
    --------
    ropewalk.nhst.empirical_bernstein : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> found = nhst.empirical_bernstein([0.2, 0.1, 0.3, 0.0, 0.2] * 20, reach=1.0)
    >>> round(found.lower_bound(0.95), 2), round(found.statistic, 2)
    (-0.04, 0.16)
    """

    n: int
    sd: float
    reach: float

    def _lower(self, level: float) -> float:
        return max(-self.reach, self.statistic - _half(self.n, self.sd, self.reach, np.log(2 / (1 - level))))

    def _upper(self, level: float) -> float:
        return min(self.reach, self.statistic + _half(self.n, self.sd, self.reach, np.log(2 / (1 - level))))


def empirical_bernstein(d: ArrayLike, *, reach: float) -> EmpiricalBernsteinResult:
    """Does the mean of bounded differences differ from zero? Valid for any number of units.

    Parameters
    ----------
    d : array_like
        Advantage of A over B on each unit: the difference of their scores, positive where A is better.
    reach : float
        Largest possible difference: 1 for scores from 0 to 1.

    Returns
    -------
    EmpiricalBernsteinResult
        p-value, and bounds of the mean at any level.

    Notes
    -----
    Formula::

        with probability at least 1 - alpha the mean is at least
        mean(d) - s sqrt(2 log(2/alpha) / n) - 2 reach 7 log(2/alpha) / (3 (n - 1)). The two-sided p-value is
        twice the alpha at which this bound, or its mirror image, is zero.

    Assumes
        independent units, and ``|d|`` <= reach for every unit that could have been drawn.

    Not for
        making decisions: `betting` has the same assumptions, and this bound needs 1.4 to 5 times as many
        units because of its last term.

    References
    ----------
    .. [1] Maurer & Pontil 2009, theorem 4 (arxiv.org/abs/0907.3740).

    Examples
    --------
    >>> round(empirical_bernstein([0.0] * 200, reach=1.0).lower_bound(0.95), 4)
    -0.0865
    """
    x = differences(d, at_least=2)
    check_reach(x, reach)
    sums = as_sums(x)
    return EmpiricalBernsteinResult(
        name="empirical Bernstein",
        statistic=sums.mean,
        p_value=min(1.0, 2 * _alpha(sums.n, sums.mean, sums.sd, reach)),
        n=sums.n,
        sd=sums.sd,
        reach=float(reach),
    )


def _half(n: int, sd: float, reach: float, log: float) -> float:
    return float(sd * np.sqrt(2 * log / n) + 14 * reach * log / (3 * (n - 1)))


def _alpha(n: int, mean: float, sd: float, reach: float) -> float:
    """The alpha at which one bound is zero, by solving a quadratic in sqrt(log(2/alpha))."""
    a, b = 14 * reach / (3 * (n - 1)), sd * np.sqrt(2 / n)
    root = (np.sqrt(b * b + 4 * a * abs(mean)) - b) / (2 * a)
    return float(min(1.0, 2 * np.exp(-(root**2))))

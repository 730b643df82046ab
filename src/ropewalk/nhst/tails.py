"""Two-sided p-values, each from the tail itself: small ones keep all their digits."""

from __future__ import annotations

import numpy as np
from scipy.special import betainc, stdtr


def student_two_sided(t: float, df: int) -> float:
    """Pr(|T| >= |t|) for a Student T.

    >>> student_two_sided(-3.52, 99)
    0.00065...
    """
    if df == 1:  # Cauchy in closed form, because stdtr loses eight digits as t goes to 0
        return float(2 / np.pi * np.arctan2(1.0, abs(t)))
    return float(2 * stdtr(df, -abs(t)))


def binomial_two_sided(k: int, n: int) -> float:
    """Twice the smaller tail of Binomial(n, 1/2), at most 1: it is symmetric, so this is exact.

    >>> binomial_two_sided(0, 5)
    0.0625
    """
    low = min(k, n - k)
    if n == 0:
        return 1.0
    return min(1.0, 2 * float(betainc(n - low, low + 1, 0.5)))  # Pr(X <= low) as an incomplete beta

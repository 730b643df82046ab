"""Expected positions of the sorted values of a normal sample, for Q-Q plots and checks of normality."""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv, ndtri

from ropewalk.posterior.base import Floats


def points(d: Floats) -> tuple[Floats, Floats]:
    """Normal quantiles and the sorted differences, at Blom's positions (i - 3/8)/(n + 1/4).

    >>> points(np.array([3.0, 1.0, 2.0]))
    (array([-0.869..., 0. , 0.869...]), array([1., 2., 3.]))
    """
    n = d.size
    return np.asarray(ndtri((np.arange(1, n + 1) - 0.375) / (n + 0.25))), np.sort(d)


def line(d: Floats) -> tuple[float, float]:
    """Mean and standard deviation: height and slope of the line through the points of a normal sample.

    >>> line(np.array([3.0, 1.0, 2.0]))
    (2.0, 1.0)
    """
    return float(d.mean()), float(d.std(ddof=1))


def band(n: int) -> tuple[Floats, Floats]:
    """The normal quantiles between which the i-th of n normal values lies with probability 0.95.

    The i-th of n uniform values is Beta(i, n + 1 - i). The band holds for each point, not for all at once.
    """
    i = np.arange(1, n + 1)
    low, high = (np.asarray(ndtri(betaincinv(i, n + 1 - i, p))) for p in (0.025, 0.975))
    return low, high

"""Shared code of the two tests on 5x2 cross-validation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import DataError, MethodError
from ropewalk.matrices import Floats, matrix
from ropewalk.sums import ROUNDING


def replications(p: ArrayLike) -> tuple[Floats, Floats]:
    """The 5 x 2 differences in units of the largest (both statistics are free of scale), and their s_i².

    s_i² = (p_i1 - mean_i)² + (p_i2 - mean_i)² = (p_i1 - p_i2)²/2. Differences that are all zero give
    s_i² = 0; it is an error if all s_i² are zero and a difference is not.
    """
    x = matrix(p, rows="replication", columns="fold")
    if x.shape != (5, 2):
        raise DataError(
            f"the differences have shape {x.shape}, (5, 2) was expected",
            hint="Give five replications of 2-fold cross-validation: one row each, one column per fold.",
        )
    largest = np.abs(x).max()
    if largest == 0:
        return x, np.zeros(5)
    x = x / largest
    s2 = (x[:, 0] - x[:, 1]) ** 2 / 2
    if np.sqrt(s2.sum()) <= ROUNDING:
        raise MethodError(
            "both folds differ by the same amount in every replication, so the statistic is infinite",
            hint="Use the sign test, or find out why the two folds always agree.",
        )
    return x, s2

"""p-values adjusted for how many there are."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import CellError, DataError, OptionError, did_you_mean
from ropewalk.matrices import Floats
from ropewalk.sums import numeric

Adjustment = Literal["bonferroni", "holm", "benjamini-hochberg"]


def adjust(p_values: ArrayLike, *, method: Adjustment = "holm") -> Floats:
    """Adjust the p-values of one family of tests, so that each can be compared with its level.

    Parameters
    ----------
    p_values : array_like
        One p-value per test.
    method : str, default "holm"
        Name of the correction.

    Returns
    -------
    Floats
        Adjusted p-values, in the order given.

    Notes
    -----
    Formula::

        with m p-values, p_(1) <= ... <= p_(m): bonferroni m·p; holm max over j <= i of (m - j + 1)·p_(j);
        benjamini-hochberg min over j >= i of (m/j)·p_(j). Never below p, never above 1, in the order given.

    Assumes
        nothing for bonferroni and holm, which bound the chance of one or more false claims; independent or
        positively dependent tests for benjamini-hochberg, which bounds the expected share of false claims.

    Not for
        p-values that `nemenyi` has already adjusted; p-values selected after looking at them. Holm's method
        is never less powerful than Bonferroni's, so there is no reason to prefer the latter.

    References
    ----------
    .. [1] Dunn 1961, doi:10.1080/01621459.1961.10482090.
    .. [2] Holm 1979 (jstor.org/stable/4615733).
    .. [3] Benjamini & Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = _probabilities(p_values)
    if method not in get_args(Adjustment):
        raise OptionError(f'method is "{method}"', hint=did_you_mean(str(method), get_args(Adjustment)))
    order = np.argsort(p, kind="stable")
    rank = np.arange(1, p.size + 1)
    raised = np.empty_like(p)
    if method == "bonferroni":
        raised = p.size * p
    elif method == "holm":
        raised[order] = np.maximum.accumulate((p.size + 1 - rank) * p[order])
    else:
        raised[order] = np.minimum.accumulate((p.size / rank * p[order])[::-1])[::-1]
    return np.minimum(raised, 1.0)


def _probabilities(p_values: ArrayLike) -> Floats:
    """Check that p-values are one-dimensional numbers in [0, 1]."""
    p = numeric(p_values, "the p-values are not numbers", "Give a 1-D array of floats.")
    if p.ndim != 1:
        raise DataError(
            f"the p-values have {p.ndim} dimensions, 1 was expected",
            hint="Give the p-values of one family of tests; of a symmetric matrix one triangle.",
        )
    bad = np.flatnonzero(~((p >= 0) & (p <= 1)))
    if bad.size:
        raise CellError(
            f"{bad.size} of {p.size} p-values are not in [0, 1]",
            where=[f"position {i}: {p[i]}" for i in bad[:5]],
            hint="A p-value is a probability; NaN is often a test that failed.",
        )
    return p

"""The risk of one classifier: its true error rate."""

from __future__ import annotations

import numpy as np

from ropewalk.errors import CellError, OptionError
from ropewalk.posterior import Beta, Point, Posterior
from ropewalk.sums import whole


def risk(errors: int, n: int, *, prior: tuple[float, float] = (1.0, 1.0)) -> Posterior:
    """Posterior of the error rate after `errors` mistakes on `n` examples.

    Parameters
    ----------
    errors : int
        Number of wrong answers.
    n : int
        Number of examples.
    prior : pair of float, optional
        Parameters of the Beta prior of the risk.

    Returns
    -------
    Posterior
        Posterior of the risk.

    Notes
    -----
    Formula::

        Beta(prior_wrong + errors, prior_right + n - errors). Its quantile(1 - delta) is an upper bound that
        fails with probability delta; with the limiting prior (1, 0) it is Langford's test-set bound.

    Assumes
        independent examples that were not used in training.

    Not for
        comparing two classifiers on the same examples, because their error rates are not independent (use
        `mcnemar`).

    References
    ----------
    .. [1] Lacoste, Laviolette & Marchand 2012, sec. 3.
    .. [2] Langford 2005, theorem 3.3 (jmlr.org/papers/v6/langford05a.html).

    Examples
    --------
    >>> risk(5, 100).quantile(0.95)
    array(0.101...)
    """
    whole(errors=errors, n=n)
    if errors > n or n == 0:
        raise CellError(f"{errors} errors in {n} examples", hint="Give errors <= n and n of at least 1.")
    if not (np.all(np.isfinite(prior)) and min(prior) >= 0):
        raise OptionError(f"the prior is {prior}", hint="Give two numbers >= 0, such as (1.0, 1.0).")
    wrong, right = prior[0] + errors, prior[1] + n - errors
    # A parameter of zero is a limit: all the mass is at the other end.
    if wrong == 0:
        return Point(at=0.0)
    if right == 0:
        return Point(at=1.0)
    return Beta(a=wrong, b=right)

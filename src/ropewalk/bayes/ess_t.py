"""The Bayesian t-test on units that are worth fewer independent ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import OptionError
from ropewalk.posterior import Point, Posterior, Student
from ropewalk.sums import Sums, as_sums


def ess_t(d: ArrayLike | Sums, *, n_eff: float) -> Posterior:
    """Posterior of the mean advantage from n dependent units that are worth n_eff independent ones.

    Parameters
    ----------
    d : array_like or Sums
        Advantage of A over B on each unit: the difference of their scores, positive where A is better.
    n_eff : float
        Effective number of independent units.

    Returns
    -------
    Posterior
        Posterior of the mean advantage.

    Notes
    -----
    Formula::

        `t` on n_eff units with the same mean and the same mean square: Student with n_eff - 1 degrees of
        freedom, location m, scale s/sqrt(n_eff), s² = M2/n·n_eff/(n_eff - 1). With n_eff = n it is `t`.

    Assumes
        differences that are normal around their mean, and an n_eff that reflects the dependence: n divided by
        the design effect for clusters, or by the autocorrelation time for series. The posterior does not
        include the error of n_eff.

    Not for
        few clusters or short series, for which n_eff is only a guess (use `t` on the cluster means);
        independent units (use `t`).

    With dependent units, M2/n underestimates the variance by the fraction 1/n_eff, not 1/n, so s uses n_eff.

    References
    ----------
    .. [1] Kish 1965, Survey Sampling, sec. 5.4 and 8.2.
    .. [2] Geyer 1992, doi:10.1214/ss/1177011137.

    Examples
    --------
    >>> ess_t([0.02, 0.01, 0.03, 0.02], n_eff=4).interval(0.95)
    (0.0070..., 0.0329...)
    >>> ess_t([0.02, 0.01, 0.03, 0.02], n_eff=3).interval(0.95)
    (-0.0015..., 0.0415...)
    """
    sums = as_sums(d, at_least=2)
    if not 1 < n_eff <= sums.n:
        raise OptionError(
            f"n_eff is {n_eff:g} for {sums.n} units",
            hint="Give an effective number of units above 1 and at most the number of units.",
        )
    if sums.m2 == 0:
        return Point(at=sums.mean)
    return Student(df=n_eff - 1, loc=sums.mean, scale=float(np.sqrt(sums.m2 / sums.n / (n_eff - 1))))

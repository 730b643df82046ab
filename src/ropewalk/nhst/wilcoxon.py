"""The Wilcoxon signed-rank test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from ropewalk.matrices import Floats
from ropewalk.nhst.result import TestResult
from ropewalk.sums import tallied

# Up to this n the 2^n sign patterns are counted in floats, which hold every integer below 2^53. At n = 51 the
# normal p is within 2% of the exact one for p above 0.04, and conservative (29% larger) at p = 0.001.
_EXACT_UP_TO = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class WilcoxonResult(TestResult):
    """Result of a signed-rank test.

    Parameters
    ----------
    name, statistic, p_value, sources, family : see TestResult
        As for every test. The statistic is the rank sum of the positive differences.
    exact : bool
        Whether the p-value comes from the exact null distribution rather than from z.
    z : float
        Normal deviate of the statistic.
    n : int
        Number of differences used.
    zeros : int
        Number of differences of zero, which were left out.

    See Also
    --------
    ropewalk.nhst.wilcoxon : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> nhst.wilcoxon([0.1, 0.2, -0.1, 0.0, 0.3]).n
    4
    """

    z: float
    exact: bool
    n: int
    zeros: int


def wilcoxon(d: ArrayLike, *, counts: ArrayLike | None = None) -> WilcoxonResult:
    """Are the differences symmetric around zero?

    Parameters
    ----------
    d : array_like
        Advantage of A over B on each unit: the difference of their scores, positive where A is better.
    counts : array_like, optional
        Number of identical units that each row stands for; by default 1.

    Returns
    -------
    WilcoxonResult
        Sum of ranks and two-sided p-value.

    Notes
    -----
    Formula::

        W = sum of the ranks of |d| where d > 0, zeros dropped, ties sharing the mean of their ranks.
        z = (W - n(n + 1)/4) / sqrt((n(n + 1)(2n + 1) - sum of (t³ - t)/2) / 24) over the sizes t of the tied
        groups, and p = 2·Phi(-|z|), without continuity correction. For n <= 50 the p-value is exact, with or
        without ties: twice the smaller tail over all 2^n signs.

    Assumes
        independent units and differences with a symmetric distribution.

    Not for
        skewed differences, or differences whose sizes are not comparable between tasks (use `sign`);
        overlapping folds (use `corrected_t`).

    With `counts`, each difference counts that many times. If all differences are zero, p = 1. In
    floating-point arithmetic, 0.9 - 0.8 does not equal 0.8 - 0.7, so round the differences to the precision
    of the scores first if ties matter.

    References
    ----------
    .. [1] Wilcoxon 1945, doi:10.2307/3001968.
    .. [2] Benavoli, Corani, Demšar & Zaffalon 2017, eq. 8 (jmlr.org/papers/v18/16-305.html).

    Examples
    --------
    >>> wilcoxon([0.03, 0.02, 0.00, -0.01, 0.05, 0.04])
    WilcoxonResult(name='Wilcoxon', statistic=14.0, p_value=0.125, exact=True, z=1.75..., n=5, zeros=1)
    """
    values, times = tallied(d, counts)
    used = values != 0
    x, times, zeros = values[used], times[used], int(times[~used].sum())
    ranks, tied = _mid_ranks(np.abs(x), times)
    n, w = int(times.sum()), float(ranks[x > 0] @ times[x > 0])
    exact = n <= _EXACT_UP_TO
    z = _deviate(w, n, tied) if n else 0.0
    p = _exact_p(w, np.repeat(ranks, times.astype(int))) if exact else float(2 * ndtr(-abs(z)))
    return WilcoxonResult(
        name="Wilcoxon", statistic=w, sources=("wilcoxon1945",), p_value=p, z=z, exact=exact, n=n, zeros=zeros
    )


def _mid_ranks(x: Floats, times: Floats) -> tuple[Floats, Floats]:
    """Ranks from 1 of values with these multiplicities, mean ranks for ties, and the tie sizes."""
    distinct, group = np.unique(x, return_inverse=True)
    size = np.asarray(np.bincount(group, weights=times, minlength=distinct.size), dtype=np.float64)
    last = np.cumsum(size)
    return (last - (size - 1) / 2)[group], size


def _deviate(w: float, n: int, tied: Floats) -> float:
    """The normal deviate, eq. 8 of Benavoli et al. (2017)."""
    ties = float(np.sum(tied**3 - tied)) / 2
    return (w - n * (n + 1) / 4) / float(np.sqrt((n * (n + 1.0) * (2 * n + 1) - ties) / 24))


def _exact_p(w: float, ranks: Floats) -> float:
    """Twice the smaller tail of W when each rank is in the sum with probability 1/2."""
    doubled = np.rint(2 * ranks).astype(int)  # mean ranks may end in a half
    patterns = np.ones(1)  # number of sign patterns with each sum, adding one rank at a time
    for rank in doubled:
        pad = np.zeros(rank)
        patterns = np.concatenate([patterns, pad]) + np.concatenate([pad, patterns])
    low = round(min(2 * w, doubled.sum() - 2 * w))  # the distribution is symmetric
    return min(1.0, 2 * float(patterns[: low + 1].sum()) / 2.0**ranks.size)

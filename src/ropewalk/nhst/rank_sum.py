"""The Wilcoxon rank-sum test (Mann-Whitney U)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from ropewalk.matrices import Floats
from ropewalk.nhst.result import TestResult
from ropewalk.sums import differences

# The exact distribution needs one pass per unit over a table of (units of A) x (rank sums).
_EXACT_UP_TO = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSumResult(TestResult):
    """Result of a rank-sum test.

    Parameters
    ----------
    name, statistic, p_value, sources, family, exact : see TestResult
        As for every test. The statistic is U, the number of pairs in which A scores higher; ties count half.
    z : float
        Normal deviate of U.
    exact : bool
        Whether the p-value comes from the exact null distribution rather than from z.
    n_a, n_b : int
        Number of scores of each model.
    superiority : float
        Share of pairs in which A scores higher, U/(n_a n_b).

    See Also
    --------
    ropewalk.nhst.rank_sum : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> nhst.rank_sum([0.9, 0.8, 0.7], [0.6, 0.75, 0.5]).superiority
    0.888...
    """

    z: float
    exact: bool
    n_a: int
    n_b: int
    superiority: float


def rank_sum(a: ArrayLike, b: ArrayLike) -> RankSumResult:
    """Do scores of A and of B, not paired, come from one distribution?

    Parameters
    ----------
    a, b : array_like
        Scores of A and of B; the lengths may differ.

    Returns
    -------
    RankSumResult
        U, its normal deviate, the two-sided p-value and the share of pairs in which A scores higher.

    Notes
    -----
    Formula::

        U = Σ_ij [a_i > b_j] + [a_i = b_j]/2, s² = n_a n_b/12 (n + 1 - Σ(t³ - t)/(n(n - 1))) with
        n = n_a + n_b and t the sizes of the tied groups, z = (U - n_a n_b/2)/s, p = 2·Phi(-|z|), without
        continuity correction.
        For n <= 50 the p-value is exact, with or without ties: twice the smaller tail over all ways to choose
        which n_a units are A's.

    Assumes
        independent units, and under the null hypothesis the same distribution for both.

    Not for
        two models on the same examples, folds or tasks: pair them (use `wilcoxon` or `paired_t`). A small
        p-value may be due to unequal spreads.

    If all scores are equal, p = 1.

    References
    ----------
    .. [1] Wilcoxon 1945, doi:10.2307/3001968.
    .. [2] Mann & Whitney 1947, doi:10.1214/aoms/1177730491.

    Examples
    --------
    >>> r = rank_sum([0.81, 0.84, 0.86, 0.88], [0.70, 0.74, 0.79, 0.80, 0.83])
    >>> r.statistic, round(r.p_value, 4), r.superiority, r.exact
    (19.0, 0.0317, 0.95, True)
    """
    x, y = differences(a), differences(b)
    n_a, n_b = x.size, y.size
    n = n_a + n_b
    ranks, tied = _mid_ranks(np.concatenate([x, y]))
    u = float(ranks[:n_a].sum()) - n_a * (n_a + 1) / 2
    spread = n_a * n_b / 12 * (n + 1 - float(np.sum(tied**3 - tied)) / (n * (n - 1)))
    z = (u - n_a * n_b / 2) / float(np.sqrt(spread)) if spread > 0 else 0.0
    exact = n <= _EXACT_UP_TO
    p = _exact_p(ranks, n_a) if exact else float(2 * ndtr(-abs(z)))
    return RankSumResult(
        name="rank sum",
        statistic=u,
        p_value=min(1.0, p),
        z=z,
        exact=exact,
        n_a=n_a,
        n_b=n_b,
        superiority=u / (n_a * n_b),
    )


def _mid_ranks(x: Floats) -> tuple[Floats, Floats]:
    """Ranks from 1, with mean ranks for ties, and the sizes of the tied groups."""
    _, group, size = np.unique(x, return_inverse=True, return_counts=True)
    last = np.cumsum(size)
    return (last - (size - 1) / 2)[group], size.astype(np.float64)


def _exact_p(ranks: Floats, n_a: int) -> float:
    """Twice the smaller tail of A's rank sum over all choices of n_a of the ranks."""
    doubled = np.rint(2 * ranks).astype(int)  # mean ranks may end in a half
    total = int(doubled.sum())
    ways = np.zeros((n_a + 1, total + 1))  # ways[m, s]: number of choices of m ranks with sum s so far
    ways[0, 0] = 1.0
    for rank in doubled:
        ways[1:, rank:] += ways[:-1, : total + 1 - rank].copy()
    count = ways[n_a]
    at = int(doubled[:n_a].sum())
    below, above = float(count[: at + 1].sum()), float(count[at:].sum())
    return 2 * min(below, above) / float(count.sum())

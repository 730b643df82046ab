"""The paired permutation test on differences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import OptionError
from ropewalk.matrices import Floats
from ropewalk.nhst.result import TestResult
from ropewalk.sums import ROUNDING, differences

_EXACT_UP_TO = 20  # 2^20 sums are 8 MB
_BLOCK = 1 << 20  # signs held at once


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationResult(TestResult):
    """Result of a permutation test.

    Parameters
    ----------
    name, statistic, p_value, sources, family : see TestResult
        As for every test. The statistic is the advantage of A over B.
    exact : bool
        Whether every pattern was counted.
    patterns : int
        Number of patterns of signs, or swaps, that were looked at: all of them, or as many as were drawn.
    undefined : int
        Number of patterns that had no value and were left out.

    See Also
    --------
    ropewalk.nhst.permutation : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> nhst.permutation([0.1, 0.2, -0.05, 0.3]).exact
    True
    """

    exact: bool
    patterns: int
    undefined: int


def permutation(d: ArrayLike, *, draws: int = 9_999, rng: int | np.random.Generator = 0) -> PermutationResult:
    """Is the mean difference larger than swapping A and B at random would make it?

    Parameters
    ----------
    d : array_like
        Advantage of A over B on each unit: the difference of their scores, positive where A is better.
    draws : int, default 9999
        Number of draws.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator.

    Returns
    -------
    PermutationResult
        Mean difference and two-sided p-value.

    Notes
    -----
    Formula::

        under "no difference" each d_i has either sign. p is the share of the 2^n sign patterns with
        |Σ ±d_i| >= |Σ d_i|; with up to 20 nonzero differences all are counted, with more they are drawn and
        p = (1 + how many) / (1 + draws), since the observed pattern is one of them.

    Assumes
        independent units, and differences whose distribution is symmetric around zero if the models do not
        differ.

    Not for
        overlapping folds (use `corrected_t`); metrics that are not means (use `permutation_metric`).

    Sums that differ by less than 1e-12 of Σ ``|d|`` count as equal, so rounding does not break ties.

    References
    ----------
    .. [1] Fisher 1935, The Design of Experiments, sec. 21.
    .. [2] Phipson & Smyth 2010, doi:10.2202/1544-6115.1585, for the +1.

    Examples
    --------
    >>> permutation([0.03, 0.02, 0.01, -0.01, 0.05, 0.04])
    PermutationResult(name='permutation (exact)', statistic=0.023..., p_value=0.09375, exact=True,
                      patterns=64, undefined=0)
    """
    every = differences(d)
    if draws < 1:
        raise OptionError(f"draws is {draws}", hint="Give the number of draws, such as 9_999.")
    x = every[every != 0]  # zeros do not change the sum
    size = np.abs(x)
    reach = abs(float(x.sum())) - ROUNDING * float(size.sum())
    exact = x.size <= _EXACT_UP_TO
    if exact:
        sums = np.zeros(1)
        for s in size:
            sums = np.concatenate([sums - s, sums + s])
        patterns = sums.size
        p = float(np.mean(np.abs(sums) >= reach))
    else:
        patterns = draws
        p = (1 + _drawn(size, reach, draws, np.random.default_rng(rng))) / (1 + draws)
    return PermutationResult(
        name="permutation (exact)" if exact else "permutation",
        family="permutation",
        sources=("phipson2010",),
        statistic=float(every.mean()),
        p_value=p,
        exact=exact,
        patterns=patterns,
        undefined=0,
    )


def _drawn(size: Floats, reach: float, draws: int, random: np.random.Generator) -> int:
    """How many of `draws` random sign patterns have a sum of at least `reach`, either way."""
    rows = max(1, _BLOCK // size.size)
    count = 0
    for start in range(0, draws, rows):
        shape = (min(rows, draws - start), -(-size.size // 8))
        bits = np.unpackbits(random.integers(0, 256, shape, dtype=np.uint8), axis=1, count=size.size)
        sums = 2 * (bits.astype(np.float64) @ size) - size.sum()
        count += int(np.sum(np.abs(sums) >= reach))
    return count

"""A test and bounds for the mean of bounded differences that hold in finite samples, by betting."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import CellError, OptionError
from ropewalk.matrices import Floats
from ropewalk.nhst.result import BoundedMeanResult, IntervalResult
from ropewalk.nhst.wealth import Wealth
from ropewalk.sums import differences


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingResult(BoundedMeanResult, IntervalResult):
    """Result of a betting test.

    Parameters
    ----------
    name, statistic, p_value, sources, family, exact : see TestResult
        As for every test. The statistic is the (weighted) mean advantage of A over B.
    n : int
        Number of units.
    reach : float
        Largest advantage that a unit can have.
    up, down : object
        Capital won by betting that the mean is higher, and that it is lower.

    See Also
    --------
    ropewalk.nhst.betting : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> found = nhst.betting([0.2, 0.1, 0.3, 0.0, 0.2] * 20, reach=1.0)
    >>> found.lower_bound(0.95) > 0
    True
    """

    n: int
    reach: float
    up: Wealth = field(repr=False, compare=False)
    down: Wealth = field(repr=False, compare=False)

    def p_at_most(self, mean: float) -> float:
        """P-value against "the mean is `mean` or less": small where the mean is above it.

        Parameters
        ----------
        mean : float
            Mean of the null hypothesis.

        Returns
        -------
        float
            The p-value.
        """
        return _p_value(self.up.log_at(_share(mean, self.reach)))

    def p_at_least(self, mean: float) -> float:
        """P-value against "the mean is `mean` or more": small where the mean is below it.

        Parameters
        ----------
        mean : float
            Mean of the null hypothesis.

        Returns
        -------
        float
            The p-value.
        """
        return _p_value(self.down.log_at(_share(-mean, self.reach)))

    def _lower(self, level: float) -> float:
        return float(self.reach * (2 * self.up.lower(-np.log1p(-level)) - 1))

    def _upper(self, level: float) -> float:
        return float(-self.reach * (2 * self.down.lower(-np.log1p(-level)) - 1))

    def _interval(self, level: float) -> tuple[float, float]:
        """Both bounds, each with half of the error."""
        return self.lower_bound(0.5 * (1 + level)), self.upper_bound(0.5 * (1 + level))


def betting(d: ArrayLike, *, reach: float, weights: ArrayLike | None = None) -> BettingResult:
    """Does the mean of bounded differences differ from zero? Valid for any number of units.

    Parameters
    ----------
    d : array_like
        Advantage of A over B on each unit: the difference of their scores, positive where A is better.
    reach : float
        Largest possible difference: 1 for scores from 0 to 1.
    weights : array_like, optional
        Weight of each unit in the mean.

    Returns
    -------
    BettingResult
        p-value, and bounds of the mean at any level.

    Notes
    -----
    Formula::

        with y = (d + reach) / (2 reach) and mu = (m + reach) / (2 reach), a gambler who stakes the share c of
        the capital on "the mean is above m" has E(m) = Π (1 + c (y_i / mu - 1)) in the end. If the mean is m
        or less, the expected capital is at most 1, so it reaches 1/alpha with probability at most alpha
        (Markov). Here E is a mixture: a quarter of the capital has c = 1, the rest is spread over c from
        4/sqrt(n) to 1, evenly in log c. The p-value against "m or less" is min(1, 1/E(m)), and the lower
        bound at level 1 - alpha is the m at which E(m) = 1/alpha. Upwards and downwards are two such bets;
        the two-sided p-value is twice the smaller one.

    Assumes
        independent units, and ``|d|`` <= reach for every unit that could have been drawn. Nothing about the
        shape: the bound also holds for rare large differences, which a t-test misses in small samples.

    Not for
        scores without a known range; large samples without outliers, for which `paired_t` needs half as many
        units or fewer. A bound that always holds needs more data.

    With `weights`, the units may have different expectations, and the statement is about their weighted mean.
    The proof uses 1 + c w_i (E[y_i]/mu - 1) <= exp(c w_i (E[y_i]/mu - 1)), whose exponents add up to 0 or
    less. Unlike the sequential bets of the reference, the answer does not depend on the order of the units.

    References
    ----------
    .. [1] Waudby-Smith & Ramdas 2024, doi:10.1093/jrsssb/qkad009.

    Examples
    --------
    >>> alike = betting([0.0] * 200, reach=1.0)
    >>> round(float(alike.lower_bound(0.95)), 4)
    -0.0188
    """
    x = differences(d)
    check_reach(x, reach)
    y, w, times = _tallied(np.clip(x / reach, -1.0, 1.0), _checked(weights, x.size))
    up = Wealth(y=0.5 * (1 + y), weights=w, times=times)
    down = Wealth(y=0.5 * (1 - y), weights=w, times=times)
    log_won = max(up.log_at(0.5), down.log_at(0.5))
    return BettingResult(
        name="betting",
        statistic=float((times * w) @ (reach * y) / (times @ w)),
        p_value=min(1.0, 2 * _p_value(log_won)),
        n=x.size,
        reach=float(reach),
        up=up,
        down=down,
    )


def check_reach(d: Floats, reach: float) -> None:
    """Check that no difference is larger than the reach."""
    if not (np.isfinite(reach) and reach > 0):
        raise OptionError(f"reach is {reach}", hint="Give the largest possible difference.")
    outside = np.flatnonzero(np.abs(d) > reach * (1 + 1e-12))
    if outside.size:
        raise CellError(
            f"{outside.size} of {d.size} differences are larger than the reach, {reach:g}",
            where=[f"position {i}: {d[i]}" for i in outside[:5]],
            hint="Give the largest possible difference: 1 for scores from 0 to 1.",
        )


def _share(mean: float, reach: float) -> float:
    return 0.5 * (1 + mean / reach)


def _p_value(log_won: float) -> float:
    return float(np.exp(-max(log_won, 0.0)))


def _checked(weights: ArrayLike | None, n: int) -> Floats:
    if weights is None:
        return np.ones(n)
    w = np.asarray(weights, dtype=np.float64)
    if w.shape != (n,) or not np.all(np.isfinite(w) & (w > 0)):
        raise CellError(
            "the weights are not one positive number for each difference",
            hint="Give as many weights as differences, each above 0.",
        )
    return np.asarray(w / w.max())


def _tallied(y: Floats, w: Floats) -> tuple[Floats, Floats, Floats]:
    """Distinct pairs of difference and weight, and their counts."""
    pairs, times = np.unique(np.column_stack([y, w]), axis=0, return_counts=True)
    return pairs[:, 0], pairs[:, 1], times.astype(np.float64)

"""The model confidence set: the models that the data cannot tell from the best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import DataError, OptionError, did_you_mean
from ropewalk.matrices import Floats, matrix
from ropewalk.nhst.result import TestResult
from ropewalk.sums import ROUNDING

Statistic = Literal["range", "max"]
Resampling = Literal["stationary", "circular"]

_CELLS = 4_000_000  # weights held at once: 32 MB
_COUNTED = 65_536  # units drawn per call: enough to make its overhead negligible, and they stay in the cache
_AT_ONCE = 32  # models compared with one other model at a time: their draws stay in the cache


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelConfidenceSetResult(TestResult):
    """Model confidence set at level 1 - alpha.

    Parameters
    ----------
    name, statistic, p_value, sources, family, exact : see TestResult
        As for every test. They are those of the first test, "all models have the same expected loss".
    alpha : float
        Level of the test.
    included : tuple of int
        Column numbers of the models in the set.
    p_values : ndarray
        One for each model, in the order given: the model is in the set for every alpha up to it.

    See Also
    --------
    ropewalk.nhst.model_confidence_set : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> losses = [[0.1, 0.2, 0.9], [0.2, 0.1, 0.8], [0.1, 0.1, 0.9], [0.3, 0.2, 0.7], [0.2, 0.3, 0.8]]
    >>> nhst.model_confidence_set(losses, draws=200).included
    (0, 1)
    """

    alpha: float
    included: tuple[int, ...]
    p_values: Floats


def model_confidence_set(
    losses: ArrayLike,
    *,
    alpha: float = 0.1,
    statistic: Statistic = "range",
    block: int = 1,
    resampling: Resampling = "stationary",
    draws: int = 4_000,
    rng: int | np.random.Generator = 0,
) -> ModelConfidenceSetResult:
    """Which models may be the best, so that the truly best is among them with probability 1 - alpha?

    Parameters
    ----------
    losses : array_like, units x models
        Loss of each model on each unit; lower is better.
    alpha : float, default 0.1
        The set contains the best model with probability 1 - alpha.
    statistic : {"range", "max"}, default "range"
        T_R or T_max.
    block : int, default 1
        Length of the blocks that are drawn together.
    resampling : str, default "stationary"
        Kind of bootstrap.
    draws : int, default 4000
        Number of draws.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator.

    Returns
    -------
    ModelConfidenceSetResult
        p-value of each model, and the models in the set.

    Notes
    -----
    Formula::

        L_i the mean loss of model i; over the models still in the set M, T_R = max over i, j of t_ij with
        t_ij = (L_i - L_j)/se(L_i - L_j), or T_max = max over i of t_i with t_i = (L_i - L_M)/se(L_i - L_M),
        L_M the mean over M. The bootstrap gives the standard errors, and T* from L* - L in the place of L:
        p = (1 + #{T* >= T})/(1 + draws). The model with the largest t leaves M, and so on until one is left.
        The p-value of a model is the largest p up to its removal; the set has the models with p >= alpha.

    Assumes
        one row per unit, one column per model, lower is better; independent units with block = 1, otherwise
        a stationary series of units in which those further apart than `block` hardly depend on each other.

    Not for
        a statement about how much better the models in the set are than the others; overlapping folds of one
        data set as units; fewer than about 100 units or blocks, where the bootstrap is too narrow. In
        simulations with five equal models, a set at 95% left one of them out in 14% of cases with 15 units,
        9% with 50, 6% with 200, and 18% with 20 blocks.

    T_R (`statistic="range"`) does not change if a copy of a model is added; T_max (`statistic="max"`) does.
    Models that tie for the largest t leave together, so identical models share their p-value. A model that is
    worse by the same amount on every unit has an infinite t.

    References
    ----------
    .. [1] Hansen, Lunde & Nason 2011, doi:10.3982/ECTA5771.
    .. [2] The stationary bootstrap: Politis & Romano 1994, doi:10.1080/01621459.1994.10476870.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.random.default_rng(1).normal([0.0, 0.1, 1.0], 1.0, size=(200, 3))
    >>> result = model_confidence_set(losses)
    >>> result.included
    (0, 1)
    """
    x = _losses(losses)
    _check(alpha, statistic, block, resampling, draws, rows=len(x))
    tiny = _rounding(x)
    x -= x.mean(axis=1, keepdims=True)  # only differences between models matter
    mean = x.mean(axis=0)
    star = _bootstrap_means(x, block, resampling, draws, np.random.default_rng(rng)) - mean[:, np.newaxis]
    steps = list((_by_range if statistic == "range" else _by_max)(mean, star, tiny))
    p_values = _p_values(steps, models=len(mean))
    return ModelConfidenceSetResult(
        name=f"model confidence set (T_{'R' if statistic == 'range' else 'max'})",
        family="model confidence set",
        sources=("hansen2011",),
        statistic=steps[0].statistic,
        p_value=steps[0].p_value,
        alpha=alpha,
        included=tuple(int(i) for i in np.flatnonzero(p_values >= alpha)),
        p_values=p_values,
    )


@dataclass(frozen=True, slots=True)
class _Elimination:
    """One test of "the models still in the set are equally good", and the models that it eliminates."""

    leaving: NDArray[np.intp]
    statistic: float
    p_value: float


def _p_values(steps: list[_Elimination], models: int) -> Floats:
    """The largest p-value up to the step that eliminates each model; 1 for models that stay."""
    p, largest = np.ones(models), 0.0
    for step in steps:
        largest = max(largest, step.p_value)
        p[step.leaving] = largest
    return p


def _by_range(mean: Floats, star: Floats, tiny: float) -> Iterator[_Elimination]:
    """Steps by T_R. Elimination does not depend on T*, so the sets come first, then T* from the last one.

    A larger set only adds its new models' pairs to the maximum: all steps together cost as much as the first.
    """
    se = _pairwise_se(star)
    t = _t(mean[:, np.newaxis] - mean, se, tiny)
    inside = np.arange(len(mean))
    left: list[tuple[NDArray[np.intp], float]] = []
    while inside.size > 1:
        worst_t = t[np.ix_(inside, inside)].max(axis=1)
        leaves = _largest(worst_t)
        left.append((inside[leaves], float(worst_t.max())))
        inside = inside[~leaves]
    weight = _inverse(se, tiny)
    members, largest = list(inside), np.zeros(star.shape[1])
    steps: list[_Elimination] = []
    for leaving, statistic in reversed(left):
        for i in leaving:
            for some in range(0, len(members), _AT_ONCE):
                j = members[some : some + _AT_ONCE]
                apart = np.abs(star[j] - star[i]) * weight[j, i, np.newaxis]
                largest = np.maximum(largest, apart.max(axis=0))
            members.append(i)
        steps.append(_Elimination(leaving, statistic, _p_value(statistic, largest)))
    yield from reversed(steps)


def _by_max(mean: Floats, star: Floats, tiny: float) -> Iterator[_Elimination]:
    """Steps by T_max. The mean over the set, and so every statistic, changes with each eliminated model."""
    inside = np.arange(len(mean))
    while inside.size > 1:
        apart = star - star.mean(axis=0)
        se = _se(apart)
        t = _t(mean - mean.mean(), se, tiny)
        statistic = float(t.max())
        apart *= _inverse(se, tiny)[:, np.newaxis]
        leaves = _largest(t)
        yield _Elimination(inside[leaves], statistic, _p_value(statistic, apart.max(axis=0)))
        inside, mean, star = inside[~leaves], mean[~leaves], star[~leaves]


def _p_value(statistic: float, simulated: Floats) -> float:
    """The p-value, counting the observed statistic among the simulated; ties are up to rounding."""
    at_least = int(np.sum(simulated >= statistic * (1 - ROUNDING)))
    return (1 + at_least) / (1 + simulated.size)


def _largest(t: Floats) -> NDArray[np.bool_]:
    """The models with the largest t, including ties up to rounding (copies of one model)."""
    return np.asarray(t >= t.max() * (1 - 1e-9))


def _se(deviations: Floats) -> Floats:
    """The bootstrap standard error, around the mean of the sample."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", deviations, deviations) / deviations.shape[1]))


def _pairwise_se(star: Floats) -> Floats:
    """The standard errors of all differences between two models, models x models."""
    products = star @ star.T / star.shape[1]
    both = np.diag(products)[:, np.newaxis] + np.diag(products)
    squared = both - 2 * products
    se: Floats = np.sqrt(np.maximum(squared, 0.0))
    # For models that nearly agree this difference loses its digits; it is then computed draw by draw.
    near = squared <= 1e-6 * both
    for i, row in enumerate(near):
        se[i, row] = _se(star[row] - star[i])
    return se


def _t(x: Floats, se: Floats, tiny: float) -> Floats:
    """x/se; 0 for copies of one model, infinite for a difference that never varies."""
    x = np.where(np.abs(x) <= tiny, 0.0, x)
    never_varies = np.where(x == 0, 0.0, np.copysign(np.inf, x))
    return np.divide(x, se, out=never_varies, where=se > tiny)


def _inverse(se: Floats, tiny: float) -> Floats:
    """1/se; 0 where nothing varies, because the bootstrap then has no deviations."""
    return np.asarray(np.divide(1.0, se, out=np.zeros_like(se), where=se > tiny))


def _bootstrap_means(
    x: Floats, block: int, resampling: Resampling, draws: int, rng: np.random.Generator
) -> Floats:
    """Models x draws: the means under each draw's weights, which count how often a unit was drawn."""
    n = len(x)
    batch = max(1, min(draws, _CELLS // n))
    means = np.empty((x.shape[1], draws))
    some = max(1, _COUNTED // n)
    weights = np.empty((batch, n))
    for start in range(0, draws, batch):
        size = min(batch, draws - start)
        for at in range(0, size, some):
            until = min(at + some, size)
            weights[at:until] = _counts(until - at, n, block, resampling, rng)
        means[:, start : start + size] = (weights[:size] @ x).T / n
    return means


def _counts(
    draws: int, n: int, block: int, resampling: Resampling, rng: np.random.Generator
) -> NDArray[np.intp]:
    """How often each of n units is drawn, draws x units."""
    if block > 1:
        return np.array([_count_blocks(n, block, resampling, rng) for _ in range(draws)])
    drawn = rng.integers(n, size=(draws, n)) + n * np.arange(draws)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=draws * n).reshape(draws, n)


def _count_blocks(n: int, block: int, resampling: Resampling, rng: np.random.Generator) -> NDArray[np.intp]:
    """How often each of n units is drawn in blocks, which start anywhere and wrap around at the end."""
    if resampling == "circular":
        first = np.arange(0, n, block)
    else:  # a new block with probability 1/block at every unit: its length is geometric
        first = np.flatnonzero(np.append(0.0, rng.random(n - 1)) < 1 / block)
    length = np.diff(first, append=n)
    start = rng.integers(n, size=first.size)
    # A block adds one from its start to its end: a step up and one down, with one cumulative sum for all.
    steps = np.bincount(start, minlength=2 * n) - np.bincount(start + length, minlength=2 * n)
    covered = np.cumsum(steps)
    return np.asarray(covered[:n] + covered[n:])


def _rounding(x: Floats) -> float:
    """The largest difference of means that rounding of the losses and of their sums can cause."""
    widest = float(np.ptp(x, axis=1).max())
    return float(2 * np.finfo(np.float64).eps * np.abs(x).max() + ROUNDING * widest)


def _losses(losses: ArrayLike) -> Floats:
    """A copy divided by its largest entry: t has no unit, and the square of 1e300 would overflow."""
    x = matrix(losses, rows="unit", columns="model")
    if min(x.shape) < 2:
        raise DataError(
            f"the table has {x.shape[0]} units and {x.shape[1]} models, at least 2 of each are needed",
            hint="Give one row per unit and one column per model.",
        )
    return x / (np.abs(x).max() or 1.0)


def _check(
    alpha: float, statistic: Statistic, block: int, resampling: Resampling, draws: int, *, rows: int
) -> None:
    if not 0 < alpha < 1:
        raise OptionError(f"alpha is {alpha}", hint="Give a probability between 0 and 1, such as 0.1.")
    for name, value, known in (
        ("statistic", statistic, get_args(Statistic)),
        ("resampling", resampling, get_args(Resampling)),
    ):
        if value not in known:
            raise OptionError(f'{name} is "{value}"', hint=did_you_mean(str(value), known))
    if not 1 <= block <= rows or block != int(block):
        raise OptionError(
            f"block is {block}, of {rows} units",
            hint="Give the number of units in a block: 1 for independent units.",
        )
    if draws * alpha < 1:  # the smallest p-value is 1/(1 + draws)
        raise OptionError(
            f"draws is {draws}: no model could leave the set at alpha = {alpha}",
            hint="Give the number of bootstrap draws, such as 4_000.",
        )

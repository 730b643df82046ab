"""The paired bootstrap: any metric of a set of predictions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from ropewalk.errors import MethodError
from ropewalk.matrices import Floats
from ropewalk.metrics.metric import Metric
from ropewalk.metrics.resample import BLOCK, PairedMetric
from ropewalk.nhst.result import IntervalResult

# Deleting g groups in turn instead of every unit does not change the expected acceleration. It adds a
# standard error of sqrt(15)/(6 g) for nearly normal sums of groups: 0.0006, which moves an end of the 95%
# interval by 0.0006 · 1.96² = 0.2% of a standard error.
_GROUPS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BootstrapResult(IntervalResult):
    """Result of a bootstrap of a metric of the whole test set.

    Parameters
    ----------
    name, statistic, p_value, sources, family, exact : see TestResult
        As for every test. The statistic is the advantage of A over B.
    value_a, value_b : float
        Metric of each model.
    standard_error : float
        Standard deviation of the resampled advantages.
    bias, acceleration : float
        Constants z0 and a of the BCa interval.
    draws : ndarray
        Advantages of the resamples, sorted.
    undefined : int
        Number of resamples on which the metric was not defined.

    See Also
    --------
    ropewalk.nhst.bootstrap : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> found = nhst.bootstrap("mae", [1.0, 2.0, 3.0], [1.1, 2.1, 3.0], [1.5, 2.2, 3.9], draws=500)
    >>> low, high = found.confidence_interval(0.9)
    >>> low < high
    True
    """

    value_a: float
    value_b: float
    standard_error: float
    bias: float  # z0 of BCa
    acceleration: float  # a of BCa
    draws: Floats
    undefined: int

    def _interval(self, level: float) -> tuple[float, float]:
        """BCa interval: quantiles of the draws at Phi(z0 + (z0 + z)/(1 - a (z0 + z))) (Efron 1987)."""
        z = self.bias + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
        stretch = 1 - self.acceleration * z
        # Beyond a z = 1 the formula reverses: the end lies outside the draws.
        p = np.where(stretch > 0, ndtr(self.bias + z / np.where(stretch > 0, stretch, 1.0)), z > 0)
        low, high = np.quantile(self.draws, p)
        return float(low), float(high)


def bootstrap(
    metric: str | Metric | Callable[[Any, Any, Any], float],
    y: Any,
    a: Any,
    b: Any,
    *,
    clusters: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    values: tuple[float, float] | None = None,
    draws: int = 4000,
    rng: int | np.random.Generator = 0,
) -> BootstrapResult:
    """Does a metric of the whole set differ between two models, by resampling the units?

    Parameters
    ----------
    metric : str, Metric or callable
        Name of a metric (`ropewalk metrics` lists them), or a function (y, prediction, weights) -> float
        that returns a higher value for a better model.
    y : array_like
        Truth of each row. With two classes, the second in sorted order is the positive one.
    a : array_like
        Predictions of A on the same rows.
    b : array_like
        Predictions of B on the same rows.
    clusters : array_like, optional
        Cluster of each row, if rows belong together. Each cluster then counts as one unit.
    counts : array_like, optional
        Number of identical units that each row stands for; by default 1.
    values : pair of float, optional
        More exact values of the metric for A and B, if the rows are bins of scores.
    draws : int, default 4000
        Number of draws.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator.

    Returns
    -------
    BootstrapResult
        p-value and confidence interval of the difference.

    Notes
    -----
    Formula::

        a resample draws n units with replacement, the same for both models, and has the advantage d*.
        p = (1 + #{|d* - d| >= |d|}) / (1 + draws), centered on the observed d. Interval: BCa, with z0 from
        the share of d* below d and the acceleration from the jackknife.

    Assumes
        independent units, such as examples. If rows belong together, pass `clusters`, which are then the
        units. For NDCG, the clusters are the queries.

    Not for
        small test sets, or few units of one class, because the resamples are then too similar (use
        `permutation_metric`); learning algorithms that would be trained again.

    Above 1,000 units, the jackknife leaves out one of 1,000 random groups at a time. Resamples for which the
    metric is undefined, such as those without positives, are left out and counted.

    References
    ----------
    .. [1] Efron & Tibshirani 1993, An Introduction to the Bootstrap, ch. 16.
    .. [2] Efron 1987, doi:10.1080/01621459.1987.10478410, for BCa.

    Examples
    --------
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1] * 10
    >>> r = bootstrap("auroc", y, [1, 2, 3, 4, 3, 5, 6, 7] * 10, [1, 2, 3, 4, 2, 1, 5, 6] * 10, draws=999)
    >>> r.statistic, r.p_value, r.confidence_interval()[0] > 0.1
    (0.28125, 0.001, True)
    """
    paired = PairedMetric.of(metric, y, {"A": a, "B": b}, clusters, counts, values)
    observed = float(paired.advantage(paired.once())[0])
    random = np.random.default_rng(rng)

    def batch(generator: np.random.Generator, size: int) -> Floats:
        return paired.advantage(paired.multinomial(generator, size))

    every = paired.in_batches(batch, draws=draws, rng=random)
    x = np.sort(every[np.isfinite(every)])
    if x.size < 2:
        raise MethodError(
            f"{paired.metric.name} is defined in {x.size} of {draws:,} resamples",
            hint="Increase draws, or use permutation_metric.",
        )
    extreme = int(np.sum(np.abs(x - observed) >= abs(observed) - paired.slack))
    below = (np.mean(x < observed - paired.slack) + np.mean(x <= observed + paired.slack)) / 2
    return BootstrapResult(
        name="paired bootstrap",
        sources=("efron1993",),
        statistic=observed,
        p_value=(1 + extreme) / (1 + x.size),
        value_a=paired.value_a,
        value_b=paired.value_b,
        standard_error=float(np.std(x, ddof=1)),
        bias=float(ndtri(np.clip(below, 0.5 / x.size, 1 - 0.5 / x.size))),
        acceleration=_acceleration(paired, random),
        draws=x,
        undefined=draws - x.size,
    )


def _acceleration(paired: PairedMetric, random: np.random.Generator) -> float:
    """Σ g³ / (6 (Σ g²)^1.5), g the mean of the leave-one-group-out advantages minus that without this one.

    If equal units were counted, each group contains every unit with probability 1/1,000.
    """
    n = paired.units
    if paired.sizes is not None:
        sizes = paired.sizes.astype(np.int64)

        def some(generator: np.random.Generator, size: int) -> Floats:
            without = sizes - generator.binomial(sizes, 1 / _GROUPS, (size, sizes.size))
            return paired.advantage(without.astype(np.float64))

        return _skewness(paired.in_batches(some, draws=_GROUPS, rng=random))
    group = np.arange(n) if n <= _GROUPS else random.permutation(np.arange(n) % _GROUPS)

    def without(first: int, last: int) -> Floats:
        return paired.advantage((group != np.arange(first, last)[:, None]).astype(np.float64))

    count = min(n, _GROUPS)
    step = max(1, BLOCK // paired.rows)
    return _skewness(np.concatenate([without(i, min(i + step, count)) for i in range(0, count, step)]))


def _skewness(left: Floats) -> float:
    left = left[np.isfinite(left)]
    g = left.mean() - left if left.size else np.zeros(1)
    spread = float(np.sum(g**2))
    return float(np.sum(g**3)) / (6 * spread**1.5) if spread > 0 else 0.0

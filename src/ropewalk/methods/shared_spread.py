"""When all tasks of a hierarchical t-test share one variance, because their own spread is unreliable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.data.arrays import Ints
from ropewalk.methods.pair import Pair, TaskPairs
from ropewalk.posterior.base import Floats
from ropewalk.sums import Sums, nearly_alike, tallied

_NOTICED = 2.0  # standard errors of the skewness within tasks, if the differences are normal
_BIAS = 0.1  # standard errors of the mean over tasks: with less, 5% of false claims become at most 6%
_STILL = 0.1  # share of the tasks
_FEWEST = 3  # units: the third moment of two is zero

_SKEWED = (
    "the differences within tasks are skewed (skewness {skewness:+.2f}), so all tasks are given the same "
    "variance: with variances of their own, tasks without extreme differences would count too much"
)
_STAYS = (
    "on {still} of {tasks} tasks all differences are the same, so all tasks are given the same variance: "
    "such a task is not more precise than the others"
)
_FEW = (
    "only {varied} of {units:,} differences are not {at:.6g}, so all tasks are given the same variance, "
    "which allows for one difference at each end of the range, ±{reach:.3g}"
)


def of_pairs(over: TaskPairs) -> tuple[list[Sums], str | None]:
    """The sums of each task for the hierarchical t-test, and why they share a variance, if they do.

    Folds and runs keep their own variances, and so do tasks of which only sums are known.
    """
    pairs = over.pairs
    own = [p.sums for p in pairs]
    if any(p.rho > 0 or p.runs is not None or not p.d.size for p in pairs):
        return own, None
    counts = None if all(p.counts is None for p in pairs) else [_counts(p) for p in pairs]
    return shared(own, [p.d for p in pairs], counts, reach=max(p.reach for p in pairs))


def shared(
    own: list[Sums], d: Sequence[Floats], counts: Sequence[Ints] | None = None, *, reach: float
) -> tuple[list[Sums], str | None]:
    """The same from the differences of each task and their sums; a difference can be as large as `reach`.

    Notes
    -----
    A task counts by its precision. Where the differences within tasks are skewed, a task in which the long
    tail did not show has a small variance, and a mean on the other side of the truth: the mean over tasks is
    off by about -avg(k3_i/n_i²)/τ², with k3_i the third cumulant within task i and τ² the variance of the
    task means. One variance for all tasks does not have this bias. It is also used if more than a tenth of
    the tasks do not vary at all, or if nine of ten units have the same difference and fewer than 30 do not.
    In the last case it allows for one unit at each end of the range, as for a single task.
    """
    still, ends = sum(s.m2 == 0 for s in own), 0.0
    if still == len(own):
        return own, None
    values = np.concatenate(d)
    times: Ints | None = None
    if counts is not None:
        values, place = np.unique(values, return_inverse=True)
        times = np.bincount(place, weights=np.concatenate(counts)).astype(np.int64)
    if nearly_alike(values, times):
        each, n = tallied(values, times)
        ends = max(reach, float(np.abs(each).max()))
        units, most, at = int(n.sum()), int(n.max()), each[n.argmax()]
        why = _FEW.format(varied=units - most, units=units, at=at, reach=ends)
    elif still > _STILL * len(own):
        why = _STAYS.format(still=still, tasks=len(own))
    elif (skewness := _skewness(own, d, counts)) is not None:
        why = _SKEWED.format(skewness=skewness)
    else:
        return own, None
    total = sum(s.m2 for s in own) + 2 * ends**2
    variance = total / (sum(s.n - 1 for s in own) + 2 * (ends > 0))
    return [Sums(n=s.n, mean=s.mean, m2=(s.n - 1) * variance) for s in own], why


def _counts(pair: Pair) -> Ints:
    return np.ones(pair.d.size, dtype=np.int64) if pair.counts is None else pair.counts


def _skewness(own: Sequence[Sums], d: Sequence[Floats], counts: Sequence[Ints] | None) -> float | None:
    """The skewness within tasks; None where it may be chance, or does not matter for the mean over tasks."""
    n, mean, m2 = np.array([[s.n, s.mean, s.m2] for s in own]).T
    times: Sequence[Ints | int] = [1] * len(own) if counts is None else counts
    m3 = np.array([float(np.sum(c * (x - m) ** 3)) for x, c, m in zip(d, times, mean, strict=True)])
    some = (n >= _FEWEST) & (m2 > 0)
    if len(own) < 2 or not some.any():
        return None
    n, m2, m3 = n[some], m2[some], m3[some]
    g1 = m3 / n / (m2 / n) ** 1.5
    precision = (n + 1) * (n + 3) / (6 * (n - 2))  # one over the variance of g1 if the differences are normal
    skewness = float(g1 @ precision / precision.sum())
    k3 = n * m3 / ((n - 1) * (n - 2))
    of_means = max(mean.var(ddof=1), float(np.mean(m2 / (n - 1) / n)))
    bias = np.sum(k3 / n**2) / mean.size / of_means / np.sqrt(of_means / mean.size)
    by_chance = abs(skewness) * np.sqrt(precision.sum()) < _NOTICED
    return None if by_chance or abs(bias) < _BIAS else skewness

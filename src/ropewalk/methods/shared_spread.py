"""Whether all tasks of a hierarchical t-test share one variance because their own spread is unreliable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.data.arrays import Ints
from ropewalk.methods.pair import Pair, TaskPairs
from ropewalk.posterior.base import Floats
from ropewalk.sums import Sums, middle, nearly_alike, tallied

_MOVED = 0.1  # standard errors of the mean over tasks: below this, 5% false claims become at most 6%
_STILL = 0.1  # share of the tasks

_WEIGHED = (
    "the mean over tasks depends on how much each task counts: {alike:+.3g} if all have the same variance, "
    "{own:+.3g} if tasks whose differences vary less count more. Therefore all are given the same variance"
)
_STAYS = (
    "on {still} of {tasks} tasks all differences are the same, so all tasks are given the same variance: "
    "such a task is not more precise than the others"
)
_FEW = (
    "{few} {far}{at:.6g}, so all tasks are given the same variance, "
    "which allows for one difference at each end of the range, ±{reach:.3g}"
)


def of_pairs(over: TaskPairs) -> tuple[list[Sums], str | None]:
    """Return the sums of each task for the hierarchical t-test, and why they share a variance, if so.

    Folds, runs and metrics of a whole test set keep their own variances.
    """
    pairs = over.pairs
    own = [p.sums for p in pairs]
    if any(p.rho > 0 or p.runs is not None or p.whole is not None for p in pairs):
        return own, None
    if not all(p.d.size for p in pairs):  # only sums are known for many models summed in place
        return shared(own)
    counts = None if all(p.counts is None for p in pairs) else [_counts(p) for p in pairs]
    return shared(
        own,
        [p.d for p in pairs],
        counts,
        reach=max(p.reach for p in pairs),
        within=max(p.within for p in pairs),
    )


def shared(
    own: list[Sums],
    d: Sequence[Floats] = (),
    counts: Sequence[Ints] | None = None,
    *,
    reach: float = 0.0,
    within: float = 0.0,
) -> tuple[list[Sums], str | None]:
    """The same from the sums of each task, and its differences, which can be as large as `reach`;
    those that are closer than `within` count as the same.

    Notes
    -----
    A task counts by its precision. If the spread within a task is related to its mean, the tasks that vary
    little pull the mean over tasks to their side, however many tasks there are: the models may nearly tie on
    half of the tasks, or the differences may be skewed, so that a task in which the long tail did not show
    varies little. One variance for all tasks does not have this bias, and loses some precision where there is
    no such relation. It is used if it moves the mean by more than a tenth of its standard error; if more than
    a tenth of the tasks do not vary at all; and if nine of ten units have the same difference and fewer than
    30 do not. In the last case it allows for one unit at each end of the range, as for a single task.
    """
    still, ends = sum(s.m2 == 0 for s in own), 0.0
    if still == len(own):
        return own, None
    values, times = _all(d, counts)
    if nearly_alike(values, times, within):
        each, n = tallied(values, times)
        ends = max(reach, float(np.abs(each).max()))
        at = middle(each, n)
        near = np.abs(each - at) <= within
        others, units = int(n[~near].sum()), int(n.sum())
        few = f"only {others} of {units:,} differences are" if others else f"none of {units:,} differences is"
        far = f"more than {within:.3g} from " if near.sum() > 1 else "not "
        why = _FEW.format(few=few, far=far, at=at + 0.0, reach=ends)
    elif still > _STILL * len(own):
        why = _STAYS.format(still=still, tasks=len(own))
    else:
        why = ""
    total = sum(s.m2 for s in own) + 2 * ends**2
    variance = total / (sum(s.n - 1 for s in own) + 2 * (ends > 0))
    alike = [Sums(n=s.n, mean=s.mean, m2=(s.n - 1) * variance) for s in own]
    why = why or _moved(own, alike)
    return (alike, why) if why else (own, None)


def _moved(own: list[Sums], alike: list[Sums]) -> str:
    """Return how far the task variances shift the mean over tasks, as text; "" if it does not matter."""
    n, mean, m2 = np.array([[s.n, s.mean, s.m2] for s in own]).T
    if mean.size < 2:
        return ""
    noise = m2 / (n - 1) / n
    between = mean.var(ddof=1) - noise.mean()
    least = np.finfo(float).tiny  # tasks that do not vary

    def weighed(noise: Floats) -> float:
        return float(np.average(mean, weights=1 / np.maximum(max(between, 0.0) + noise, least)))

    first, second = weighed(noise), weighed(np.array([s.m2 / (s.n - 1) / s.n for s in alike]))
    error = np.sqrt(max(between, 0.0) + noise.mean()) / np.sqrt(mean.size)
    if abs(first - second) <= _MOVED * error:
        return ""
    return _WEIGHED.format(own=first, alike=second)


def _all(d: Sequence[Floats], counts: Sequence[Ints] | None) -> tuple[Floats, Ints | None]:
    """Return the differences of all tasks, and how often each occurs if they were counted."""
    values = np.concatenate([np.empty(0), *d])
    if counts is None:
        return values, None
    values, place = np.unique(values, return_inverse=True)
    return values, np.bincount(place, weights=np.concatenate(counts)).astype(np.int64)


def _counts(pair: Pair) -> Ints:
    return np.ones(pair.d.size, dtype=np.int64) if pair.counts is None else pair.counts

"""Largest possible differences of two scores of a unit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.data import Scores, TaskScores, TaskSums
from ropewalk.data.ranges import known_range, reach_of
from ropewalk.data.scale import may_be_shares
from ropewalk.metrics import Metric
from ropewalk.posterior.base import Floats


def of_scores(scores: Scores, tasks: Sequence[TaskScores], i: int, j: int) -> float:
    """Largest possible difference of models i and j on the units on which both were run."""
    return reach_of(scores.metric, np.concatenate([seen(t.values[:, [i, j]]) for t in tasks]))


def of_sums(metric: str, task: TaskSums, i: int, j: int, *, bounded: bool) -> float:
    """Largest possible difference from the means, for `bounded` scores or a metric with a known range.

    Otherwise n scores with sum of squares M2 are at most √(2 M2) apart.
    """
    means = task.means[[i, j]]
    known = known_range(metric, means) if bounded or may_be_shares(task) else None
    if known is not None:
        return known.reach
    far = np.sqrt(np.diag(task.covariance)[[i, j]] / 2)
    return reach_of(metric, np.concatenate([means - far, means + far]))


def of_metric(metric: Metric, values: Floats) -> float:
    """The same for a metric of the whole set; if it has no range, the distance of these values from 0."""
    low, high = metric.range
    return high - low if np.isfinite(high - low) else float(np.abs(values).max())


def seen(both: Floats) -> Floats:
    """The scores of both models on the units that both have."""
    return both[np.isfinite(both).all(axis=1)].ravel()

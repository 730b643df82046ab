"""Largest possible differences of two scores of a unit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.data import Scores, Summed, TaskScores, TaskSums
from ropewalk.data.ranges import known_range, reach_of
from ropewalk.data.scale import may_be_shares, range_of_scores
from ropewalk.metrics import Metric
from ropewalk.posterior.base import Floats


def of_scores(scores: Scores, tasks: Sequence[TaskScores], i: int, j: int) -> float:
    """Largest possible difference of models i and j on the units on which both were run."""
    return reach_of(scores.metric, np.concatenate([seen(t.values[:, [i, j]]) for t in tasks]))


def of_sums(source: Summed, tasks: Sequence[TaskSums], i: int, j: int) -> float:
    """Largest possible difference from the means, if the scores have a known range.

    Otherwise n scores with sum of squares M2 are at most √(2 M2) apart.
    """
    if range_of_scores(source) or all(map(may_be_shares, tasks)):
        known = known_range(source.metric, np.concatenate([t.means[[i, j]] for t in tasks]))
        if known is not None:
            return known.reach
    ends = []
    for task in tasks:
        middle, far = task.means[[i, j]], np.sqrt(np.diag(task.covariance)[[i, j]] / 2)
        ends += [middle - far, middle + far]
    return reach_of(source.metric, np.concatenate(ends))


def of_metric(metric: Metric, values: Floats) -> float:
    """The same for a metric of the whole set; if it has no range, the distance of these values from 0."""
    low, high = metric.range
    return high - low if np.isfinite(high - low) else float(np.abs(values).max())


def seen(both: Floats) -> Floats:
    """The scores of both models on the units that both have."""
    return both[np.isfinite(both).all(axis=1)].ravel()

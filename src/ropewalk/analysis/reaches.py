"""Largest possible differences of two scores of a unit, and leaderboard pairs that never vary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ropewalk.data import Scores, Summed, TaskScores, TaskSums
from ropewalk.data.ranges import known_range, reach_of
from ropewalk.data.scale import may_be_shares, range_of_scores
from ropewalk.metrics import Metric
from ropewalk.posterior import JointPosterior
from ropewalk.posterior.base import Floats
from ropewalk.posterior.own_pairs import HardlyVariedPairs, OwnPairs
from ropewalk.posterior.unvaried import FINE, sameness
from ropewalk.sums import close


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


def earned(
    posterior: JointPosterior, reach: Callable[[int, int], float], rho: float, rng: int, *, near: float = 0.0
) -> JointPosterior:
    """Limit the certainty of pairs that hardly vary to what their number of identical units supports.

    Differences of examples that are within `near` of each other count as the same, see `close`.
    """
    own = posterior.own
    if not isinstance(own, OwnPairs):
        return posterior
    worth = 1 / (1 / (own.df + 1) + rho / (1 - rho))
    sd = own.scale * np.sqrt(worth)
    far, weight = np.zeros_like(sd), np.zeros_like(sd)
    small = own.known & (sd <= max(near, FINE * _farthest(own, worth)))
    for i, j in np.argwhere(np.triu(small, 1)).tolist():
        apart = reach(i, j) or 1.0
        far[i, j] = far[j, i] = apart
        rounding = close(0.0, own.mean[i], own.mean[j])
        weight[i, j] = weight[j, i] = sameness(sd[i, j], max(near, FINE * apart), rounding)
    if not weight.any():
        return posterior
    unvaried = HardlyVariedPairs(reach=far, worth=worth, weight=weight)
    draws = unvaried.moved(posterior.draws, np.random.default_rng(rng))
    return replace(posterior, draws=draws, own=replace(own, unvaried=unvaried))


def _farthest(own: OwnPairs, worth: Floats) -> float:
    """No two scores can be further apart than this, whatever the metric; a range is 2, or 100 in percent."""
    seen = float(np.nanmax(own.mean_scale * worth.max())) * 8**0.5 + float(np.ptp(own.mean))
    percent = 100.0 if float(np.abs(own.mean).max()) > 1 else 0.0
    return max(2.0, seen, percent)

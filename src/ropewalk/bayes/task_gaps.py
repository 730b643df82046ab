"""Models that were not run on every task: the missing means are drawn together with the parameters.

Given the covariance Omega of the models' effects on a task, and their means mu, a missing mean is normal
around its prediction from the models that were run there; the difficulty of the task has a flat prior. Given
the filled table the posterior is that of complete tasks. Both are drawn in turns (Tanner & Wong 1987,
doi:10.1080/01621459.1987.10478458). Omega has a prior of its own for that (model_population.py), so that a
missing mean is as uncertain as in a regression on the models that were run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropewalk.bayes.cross_sums import CrossSums
from ropewalk.bayes.joint import Fitted, How, fit
from ropewalk.bayes.model_population import Population
from ropewalk.posterior.base import Floats
from ropewalk.posterior.draw_order import Order
from ropewalk.posterior.own_pairs import OwnPairs

_TABLES = 40  # number of filled tables over which the draws are spread
_FORGET = 6.0  # number of warm-up turns, divided by the share of observed cells
_RIDGE = 1e-10  # share of the mean variance added so that the covariance of near copies is invertible
_CANCELLED = 1e-13  # a sum of squares this small relative to its terms is rounding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Filled:
    """The joint draws, their weights, and each model's mean over all tasks with its standard error."""

    fitted: Fitted
    worth: float
    mean: Floats
    error: Floats


def fit_with_gaps(table: Floats, how: How, draws: int, random: np.random.Generator) -> Filled:
    """Fit a table of tasks x models that has NaN where a model was not run."""
    missing = np.isnan(table)
    turns = int(np.ceil(_FORGET / (1 - missing.mean()))) + _TABLES
    filled = _by_two_effects(table)
    parts, mean, pulled = [], np.zeros(table.shape[1]), 0.0
    order: list[Order | None] = []
    means, squares = [], []
    for turn in range(turns):
        s = CrossSums.of(filled)
        left = turns - turn
        if left <= _TABLES:
            means.append(s.mean)
            squares.append(np.diag(s.m2) / (s.n - 1) / s.n)
            size = draws // left
            found = fit(s, 1 / s.n, how, size, random) if size else None
            draws -= size
            if found is not None:
                parts.append(found.draws)
                order.append(found.order)
                mean += size * found.mean
                pulled += size * found.pulled
        mu, root = Population.of(s, 1 / s.n, unstructured=how.unstructured, pooled=how.pooled).one(random)
        filled = _filled(table, missing, mu, root, random)
    every = np.concatenate(parts)
    # Each filled table counts as one draw of the missing values and as many draws of the rest.
    worth = len(every) / (1 + float(missing.mean()) * (len(every) / len(parts) - 1))
    # The variance within the filled tables and between them (Rubin 1987).
    error = np.mean(squares, axis=0) + (1 + 1 / _TABLES) * np.var(means, axis=0, ddof=1)
    return Filled(
        fitted=Fitted(
            draws=every,
            order=_joined(order, [len(part) for part in parts]),
            mean=mean / len(every),
            pulled=pulled / len(every),
        ),
        worth=worth,
        mean=np.mean(means, axis=0),
        error=np.sqrt(error),
    )


def _joined(order: Sequence[Order | None], sizes: Sequence[int]) -> Order | None:
    """The weights of the draws from all filled tables; None where nothing is pooled in any of them.

    A table in which nothing varies has nothing to pool: its draws are certain and have equal weights.
    """
    pooled = [o for o in order if o is not None]
    if not pooled:
        return None
    weights = [np.ones(size) if o is None else o.weights for o, size in zip(order, sizes, strict=True)]
    return Order(weights=np.concatenate(weights), even=float(np.mean([o.even for o in pooled])))


def own_pairs_with_gaps(table: Floats, mean: Floats, error: Floats) -> OwnPairs:
    """Each pair on the tasks that both models were run on, and each model's mean over all tasks."""
    run = ~np.isnan(table)
    x = np.where(run, table - np.nanmean(table, axis=1, keepdims=True), 0.0)
    x = np.where(run, x - x.sum(axis=0) / np.maximum(run.sum(axis=0), 1), 0.0)
    here = run.astype(np.float64)
    n = here.T @ here
    total, square = x.T @ here, (x**2).T @ here
    own = square + square.T
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = (total - total.T) / n
        m2 = own - 2 * (x.T @ x) - n * gap**2
        m2 = np.where(m2 > _CANCELLED * own, m2, 0.0)
        scale = np.sqrt(m2 / (n - 1) / n)
    known = n > 1
    return OwnPairs(
        advantage=_advantage(table, here),
        scale=np.where(known, scale, np.nan),
        df=np.where(known, n - 1, 0.0),
        mean=mean,
        mean_scale=error,
        mean_df=float(len(table) - 1),
    )


def _advantage(table: Floats, here: Floats) -> Floats:
    """The mean difference on the tasks that two models share."""
    total = np.where(here > 0, table, 0.0).T @ here
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((total - total.T) / (here.T @ here))


def _by_two_effects(table: Floats) -> Floats:
    """A first guess of the table from task and model effects."""
    run = ~np.isnan(table)
    task, model = np.zeros(len(table)), np.zeros(table.shape[1])
    for _ in range(50):
        task = np.nanmean(table - model, axis=1)
        model = np.nanmean(table - task[:, None], axis=0)
    return np.where(run, table, task[:, None] + model)


def _filled(
    table: Floats, missing: NDArray[np.bool_], mu: Floats, root: Floats, random: np.random.Generator
) -> Floats:
    """The table with draws of what is missing; root root' is the covariance of the models' effects."""
    unit = float(np.sum(root**2)) / len(mu) or 1.0  # if nothing varies, any weights will do
    covariance = root @ root.T / unit + _RIDGE * np.eye(len(mu))  # in units of the mean variance
    out = table.copy()
    patterns: dict[bytes, list[int]] = {}
    for t, row in enumerate(missing):
        if row.any():
            patterns.setdefault(row.tobytes(), []).append(t)
    for rows in patterns.values():
        at = np.array(rows)
        gap = np.flatnonzero(missing[rows[0]])
        seen = np.flatnonzero(~missing[rows[0]])
        between = covariance[np.ix_(gap, seen)]
        solved = np.linalg.solve(
            covariance[np.ix_(seen, seen)], np.column_stack([np.ones(seen.size), between.T])
        )
        ones, weights = solved[:, 0], solved[:, 1:]  # C⁻¹1, and C⁻¹ times the covariance with what is missing
        rest = table[np.ix_(at, seen)] - mu[seen]
        level = rest @ ones / ones.sum()
        centre = mu[gap] + level[:, None] + (rest - level[:, None]) @ weights
        beyond = 1 - weights.sum(axis=0)  # weight of the unknown level in the prediction
        variance = covariance[np.ix_(gap, gap)] - between @ weights + np.outer(beyond, beyond) / ones.sum()
        value, vector = np.linalg.eigh(variance)
        noise = (
            random.standard_normal((len(rows), gap.size))
            @ (vector * np.sqrt(unit * np.maximum(value, 0.0))).T
        )
        out[np.ix_(at, gap)] = centre + noise
    return out

"""Each model on its own: its mean with an interval, its mean on each task, its runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ropewalk import bayes
from ropewalk.analysis.model_pairs import correlation
from ropewalk.analysis.set_metrics import SetTask
from ropewalk.data import Counts, Scores, Summed
from ropewalk.data.scale import range_of_means
from ropewalk.decide import SeedSummary, seed_summary
from ropewalk.metrics import Metric
from ropewalk.posterior.base import Floats, Posterior
from ropewalk.posterior.unvaried import unvaried_mean
from ropewalk.results import Model
from ropewalk.results.all_models import Leaderboard
from ropewalk.results.task_table import TaskTable
from ropewalk.sums import Sums, without_rounding


def models_of(source: Scores | Counts, given_rho: float | None) -> list[Model]:
    """Each model's mean with a 95% interval: over the units of one task, or over several tasks."""
    if isinstance(source, Counts):
        per_task, first = _by_task(source), source.tasks[0]
        right = (first.n10 + first.n11, first.n01 + first.n11)
        sizes = [(hits, first.n) for hits in right] if len(source.tasks) == 1 else None
        rho, within = 0.0, (0.0, 1.0)
    else:
        within = range_of_means(source)
        task = source.tasks[0]
        one = len(source.tasks) == 1
        per_task = task.values if one else np.array([t.values.mean(axis=0) for t in source.tasks])
        # A model that was not run on a task has NaN there.
        binary = one and source.is_binary and source.higher_is_better and source.design.unit == "example"
        sizes = [(int(v.sum()), v.size) for v in task.values.T] if binary and task.runs is None else None
        rho = correlation(source.design_of(task), given_rho) if one else 0.0
    rows = []
    runs = source.tasks[0].runs if isinstance(source, Scores) and len(source.tasks) == 1 else None
    for k, name in enumerate(source.models):
        if runs is not None and runs.values[k].shape[1] > 1:  # also over other seeds, not only other examples
            low, high = _inside(bayes.crossed(runs.values[k].T).posterior, within)
            rows.append(Model(name=name, mean=float(runs.values[k].mean()), low=low, high=high))
            continue
        column = per_task[:, k]
        column = column[~np.isnan(column)]
        if sizes is not None:
            hits, n = sizes[k]
            low, high = bayes.risk(hits, n).interval(0.95)
            mean = hits / n
        elif column.size < 2:
            mean = low = high = float(column.mean())
        else:
            mean = float(column.mean())
            low, high = _inside(_mean_of(Sums.of(column), within, rho), within)
        rows.append(Model(name=name, mean=mean, low=low, high=high))
    return _best_first(rows, not isinstance(source, Scores) or source.higher_is_better)


def models_of_sums(source: Summed) -> list[Model]:
    """The same means from sums that were computed where the data are stored."""
    rows, task = [], source.tasks[0]
    for k, name in enumerate(source.models):
        means = np.array([t.means[k] for t in source.tasks])
        posterior: Posterior
        if means.size > 1:
            posterior = _mean_of(Sums.of(means), range_of_means(source))
        elif source.is_binary:
            posterior = bayes.risk(round(task.n * means[0]), task.n)
        else:
            own = Sums(n=task.n, mean=float(means[0]), m2=float(task.covariance[k, k]))
            posterior = _mean_of(own, range_of_means(source))
        low, high = _inside(posterior, range_of_means(source))
        rows.append(Model(name=name, mean=float(means.mean()), low=low, high=high))
    return _best_first(rows, source.higher_is_better)


def with_chances(models: list[Model], board: Leaderboard | None, gaps: bool) -> list[Model]:
    """Return the models with their probabilities from the joint posterior.

    With `gaps` means and intervals are the posterior's too: a model run only on easy tasks gains nothing.
    """
    if board is None:
        return models
    sign = 1.0 if board.higher_is_better else -1.0
    if gaps:
        ends = board.intervals()
        mean = sign * board.mean
        at = {name: i for i, name in enumerate(board.names)}
        models = [
            replace(m, mean=float(mean[i]), low=float(ends[i, 0]), high=float(ends[i, 1]))
            for m in models
            for i in [at[m.name]]
        ]
        models = _best_first(models, board.higher_is_better)
    ranks = board.posterior.rank_interval(0.95)
    found = []
    for m in models:
        i = board.names.index(m.name)
        found.append(
            replace(
                m,
                p_best=float(board.posterior.p_best[i]),
                p_within_rope=float(board.p_within[i]),
                rank=(int(ranks[i, 0]), int(ranks[i, 1])),
                practically_best=i in board.practically_best,
            )
        )
    return found


def models_by_metric(tasks: Sequence[SetTask], names: Sequence[str], metric: Metric) -> list[Model]:
    """Each model's metric of the whole set; over many tasks, the mean over the tasks on which it was run."""
    if len(tasks) == 1:
        ends = tasks[0].fitted.interval(0.95)
        ends = ends if metric.higher_is_better else -ends[:, ::-1]
        values = tasks[0].values(names)
        own = zip(names, values, ends, strict=True)
        rows = [Model(name=m, mean=float(v), low=float(e[0]), high=float(e[1])) for m, v, e in own]
        return _best_first(rows, metric.higher_is_better)
    rows = []
    for name, column in zip(names, np.array([t.values(names) for t in tasks]).T, strict=True):
        x = column[~np.isnan(column)]
        if not x.size:
            continue  # the metric is undefined on every task on which this model was run
        mean = float(x.mean())
        low, high = (mean, mean)
        if x.size > 1:
            low, high = _inside(_mean_of(Sums.of(x), metric.range), metric.range)
        rows.append(Model(name=name, mean=mean, low=low, high=high))
    return _best_first(rows, metric.higher_is_better)


def _mean_of(sums: Sums, within: tuple[float, float], rho: float = 0.0) -> Posterior:
    """Mean and interval of a model: Student, or, if all scores are equal, based on their number."""
    worth = 1 / (1 / sums.n + rho / (1 - rho))
    return bayes.t(sums, rho=rho) if sums.m2 > 0 else unvaried_mean(sums.mean, worth, within)


def _inside(posterior: Posterior, within: tuple[float, float]) -> tuple[float, float]:
    """Central 95% interval, given that the mean lies `within` the range of the metric.

    A t posterior ignores that an accuracy is at most 1, so it is truncated to the range.
    """
    low, high = within
    below = float(posterior.cdf(low)) if np.isfinite(low) else 0.0
    left = 1 - below - (float(posterior.sf(high)) if np.isfinite(high) else 0.0)
    if below == 0 and left == 1:
        return posterior.interval(0.95)
    ends = posterior.quantile([below + 0.025 * left, below + 0.975 * left])
    return float(max(ends[0], low)), float(min(ends[1], high))


def _best_first(rows: list[Model], higher_is_better: bool) -> list[Model]:
    return sorted(rows, key=lambda m: m.mean, reverse=higher_is_better)


def seeds_of(scores: Scores) -> dict[str, SeedSummary]:
    """Mean, spread, worst and best over the runs of each model that has several.

    Over many tasks a run's score is its mean over tasks; models whose seeds differ by task are left out.
    """
    if any(t.runs is None for t in scores.tasks):
        return {}
    runs = [t.runs for t in scores.tasks if t.runs is not None]
    found = {}
    for k, name in enumerate(scores.models):
        same = len({r.seeds[k] for r in runs}) == 1
        if same and len(runs[0].seeds[k]) > 1:
            x = np.mean([r.values[k].mean(axis=0) for r in runs], axis=0)
            found[name] = seed_summary(x, higher_is_better=scores.higher_is_better)
    return found


def task_means(source: Scores | Counts | Summed) -> Floats:
    """Means on complete tasks, tasks x models, higher is better, for the classical tests on ranks."""
    means = _by_task(source)
    if isinstance(source, Counts):
        return means
    means = means[~np.isnan(means).any(axis=1)]  # ranks need every model
    if not len(means):
        return means
    return without_rounding(means if source.higher_is_better else -means, 100 * float(np.abs(means).max()))


def task_table(source: Scores | Counts | Summed) -> TaskTable | None:
    """The mean of each model on each of several tasks."""
    if isinstance(source, Scores) and source.design.unit == "task":
        names = source.tasks[0].units.tolist()
    elif len(source.tasks) < 2:
        return None
    else:
        names = [t.name for t in source.tasks]
    return TaskTable(
        tasks=tuple(map(str, names)),
        models=tuple(source.models),
        values=_by_task(source),
        higher_is_better=source.higher_is_better,
    )


def _by_task(source: Scores | Counts | Summed) -> Floats:
    """The mean of each model on each task, tasks x models; NaN where it was not run."""
    if isinstance(source, Counts):
        return np.array([[(t.n10 + t.n11) / t.n, (t.n01 + t.n11) / t.n] for t in source.tasks])
    if isinstance(source, Summed):
        return np.stack([t.means for t in source.tasks])
    if source.design.unit == "task":
        return source.tasks[0].values
    return np.array([t.values.mean(axis=0) for t in source.tasks])


def table_of_sets(tasks: Sequence[SetTask], names: Sequence[str], metric: Metric) -> TaskTable | None:
    """The same table for a metric of the whole test set."""
    if len(tasks) < 2:
        return None
    return TaskTable(
        tasks=tuple(str(t.name) for t in tasks),
        models=tuple(names),
        values=np.array([t.values(names) for t in tasks]),
        higher_is_better=metric.higher_is_better,
    )

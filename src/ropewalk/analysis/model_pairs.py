"""Data -> every pair of models on every task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ropewalk.data import SEVERAL, Counts, Design, Scores, TaskScores, bounded, direction
from ropewalk.data.arrays import Floats
from ropewalk.errors import OptionError
from ropewalk.grouped import ClusterSums
from ropewalk.methods import crossed
from ropewalk.methods.pair import Clusters, Pair, Runs
from ropewalk.outcomes import Outcomes
from ropewalk.results.comparison import Differences, Evidence, Examples
from ropewalk.sums import Sums

Names = Sequence[tuple[str, str]]
_ONE = 1 + 1e-9  # a mean of ones may be rounded up
_EXAMPLES = 20  # of those that speak for a model as many are named


# --- scores --------------------------------------------------------------------------------------------


def score_pairs(scores: Scores, names: Names, rho: float | None) -> Iterable[Pair]:
    """Every pair on every task; where there are clusters, their means are the units."""
    rows, points = scores, one_point(scores)
    if scores.is_clustered:
        scores = scores.by_cluster()
    for task, task_rows in zip(scores.tasks, rows.tasks, strict=True):
        design = scores.design_of(task)
        for a, b in names:
            if not scores.shares(a, b, task):
                continue
            d = scores.differences(a, b, task.name)
            if design.is_five_by_two:  # the 5x2 tests need the two folds of a repeat side by side
                d = d[sorted(range(d.size), key=lambda i: str(task.units[i]).rsplit("/", 1))]
            pair = Pair(
                a=a,
                b=b,
                task=task.name,
                metric=scores.metric,
                design=design,
                evidence=_evidence(scores, task, a, b, d),
                d=d,
                sums=Sums.of(d),
                rho=correlation(design, rho),
                ordered=True,
                points=points,
                clusters=_clusters(rows, task_rows, a, b),
                runs=_runs(scores, task, a, b),
                examples=_examples(rows, task_rows, a, b, d if rows is scores else None),
            )
            yield pair if pair.runs is None else replace(pair, sums=crossed.as_sums(crossed.fit(pair)))


def _evidence(scores: Scores, task: TaskScores, a: str, b: str, d: Floats) -> Evidence:
    """Right and wrong answers are counted; other scores are differences."""
    if scores.design.unit == "example" and task.runs is None and scores.is_binary:
        n00, n01, n10, n11 = scores.counts(a, b, task.name)
        return Outcomes(n00=n00, n01=n01, n10=n10, n11=n11)
    both = task.values[:, [scores.models.index(a), scores.models.index(b)]]
    mean_a, mean_b = both[np.isfinite(both).all(axis=1)].mean(axis=0)
    return Differences(d=d, mean_a=float(mean_a), mean_b=float(mean_b))


def _examples(rows: Scores, task: TaskScores, a: str, b: str, d: Floats | None) -> Examples | None:
    """The examples on which the two differ most; of equal ones those that come first in the file."""
    if rows.design.unit != "example":
        return None
    d = rows.differences(a, b, task.name) if d is None else d
    both = np.isfinite(task.values[:, [rows.models.index(a), rows.models.index(b)]]).all(axis=1)
    units = task.units[both]

    def largest(advantage: Floats) -> tuple[tuple[str, float], ...]:
        ahead = np.flatnonzero(advantage > 0)
        first = ahead[np.argsort(-advantage[ahead], kind="stable")[:_EXAMPLES]]
        return tuple((str(units[i]), float(advantage[i])) for i in first)

    return Examples(for_a=largest(d), for_b=largest(-d), n_a=int((d > 0).sum()), n_b=int((d < 0).sum()))


def _clusters(rows: Scores, task: TaskScores, a: str, b: str) -> Clusters | None:
    if task.clusters is None:
        return None
    d = rows.differences(a, b, task.name)
    return Clusters(
        each=ClusterSums.of(d, task.clusters, at_least=1),
        rows=Sums.of(d),
        evidence=_evidence(rows, task, a, b, d),
        d=d,
        names=task.clusters,
    )


def _runs(scores: Scores, task: TaskScores, a: str, b: str) -> Runs | None:
    if task.runs is None:
        return None
    i, j = scores.models.index(a), scores.models.index(b)
    sign = 1.0 if scores.higher_is_better else -1.0
    x, y = sign * task.runs.values[i].T, sign * task.runs.values[j].T
    return Runs(a=x, b=y, paired=task.runs.paired(i, j))


def correlation(design: Design, given: float | None) -> float:
    """The correlation between units: as given, or by the design; asked for where that does not say."""
    if given is None and design.unit == "fold" and not design.folds and not design.n_test:
        raise OptionError(
            "the splits do not make up folds, so the correlation between them is not 1/k",
            hint="For random splits it is n_test / (n_test + n_train): give it with rho= (--rho), or add\n"
            "columns n_test and n_train.",
        )
    return design.rho if given is None else given


def one_point(scores: Scores) -> float:
    """One point of a hundred for fold, seed and task scores of a bounded metric: 0.01, or 1 in percent."""
    single = scores.design.unit == "example" and scores.tasks[0].runs is None
    return 0.0 if single else _largest(scores) / 100


def range_of(scores: Scores) -> tuple[float, float]:
    """What a mean of the scores can be: 0 to 1 or to 100 where the metric's name says so, else anything."""
    largest = _largest(scores) if direction(scores.metric) is not None else 0.0
    return (0.0, largest) if largest else (-np.inf, np.inf)


def _largest(scores: Scores) -> float:
    """1 for a metric that is bounded, 100 for one in percent; 0 where nothing says so."""
    if scores.metric == SEVERAL or not bounded(scores.metric):
        return 0.0
    values = [t.values[~np.isnan(t.values)] for t in scores.tasks]
    nameless = scores.metric == "score"
    if direction(scores.metric) is None and not (nameless and scores.higher_is_better):
        return 0.0  # nothing says that it is bounded
    if min(v.min() for v in values) < 0 or max(v.max() for v in values) > 100:
        return 0.0
    if all(v.max() <= _ONE for v in values):
        return 1.0
    # Percent on every task: a name that says so, or a nameless score above what a rating would reach.
    least = 20.0 if nameless else 1.0
    return 100.0 if all(np.quantile(v, 0.1) > least for v in values) else 0.0


# --- counts --------------------------------------------------------------------------------------------


def count_pairs(counts: Counts, names: Names) -> Iterable[Pair]:
    """The pair on every task, from its table of right and wrong answers."""
    for task in counts.tasks:
        for a, b in names:
            outcomes: Outcomes = task if (a, b) == counts.models else task.mirrored
            yield Pair(
                a=a,
                b=b,
                task=task.name,
                metric="accuracy",
                design=Design(unit="example"),
                evidence=outcomes,
                d=outcomes.values,
                counts=outcomes.counts,
                sums=outcomes.sums,
                rho=0.0,
                ordered=False,
                points=0.0,
            )

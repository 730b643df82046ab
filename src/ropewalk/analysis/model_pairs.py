"""Data -> every pair of models on every task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ropewalk.analysis import reaches
from ropewalk.data import Counts, Design, Scores, TaskScores
from ropewalk.data.arrays import Floats
from ropewalk.data.scale import one_point
from ropewalk.data.task_scores import units_of
from ropewalk.errors import OptionError
from ropewalk.grouped import ClusterSums
from ropewalk.methods import crossed
from ropewalk.methods.pair import Clusters, Pair, Runs
from ropewalk.outcomes import Outcomes
from ropewalk.results.evidence import Differences, Evidence, Examples, OverTasks
from ropewalk.sums import Sums, close, nearly_alike

Names = Sequence[tuple[str, str]]
_MANY = 10_000  # units; with more that vary, differences that did not occur hardly matter
_EXAMPLES = 20  # number of examples named in favor of each model


# --- scores --------------------------------------------------------------------------------------------


def score_pairs(scores: Scores, names: Names, rho: float | None, *, examples: bool = True) -> Iterable[Pair]:
    """Return every pair on every task; if there are clusters, their means are the units.

    Without `examples`, the examples in favor of each model are not collected.
    """
    rows, points = scores, one_point(scores)
    if scores.is_clustered:
        scores = scores.by_cluster()
    outcomes = _are_outcomes(scores)
    outcomes_of_rows = outcomes if rows is scores else _are_outcomes(rows)
    for task, task_rows in zip(scores.tasks, rows.tasks, strict=True):
        design = scores.design_of(task)
        for a, b in names:
            if not scores.shares(a, b, task):
                continue
            d = scores.differences(a, b, task.name)
            if design.is_five_by_two:  # the 5x2 tests need the two folds of a repeat next to each other
                d = d[sorted(range(d.size), key=lambda i: str(task.units[i]).rsplit("/", 1))]
            sums, evidence = Sums.of(d), _evidence(scores, task, a, b, d, outcomes)
            pair = Pair(
                a=a,
                b=b,
                task=task.name,
                metric=scores.metric,
                design=design,
                evidence=evidence,
                d=d,
                sums=sums,
                rho=correlation(design, rho),
                ordered=True,
                points=points,
                clusters=_clusters(rows, task_rows, a, b, outcomes_of_rows),
                runs=_runs(scores, task, a, b),
                examples=_examples(rows, task_rows, a, b, d if rows is scores else None)
                if examples
                else None,
                reach=reaches.of_scores(scores, [task], *map(scores.models.index, (a, b)))
                if d.size <= _MANY
                or sums.m2 == 0
                or nearly_alike(d, within=close(points, evidence.mean_a, evidence.mean_b))
                else 0.0,
            )
            yield pair if pair.runs is None else replace(pair, sums=crossed.as_sums(crossed.fit(pair)))


def _are_outcomes(scores: Scores) -> bool:
    """Whether all scores are right and wrong answers."""
    return scores.design.unit == "example" and scores.is_binary


def _evidence(scores: Scores, task: TaskScores, a: str, b: str, d: Floats, outcomes: bool) -> Evidence:
    """Right and wrong answers are counted; other scores are differences."""
    if outcomes and task.runs is None:
        n00, n01, n10, n11 = scores.counts(a, b, task.name)
        return Outcomes(n00=n00, n01=n01, n10=n10, n11=n11)
    both = task.values[:, [scores.models.index(a), scores.models.index(b)]]
    known = np.isfinite(both).all(axis=1)
    mean_a, mean_b = both[known].mean(axis=0)
    if scores.design.unit == "task":
        names = [str(unit) for unit in task.units[known]]
        ones = [1] * len(names)
        return OverTasks(names=names, n=ones, d=d, mean_a=float(mean_a), mean_b=float(mean_b))
    return Differences(d=d, mean_a=float(mean_a), mean_b=float(mean_b))


def _examples(rows: Scores, task: TaskScores, a: str, b: str, d: Floats | None) -> Examples | None:
    """The examples on which the two models differ most; ties in the order of the file."""
    if rows.design.unit != "example":
        return None
    d = rows.differences(a, b, task.name) if d is None else d
    both = np.isfinite(task.values[:, [rows.models.index(a), rows.models.index(b)]]).all(axis=1)
    kept = np.flatnonzero(both)

    def largest(advantage: Floats) -> tuple[tuple[str, float], ...]:
        ahead = np.flatnonzero(advantage > 0)
        if ahead.size > _EXAMPLES:  # sort only the largest of thousands
            least = np.partition(advantage[ahead], -_EXAMPLES)[-_EXAMPLES]
            ahead = ahead[advantage[ahead] >= least]
        first = ahead[np.argsort(-advantage[ahead], kind="stable")[:_EXAMPLES]]
        names = units_of(task, kept[first])
        return tuple((name, float(advantage[i])) for name, i in zip(names, first, strict=True))

    return Examples(for_a=largest(d), for_b=largest(-d), n_a=int((d > 0).sum()), n_b=int((d < 0).sum()))


def _clusters(rows: Scores, task: TaskScores, a: str, b: str, outcomes: bool) -> Clusters | None:
    if task.clusters is None:
        return None
    d = rows.differences(a, b, task.name)
    return Clusters(
        each=ClusterSums.of(d, task.clusters, at_least=1),
        rows=Sums.of(d),
        evidence=_evidence(rows, task, a, b, d, outcomes),
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
    """Correlation between units, as given or by the design; an error if neither determines it."""
    if given is None and design.unit == "fold" and not design.folds and not design.n_test:
        raise OptionError(
            "the splits are not folds, so the correlation between them is not 1/k",
            hint="For random splits it is n_test / (n_test + n_train): give it with rho= (--rho), or add\n"
            "columns n_test and n_train.",
        )
    return design.rho if given is None else given


# --- counts --------------------------------------------------------------------------------------------


def count_pairs(counts: Counts, names: Names) -> Iterable[Pair]:
    """Return the pair on every task, from its table of right and wrong answers."""
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
                points=0.01,
            )

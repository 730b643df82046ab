"""Data of which only sums are known -> every pair, and the sums for the joint posterior."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ropewalk import bayes
from ropewalk.analysis import reaches
from ropewalk.analysis.model_pairs import Names, score_pairs
from ropewalk.data import Summed, TaskSums
from ropewalk.data.arrays import strings
from ropewalk.data.scale import range_of_scores
from ropewalk.methods.pair import Clusters, Pair
from ropewalk.outcomes import Outcomes
from ropewalk.results.evidence import Evidence, WholeSet
from ropewalk.sums import Sums


def summed_pairs(source: Summed, names: Names) -> Iterable[Pair]:
    """Return every pair on every task, with the tallied differences if there are any.

    If there are clusters, their means are the units.
    """
    if source.is_clustered:
        tasks = {t.name: t for t in source.tasks}
        for pair in score_pairs(source.by_cluster(), names, None):
            yield replace(pair, clusters=_clusters(source, tasks[pair.task], pair), examples=None)
        return
    largest = range_of_scores(source)
    for task in source.tasks:
        for a, b in names:
            sums, evidence = _rows(source, task, a, b)
            d, counts = np.empty(0), None
            if isinstance(evidence, Outcomes):
                d, counts = evidence.values, evidence.counts
            elif (tally := source.tally(a, b, task)) is not None:
                d, counts = tally.values, tally.counts
            yield Pair(
                a=a,
                b=b,
                task=task.name,
                metric=source.metric,
                design=source.design,
                evidence=evidence,
                d=d,
                counts=counts,
                sums=sums,
                rho=0.0,
                ordered=False,
                points=largest / 100,
                reach=reaches.of_sums(
                    source.metric, task, *map(source.models.index, (a, b)), bounded=largest > 0
                ),
            )


def _rows(source: Summed, task: TaskSums, a: str, b: str) -> tuple[Sums, Evidence]:
    """Return the counts of right and wrong answers, or the means of other scores."""
    if source.is_binary:
        n00, n01, n10, n11 = source.counts(a, b, task)
        outcomes = Outcomes(n00=n00, n01=n01, n10=n10, n11=n11)
        return outcomes.sums, outcomes
    sums = source.sums(a, b, task)
    mean_a, mean_b = (float(task.means[source.models.index(m)]) for m in (a, b))
    return sums, WholeSet(mean_a=mean_a, mean_b=mean_b, advantage=sums.mean)


def _clusters(source: Summed, task: TaskSums, pair: Pair) -> Clusters:
    assert task.clusters is not None
    sums, evidence = _rows(source, task, pair.a, pair.b)
    return Clusters(
        each=source.cluster_sums(pair.a, pair.b, task.clusters),
        rows=sums,
        evidence=evidence,
        d=np.empty(0),
        names=strings([]),
    )


def cross_sums(source: Summed) -> list[bayes.CrossSums]:
    """Return the cross-sums of each task for the joint posterior; higher is better."""
    sign = 1.0 if source.higher_is_better else -1.0
    return [bayes.CrossSums(n=t.n, mean=sign * t.means, m2=t.covariance) for t in source.tasks]

"""Data of which only sums are known -> every pair, and what the joint posterior needs."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ropewalk import bayes
from ropewalk.answer.pair import Pair
from ropewalk.answer.pairs import Names
from ropewalk.data import Summed
from ropewalk.posterior.base import Floats
from ropewalk.report.comparison import Evidence, Outcomes, WholeSet
from ropewalk.sums import Sums


def summed_pairs(source: Summed, names: Names) -> Iterable[Pair]:
    """Every pair on every task; its differences are those of a tally, where there is one."""
    for task in source.tasks:
        for a, b in names:
            sums = source.sums(a, b, task)
            evidence: Evidence = _means(source, task.means, a, b, sums)
            d, counts = np.empty(0), None
            if source.is_binary:
                n00, n01, n10, n11 = source.counts(a, b, task)
                evidence = Outcomes(n00=n00, n01=n01, n10=n10, n11=n11)
                d, counts, sums = evidence.values, evidence.counts, evidence.sums
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
                points=0.0,
            )


def _means(source: Summed, means: Floats, a: str, b: str, sums: Sums) -> Evidence:
    i, j = source.models.index(a), source.models.index(b)
    return WholeSet(mean_a=float(means[i]), mean_b=float(means[j]), advantage=sums.mean)


def cross_sums(source: Summed) -> list[bayes.CrossSums]:
    """What the joint posterior needs of each task, higher is better."""
    sign = 1.0 if source.higher_is_better else -1.0
    return [bayes.CrossSums(n=t.n, mean=sign * t.means, m2=t.covariance) for t in source.tasks]

"""Tasks of the papers."""

from __future__ import annotations

import numpy as np

import ropewalk as rw
from ropewalk.data import Audit, Design, Scores, TaskScores
from ropewalk.report import Report

Table = dict[str, tuple[int, int, int, int]]


def tasks(
    means: list[float],
    *,
    units: int | list[int] = 20,
    spread: float = 0.02,
    design: Design | None = None,
    **options,
) -> Report:
    """A better than B by `means`, plus noise, on so many units of each task."""
    sizes = [units] * len(means) if isinstance(units, int) else units
    rng = np.random.default_rng(7)
    parts = []
    for i, (m, n) in enumerate(zip(means, sizes, strict=True)):
        b = rng.uniform(0.6, 0.8, n)
        values = np.stack([b + m + spread * rng.normal(size=n), b], axis=1)
        parts.append(TaskScores(name=f"t{i}", units=[str(k) for k in range(n)], values=values))
    data = Scores(
        models=("A", "B"),
        tasks=tuple(parts),
        metric="score",
        higher_is_better=True,
        design=design or Design(unit="fold", folds=10, repeats=2),
        audit=Audit(paired=sum(sizes)),
    )
    return rw.compare(data, **options)


def triple(p) -> tuple[float, float, float]:
    return p.better, p.equivalent, p.worse

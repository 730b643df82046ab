"""The classical tests of all models at once, for those who ask for them."""

from __future__ import annotations

from ropewalk import nhst
from ropewalk.analysis.model_means import task_means
from ropewalk.data import Counts, Scores, Summed
from ropewalk.data.dependence import is_dependent
from ropewalk.posterior.base import Floats


def classical_of_all(
    scores: Scores | Counts | Summed, rng: int, rho: float | None = None
) -> list[nhst.TestResult]:
    """The classical tests of all models at once; none on one task where the units depend on each other.

    Over tasks Friedman with Nemenyi after it; on one task the analysis of variance; and the model confidence
    set of both.
    """
    if not isinstance(scores, Scores):  # nothing is known of single units
        return classical_over_tasks(task_means(scores), rng)
    if len(scores.tasks) > 1 or scores.design.unit == "task":
        return classical_over_tasks(task_means(scores), rng)
    if is_dependent(scores, rho):
        return []
    values = scores.tasks[0].values
    z = values if scores.higher_is_better else -values
    if len(z) < 2 or z.shape[1] < 3 or scores.design.rho != 0 or scores.tasks[0].runs is not None:
        return []
    return [nhst.anova(z), *_confidence_set(z, rng)]


def classical_over_tasks(z: Floats, rng: int) -> list[nhst.TestResult]:
    """The classical tests over tasks, from their means (tasks x models, higher is better)."""
    if len(z) < 2:
        return []
    return [nhst.friedman(z), nhst.nemenyi(z), *_confidence_set(z, rng)]


def _confidence_set(z: Floats, rng: int) -> list[nhst.TestResult]:
    return [nhst.model_confidence_set(-z, rng=rng)] if z.shape[1] > 2 and len(z) >= 10 else []

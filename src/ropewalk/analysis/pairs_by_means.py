"""Every pair of many models over the tasks, by the means of the tasks: what the leaderboard has of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ropewalk import nhst
from ropewalk.analysis.model_pairs import Names
from ropewalk.analysis.set_metrics import SetTask
from ropewalk.data import Scores, Summed
from ropewalk.decide import Rope, cohens_d, in_scores, probabilities
from ropewalk.methods import checks
from ropewalk.methods.pair import Ask, decide
from ropewalk.posterior.base import Floats
from ropewalk.results.all_models import Leaderboard
from ropewalk.results.comparison import Check, Comparison, Estimate, OverTasks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TaskMeans:
    """The models' means on each task, tasks x models as the metric runs, with the sizes of the tasks."""

    metric: str
    tasks: Sequence[str]
    sizes: Sequence[int]
    means: Floats

    @classmethod
    def of(cls, source: Scores | Summed) -> TaskMeans:
        if isinstance(source, Summed):
            means, sizes = np.array([t.means for t in source.tasks]), [t.n for t in source.tasks]
        else:
            means = np.array([t.values.mean(axis=0) for t in source.tasks])
            sizes = [len(t.units) for t in source.tasks]
        names = [t.name or "" for t in source.tasks]
        return cls(metric=source.metric, tasks=names, sizes=sizes, means=means)

    @classmethod
    def of_sets(cls, tasks: Sequence[SetTask], names: tuple[str, ...]) -> TaskMeans:
        """The same for a metric of the whole test set."""
        means = np.array([t.values(names) for t in tasks])
        sizes = [t.fitted.units for t in tasks]
        return cls(metric=tasks[0].metric.name, tasks=[t.name or "" for t in tasks], sizes=sizes, means=means)


def comparisons_of(board: Leaderboard, table: TaskMeans, names: Names, ask: Ask) -> list[Comparison]:
    """Every pair over the tasks, on its own: what the matrix of the board has of it."""
    tasks, n, means = table.tasks, table.sizes, table.means
    sign = 1.0 if board.higher_is_better else -1.0
    why = f"{len(board.names)} models on {len(tasks)} tasks: t-test on the means of the tasks"
    found = []
    for a, b in names:
        i, j = board.names.index(a), board.names.index(b)
        both = np.isfinite(means[:, i]) & np.isfinite(means[:, j])
        if both.sum() < 2:
            continue  # the matrix has what the others say about them
        x, y = means[both, i], means[both, j]
        posterior = board.posterior.alone(i, j)
        low, high = posterior.hdi(0.95)
        rope = _rope_of(board, i, j)
        p = probabilities(posterior, rope)
        d = sign * (x - y)
        shared = np.flatnonzero(both).tolist()
        found.append(
            Comparison(
                a=a,
                b=b,
                task=None,
                method="joint_tasks",
                why=why,
                n=int(both.sum()),
                unit="task",
                metric=table.metric,
                evidence=OverTasks(
                    names=[tasks[t] for t in shared],
                    n=[n[t] for t in shared],
                    d=d,
                    mean_a=float(x.mean()),
                    mean_b=float(y.mean()),
                ),
                posterior=posterior,
                estimate=Estimate(name="mean advantage over tasks", mean=posterior.mean, low=low, high=high),
                rope=rope,
                verdict=decide(a, b, p, ask),
                effect=cohens_d(d),
                classical=[nhst.wilcoxon(d)],
                checks=_checks(board, i, j, d),
                warnings=[],
                asks="average",
            )
        )
    return found


def _rope_of(board: Leaderboard, i: int, j: int) -> Rope:
    """The ROPE of a pair: that around the best, or the same share of the pair's own standard deviation."""
    beside = float(board.relative_rope[i, j])
    if beside == 1:
        return board.rope
    low, high = beside * board.rope.low, beside * board.rope.high
    return in_scores(low, high, board.rope.source, origin=board.rope.origin)


def _checks(board: Leaderboard, i: int, j: int, d: Floats) -> list[Check]:
    found = [checks.enough(d.size, 5, "tasks"), _exact(board, i, j)]
    return [*found, checks.normality(d)] if d.size >= 8 and np.ptp(d) > 0 else found


def _exact(board: Leaderboard, i: int, j: int) -> Check:
    """A pair on its own has a closed form; one that is known through the others is drawn."""
    own = board.posterior.own
    if own is not None and own.known[i, j]:
        return Check(name="closed form", kind="numerical error", ok=True, text="nothing is sampled")
    error = board.posterior.error
    return Check(
        name="Monte Carlo error",
        kind="numerical error",
        ok=True,
        text=f"±{error:.4f} on each probability (one standard error)",
        numbers={"error": error},
    )

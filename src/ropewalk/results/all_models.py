"""What is known of all models at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ropewalk.errors import OptionError
from ropewalk.results.asks import ASKS, Asks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ropewalk.decide import Rope
    from ropewalk.posterior import JointPosterior


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leaderboard:
    """Every model's chance to be the best, or within the ROPE of the best, and every pair; one set of draws.

    `better`, `equivalent` and `worse` are models x models, the row against the column, each pair on its own.
    `together` is the probability of the likeliest of the three with all models as draws from one population:
    what may be claimed of many pairs at once. `practically_best` holds the places of the models that hold a
    practically best one with the probability `threshold`.
    The draws of `posterior` are such that higher is better, whichever way the metric runs.
    """

    names: tuple[str, ...]
    posterior: JointPosterior
    higher_is_better: bool
    rope: Rope
    p_within: NDArray[np.float64]
    practically_best: tuple[int, ...]
    better: NDArray[np.float64]
    equivalent: NDArray[np.float64]
    worse: NDArray[np.float64]
    together: NDArray[np.float64]
    relative_rope: NDArray[np.float64]  # the ROPE of each pair beside `rope`, where that is a share of an sd
    threshold: float
    tasks: tuple[str, ...] = ()
    within_by_task: NDArray[np.float64] | None = None  # models x tasks, of each task by itself
    range: tuple[float, float] = (-np.inf, np.inf)  # of the metric, as it runs
    # The means of the models and their 95% intervals as the report gives them, as the metric runs.
    shown: NDArray[np.float64] | None = None  # models x (mean, low, high)
    asks: Asks | None = None  # over tasks: the question that it answers

    @property
    def order(self) -> list[int]:
        """The models, best first."""
        return [int(i) for i in np.argsort(-self.mean, kind="stable")]

    @property
    def mean(self) -> NDArray[np.float64]:
        """Each model's own mean, higher is better: not pulled towards the others."""
        if self.shown is not None:
            return self.shown[:, 0] if self.higher_is_better else -self.shown[:, 0]
        return self.posterior.mean if self.posterior.own is None else self.posterior.own.mean

    def intervals(self, level: float = 0.95) -> NDArray[np.float64]:
        """The central interval of each model's own mean as the metric runs, models x (low, high)."""
        if self.shown is not None and level == 0.95:
            return self.shown[:, 1:]
        low, high = self.range if self.higher_is_better else (-self.range[1], -self.range[0])
        own = self.posterior.own
        if own is None:
            ends = self.posterior.interval(level, within=(low, high))
        else:
            ends = own.intervals(level, within=(low, high))
        return ends if self.higher_is_better else -ends[:, ::-1]

    def verdict(self, i: int, j: int) -> str:
        """The verdict on model i against model j, at the threshold."""
        p = {"better": self.better[i, j], "equivalent": self.equivalent[i, j], "worse": self.worse[i, j]}
        return next((name for name, value in p.items() if value >= self.threshold), "undecided")

    @property
    def _about(self) -> str:
        return "" if self.asks is None else ASKS[self.asks].short

    def plot_ranks(self, *, style: str = "screen") -> Figure:
        """The probability of each rank of each model."""
        from ropewalk.plot import ranks

        order = self.order
        names, matrix = [self.names[i] for i in order], self.posterior.ranks[order]
        return ranks(names, matrix, about=self._about, style=style)

    def plot_verdicts(self, *, style: str = "screen") -> Figure:
        """Every model against every other."""
        from ropewalk.plot import verdict_matrix

        order = self.order
        parts = (m[np.ix_(order, order)] for m in (self.better, self.equivalent, self.worse))
        names = [self.names[i] for i in order]
        return verdict_matrix(names, *parts, threshold=self.threshold, about=self._about, style=style)

    def plot(self, metric: str, *, style: str = "screen") -> Figure:
        """The models, best first, with their intervals and the ROPE around the best."""
        from ropewalk.plot import leaderboard

        order = self.order
        sign = 1.0 if self.higher_is_better else -1.0
        ends = self.intervals()[order]
        return leaderboard(
            [self.names[i] for i in order],
            sign * self.mean[order],
            ends[:, 0],
            ends[:, 1],
            self.posterior.p_best[order],
            self.p_within[order],
            np.isin(order, self.practically_best),
            (self.rope.low, self.rope.high),
            metric=metric,
            higher_is_better=self.higher_is_better,
            about=self._about,
            style=style,
        )

    def plot_tasks(self, *, style: str = "screen") -> Figure:
        """On which tasks each model is within the ROPE of the best one there."""
        from ropewalk.plot import task_matrix

        if self.within_by_task is None:
            raise OptionError("there is one task only", hint="This picture is for many tasks.")
        order = self.order
        names = [self.names[i] for i in order]
        return task_matrix(
            names, self.tasks, self.within_by_task[order], threshold=self.threshold, style=style
        )

"""Results about all models at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ropewalk.errors import OptionError
from ropewalk.questions import ASKS, Asks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ropewalk.decide import Rope
    from ropewalk.posterior import JointPosterior


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leaderboard:
    """All models at once: every model's chance to be the best, and the verdict on every pair.

    Parameters
    ----------
    names : tuple of str
        Names of the models.
    posterior : JointPosterior
        Joint draws, higher is better, whichever direction the metric has.
    higher_is_better : bool
        Whether a higher score is better.
    rope : Rope
        Region of practical equivalence.
    p_within : ndarray
        Probability that each model is within the ROPE of the best.
    practically_best : tuple of int
        Places of the models in the set that contains a practically best one with probability `threshold`:
        the likeliest until it is reached, and all that reach it by themselves.
    better, equivalent, worse : ndarray
        Models x models, the row against the column, each pair on its own.
    together : ndarray
        3 x models x models: better, equivalent and worse with all models as draws from one population, for
        claims about many pairs at once. Each is computed under the more cautious of two priors, so they may
        add up to less than 1.
    threshold : float
        Probability that a verdict needs.
    tasks : tuple of str, default ()
        Names of the tasks.
    within_by_task : ndarray, optional
        Models x tasks: probability to be within the ROPE of the best of each task.
    scores_by_task : ndarray, optional
        Models x tasks: the score of each model on each task, where it is known.
    range : (float, float), optional
        Range of the metric.
    shown : ndarray, optional
        Models x (mean, low, high).
    asks : {"average", "these", "next", "likeliest"}, optional
        Over tasks, the question that it answers.

    Examples
    --------
    >>> import ropewalk as rw
    >>> scores = {"a": [1, 1, 0, 1, 1, 1], "b": [0, 1, 0, 1, 1, 0], "c": [0, 0, 0, 1, 1, 0]}
    >>> board = rw.compare(scores, rope=0.1).board
    >>> [board.names[i] for i in board.order]
    ['a', 'b', 'c']
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
    threshold: float
    tasks: tuple[str, ...] = ()
    within_by_task: NDArray[np.float64] | None = None
    scores_by_task: NDArray[np.float64] | None = None
    range: tuple[float, float] = (-np.inf, np.inf)
    # The means of the models and their 95% intervals as the report gives them, as the metric runs.
    shown: NDArray[np.float64] | None = None
    asks: Asks | None = None

    @property
    def order(self) -> list[int]:
        """Numbers of the models, the best first."""
        return [int(i) for i in np.argsort(-self.mean, kind="stable")]

    @property
    def mean(self) -> NDArray[np.float64]:
        """Each model's own mean, higher is better: not pulled towards the others."""
        if self.shown is not None:
            return self.shown[:, 0] if self.higher_is_better else -self.shown[:, 0]
        return self.posterior.mean if self.posterior.own is None else self.posterior.own.mean

    def intervals(self, level: float = 0.95) -> NDArray[np.float64]:
        """Central interval of each model's own mean, in the direction of the metric.

        Parameters
        ----------
        level : float, default 0.95
            Probability inside.

        Returns
        -------
        ndarray
            Models x (low, high).
        """
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
        """Verdict on model i against model j, at the threshold.

        Parameters
        ----------
        i, j : int
            Numbers of the two models.

        Returns
        -------
        str
            "better", "equivalent", "worse" or "undecided".
        """
        p = {"better": self.better[i, j], "equivalent": self.equivalent[i, j], "worse": self.worse[i, j]}
        return next((name for name, value in p.items() if value >= self.threshold), "undecided")

    @property
    def _about(self) -> str:
        return "" if self.asks is None else ASKS[self.asks].short

    def plot_ranks(self, *, style: str = "screen") -> Figure:
        """Draw the probability of each rank of each model.

        Parameters
        ----------
        style : {"screen", "paper"}, default "screen"
            "paper" has the width of a column and no title.

        Returns
        -------
        Figure
            The matplotlib figure.
        """
        from ropewalk.plot import ranks

        order = self.order
        names, matrix = [self.names[i] for i in order], self.posterior.ranks[order]
        return ranks(names, matrix, sort=False, about=self._about, style=style)

    def plot_verdicts(self, *, style: str = "screen") -> Figure:
        """Draw the verdict on every pair of models.

        Parameters
        ----------
        style : {"screen", "paper"}, default "screen"
            "paper" has the width of a column and no title.

        Returns
        -------
        Figure
            The matplotlib figure.
        """
        from ropewalk.plot import verdict_matrix

        order = self.order
        parts = (m[np.ix_(order, order)] for m in (self.better, self.equivalent, self.worse))
        names = [self.names[i] for i in order]
        return verdict_matrix(names, *parts, threshold=self.threshold, about=self._about, style=style)

    def plot(self, metric: str, *, style: str = "screen") -> Figure:
        """Draw the models, the best first, with their intervals and the ROPE around the best.

        Parameters
        ----------
        metric : str
            What was measured.
        style : {"screen", "paper"}, default "screen"
            "paper" has the width of a column and no title.

        Returns
        -------
        Figure
            The matplotlib figure.
        """
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
        """Draw on which tasks each model is within the ROPE of the best one there.

        Parameters
        ----------
        style : {"screen", "paper"}, default "screen"
            "paper" has the width of a column and no title.

        Returns
        -------
        Figure
            The matplotlib figure.

        Raises
        ------
        OptionError
            If there is only one task, or one number per task.
        """
        from ropewalk.plot import task_matrix

        if self.within_by_task is None:
            raise OptionError(
                "nothing is known about single tasks",
                hint="This plot needs several tasks, with several examples, folds or runs on each.",
            )
        order = self.order
        names = [self.names[i] for i in order]
        return task_matrix(
            names,
            self.tasks,
            self.within_by_task[order],
            scores=None if self.scores_by_task is None else self.scores_by_task[order],
            threshold=self.threshold,
            style=style,
        )

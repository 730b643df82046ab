"""The score of each model on each task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TaskTable:
    """Scores of each model on each task.

    Parameters
    ----------
    tasks : tuple of str
        Names of the tasks.
    models : tuple of str
        Names of the models.
    values : ndarray
        Tasks x models; NaN where a model was not run on a task.
    higher_is_better : bool
        Whether a higher score is better.

    Examples
    --------
    >>> import numpy as np
    >>> from ropewalk.results import TaskTable
    >>> table = TaskTable(tasks=("iris", "wine"), models=("svm", "tree"), higher_is_better=True,
    ...                   values=np.array([[0.9, 0.8], [0.7, 0.7]]))
    >>> table.best.tolist(), table.mean.tolist(), table.mean_rank.tolist()
    ([[True, False], [True, True]], [0.8, 0.75], [1.25, 1.75])
    """

    tasks: tuple[str, ...]
    models: tuple[str, ...]
    values: NDArray[np.float64]
    higher_is_better: bool

    @property
    def complete(self) -> NDArray[np.bool_]:
        """Which tasks every model was run on."""
        return np.asarray(~np.isnan(self.values).any(axis=1))

    @property
    def mean(self) -> NDArray[np.float64]:
        """Each model's mean over the tasks that all models were run on; NaN where there are none."""
        rows = self.values[self.complete]
        return np.asarray(rows.mean(axis=0)) if len(rows) else np.full(len(self.models), np.nan)

    @property
    def mean_rank(self) -> NDArray[np.float64]:
        """Each model's mean rank over the same tasks, 1 is best; ties share the mean of their ranks."""
        rows = self.values[self.complete] * (-1.0 if self.higher_is_better else 1.0)
        return (
            np.mean([_ranks(row) for row in rows], axis=0) if len(rows) else np.full(len(self.models), np.nan)
        )

    @property
    def best(self) -> NDArray[np.bool_]:
        """Which models have the best score of their task."""
        worst = -np.inf if self.higher_is_better else np.inf
        filled = np.where(np.isnan(self.values), worst, self.values)
        top = (filled.max if self.higher_is_better else filled.min)(axis=1, keepdims=True)
        return np.asarray(filled == top)


def _ranks(x: NDArray[np.float64]) -> NDArray[np.float64]:
    _, place, size = np.unique(x, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(size) - (size - 1) / 2)[place])

"""Scores: for each task a matrix, units x models, of one metric's values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ropewalk.data.arrays import Floats, zeros_and_ones
from ropewalk.data.audit import Audit
from ropewalk.data.design import Design
from ropewalk.data.known_direction import Way
from ropewalk.data.metrics import is_resource
from ropewalk.data.runs import Run, gathered, models_of
from ropewalk.data.task_scores import TaskScores, check_task, cluster_means, means_of, turned
from ropewalk.errors import DataError, MethodError, OptionError, did_you_mean, listed, short
from ropewalk.sums import Sums, without_rounding

# If the spread of a difference is below this share of the two models' own spread, it has lost digits to
# cancellation in the cross-products, and is recomputed from the differences themselves.
_CANCELLED = 1e-6
_MOST_MODELS = 10_000  # limit, because the covariances of all pairs are held in memory


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """Scores of every model on every unit of every task, paired.

    Every difference is the advantage of A over B: positive means that A is better, whichever direction the
    metric has.

    Parameters
    ----------
    models : tuple of str
        Names of the models, in the order of the columns.
    tasks : tuple of TaskScores
        The tasks.
    metric : str
        What was measured.
    higher_is_better : bool
        Whether a higher score is better.
    design : Design
        What one unit is.
    audit : Audit
        What happened while the data were read.
    way : Way, optional
        How the direction is known. By default the caller knows it.

    See Also
    --------
    ropewalk.read : Reads scores from files, frames and dicts.

    Examples
    --------
    >>> import ropewalk as rw
    >>> scores = rw.read({"svm": [1, 1, 0], "forest": [0, 1, 1]}, higher_is_better=False)
    >>> scores.differences("svm", "forest")
    array([-1.,  0.,  1.])
    >>> scores.models
    ('svm', 'forest')
    """

    models: tuple[str, ...]
    tasks: tuple[TaskScores, ...]
    metric: str
    higher_is_better: bool
    design: Design
    audit: Audit
    way: Way | None = None

    def __post_init__(self) -> None:
        distinct_models(self.models)
        if not self.tasks:
            raise DataError("there are no tasks", hint="Give the scores of at least one task.")
        names = [t.name for t in self.tasks]
        if len(set(names)) < len(names):
            twice = next(n for n in names if names.count(n) > 1)
            raise DataError(f'two tasks are called "{short(twice)}"', hint="Give the tasks different names.")
        for task in self.tasks:
            check_task(task, self.models, self.design)
        if len({t.clusters is None for t in self.tasks}) > 1:
            raise DataError(
                "some tasks have clusters and others have none",
                hint="Give the cluster of every unit, or of none.",
            )

    def differences(self, a: str, b: str, task: str | None = None) -> Floats:
        """Advantage of `a` over `b` on each unit.

        Parameters
        ----------
        a, b : str
            The two models.
        task : str, optional
            Name of the task, if there is more than one.

        Returns
        -------
        ndarray
            One number per unit; positive means that `a` is better.

        Raises
        ------
        DataError
            If one of the models was not run on the task.
        """
        values = self.task(task).values
        x, y = values[:, self._index(a)], values[:, self._index(b)]
        both = np.isfinite(x) & np.isfinite(y)
        if not both.any():
            raise DataError(
                f"{short(a)} and {short(b)} have no scores in common"
                + (f' on task "{short(task)}"' if task else ""),
                hint="One of them was not run on it.",
            )
        d = (x - y if self.higher_is_better else y - x)[both]
        return without_rounding(d, float(np.nanmax(np.abs(values))))

    def shares(self, a: str, b: str, task: TaskScores) -> bool:
        """Whether both models were run on a task.

        Parameters
        ----------
        a, b : str
            The two models.
        task : TaskScores
            The task.

        Returns
        -------
        bool
            True where both have scores.
        """
        columns = task.values[:, [self._index(a), self._index(b)]]
        return bool(np.isfinite(columns).all(axis=1).any())

    @property
    def has_gaps(self) -> bool:
        """Whether some model was not run on some task."""
        return any(bool(np.isnan(t.values).any()) for t in self.tasks)

    def sums(self, a: str, b: str, task: str | None = None) -> Sums:
        """Number, mean and M2 of the advantages of `a` over `b`.

        Parameters
        ----------
        a, b : str
            The two models.
        task : str, optional
            Name of the task, if there is more than one.

        Returns
        -------
        Sums
            What most methods need of the data.
        """
        return Sums.of(self.differences(a, b, task))

    def all_sums(self, task: str | None = None) -> tuple[Floats, Floats]:
        """Mean and M2 of the advantages of every pair at once.

        Parameters
        ----------
        task : str, optional
            Name of the task, if there is more than one.

        Returns
        -------
        tuple of ndarray
            Means and M2, each models x models.

        Raises
        ------
        DataError
            If a model was not run on the task.

        Notes
        -----
        With X the centered scores and S = X'X, M2 of (a, b) is S_aa + S_bb - 2 S_ab. A unit's own mean drops
        out of every difference, so it is taken out of X first: what is left is small, and keeps its digits.
        """
        values = self.task(task).values if self.higher_is_better else -self.task(task).values
        if np.isnan(values).any():
            raise DataError(
                "not every model was run on this task", hint="Use sums() for two models that were."
            )
        means = values.mean(axis=0)
        X = values - values.mean(axis=1, keepdims=True)
        X = X - X.mean(axis=0)
        S = X.T @ X
        own = np.diag(S)[:, None] + np.diag(S)[None, :]
        mean, m2 = means[:, None] - means[None, :], np.maximum(own - 2 * S, 0.0)
        # Only nearly equal models: nothing cancels elsewhere.
        for i, j in np.argwhere(np.triu(m2 <= _CANCELLED * own, k=1)):
            exact = Sums.of(values[:, i] - values[:, j])
            mean[i, j], mean[j, i] = exact.mean, -exact.mean
            m2[i, j] = m2[j, i] = exact.m2
        np.fill_diagonal(m2, 0.0)
        return np.asarray(mean), np.asarray(m2)

    def counts(self, a: str, b: str, task: str | None = None) -> tuple[int, int, int, int]:
        """Count right and wrong answers of two models.

        Parameters
        ----------
        a, b : str
            The two models.
        task : str, optional
            Name of the task, if there is more than one.

        Returns
        -------
        tuple of int
            n00, n01, n10, n11: the first digit is `a`, the second is `b`, and 1 means right.

        Raises
        ------
        MethodError
            If a score is neither 0 nor 1.
        """
        values = self.task(task).values
        x, y = values[:, self._index(a)], values[:, self._index(b)]
        if not (zeros_and_ones(x) and zeros_and_ones(y)):
            raise MethodError(
                f"the scores ({self.metric}) are not 0 and 1, so right and wrong cannot be counted",
                hint="Use a method for real-valued scores.",
            )
        right = 1.0 if self.higher_is_better else 0.0
        n = np.bincount(2 * (x == right).astype(np.intp) + (y == right), minlength=4)
        return int(n[0]), int(n[1]), int(n[2]), int(n[3])

    @property
    def is_binary(self) -> bool:
        """Whether every score of every task is 0 or 1, and is not a time or a cost."""
        if is_resource(self.metric):
            return False
        values = [v for t in self.tasks for v in ((t.values,) if t.runs is None else t.runs.values)]
        return all(map(zeros_and_ones, values))

    @property
    def groups(self) -> dict[str, tuple[TaskScores, ...]]:
        """Tasks of each collection; one task alone, or all tasks, do not form a level of their own."""
        names = dict.fromkeys(t.group for t in self.tasks if t.group is not None)
        parts = {g: tuple(t for t in self.tasks if t.group == g) for g in names}
        return {g: tasks for g, tasks in parts.items() if 1 < len(tasks) < len(self.tasks)}

    @property
    def is_clustered(self) -> bool:
        """Whether the units fall into clusters."""
        return self.tasks[0].clusters is not None

    def by_cluster(self) -> Scores:
        """The same scores with each cluster's mean as one unit.

        Returns
        -------
        Scores
            One unit per cluster.
        """
        return replace(self, tasks=tuple(cluster_means(t) for t in self.tasks))

    def by_model(self, runs: Mapping[str, Run]) -> Scores:
        """Sort the scores of training runs, one column each, into the models that they belong to.

        Parameters
        ----------
        runs : dict
            For each column, which run of which model it is.

        Returns
        -------
        Scores
            One column per model, the mean of its runs, which are kept.
        """
        if not runs:
            return self
        found = [gathered(t.values, self.models, runs) for t in self.tasks]
        fullest = max(found, key=lambda r: sum(map(len, r.seeds)))
        return replace(
            self,
            models=models_of(runs),
            tasks=tuple(
                replace(t, values=np.column_stack([means_of(v) for v in r.values]), runs=r)
                for t, r in zip(self.tasks, found, strict=True)
            ),
            audit=self.audit.noted(fullest.describe(models_of(runs))),
        )

    def as_accuracy(self) -> Scores:
        """Turn 0/1 losses, of which lower is better, into right (1) and wrong (0).

        Returns
        -------
        Scores
            The same where they are not such losses.
        """
        if self.higher_is_better:
            return self
        return replace(
            self,
            tasks=tuple(turned(t) for t in self.tasks),
            metric="accuracy",
            higher_is_better=True,
            audit=self.audit.noted(read_as_accuracy(self.metric)),
        )

    def __repr__(self) -> str:
        units = sum(len(t.values) for t in self.tasks)
        where = "" if len(self.tasks) == 1 else f" on {len(self.tasks):,} tasks"
        return f"<Scores: {self.metric} of {len(self.models):,} models, {units:,} {self.design.unit}s{where}>"

    def design_of(self, task: TaskScores) -> Design:
        """How the units of a task were drawn.

        Parameters
        ----------
        task : TaskScores
            The task.

        Returns
        -------
        Design
            Its own design, or that of all tasks.
        """
        return task.design or self.design

    def describe_design(self) -> str:
        """Describe the design in words; those of all tasks where they differ.

        Returns
        -------
        str
            Such as "10 x 10-fold cross-validation".
        """
        designs = dict.fromkeys(self.design_of(t).describe() for t in self.tasks)
        return " or ".join(designs) if len(designs) <= 3 else "designs that differ from task to task"

    def task(self, name: str | None = None) -> TaskScores:
        """Find a task by its name.

        Parameters
        ----------
        name : str, optional
            The name; not needed where there is only one task.

        Returns
        -------
        TaskScores
            The task.

        Raises
        ------
        OptionError
            If there is no such task, or several and none was named.
        """
        if name is None:
            if len(self.tasks) == 1:
                return self.tasks[0]
            raise OptionError(
                f"there are {len(self.tasks)} tasks, but none was named",
                hint=f"Name one of {listed([t.name for t in self.tasks])}.",
            )
        for task in self.tasks:
            if task.name == name:
                return task
        known = [t.name for t in self.tasks if t.name is not None]
        raise OptionError(f'there is no task "{short(name)}"', hint=did_you_mean(name, known))

    def _index(self, model: str) -> int:
        if model not in self.models:
            raise OptionError(f'there is no model "{short(model)}"', hint=did_you_mean(model, self.models))
        return self.models.index(model)


def read_as_accuracy(metric: str) -> str:
    """Return the note on 0/1 losses that were converted to accuracy."""
    return f"`{short(metric)}` is 0 or 1: read as right and wrong, and shown as accuracy"


def distinct_models(models: tuple[str, ...]) -> None:
    """Check that there are at least two models, with different names, and not too many to compare."""
    if len(models) > _MOST_MODELS:
        raise DataError(
            f"there are {len(models):,} models, but at most {_MOST_MODELS:,} can be compared",
            where=[f"models: {listed(models)}"],
            hint="Compare fewer at a time; if the columns are not the models, name those that are: "
            'model=["svm", "forest"] (--model svm --model forest).',
        )
    if len(models) < 2:
        raise DataError(
            f"there is only one model: {listed(models)}" if models else "there are no models",
            hint="A comparison needs at least two models.",
        )
    if len(set(models)) < len(models):
        twice = next(m for m in models if models.count(m) > 1)
        raise DataError(f'two models are called "{short(twice)}"', hint="Give the models different names.")

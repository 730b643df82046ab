"""The scores of one task: a matrix, units x models, and what can be made of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats, Ints, Strings, coded, rows_by_name, strings
from ropewalk.data.design import Design
from ropewalk.data.runs import RunScores
from ropewalk.errors import CellError, DataError, MethodError, short

_LARGEST = 1e140  # the sum of a billion squares of such differences is still finite


class _Names:
    """Names of units; whole numbers are converted to text only on demand, because conversion is slow."""

    def __get__(self, task: Any, owner: object = None) -> Strings:
        if task is None:
            raise AttributeError  # so that a dataclass does not see a default here
        names = vars(task)["_names"] = units_of(task)
        return names

    def __set__(self, task: Any, names: Any) -> None:
        numbers = isinstance(names, np.ndarray) and names.dtype == np.int64
        vars(task)["_names"] = names if numbers else strings(names)  # a list or tuple of names is accepted


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskScores:
    """Scores of every model on the units of one task.

    Parameters
    ----------
    name : str or None
        Name of the task; None where there is only one.
    units : ndarray of str
        Names of the units.
    values : ndarray
        Scores, units x models. With several training runs of a model, the means of `runs`.
    clusters : ndarray of str, optional
        Cluster of each unit.
    design : Design, optional
        How the units were drawn, if that differs from the other tasks, such as 5 folds instead of 10.
    runs : RunScores, optional
        Score of each training run.
    group : str, optional
        Collection that the task is a part of, such as mmlu_stem.

    Examples
    --------
    >>> import numpy as np
    >>> import ropewalk as rw
    >>> values = np.array([[1.0, 0.0], [1.0, 1.0]])
    >>> task = rw.TaskScores(name="qa", units=np.array(["1", "2"], object), values=values)
    >>> task.values.mean(axis=0)
    array([1. , 0.5])
    """

    name: str | None
    units: Strings = _Names()  # type: ignore[assignment]
    values: Floats
    clusters: Strings | None = None
    design: Design | None = None
    runs: RunScores | None = None
    group: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", np.asarray(self.values, dtype=np.float64))
        if self.clusters is not None:
            object.__setattr__(self, "clusters", strings(self.clusters))


def units_of(task: TaskScores, rows: slice | Ints = slice(None)) -> Strings:
    """Return the names of some units, converting only theirs to text."""
    names: NDArray[Any] = vars(task)["_names"][rows]
    return names if names.dtype == object else strings(names.tolist())


def are_numbers(task: TaskScores) -> bool:
    """Whether the units are known to have whole numbers as names."""
    return bool(vars(task)["_names"].dtype == np.int64)


def by_task(
    tasks: Strings | None, units: NDArray[Any], values: Floats, clusters: Strings | None
) -> tuple[TaskScores, ...]:
    """Sort rows into tasks, in order of first appearance; None stands for one nameless task."""
    if tasks is None:
        return (TaskScores(name=None, units=units, values=values, clusters=clusters),)
    return tuple(
        TaskScores(
            name=name,
            units=units[rows],
            values=values[rows],
            clusters=None if clusters is None else clusters[rows],
        )
        for name, rows in rows_by_name(tasks)
    )


def check_task(task: TaskScores, models: tuple[str, ...], design: Design) -> None:
    """Check that every cell is a number, except for models not run on the task, which are NaN throughout."""
    inside = "" if task.name is None else f' of task "{short(task.name)}"'
    n = len(vars(task)["_names"])
    if task.values.shape != (n, len(models)):
        raise DataError(
            f"the scores{inside} have the shape {task.values.shape}, {(n, len(models))} was expected",
            hint="Give a matrix with one row per unit and one column per model.",
        )
    if n == 0:
        raise DataError(f"there are no units{inside}", hint="Give at least one unit.")
    if task.clusters is not None and len(task.clusters) != n:
        raise DataError(f"there are {len(task.clusters)} clusters for {n} units{inside}")
    if np.abs(task.values).max() <= _LARGEST:
        return  # NaN and infinity fail this test and are checked below
    absent = np.isnan(task.values)
    if design.unit != "task":  # in that design each row is a task
        absent &= absent.all(axis=0)
    absent &= absent.sum(axis=1, keepdims=True) <= len(models) - 2  # at least two models must be present
    with np.errstate(invalid="ignore"):
        large = np.abs(task.values) > _LARGEST
    for wrong, what in (
        (~np.isfinite(task.values) & ~absent, "NaN or infinite"),
        (large, f"beyond {_LARGEST:g}"),
    ):
        bad = np.argwhere(wrong)
        if bad.size:
            raise CellError(
                f"{len(bad)} of {task.values.size} scores{inside} are {what}",
                where=[
                    f'unit "{short(task.units[i])}", model "{short(models[j])}": {task.values[i, j]}'
                    for i, j in bad[:5]
                ],
                hint="Drop these units for every model, or find out why they have no score.",
            )


def means_of(runs: Floats) -> Floats:
    """Return the mean over the runs of each unit; NaN for a model without runs."""
    return np.asarray(runs.mean(axis=1)) if runs.shape[1] else np.full(len(runs), np.nan)


def turned(task: TaskScores) -> TaskScores:
    """Convert 0/1 losses to right and wrong."""
    runs = None if task.runs is None else replace(task.runs, values=tuple(1 - v for v in task.runs.values))
    return replace(task, values=1.0 - task.values, runs=runs)


def cluster_means(task: TaskScores) -> TaskScores:
    if task.clusters is None:
        raise MethodError("the units have no clusters", hint="Name the column that has them: cluster=COLUMN.")
    codes, names = coded(task.clusters)
    sizes = np.bincount(codes)[:, None]

    def means(values: Floats) -> Floats:
        sums = np.zeros((len(names), values.shape[1]))
        np.add.at(sums, codes, values)
        return sums / sizes

    runs = None if task.runs is None else replace(task.runs, values=tuple(map(means, task.runs.values)))
    return replace(task, units=names, values=means(task.values), clusters=None, runs=runs)

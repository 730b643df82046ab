"""One fit of one algorithm."""

from __future__ import annotations

from typing import Any

from ropewalk.experiment.algorithms import Algorithm
from ropewalk.experiment.datasets import Dataset
from ropewalk.experiment.fits import fit
from ropewalk.experiment.rows import Rows
from ropewalk.experiment.splits import SplitPlan
from ropewalk.experiment.work import Fit, Work


def work(estimator: Any, data: Dataset, metrics: tuple[str, ...] = ("accuracy",), **options: Any) -> Work:
    grid = options.pop("grid", {})
    classes = options.pop("classes", True)
    split = next(
        iter(
            SplitPlan.parse("5cv").splits(
                data.n, classes=data.codes if classes else None, groups=data.groups, seed=3
            )
        )
    )
    return Work(
        algorithm=Algorithm(name="it", estimator=estimator, grid=grid),
        task=data.name,
        data=data.digest,
        split=split,
        metrics=metrics,
        labels=data.labels if classes else None,
        **options,
    )


def done(estimator: Any, data: Dataset, *metrics: str, **options: Any) -> tuple[Fit, Work]:
    job = work(estimator, data, metrics or ("accuracy",), **options)
    return fit(data.X, data.y, data.groups, job), job


def inner_folds(data: Dataset, job: Work) -> list[tuple[Any, Any]]:
    """The rows to learn from and the others, for each fold inside the training set."""
    train = job.split.train
    folds = Rows(data.X, data.y, data.groups, job).folds.split(train[:, None])
    return [(train[a], train[b]) for a, b in folds]


def sets(loader: Any) -> Dataset:
    X, y = loader(return_X_y=True)
    return Dataset(name="d", X=X, y=y)

"""Means and ranks over tasks: SciPy's ranks, and only the tasks that all models were run on."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata

from ropewalk.results.task_table import TaskTable


def table(values: np.ndarray, *, higher: bool = True) -> TaskTable:
    tasks, models = (
        tuple(f"{what}{i}" for i in range(n)) for what, n in zip("tm", values.shape, strict=True)
    )
    return TaskTable(tasks=tasks, models=models, values=values, higher_is_better=higher)


@pytest.mark.parametrize("higher", [True, False])
def test_ranks_with_ties_as_scipy_has_them(higher: bool) -> None:
    values = np.random.default_rng(0).integers(0, 4, (12, 5)).astype(float)
    found = table(values, higher=higher)
    signed = -values if higher else values
    assert found.mean_rank == pytest.approx(np.mean([rankdata(row) for row in signed], axis=0))
    assert found.mean == pytest.approx(values.mean(axis=0))
    assert (found.best == (signed == signed.min(axis=1, keepdims=True))).all()


def test_a_gap_leaves_the_task_out_of_means_but_has_a_best_model() -> None:
    found = table(np.array([[0.9, 0.8], [np.nan, 0.1], [0.5, 0.7]]))
    assert found.complete.tolist() == [True, False, True]
    assert found.mean == pytest.approx([0.7, 0.75])
    assert found.best.tolist() == [[True, False], [False, True], [False, True]]
    assert np.isnan(table(np.array([[np.nan, 0.8]])).mean).all()
    assert np.isnan(table(np.array([[np.nan, 0.8]])).mean_rank).all()

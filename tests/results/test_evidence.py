"""What the data say about a pair, before any model of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.results import OverTasks, WholeSet
from ropewalk.results.evidence import Differences, Hierarchy


def test_the_advantage_is_the_mean_of_the_differences() -> None:
    found = Differences(d=np.array([0.25, -0.125, 0.5]), mean_a=0.5, mean_b=0.25)
    assert found.advantage == pytest.approx(0.625 / 3)


def test_over_tasks_the_weights_count() -> None:
    """By hand: (3 * 0.25 + 1 * 0.5) / 4."""
    alike = OverTasks(names=["x", "y"], n=[9, 9], d=np.array([0.25, 0.5]), mean_a=0.9, mean_b=0.525)
    weighted = OverTasks(
        names=["x", "y"],
        n=[9, 9],
        d=np.array([0.25, 0.5]),
        mean_a=0.9,
        mean_b=0.525,
        weights=np.array([3.0, 1.0]),
    )
    assert (alike.advantage, weighted.advantage) == (0.375, 0.3125)


def test_of_a_metric_the_advantage_is_given() -> None:
    assert WholeSet(mean_a=0.2, mean_b=0.3, advantage=0.1).advantage == 0.1  # lower is better


def test_what_is_read_off_a_hierarchical_model_is_computed_once() -> None:
    rng = np.random.default_rng(0)
    rows = [(f"t{t}", k, *rng.normal(0.8, 0.02, 2)) for t in range(4) for k in range(5)]
    frame = pd.DataFrame(rows, columns=["task", "fold", "a", "b"])
    (c,) = rw.compare(frame, model=["a", "b"], rope=0.01, higher_is_better=True).overall
    assert isinstance(c.evidence, Hierarchy)
    assert c.evidence.next_task is c.evidence.next_task
    assert c.evidence.these is c.evidence.these
    assert c.evidence.shrinkage.shape == (4,)
    assert ((c.evidence.shrinkage >= 0) & (c.evidence.shrinkage <= 1)).all()

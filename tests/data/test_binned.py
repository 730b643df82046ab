"""Scores in bins: a task keeps its own bins, and the counts of all tasks add up to those of the whole."""

from __future__ import annotations

import numpy as np

from ropewalk.data.arrays import strings
from ropewalk.data.binned import Binned


def test_the_tasks_share_out_the_bins() -> None:
    whole = Binned(
        tasks=strings(["x", "y", "x"]),
        truth=strings(["0", "1", "1"]),
        bins=np.array([4, 2, 7]),
        scores=np.array([0.4, 0.2, 0.7]),
        counts=np.array([10, 20, 30]),
        differ=np.array([True, False, True]),
        number=100,
        joint=5,
    )
    x, y = whole.of_task("x"), whole.of_task("y")
    assert x.bins.tolist() == [4, 7]
    assert x.truth.tolist() == ["0", "1"]
    assert x.scores.tolist() == [0.4, 0.7]
    assert (x.number, x.joint, x.tasks) == (100, 5, None)
    assert y.differ.tolist() == [False]
    assert x.counts.sum() + y.counts.sum() == whole.counts.sum()

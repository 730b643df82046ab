"""Intervals stay inside the range of a bounded metric."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw


def test_intervals_of_a_bounded_metric_stay_inside() -> None:
    # Accuracies near 1 on few tasks: the t interval of the mean would reach beyond 1.
    values = {"a": [0.99, 0.80, 1.0], "b": [0.95, 0.70, 1.0], "c": [0.6, 0.7, 0.9]}
    rows = [(m, f"t{t}", v) for m, own in values.items() for t, v in enumerate(own)]
    report = rw.compare(pd.DataFrame(rows, columns=["model", "task", "accuracy"]))
    beyond = rw.bayes.t(np.array(values["a"])).interval(0.95)
    assert beyond[1] > 1
    for m in report.models:
        assert 0 <= m.low < m.mean < m.high <= 1
    # Oracle: the t posterior cut off at 0 and 1, by its distribution function.
    a, exact = report.models[0], rw.bayes.t(np.array(values["a"]))
    below, inside = float(exact.cdf(0.0)), float(exact.cdf(1.0) - exact.cdf(0.0))
    assert (float(exact.cdf(a.low)) - below) / inside == pytest.approx(0.025, abs=1e-6)
    assert (float(exact.cdf(a.high)) - below) / inside == pytest.approx(0.975, abs=1e-6)
    assert report.board is not None
    ends = report.board.intervals()
    assert ends.min() >= 0
    assert ends.max() <= 1
    unbounded = rw.compare(pd.DataFrame(rows, columns=["model", "task", "reward"]))
    assert max(m.high for m in unbounded.models) > 1


def test_intervals_of_a_bounded_loss_stay_inside_too() -> None:
    rows = [("abc"[j], f"t{t}", v) for j in range(3) for t, v in enumerate([0.0, 0.02 * j, 0.2])]
    rows = [r for r in rows if r[:2] != ("c", "t0")]  # with a gap the intervals are those of the joint model
    report = rw.compare(pd.DataFrame(rows, columns=["model", "task", "error"]))
    assert report.board is not None
    assert report.board.posterior.interval(0.95).max() > 0  # errors below 0
    assert all(0 <= m.low <= m.high <= 1 for m in report.models)


@pytest.mark.parametrize(
    ("values", "rope"),
    [
        ([[0.9, 0.7], [1.0 + 2e-16, 0.8], [0.95, 0.7]], 0.01),  # a one that was rounded up
        ([[90.0, 70.0], [95.0, 80.0], [99.0, 70.0]], 1.0),  # percent
        ([[0.6, 0.95], [0.62, 1.03], [0.58, 0.97]], None),  # neither
    ],
)
def test_one_point_of_a_hundred_only_where_the_scores_say_so(
    values: list[list[float]], rope: float | None
) -> None:
    rows = [(m, f, v[j]) for f, v in enumerate(values) for j, m in enumerate("ab")]
    c = rw.compare(pd.DataFrame(rows, columns=["model", "fold", "error"])).comparisons[0]
    if rope is None:
        assert c.rope.source == "0.1 sd"
    else:
        assert c.rope.high == rope

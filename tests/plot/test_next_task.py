"""The picture of what to expect on the next task."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk import plot
from ropewalk.plot.style import BETTER, EQUIVALENT, WORSE


@pytest.mark.parametrize("name", ["tasks", "tasks on phi"])
def test_the_numbers_are_the_probabilities_of_the_next_task(case, drawn, name):
    """Oracle: how much of the predictive distribution lies in each region."""
    comparison = case(name)
    one, rope = comparison.posterior, comparison.rope
    left, right = float(one.cdf(rope.low)), float(one.sf(rope.high))
    better, worse = (left, right) if rope.scale == "phi" else (right, left)
    figure = drawn(name, "next_task")
    of_a, of_b = (BETTER, WORSE) if comparison.leads_a else (WORSE, BETTER)
    for tint, p in ((of_a, better), (EQUIVALENT, 1 - better - worse), (of_b, worse)):
        shown = [n.get_text() for n in figure.axes[0].texts if n.get_color() == tint.ink]
        assert f"{p:.2f}" in shown


def test_the_title_and_the_axis(case, drawn, texts):
    p = case("tasks").evidence.next_task.mean
    words = texts(drawn("tasks", "next_task"))
    assert p.worse > p.better > p.equivalent
    assert f"Next task: svm better {p.worse:.2f}, forest better {p.better:.2f}" in words
    assert "advantage in accuracy on a new task" in words
    assert any("averaged over the posterior" in word for word in words)


def test_williams_table_1(table_1, counted_over, texts):
    """Williams 2026, sec. 6.2: 0.053 / 0.737 / 0.210, by sampling."""
    words = texts(plot.next_task(counted_over(table_1, a="GNN", b="LLM")))
    assert "Next task: equivalent 0.74, LLM better 0.21" in words
    assert "0.05" in words


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.few(1)
def test_few_plain_tasks_can_be_drawn(seed: int) -> None:
    # Far out the posterior of such a fit has single components: nothing may depend on its falling there.
    rng = np.random.default_rng(seed)
    rows = [
        (t, model, unit, 0.8 + d * (model == "a"))
        for t in range(6)
        for unit, d in enumerate(rng.normal(0.02, 0.03, 20))
        for model in "ab"
    ]
    report = rw.compare(pd.DataFrame(rows, columns=["task", "model", "unit", "accuracy"]))
    assert report.overall[0].plot("next_task").axes

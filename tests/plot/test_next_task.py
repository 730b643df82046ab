"""The picture of what to expect on the next task."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import plot
from ropewalk.plot.posterior import quick
from ropewalk.plot.style import BETTER, EQUIVALENT, WORSE
from ropewalk.posterior import Mixture, Student


@pytest.mark.parametrize("name", ["tasks", "tasks on phi"])
def test_the_numbers_are_the_probabilities_of_the_next_task(case, drawn, name):
    """Oracle: how much of the predictive distribution lies in each region."""
    comparison = case(name)
    one, rope = comparison.posterior, comparison.rope
    left, right = float(one.cdf(rope.low)), float(one.sf(rope.high))
    better, worse = (left, right) if rope.scale == "phi" else (right, left)
    figure = drawn(name, "next_task")
    for tint, p in ((BETTER, better), (EQUIVALENT, 1 - better - worse), (WORSE, worse)):
        shown = [n.get_text() for n in figure.axes[0].texts if n.get_color() == tint.ink]
        assert f"{p:.2f}" in shown


def test_the_title_and_the_axis(case, drawn, texts):
    p = case("tasks").evidence.next_task.mean
    words = texts(drawn("tasks", "next_task"))
    assert p.worse > p.better > p.equivalent
    assert f"next task: svm better {p.worse:.2f}, forest better {p.better:.2f}" in words
    assert "advantage in accuracy on the next task" in words
    assert any("averaged over the posterior" in word for word in words)


def test_p1_table_1(table_1, counted_over, texts):
    """P1 (Williams), sec. 6.2: 0.053 / 0.737 / 0.210, by sampling."""
    words = texts(plot.next_task(counted_over(table_1, a="GNN", b="LLM")))
    assert "next task: equivalent 0.74, LLM better 0.21" in words
    assert "0.05" in words


def test_a_mixture_on_a_grid_has_the_same_intervals():
    """Oracle: the mixture itself; of one component, the Student in closed form."""
    mixture = Mixture.of([1.0, 2.0, 1.0], loc=[-0.5, 0.1, 0.4], scale=[0.3, 0.2, 1.0], df=[np.inf, 5.0, 1.5])
    grid = quick(mixture)
    for level in (0.5, 0.95, 0.99):
        low, high = mixture.hdi(level)
        assert grid.hdi(level) == pytest.approx((low, high), abs=1e-4 * (high - low))
    heavy = quick(Mixture.of([1.0], loc=[2.0], scale=[3.0], df=[1.0]))
    exact = Student(df=1, loc=2.0, scale=3.0)
    assert heavy.hdi(0.99) == pytest.approx(exact.hdi(0.99), rel=1e-3)
    light = quick(Mixture.of([1.0], loc=[2.0], scale=[3.0]))  # a normal density is 0 far out
    assert light.hdi(0.95) == pytest.approx((2 - 3 * 1.959964, 2 + 3 * 1.959964), abs=1e-4)
    assert quick(exact) is exact

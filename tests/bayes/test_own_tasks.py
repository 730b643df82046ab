"""What each task says by itself."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.bayes.own_tasks import own_tasks, sums_of
from ropewalk.errors import CellError, MethodError
from ropewalk.sums import Sums


def test_a_task_is_the_students_of_its_mean() -> None:
    """By hand, flat in sigma: n - 2 degrees of freedom, scale² = S (1 + (n-1) rho) / (n (1-rho) (n-2))."""
    sums = [Sums(n=4, mean=0.5, m2=6.0), Sums(n=5, mean=0.25, m2=9.0)]
    own, sd, notes = own_tasks(sums, np.array([0.0, 0.2]), 0.0, ["x", "y"])
    assert own.df.tolist() == [2, 3]
    assert own.scale**2 == pytest.approx([6 / (4 * 2), 9 * 1.8 / (5 * 0.8 * 3)])
    assert sd**2 == pytest.approx([6 / 3, 9 / (4 * 0.8)])
    assert notes == ()


def test_a_task_that_never_varies_has_one_unit_at_the_spread_of_the_others() -> None:
    """By hand: the others have variances 2 and 4, so 3 in the middle; one unit more makes the n degrees n."""
    sums = [Sums(n=3, mean=0.5, m2=4.0), Sums(n=3, mean=0.0, m2=8.0), Sums(n=5, mean=0.25, m2=0.0)]
    own, _, notes = own_tasks(sums, np.zeros(3), 0.0, ["x", "y", "z"])
    assert own.df[2] == 5
    assert own.scale[2] ** 2 == pytest.approx(3 / 5 / 5)
    assert notes == ("The scores of task z never vary; their spread is estimated from the other tasks.",)


def test_of_many_tasks_the_first_five_are_named() -> None:
    sums = [Sums(n=3, mean=0.5, m2=4.0), *[Sums(n=2, mean=0.1, m2=0.5)] * 7]
    _, _, (note,) = own_tasks(sums, np.zeros(8), 0.0, [f"t{k}" for k in range(8)])
    assert "tasks t1, t2, t3, t4, t5, … (7 in all), with one or two units" in note


def test_nothing_to_learn_the_spread_from() -> None:
    with pytest.raises(MethodError, match="every task has a single unit"):
        own_tasks([Sums(n=1, mean=0.1, m2=0.0)] * 2, np.zeros(2), 0.0, ["x", "y"])


def test_an_error_in_a_task_names_it() -> None:
    with pytest.raises(CellError, match="task x: "):
        sums_of([0.1, float("nan")], "x")

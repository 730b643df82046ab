"""How many more examples would decide a gate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri

from ropewalk.gate import Policy
from ropewalk.posterior import Point, Student
from tests.gate.sides import by_task, judge, outcomes, row_of


def test_how_many_more_graded_scores_that_are_alike_is_exact() -> None:
    # Oracle: the gate itself, with that many more and with one fewer.
    x = np.random.default_rng(0).random(1000)
    row = judge(x[:20], x[:20].copy(), Policy(margin=0.02)).overall
    assert row is not None
    assert row.more is not None
    enough = 20 + row.more
    assert judge(x[:enough], x[:enough].copy(), Policy(margin=0.02)).name == "pass"
    assert judge(x[: enough - 1], x[: enough - 1].copy(), Policy(margin=0.02)).name == "undecided"
    assert 149 <= enough <= 225  # no bound can do with fewer than the rule of three, log(0.05)/log(0.98)


def test_how_many_more_right_answers_that_are_alike_is_the_rule_of_three() -> None:
    row = judge(*outcomes(40, 0, 0), Policy(margin=0.01)).overall
    assert row is not None
    assert (row.more, row.exact) == (299 - 40, True)
    assert row.how_many_more == "259 more examples without a difference would decide it"
    # Over two tasks the example that might be lost is one of the smallest, and counts half.
    two = judge(*by_task(a=(40, 0, 0), b=(40, 0, 0)), Policy(margin=0.01)).overall
    assert two is not None
    assert two.more == pytest.approx(299 - 80, rel=0.02)  # from draws


@pytest.mark.parametrize(("mean", "p"), [(0.0, 0.95), (-0.03, 0.99)])
def test_how_many_more_examples_would_decide(mean: float, p: float) -> None:
    # Oracle: for a normal posterior N = n (z sd / (mean + margin))²; 10^9 degrees of freedom are normal.
    row = row_of(Student(df=1e9, loc=mean, scale=0.02), fails_from=0.99)
    expected = 100 * (ndtri(p) * 0.02 / (mean + 0.01)) ** 2 - 100
    assert row.name == "undecided"
    assert row.more == np.ceil(expected)
    # With so many more, and an interval that has shrunk as promised, it is decided; with fewer it is not.
    for more, decided in ((row.more, True), (0.98 * row.more, False)):
        later = Student(df=1e9, loc=mean, scale=0.02 * np.sqrt(100 / (100 + more)))
        assert (row_of(later, fails_from=0.99).name != "undecided") is decided


def test_no_number_of_examples_decides_what_lies_on_the_margin() -> None:
    assert row_of(Student(df=1e9, loc=-0.01, scale=0.02)).more is None
    assert row_of(Point(at=0.0)).more is None  # decided already

"""From claims to one of three answers."""

from __future__ import annotations

import re

import numpy as np
import pytest

from ropewalk.gate import Policy
from ropewalk.posterior import Point
from tests.gate.sides import by_task, judge, outcomes, row_of


def test_clearly_worse_fails() -> None:
    decision = judge(*outcomes(1000, 150, 20), Policy(margin=0.01))
    assert (decision.name, decision.exit_code) == ("fail", 1)
    assert decision.reason == "candidate is worse by 0.13 (probability 1.000)"
    assert decision.decided_by == (decision.overall,)
    assert repr(decision) == "<ropewalk gate: fail: candidate is worse by 0.13 (probability 1.000)>"


def test_small_data_are_undecided_and_the_policy_may_settle_that() -> None:
    small = outcomes(30, 2, 1)
    codes = {
        settled: judge(*small, Policy(margin=0.01, on_undecided=settled)).exit_code
        for settled in (None, "pass", "fail")
    }
    assert codes == {None: 2, "pass": 0, "fail": 1}
    decision = judge(*small, Policy(margin=0.01))
    assert decision.name == "undecided"
    assert re.fullmatch(
        r"the data do not show whether the candidate is worse by more than 0.01 "
        r"\(probability 0\.\d{3} that it is, 0\.\d{3} that it is not\); "
        r"about [\d,]+ more examples would decide it",
        decision.reason,
    )


def test_an_undecided_gate_says_both_probabilities_of_bounds_and_none_where_nothing_is_claimed() -> None:
    r = np.random.default_rng(3)
    old = r.uniform(0.3, 0.9, 60)
    bounds = judge(
        old, np.clip(old + r.normal(0.01, 0.2, 60), 0, 1), Policy(margin=0.01), higher_is_better=True
    )
    assert bounds.overall is not None
    row = bounds.overall
    assert row.p_worse + row.p_not_worse < 0.99  # confidences, which do not add up to 1
    said = f"(probability {row.worse_text()} that it is, {row.not_worse_text()} that it is not)"
    assert said in bounds.reason
    few = judge(30 + old[:12], 31 + old[:12], Policy(margin=0.01), higher_is_better=True)
    assert few.name == "undecided"
    assert "P = " not in few.reason


def test_worse_by_exactly_the_margin_is_not_worse() -> None:
    # The ROPE is closed (decide.probabilities): a point at exactly the margin lies inside.
    row = row_of(Point(at=-0.01))
    assert (row.p_worse, row.p_not_worse, row.name) == (0.0, 1.0, "not worse")
    # However many differences are exactly the margin, none of them shows that the mean is.
    assert judge([0.5] * 900, [0.49] * 900, Policy(margin=0.01)).name == "undecided"


def test_a_task_that_is_worse_fails_the_gate() -> None:
    decision = judge(*by_task(a=(900, 10, 12), b=(900, 110, 5), c=(900, 10, 30)), Policy(margin=0.03))
    assert decision.name == "fail"
    assert (
        decision.reason
        == "candidate is worse on `b` by 0.117 (probability 0.999); 2 of 2 other tasks not worse"
    )
    assert [r.task for r in decision.decided_by if r.task] == ["b"]


def test_tasks_that_are_undecided_are_not_said_to_be_worse() -> None:
    """ "0 of 2 other tasks not worse" would read as if both were."""
    one = {"b": (900, 110, 5), "a": (40, 6, 6)}
    assert judge(*by_task(**one), Policy(margin=0.03)).reason.endswith("; the other task is undecided")
    two = judge(*by_task(**one, c=(40, 6, 6)), Policy(margin=0.03))
    assert two.reason.endswith("; the other 2 tasks are undecided")
    mixed = judge(*by_task(**one, c=(900, 10, 30)), Policy(margin=0.03))
    assert mixed.reason.endswith("; 1 of 2 other tasks not worse, 1 undecided")


def test_an_undecided_task_blocks_only_where_it_must_not_regress() -> None:
    data = by_task(large=(3000, 20, 25), safety=(100, 1, 1), other=(3000, 30, 30))
    free = judge(*data, Policy(margin=0.03))
    assert free.name == "pass"
    assert "2 of 3 tasks not worse, 1 undecided" in free.reason
    for must in (("safety",), "all"):
        strict = judge(*data, Policy(margin=0.03, must_not_regress=must))
        assert strict.name == "undecided"
        assert [r.task for r in strict.decided_by] == ["safety"]
        assert strict.more is not None
        assert (strict.more.task, strict.more.unit) == ("safety", "example")


def test_margins_per_task() -> None:
    data = by_task(a=(1000, 60, 20), b=(1000, 20, 20), c=(1000, 20, 20))
    assert judge(*data, Policy(margin=0.01)).name == "fail"
    lenient = judge(*data, Policy(margin=0.03, margins={"a": 0.08}))
    assert lenient.name == "pass"
    assert [r.margin for r in lenient.tasks] == [0.08, 0.03, 0.03]
    # The only task's own margin is that of the whole.
    one = judge(*by_task(a=(1000, 60, 20)), Policy(margin=0.01, margins={"a": 0.08}))
    assert one.overall is not None
    assert (one.name, one.overall.margin) == ("pass", 0.08)


def test_a_task_fails_from_a_probability_that_counts_the_tasks() -> None:
    decision = judge(*by_task(a=(500, 9, 9), b=(500, 9, 9), c=(500, 24, 8)), Policy(margin=0.01))
    row = decision.tasks[2]
    assert row.fails_from == pytest.approx(1 - 0.05 / 3)
    assert 0.95 < row.p_worse < row.fails_from
    assert row.name == "undecided"

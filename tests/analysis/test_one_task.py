"""The method of a pair: the one asked for, or the first that is the default and answers the question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ropewalk.analysis.one_task import choose, compare_pair
from ropewalk.data import Design
from ropewalk.decide import RopeRequest, Rule
from ropewalk.errors import MethodError
from ropewalk.methods.pair import Ask, Pair
from ropewalk.outcomes import Outcomes
from ropewalk.results.evidence import Differences
from ropewalk.sums import Sums

ASK = Ask(method="auto", rope=RopeRequest.parse(0.01), rule=Rule(), rng=0)


def pair(d: np.ndarray, evidence: Any = None, unit: str = "example", **more: Any) -> Pair:
    options: dict[str, Any] = {"a": "a", "b": "b", "task": None, "metric": "accuracy", "points": 0.0}
    options |= {"design": Design(unit=unit), "rho": 0.0, "ordered": False} | more
    found = evidence or Differences(mean_a=0.8, mean_b=0.8 - float(d.mean()), d=d)
    return Pair(evidence=found, d=d, sums=Sums.of(d), **options)


SCORES = pair(np.random.default_rng(0).normal(0.01, 0.1, 40))
COUNTS = Outcomes(n00=10, n01=4, n10=6, n11=80)
RIGHT = replace(pair(np.repeat([0.0, -1.0, 1.0, 0.0], [10, 4, 6, 80]), COUNTS), points=1.0)


def test_scores_go_by_t_and_right_and_wrong_answers_by_mcnemar() -> None:
    assert choose(SCORES, ASK)[0].name == "t"
    assert choose(RIGHT, ASK)[0].name == "mcnemar"
    assert choose(SCORES, replace(ASK, method="sign"))[1] == "set by you"


def test_a_method_that_does_not_fit_says_why() -> None:
    with pytest.raises(MethodError, match="sign assumes independent folds"):
        choose(replace(SCORES, rho=0.1), replace(ASK, method="sign"))
    assert choose(replace(SCORES, rho=0.1), ASK)[0].name == "correlated_t"


def test_one_number_per_task_answers_the_question_it_can() -> None:
    tasks = pair(np.random.default_rng(0).normal(0.01, 0.1, 12), unit="task")
    assert choose(tasks, ASK)[0].name == "t"
    assert choose(tasks, replace(ASK, question="likeliest"))[0].name == "signed_rank"


def test_one_unit_is_no_comparison() -> None:
    with pytest.raises(MethodError, match="there is only one example for a and b"):
        compare_pair(pair(np.array([0.1])), ASK)


def test_the_comparison_keeps_its_method_and_its_verdict() -> None:
    c = compare_pair(RIGHT, ASK)
    assert (c.method, c.n, c.evidence) == ("mcnemar", 100, COUNTS)
    assert c.verdict.better + c.verdict.equivalent + c.verdict.worse == pytest.approx(1)
    turned = compare_pair(replace(RIGHT, d=-RIGHT.d, sums=Sums.of(-RIGHT.d), evidence=COUNTS.mirrored), ASK)
    assert turned.verdict.worse == pytest.approx(c.verdict.better)

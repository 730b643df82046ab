"""What a gate can claim of one task: bounds, rules of three and posteriors."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtr

from ropewalk.data import Scores
from ropewalk.data.ranges import score_ranges
from ropewalk.errors import OptionError
from ropewalk.gate import Policy, render
from ropewalk.read import read
from tests.gate.sides import judge, outcomes


def test_the_two_probabilities_are_those_of_the_t_posterior() -> None:
    # Oracle: Student's t around the mean difference with n - 1 degrees of freedom.
    rng = np.random.default_rng(3)
    baseline = rng.normal(size=40)
    d = rng.normal(-0.02, 0.1, 40)
    row = judge(baseline, baseline + d, Policy(margin=0.03), higher_is_better=True).overall
    assert row is not None
    t = (-0.03 - d.mean()) / (d.std(ddof=1) / np.sqrt(40))
    assert row.p_worse == pytest.approx(stdtr(39, t), abs=1e-12)
    assert row.p_not_worse == pytest.approx(stdtr(39, -t), abs=1e-12)
    assert row.advantage == pytest.approx(d.mean())


@pytest.mark.parametrize("metric", ["seconds", "inference_time", "cost", "log loss", "perplexity"])
def test_no_range_is_guessed_for_scores_without_an_upper_end(metric: str) -> None:
    values = np.linspace(0.1, 0.9, 12)
    data = read({"a": values, "b": values[::-1]})
    assert isinstance(data, Scores)
    assert set(score_ranges(data, metric, None).values()) == {None}


@pytest.mark.parametrize(("n", "name"), [(298, "undecided"), (299, "pass")])
def test_answers_that_are_alike_pass_by_the_rule_of_three(n: int, name: str) -> None:
    # Oracle: 0 of n are lost in (1 - 0.01)^n of cases where 1 % is; that is below 0.05 from n = 299 on.
    decision = judge(*outcomes(n, 0, 0), Policy(margin=0.01))
    assert decision.name == name
    assert decision.overall is not None
    assert decision.overall.p_not_worse == pytest.approx(1 - 0.99**n, abs=1e-6)
    assert any("the same model" in w for w in decision.warnings)


@pytest.mark.parametrize("n", [2, 5, 30])
def test_few_graded_scores_that_are_alike_are_undecided(n: int) -> None:
    x = np.random.default_rng(0).random(n)
    decision = judge(x, x.copy(), Policy(margin=0.02))
    assert (decision.name, decision.exit_code) == ("undecided", 2)
    assert decision.overall is not None
    assert decision.overall.p_not_worse < 0.5


def test_bounds_of_scores() -> None:
    # Grades from 1 to 5 without bounds are unbounded; with them, or with a metric from 0 to 1, they are not.
    rng = np.random.default_rng(5)
    grades = rng.integers(1, 6, 400).astype(float)
    better = np.minimum(grades + (rng.random(400) < 0.2), 5)
    free = judge(grades, better, Policy(margin=0.1)).overall
    held = judge(grades, better, Policy(margin=0.1, bounds=(1, 5))).overall
    assert free is not None
    assert held is not None
    assert "assumes an approximately normal mean" in free.what
    assert held.what.startswith("scores from 1 to 5: betting bounds")
    assert held.low < free.low
    with pytest.raises(OptionError, match="a score is 5, outside the bounds 1 to 4"):
        judge(grades, better, Policy(margin=0.1, bounds=(1, 4)))
    for bounds in ((1,), (2, 1), (0, float("inf")), "01", (0, None)):
        with pytest.raises(OptionError, match="the bounds are"):
            Policy(margin=0.1, bounds=bounds)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("metric", "top", "expected"),
    [
        ("f1", 1.0, "scores from 0 to 1:"), ("f1", 100.0, "scores from 0 to 100:"), ("f1", 300.0, "normal"),
        ("quality", 1.0, r"scores from 0 to 1 \(inferred"), ("quality", 10.0, "normal"),
        ("loss", 1.0, "normal"),
        ("brier", 1.0, "scores from 0 to 2:"), ("kappa", 1.0, "scores from -1 to 1:"),
    ],
)  # fmt: skip
def test_where_the_range_of_scores_comes_from(metric: str, top: float, expected: str) -> None:
    x = top * np.random.default_rng(1).random((2, 60))
    frames = [pd.DataFrame({"id": range(60), metric: side}) for side in x]
    row = judge(*frames, Policy(margin=0.05), score=metric, higher_is_better=True).overall
    assert row is not None
    assert re.search(expected, row.what)


@pytest.mark.parametrize(("n", "refused"), [(29, True), (30, False)])
def test_unbounded_scores_need_thirty_units_that_vary(n: int, refused: bool) -> None:
    rng = np.random.default_rng(2)
    baseline = rng.normal(10, 5, 200)
    candidate = baseline.copy()
    candidate[1:n] += rng.normal(3, 0.1, n - 1)  # the others are alike, and count as one
    decision = judge(baseline, candidate, Policy(margin=0.1))
    row = decision.overall
    assert row is not None
    assert (decision.name == "undecided") == refused
    assert bool(row.refused) == refused
    if refused:
        assert (row.p_worse, row.p_not_worse, row.more) == (0.0, 0.0, 1)
        assert (
            "the normal approximation needs 30 examples that vary, but there are only 29" in decision.reason
        )
        assert "overall: at least 1 more examples that vary are needed" in " ".join(
            render.to_text(decision).split()
        )
        assert json.loads(render.to_json(decision))["overall"]["interval"] == [None, None]

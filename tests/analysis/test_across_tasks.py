"""Two models over many tasks through the front door: figures of the papers, and hard data."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Counts
from tests.analysis.tasks_of_papers import Table, tasks, triple


def test_nbc_aode_with_the_bounds_of_the_text(folds_path: Path) -> None:
    # With the bounds printed in the text of Benavoli et al. 2017 nbc - aode is about 0.00 / 0.37 / 0.63
    # (docs/reproduced.md).
    report = rw.compare(folds_path, pairs=[("nbc", "aode")], method="hierarchical_t", question="likeliest")
    (c,) = report.overall
    assert (report.question, c.method, c.n, c.unit) == ("Q3", "hierarchical_t", 54, "task")
    assert triple(c.evidence.next_task.most_probable) == pytest.approx((0.00, 0.37, 0.63), abs=0.01)
    assert triple(c.verdict) == triple(c.evidence.next_task.most_probable)
    assert c.classical[0].p_value == pytest.approx(1.6e-6, rel=0.01)  # Wilcoxon over the 54 means
    assert (c.rope.high, c.rope.source) == (1.0, "one percentage point")
    assert c.estimate.low < c.estimate.mean < c.estimate.high < 0
    assert [k.name for k in c.checks if not k.ok] == []
    text = report.to_text()
    for part in ("aode is probably better than nbc", "anneal", "pulled", "on a new task", "labor"):
        assert part in text


def test_poisson_binomial_is_theorem_and_recursion(languages: Counts, table_1: Table) -> None:
    # Lacoste et al. 2012: p_i = Pr(phi_i < 1/2), the Poisson-binomial number of wins, a Beta for each.
    report = rw.compare(languages, method="poisson_binomial", rope=0)
    (c,) = report.overall
    p = [float(rw.bayes.mcnemar(v[1], v[2]).cdf(0.5)) for v in table_1.values()]
    assert c.verdict.better == pytest.approx(rw.bayes.poisson_binomial(p), abs=1e-10)
    assert c.verdict.equivalent == pytest.approx(0.0, abs=1e-12)
    assert {k.method for k in report.comparisons} == {"mcnemar"}


@pytest.mark.parametrize("method", ["hierarchical_t", "signed_rank", "sign", "poisson_binomial"])
def test_every_method_over_tasks_sees_a_clear_winner(method: str) -> None:
    report = tasks([0.10, 0.12, 0.08, 0.11, 0.09, 0.10, 0.13, 0.10, 0.09, 0.11], method=method)
    (c,) = report.overall
    assert (c.method, c.verdict.name) == (method, "better")
    assert c.why == "set by you"
    assert {k.method for k in report.comparisons} == {"correlated_t"}
    content = json.loads(report.to_json())
    assert [t["task"] for t in content["overall"][0]["tasks"]] == [f"t{i}" for i in range(10)]


def test_swapping_models_mirrors_the_answer() -> None:
    means = [0.03, 0.02, -0.01, 0.05, 0.0, 0.02]
    (one,), (other,) = tasks(means).overall, None or tasks(means, pairs=[("B", "A")]).overall
    assert triple(one.verdict) == pytest.approx(triple(other.verdict)[::-1], abs=3e-4)


def test_unequal_and_single_units() -> None:
    report = tasks([0.05, 0.06, 0.04, 0.05, 0.07], units=[20, 5, 3, 2, 40])
    (c,) = report.overall
    assert np.isfinite([c.estimate.low, c.estimate.high]).all()
    assert any("one or two units" in k.text for k in c.checks)


@pytest.mark.parametrize(("n", "warned"), [(2, True), (3, True), (5, True), (10, True), (11, False)])
def test_the_signed_rank_test_says_how_often_it_is_wrong_with_few_tasks(n: int, warned: bool) -> None:
    (c,) = tasks(([0.05, 0.06, 0.04, 0.05, 0.07, 0.06] * 2)[:n], method="signed_rank").overall
    said = [w for w in c.warnings if "if they differ by slightly more than the ROPE" in w]
    assert bool(said) == warned
    assert not warned or f"in up to { {2: 27, 3: 23, 5: 15, 10: 10}[n] }% of cases" in said[0]


@pytest.mark.parametrize("by", [0.0, 0.02])
def test_tasks_that_are_all_the_same_are_worth_as_many_as_they_are(by: float) -> None:
    # Oracle: the closed form for three equal task means, between -1 and 1.
    report = tasks([by] * 3, spread=0.0, rope=0.01)
    (c,) = report.overall
    below = (1 + by) / 2 * (1 - max(by + 0.01, 0) / (1 + by)) ** 6
    above = (1 - by) / 2 * (1 - max(0.01 - by, 0) / (1 - by)) ** 6 if by < 0.01 else None
    assert c.verdict.worse == pytest.approx(below)
    assert above is None or c.verdict.better == pytest.approx(above)
    assert c.verdict.name == "undecided"
    assert any("nothing varies" in w for w in c.warnings)
    assert bool(by) or any("same answers" in w for w in c.warnings)
    json.loads(report.to_json())
    assert "nothing varies" in report.to_text()


def test_many_models_over_many_tasks(folds_path: Path) -> None:
    report = rw.compare(folds_path, reference="hnb")
    assert [(c.a, c.b) for c in report.overall] == [(m, "hnb") for m in ("nbc", "aode", "j48", "j48gr")]
    assert [t.name for t in report.classical] == ["Friedman", "Nemenyi", "model confidence set (T_R)"]
    text = report.to_text()
    assert "on each of 54 tasks" in text
    assert "critical difference of mean ranks 0.83" in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_task_of_one_unit_counts_overall_but_not_by_itself() -> None:
    report = tasks([0.05, 0.06, 0.04, 0.05], units=[20, 1, 20, 20])
    assert [c.task for c in report.comparisons] == ["t0", "t2", "t3"]
    assert report.overall[0].n == 4
    assert any(
        "with a single unit have no comparison of their own" in w and '"t1"' in w
        for w in report.audit.warnings
    )
    assert "t1" in report.to_text()


def test_few_tasks_are_noticed() -> None:
    (c,) = tasks([0.05, 0.06]).overall
    assert any("2 tasks; below 5" in w for w in c.warnings)


def test_the_bars_say_what_they_mean(languages: Counts) -> None:
    said = {
        "average": "Question (average): which model is better on average over tasks like these?",
        "these": "Question (these): which model is better on average over exactly these tasks?",
        "next": "Question (next): which model is better on a new task?",
        "likeliest": "Question (likeliest): which outcome is the likeliest on a new task?",
    }
    for rope, question in ((0.01, "average"), ("0.1sd", "these"), (0.01, "next"), ("0.1sd", "likeliest")):
        assert said[question] in rw.compare(languages, rope=rope, question=question).to_text(width=120)


def test_rounding_in_task_means_is_no_win() -> None:
    rows = [
        {"task": f"t{i}", "fold": j, "model": m, "accuracy": 0.5 + (d if m == "A" else 0.0)}
        for i in range(8)
        for j, d in enumerate([0.1, 0.2, -0.3] if i < 6 else [0.1, 0.3, 0.2])
        for m in "AB"
    ]
    report = rw.compare(pd.DataFrame(rows), rope=0.01)
    sign = report.overall[0].classical[1]
    assert (sign.statistic, sign.n, sign.zeros) == (2.0, 2, 6)
    assert report.classical[0].average_ranks.tolist() == [1.375, 1.625]

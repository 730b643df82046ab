"""What a gate says over all tasks."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.special import ndtri, stdtr

from ropewalk.errors import OptionError
from ropewalk.gate import Policy, render
from ropewalk.nhst import betting
from tests.gate.sides import by_task, judge


def test_unbounded_scores_over_tasks() -> None:
    # Each task of 40 has enough units of its own; 35 tasks of 8 do as a population of tasks; 6 of 8 do not.
    rng = np.random.default_rng(3)
    for tasks, n, unit, refused in (
        (3, 40, "example", False),
        (35, 8, "task", False),
        (6, 8, "example", True),
    ):
        baseline = {f"t{i}": rng.normal(10, 5, n) for i in range(tasks)}
        candidate = {t: x + rng.normal(1, 0.5, n) for t, x in baseline.items()}
        row = judge(baseline, candidate, Policy(margin=0.1)).overall
        assert row is not None
        assert (row.unit, bool(row.refused)) == (unit, refused)
        assert row.name == ("undecided" if refused else "not worse")


def test_graded_scores_over_tasks_of_different_sizes() -> None:
    # Oracle: the betting test on all differences, weighted so that every task counts alike.
    rng = np.random.default_rng(4)
    sizes = {"a": 50, "b": 400, "c": 150}
    baseline = {t: rng.random(n) for t, n in sizes.items()}
    candidate = {t: np.clip(x + rng.normal(0, 0.1, x.size), 0, 1) for t, x in baseline.items()}
    row = judge(baseline, candidate, Policy(margin=0.05)).overall
    assert row is not None
    d = np.concatenate([candidate[t] - baseline[t] for t in sizes])
    weights = np.concatenate([np.full(n, 1 / n) for n in sizes.values()])
    oracle = betting(d, reach=1.0, weights=weights)
    assert row.low == pytest.approx(oracle.lower_bound(0.95), abs=1e-9)
    assert row.high == pytest.approx(oracle.upper_bound(0.95), abs=1e-9)
    assert row.p_not_worse == pytest.approx(1 - oracle.p_at_most(-0.05), abs=1e-9)


def _six_tasks(loss: float, spread: float) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    rng = np.random.default_rng(5)
    baseline = {f"t{i}": rng.uniform(0.4, 0.6, 400) for i in range(6)}
    shift = -loss + spread * np.array([-1, 1, -1, 1, -1, 1])
    candidate = {
        t: x + s + rng.normal(0, 0.01, 400) for (t, x), s in zip(baseline.items(), shift, strict=True)
    }
    return baseline, candidate


def test_a_gate_answers_the_question_that_it_is_asked() -> None:
    # The tasks differ much and each is known well: these tasks pass, a population of such tasks is open.
    baseline, candidate = _six_tasks(loss=0.0, spread=0.08)
    found = {
        q: judge(baseline, candidate, Policy(margin=0.05, question=q)) for q in (None, "these", "average")
    }
    assert {q: d.asks for q, d in found.items()} == {
        None: "these and average",
        "these": "these",
        "average": "average",
    }
    rows = {q: d.overall for q, d in found.items()}
    assert rows["these"].name == "not worse"
    assert rows["average"].name == rows[None].name == "undecided"
    # The oracle of the population: a t posterior from the six means, with 5 degrees of freedom.
    means = [float((candidate[t] - baseline[t]).mean()) for t in baseline]
    expected = stdtr(5, (-0.05 - np.mean(means)) / (np.std(means, ddof=1) / 6**0.5))
    assert rows["average"].p_worse == pytest.approx(expected, rel=1e-9)
    document = json.loads(render.to_json(found["these"]))
    assert (document["asks"], document["policy"]["question"]) == ("these", "these")


def test_questions_that_a_gate_cannot_answer() -> None:
    with pytest.raises(OptionError, match="the question is next"):
        Policy(margin=0.01, question="next")
    baseline, candidate = _six_tasks(loss=0.0, spread=0.0)
    three = [dict(list(side.items())[:3]) for side in (baseline, candidate)]
    with pytest.raises(OptionError, match="3 tasks are too few"):
        judge(*three, Policy(margin=0.05, question="average"))
    assert judge(*three, Policy(margin=0.05)).asks == "these"
    with pytest.raises(OptionError, match="but there is only one"):
        judge(baseline["t0"], candidate["t0"], Policy(margin=0.05, question="these"), rho=0.0)
    alike = judge(
        baseline, baseline | {"t0": baseline["t0"] + 0.001}, Policy(margin=0.05, question="average")
    )
    assert alike.overall.name == "undecided"
    assert "differ by the same amount on every task" in alike.overall.refused


def test_few_tasks_go_by_their_own_mean() -> None:
    # Oracle: the sum of independent normal variables; the posteriors are nearly normal at n = 4,000. For the
    # lower bound half an example of each task counts as lost, for the upper bound as won.
    decision = judge(*by_task(a=(4000, 200, 150), b=(4000, 100, 120)), Policy(margin=0.01))
    row = decision.overall
    assert row is not None
    assert (row.n, row.unit) == (8000, "example")  # more of which would decide, and not more tasks
    d = [
        np.repeat([-1.0, 1.0, 0.0], [lost, won, 4000 - lost - won]) for lost, won in ((200, 150), (100, 120))
    ]
    mean, sd = np.mean([x.mean() for x in d]), np.sqrt(sum(x.var() / 4000 for x in d)) / 2
    assert row.advantage == pytest.approx(mean)
    assert row.low == pytest.approx(mean - 0.5 / 4000 - ndtri(0.95) * sd, abs=1e-4)
    assert row.high == pytest.approx(mean + 0.5 / 4000 + ndtri(0.95) * sd, abs=1e-4)
    assert "too few tasks to generalize to others" in row.what


def test_many_tasks_are_also_a_sample_of_a_population() -> None:
    # Oracle: Student's t of the six means where they vary more than their examples make them; where they vary
    # less, the sum of independent variables, as for few tasks.
    rng = np.random.default_rng(1)
    for spread, wider in ((0.1, True), (0.0, False)):
        noise = rng.normal(0, 0.1, (6, 60))
        means = 0.01 + spread * np.array([-1.0, 0.6, -0.2, 0.9, -0.7, 0.4]) + 0.001 * np.arange(6)
        d = noise - noise.mean(axis=1, keepdims=True) + means[:, None]
        baseline = {f"t{i}": np.zeros(60) for i in range(6)}
        candidate = {f"t{i}": d[i] for i in range(6)}
        row = judge(baseline, candidate, Policy(margin=0.02), higher_is_better=True).overall
        assert row is not None
        assert (row.n, row.unit) == ((6, "task") if wider else (360, "example"))
        if wider:
            z = (means.mean() + 0.02) / (means.std(ddof=1) / np.sqrt(6))
            assert row.p_not_worse == pytest.approx(stdtr(5, z), abs=1e-9)
            assert row.p_worse == pytest.approx(stdtr(5, -z), abs=1e-9)
        else:
            sd = np.sqrt(sum(x.var(ddof=1) / 60 for x in d)) / 6
            assert row.low == pytest.approx(means.mean() - ndtri(0.95) * sd, abs=3e-4)


def test_many_tasks_that_are_alike_share_the_rule_of_three() -> None:
    baseline, candidate = by_task(**{f"t{i}": (50, 0, 0) for i in range(6)})
    row = judge(baseline, candidate, Policy(margin=0.01)).overall
    assert row is not None
    assert row.p_not_worse == pytest.approx(1 - 0.99**300, abs=0.02)
    assert (row.n, row.unit) == (300, "example")

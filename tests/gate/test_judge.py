"""The gate in Python: policy, decision, looks, renderings, the fixture."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtri, stdtr

from ropewalk.data import Scores
from ropewalk.data.ranges import score_ranges
from ropewalk.errors import ColumnError, DataError, OptionError, PairingError
from ropewalk.gate import Decision, Ledger, Looks, Policy, Row, render
from ropewalk.gate import judge as judge_as_it_is
from ropewalk.gate.claims import GateClaims
from ropewalk.nhst import betting
from ropewalk.posterior import Point, Student
from ropewalk.read import read

ROOT = Path(__file__).parents[2]


def judge(baseline: object, candidate: object, policy: Policy, **options: object) -> Decision:
    """The gate on arrays, with what arrays do not say: higher is better, and the scores are independent."""
    if isinstance(baseline, (list, dict, np.ndarray)) and isinstance(candidate, (list, dict, np.ndarray)):
        options = {"higher_is_better": True, "rho": 0.0, **options}
    return judge_as_it_is(baseline, candidate, policy, **options)


def outcomes(n: int, lost: int, won: int) -> tuple[np.ndarray, np.ndarray]:
    """n examples, all right, but `lost` that only the baseline gets right and `won` only the candidate."""
    baseline, candidate = np.ones(n), np.ones(n)
    candidate[:lost] = 0
    baseline[lost : lost + won] = 0
    return baseline, candidate


def by_task(**tables: tuple[int, int, int]) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    both = {task: outcomes(*table) for task, table in tables.items()}
    return {t: b for t, (b, _) in both.items()}, {t: c for t, (_, c) in both.items()}


# --- one task --------------------------------------------------------------------------------------------


def test_the_two_probabilities_are_those_of_the_t_posterior() -> None:
    # Oracle: Student's t around the mean difference with n - 1 degrees of freedom (METHODS, Bayesian t).
    rng = np.random.default_rng(3)
    baseline = rng.normal(size=40)
    d = rng.normal(-0.02, 0.1, 40)
    row = judge(baseline, baseline + d, Policy(margin=0.03), higher_is_better=True).overall
    assert row is not None
    t = (-0.03 - d.mean()) / (d.std(ddof=1) / np.sqrt(40))
    assert row.p_worse == pytest.approx(stdtr(39, t), abs=1e-12)
    assert row.p_not_worse == pytest.approx(stdtr(39, -t), abs=1e-12)
    assert row.advantage == pytest.approx(d.mean())


def test_lower_is_better_turns_the_sign() -> None:
    rng = np.random.default_rng(3)
    loss = rng.random(200)
    higher_loss = loss + 0.1 + 0.01 * rng.random(200)
    assert judge(loss, higher_loss, Policy(margin=0.01), higher_is_better=False).name == "fail"
    assert judge(loss, higher_loss, Policy(margin=0.01), higher_is_better=True).name == "pass"


@pytest.mark.parametrize("margin", [0.0, 0.01])
def test_the_same_files_pass(margin: float, tmp_path: Path) -> None:
    tables = {"one": "id,correct\n", "many": "id,task,correct\n"}
    for i in range(50):
        tables["one"] += f"{i},{i % 2}\n"
        tables["many"] += f"{i},{'abcdef'[i % 6]},{i % 2}\n"
    for name, content in tables.items():
        path = tmp_path / f"{name}.csv"
        path.write_text(content)
        decision = judge(path, path, Policy(margin=margin, must_not_regress="all"))
        assert (decision.name, decision.exit_code) == ("pass", 0)
        assert decision.warnings[0].startswith("baseline and candidate are the same files")


@pytest.mark.parametrize("scores", [["0.5"] * 5, ["1"] * 5])
def test_copies_of_a_file_do_not_prove_that_the_model_is_the_same(scores: list[str], tmp_path: Path) -> None:
    # A candidate that is worse by 2 points gives the same five answers in 90% of test sets.
    content = "id,accuracy\n" + "".join(f"{i},{x}\n" for i, x in enumerate(scores))
    for side in ("baseline", "candidate"):
        (tmp_path / f"{side}.csv").write_text(content)
    decision = judge(tmp_path / "baseline.csv", tmp_path / "candidate.csv", Policy(margin=0.02))
    assert (decision.name, decision.exit_code) == ("undecided", 2)


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


def test_the_same_model_twice_and_two_models_of_one_file(tmp_path: Path) -> None:
    path = tmp_path / "both.csv"
    path.write_text("id,model,correct\n" + "".join(f"{i},{m},{i % 2}\n" for m in "ab" for i in range(40)))
    assert judge(path, path, Policy(margin=0.01), models=("a", "a")).name == "pass"
    # Alike on 40 examples, and not known to be the same.
    assert judge(path, path, Policy(margin=0.01), models=("a", "b")).name == "undecided"


def test_the_same_object_on_both_sides_passes() -> None:
    x = np.random.default_rng(0).random(5)
    assert judge(x, x, Policy(margin=0.0), higher_is_better=True).name == "pass"


@pytest.mark.parametrize("n", [2, 5, 30])
def test_few_graded_scores_that_are_alike_are_undecided(n: int) -> None:
    x = np.random.default_rng(0).random(n)
    decision = judge(x, x.copy(), Policy(margin=0.02))
    assert (decision.name, decision.exit_code) == ("undecided", 2)
    assert decision.overall is not None
    assert decision.overall.p_not_worse < 0.5


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
    assert row.how_many_more == "259 more examples without a difference would decide"
    # Over two tasks the example that might be lost is one of the smallest, and counts half.
    two = judge(*by_task(a=(40, 0, 0), b=(40, 0, 0)), Policy(margin=0.01)).overall
    assert two is not None
    assert two.more == pytest.approx(299 - 80, rel=0.02)  # from draws


def test_bounds_of_scores() -> None:
    # Grades from 1 to 5 without bounds are unbounded; with them, or with a metric from 0 to 1, they are not.
    rng = np.random.default_rng(5)
    grades = rng.integers(1, 6, 400).astype(float)
    better = np.minimum(grades + (rng.random(400) < 0.2), 5)
    free = judge(grades, better, Policy(margin=0.1)).overall
    held = judge(grades, better, Policy(margin=0.1, bounds=(1, 5))).overall
    assert free is not None
    assert held is not None
    assert "assumes that the mean is about normal" in free.what
    assert held.what.startswith("scores from 1 to 5: betting bounds")
    assert held.low < free.low
    with pytest.raises(OptionError, match="a score is 5, which is outside of the bounds 1 to 4"):
        judge(grades, better, Policy(margin=0.1, bounds=(1, 4)))
    for bounds in ((1,), (2, 1), (0, float("inf")), "01", (0, None)):
        with pytest.raises(OptionError, match="the bounds are"):
            Policy(margin=0.1, bounds=bounds)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("metric", "top", "expected"),
    [
        ("f1", 1.0, "scores from 0 to 1:"), ("f1", 100.0, "scores from 0 to 100:"), ("f1", 300.0, "normal"),
        ("quality", 1.0, r"scores from 0 to 1 \(a guess"), ("quality", 10.0, "normal"),
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
        assert "the normal approximation needs 30 examples that vary, and there are 29" in decision.reason
        assert "overall: at least 1 more examples that vary are needed" in " ".join(
            render.to_text(decision).split()
        )
        assert json.loads(render.to_json(decision))["overall"]["interval"] == [None, None]


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
    with pytest.raises(OptionError, match="A gate asks about a mean"):
        Policy(margin=0.01, question="next")
    baseline, candidate = _six_tasks(loss=0.0, spread=0.0)
    three = [dict(list(side.items())[:3]) for side in (baseline, candidate)]
    with pytest.raises(OptionError, match="3 tasks say too little"):
        judge(*three, Policy(margin=0.05, question="average"))
    assert judge(*three, Policy(margin=0.05)).asks == "these"
    with pytest.raises(OptionError, match="and there is one"):
        judge(baseline["t0"], candidate["t0"], Policy(margin=0.05, question="these"), rho=0.0)
    alike = judge(
        baseline, baseline | {"t0": baseline["t0"] + 0.001}, Policy(margin=0.05, question="average")
    )
    assert alike.overall.name == "undecided"
    assert "differ alike" in alike.overall.refused


def test_clearly_worse_fails() -> None:
    decision = judge(*outcomes(1000, 150, 20), Policy(margin=0.01))
    assert (decision.name, decision.exit_code) == ("fail", 1)
    assert decision.reason == "candidate is worse by 0.13 (P = 1.000)"
    assert decision.decided_by == (decision.overall,)


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
        r"the data cannot tell yet whether candidate is worse by more than 0.01 \(P = 0\.\d{3}\); "
        r"about [\d,]+ more examples would decide",
        decision.reason,
    )


def test_worse_by_exactly_the_margin_is_not_worse() -> None:
    # The ROPE is closed (decide.probabilities): a point at exactly the margin lies inside.
    row = row_of(Point(at=-0.01))
    assert (row.p_worse, row.p_not_worse, row.name) == (0.0, 1.0, "not worse")
    # However many differences are exactly the margin, none of them shows that the mean is.
    assert judge([0.5] * 900, [0.49] * 900, Policy(margin=0.01)).name == "undecided"


# --- how many more ---------------------------------------------------------------------------------------


def row_of(posterior: object, n: int = 100, margin: float = 0.01, fails_from: float = 0.95) -> Row:
    return Row.of(
        None, GateClaims(not_worse=posterior, worse=posterior, what=""), advantage=0.0, margin=margin,
        passes_from=0.95, fails_from=fails_from, required=True, n=n, unit="example",
    )  # fmt: skip


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


# --- several tasks ---------------------------------------------------------------------------------------


def test_a_task_that_is_worse_fails_the_gate() -> None:
    decision = judge(*by_task(a=(900, 10, 12), b=(900, 110, 5), c=(900, 10, 30)), Policy(margin=0.03))
    assert decision.name == "fail"
    assert decision.reason == "candidate is worse on `b` by 0.117 (P = 0.999); 2 of 2 other tasks not worse"
    assert [r.task for r in decision.decided_by if r.task] == ["b"]


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
    assert "too few tasks to speak of others" in row.what


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


def test_a_task_the_candidate_was_not_run_on_blocks() -> None:
    baseline, candidate = by_task(a=(500, 0, 1), b=(500, 0, 1))
    del candidate["b"]
    decision = judge(baseline, candidate, Policy(margin=0.02, must_not_regress=("b",)))
    assert (decision.name, decision.missing) == ("undecided", ("b",))
    assert decision.reason == "candidate was not run on `b`"
    assert "| b | 0 |  |  |  |  |  | not run |" in render.to_markdown(decision)


def test_one_example_a_task_is_not_enough(tmp_path: Path) -> None:
    for name, wrong in (("baseline", 1), ("candidate", 2)):
        rows = "".join(f"t{i},{i},{i % 2},{(i + (i == wrong)) % 2}\n" for i in range(4))
        (tmp_path / f"{name}.csv").write_text("task,id,truth,prediction\n" + rows)
    with pytest.raises(DataError, match="every task has one unit only"):
        judge(tmp_path / "baseline.csv", tmp_path / "candidate.csv", Policy(margin=0.01))


def test_tasks_that_the_baseline_lacks_are_named() -> None:
    baseline, candidate = by_task(a=(500, 1, 9), b=(500, 1, 9))
    del baseline["b"]
    decision = judge(baseline, candidate, Policy(margin=0.02))
    assert decision.name == "pass"
    said = "the baseline was not run on `b`: nothing to hold against it (sides swapped?)"
    assert decision.warnings[0] == said
    many = {**baseline, **{f"t{i}": baseline["a"] for i in range(5)}}
    assert "`t2` and 2 more: nothing" in judge(baseline, many, Policy(margin=0.02)).warnings[0]


def test_files_of_one_side_with_the_same_units(tmp_path: Path) -> None:
    for side in ("baseline", "candidate"):
        (tmp_path / side).mkdir()
        for model in ("m1", "m2"):
            rows = "".join(f"{t},{i},{i % 2}\n" for t in "xy" for i in range(20))
            (tmp_path / side / f"{model}.csv").write_text("task,id,correct\n" + rows)
    with pytest.raises(
        DataError, match='the baseline holds 2 files with the same units: "m1", "m2"'
    ) as caught:
        judge(tmp_path / "baseline", tmp_path / "candidate", Policy(margin=0.01))
    assert "--model NAME" in caught.value.hint


def test_lazy_frames_of_many_rows_are_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison would leave them where they are; a gate needs every score."""
    pl = pytest.importorskip("polars")
    monkeypatch.setattr(import_module("ropewalk.read.engines"), "MANY", 10)
    right = [float(i % 5 > 0) for i in range(400)]
    frame = pl.DataFrame({"id": range(400), "correct": right}).lazy()
    assert judge(frame, frame.sort("id", descending=True), Policy(margin=0.02)).audit.paired == 400


# --- policies --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"margin": -0.1}, "the margin is -0.1"),
        ({"margin": float("nan")}, "the margin is nan"),
        ({"margin": float("inf")}, "the margin is inf"),
        ({"margin": True}, "the margin is True"),
        ({"margin": 0.1, "margins": {"a": "x"}}, 'the margin of task "a" is x'),
        ({"margin": 0.1, "margins": 3}, "margins is no table of tasks"),
        ({"margin": 0.1, "probability": 0.5}, "the probability is 0.5"),
        ({"margin": 0.1, "probability": 1}, "the probability is 1"),
        ({"margin": 0.1, "probability": "high"}, "the probability is high"),
        ({"margin": 0.1, "on_undecided": "maybe"}, "on_undecided is maybe"),
        ({"margin": 0.1, "must_not_regress": "safety"}, "must_not_regress is safety"),
        ({"margin": 0.1, "must_not_regress": [1]}, r"must_not_regress is \[1\]"),
    ],
)
def test_a_policy_that_makes_no_sense(given: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        Policy(**given)


def test_the_policy_of_pyproject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionError, match="no margin was given"):
        Policy.read()
    (tmp_path / "pyproject.toml").write_text(
        '[tool.ropewalk.gate]\nmargin = 0.02\nprobability = 0.9\non_undecided = "fail"\n'
        'must_not_regress = ["safety"]\n[tool.ropewalk.gate.margins]\nsafety = 0\n'
    )
    policy = Policy.read()
    assert policy == Policy(
        margin=0.02, probability=0.9, on_undecided="fail", must_not_regress=("safety",), margins={"safety": 0}
    )
    assert Policy.read(margin=0.05).margin == 0.05
    assert Policy.read(margin=0.05).probability == 0.9
    (tmp_path / "other.toml").write_text("margin = 0.3\n")
    assert Policy.read("other.toml") == Policy(margin=0.3)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert Policy.read(margin=0.1) == Policy(margin=0.1)


@pytest.mark.parametrize(
    ("content", "said", "hint"),
    [
        ("[tool.ropewalk.gate]\nmargn = 0.1\n", 'has no key "margn"', 'Did you mean "margin"?'),
        ("[tool.ropewalk.gate\n", "is not TOML", ""),
        ("[tool.other]\nx = 1\n", r"has no table \[tool.ropewalk.gate\]", "Write the policy under"),
        ("[tool.ropewalk]\ngate = 3\n", "is no table", "and its keys below it"),
        ("[tool.ropewalk.gate]\nmargin = 'a'\n", "the margin is a", "in score units"),
        (b"\xff\xfe", "is not TOML", ""),
    ],
)
def test_a_policy_file_that_cannot_be_used(
    content: str | bytes, said: str, hint: str, tmp_path: Path
) -> None:
    file = tmp_path / "policy.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(OptionError, match=said) as caught:
        Policy.read(file)
    assert hint in caught.value.hint


def test_a_policy_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"cannot be read: No such file"):
        Policy.read(tmp_path / "none.toml")


def test_a_policy_that_names_an_unknown_task() -> None:
    data = by_task(safety=(50, 1, 1), other=(50, 1, 1))
    with pytest.raises(OptionError, match='"saftey", which is not in the data') as caught:
        judge(*data, Policy(margin=0.1, must_not_regress=("saftey",)))
    assert caught.value.hint == 'Did you mean "safety"?'
    with pytest.raises(OptionError, match='"x", which is not in the data') as caught:
        judge(*outcomes(50, 1, 1), Policy(margin=0.1, margins={"x": 0.1}))
    assert "one task, without a name" in caught.value.hint


# --- data that cannot be used ------------------------------------------------------------------------------


def test_what_the_sides_may_be(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="one side is a file and the other is not"):
        judge("a.csv", [1, 0], Policy(margin=0.1))
    with pytest.raises(OptionError, match="a model can be picked from files only"):
        judge([1, 0], [1, 0], Policy(margin=0.1), models=("a", None))
    with pytest.raises(DataError, match="share no task"):
        judge({"a": [1, 0]}, {"b": [1, 0]}, Policy(margin=0.1))
    with pytest.raises(PairingError, match="baseline has 2 scores, candidate has 3"):
        judge([1, 0], [1, 0, 1], Policy(margin=0.1))
    with pytest.raises(OptionError, match="a margin of 1 is all of the range of the scores"):
        judge(*outcomes(50, 1, 1), Policy(margin=1))


def test_frames_are_paired_by_their_ids() -> None:
    pandas = pytest.importorskip("pandas")
    baseline, candidate = outcomes(400, 60, 2)
    frame = pandas.DataFrame({"id": range(400), "correct": baseline})
    other = pandas.DataFrame({"id": range(400), "correct": candidate}).sample(frac=1, random_state=0)
    assert judge(frame, other, Policy(margin=0.02)).name == "fail"


# --- looks ------------------------------------------------------------------------------------------------


def test_looks_add_up() -> None:
    # Oracle: Bonferroni's bound N (1 - p), never above 1.
    looks = Looks(count=4, probability=0.95, families=2)
    assert (looks.wrong_pass, looks.wrong_fail) == (0.2, 0.4)
    assert looks.keeping == pytest.approx(0.9875)
    assert Looks(count=400, probability=0.95).wrong_pass == 1.0
    assert looks.sentence == (
        "look 4 at this baseline: the chance of at least one wrong pass is at most 4 × 0.05 = 0.2, of a "
        "wrong fail at most 0.4; --probability 0.9875 would keep the first at 0.05"
    )
    for count in (0, -1, True):
        with pytest.raises(OptionError, match=f"looks is {count}"):
            Looks(count=count, probability=0.95)


def test_a_ledger_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "ledger.json"
    assert Ledger.read(file) == Ledger()
    for content in ("[]", "{", '{"schema": "other", "looks": {}}', '{"looks": 3}', "[" * 100_000):
        file.write_text(content)
        with pytest.raises(DataError, match="is no ledger of looks"):
            Ledger.read(file)
    with pytest.raises(DataError, match="cannot be read"):
        Ledger.read(tmp_path)
    ledger = Ledger().with_look("b", "c")
    file.write_text(ledger.to_json())
    assert Ledger.read(file) == ledger


# --- renderings -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def odd_names() -> Decision:
    names = ["<b>&\"'", "a|b", "bell\x07\ud800", "]]>"]
    both = [outcomes(300, lost, 3) for lost in (3, 90, 9, 3)]
    tasks = [dict(zip(names, side, strict=True)) for side in zip(*both, strict=True)]
    return judge(*tasks, Policy(margin=0.02), looks=3)


def test_junit_is_valid_and_names_are_names(odd_names: Decision) -> None:
    suite = ET.fromstring(render.to_junit(odd_names).encode()).find("testsuite")
    assert suite is not None
    cases = {c.get("name"): c for c in suite.findall("testcase")}
    assert list(cases) == ["overall", "<b>&\"'", "a|b", "bell��", "]]>"]
    assert suite.get("tests") == "5"
    failed = [name for name, c in cases.items() if c.find("failure") is not None]
    assert failed == [r.task or "overall" for r in odd_names.rows if r.name == "worse"]
    assert int(suite.get("failures") or 0) == len(failed)
    assert "a|b" in failed


def test_markdown_has_a_row_for_each_task(odd_names: Decision) -> None:
    text = render.to_markdown(odd_names)
    assert text.startswith("## ropewalk gate\n\n**FAIL  candidate is worse on \\`a\\|b\\`")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 5
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {9}
    assert "<b>" not in text


def test_json_is_stable_and_plain(odd_names: Decision) -> None:
    text = render.to_json(odd_names)
    content = json.loads(text)
    assert text.isascii()
    assert content["schema"] == "ropewalk-gate/1"
    assert (content["decision"], content["exit_code"]) == ("fail", 1)
    assert "a|b" in content["decided_by"]
    assert [t["task"] for t in content["tasks"]][1] == "a|b"
    assert content["looks"]["wrong_pass_at_most"] == 0.15
    for row in (content["overall"], *content["tasks"]):
        assert 0 <= row["p_worse"] + row["p_not_worse"] <= 1 + 1e-9  # each is on its own safe side


def test_text_fits_a_terminal(odd_names: Decision) -> None:
    lines = render.to_text(odd_names).strip("\n").splitlines()
    assert lines[0].startswith("  FAIL  candidate is worse on `a|b` by 0.29")
    assert max(map(len, lines)) <= 80
    assert "look 3 at this baseline" in " ".join(lines)


# --- the fixture ------------------------------------------------------------------------------------------


def test_the_fixture(tmp_path: Path) -> None:
    (tmp_path / "test_model.py").write_text(
        "def test_same(assert_not_worse):\n"
        "    assert assert_not_worse([1, 0] * 150, [1, 0] * 150, margin=0.01).name == 'pass'\n"
        "def test_worse(assert_not_worse):\n"
        "    assert_not_worse([1] * 100, [0] * 50 + [1] * 50, margin=0.01)\n"
        "def test_undecided(assert_not_worse):\n"
        "    assert_not_worse([1] * 9 + [0], [0] + [1] * 9, margin=0.01)\n"
        "def test_undecided_may_pass(assert_not_worse):\n"
        "    assert_not_worse([1] * 9 + [0], [0] + [1] * 9, margin=0.01, on_undecided='pass')\n"
        "def test_tasks(assert_not_worse):\n"
        "    a = {'x': [1, 0] * 20, 'y': [1, 0] * 20}\n"
        "    assert_not_worse(a, a, margin=0, margins={'x': 0.1}, must_not_regress=['y'])\n"
    )
    # Blocked under its installed name and named outright: the same whether or not it is installed.
    command = [sys.executable, "-m", "pytest", "-p", "no:ropewalk", "-p", "ropewalk.pytest_plugin", "-q"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "2 failed, 3 passed" in done.stdout
    assert "fail: candidate is worse by 0.5 (P = 0.999)" in done.stdout
    assert "undecided: the data cannot tell yet" in done.stdout


def test_the_entry_point_is_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert hasattr(import_module(project["entry-points"]["pytest11"]["ropewalk"]), "assert_not_worse")


def test_what_a_gate_cannot_take(tmp_path: Path) -> None:
    sides = import_module("ropewalk.read.sides")
    counts = import_module("ropewalk.read").read(
        pd.DataFrame({"n00": [1], "n01": [2], "n10": [3], "n11": [4]})
    )
    with pytest.raises(DataError, match="a gate takes two files, and a table of counts holds both models"):
        sides._unit_by_unit(counts)
    predicted = pd.DataFrame({"truth": ["x", "y"], "prediction": ["x", "x"], "id": [1, 2]})
    with pytest.raises(DataError, match="a dict of tasks holds scores"):
        judge({"task": predicted}, {"task": predicted}, Policy(margin=0.01))
    (tmp_path / "a.csv").write_text("id,model,score\n1,m,0.1\n2,m,0.2\n")
    (tmp_path / "b.csv").write_text("id,score\n3,0.1\n4,0.2\n")
    both = [tmp_path / "a.csv", tmp_path / "b.csv"]
    with pytest.raises(ColumnError, match=r"baseline: some files have a column of models, .*b\.csv has none"):
        judge(both, both, Policy(margin=0.01))


def test_a_policy_that_is_not_toml(tmp_path: Path) -> None:
    (tmp_path / "gate.toml").write_text("margin = = 1")
    with pytest.raises(OptionError, match=r"gate\.toml is not TOML: "):
        Policy.read(tmp_path / "gate.toml")

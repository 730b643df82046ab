"""Two models over many tasks through the front door: figures of the papers, and hard data."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Audit, Counts, Design, Scores, TaskCounts, TaskScores
from ropewalk.errors import ColumnError, MethodError, OptionError
from ropewalk.report import Report

Table = dict[str, tuple[int, int, int, int]]


def tasks(
    means: list[float],
    *,
    units: int | list[int] = 20,
    spread: float = 0.02,
    design: Design | None = None,
    **options,
) -> Report:
    """A better than B by `means`, plus noise, on so many units of each task."""
    sizes = [units] * len(means) if isinstance(units, int) else units
    rng = np.random.default_rng(7)
    parts = []
    for i, (m, n) in enumerate(zip(means, sizes, strict=True)):
        b = rng.uniform(0.6, 0.8, n)
        values = np.stack([b + m + spread * rng.normal(size=n), b], axis=1)
        parts.append(TaskScores(name=f"t{i}", units=[str(k) for k in range(n)], values=values))
    data = Scores(
        models=("A", "B"),
        tasks=tuple(parts),
        metric="score",
        higher_is_better=True,
        design=design or Design(unit="fold", folds=10, repeats=2),
        audit=Audit(paired=sum(sizes)),
    )
    return rw.compare(data, **options)


@pytest.fixture(scope="module")
def languages(table_1: Table) -> Counts:
    """Williams 2026 Table 1."""
    rows = [TaskCounts(name=k, n00=v[0], n01=v[1], n10=v[2], n11=v[3]) for k, v in table_1.items()]
    return Counts(a="GNN", b="LLM", tasks=tuple(rows), audit=Audit(paired=sum(r.n for r in rows)))


def triple(p) -> tuple[float, float, float]:
    return p.better, p.equivalent, p.worse


def test_nbc_aode_with_the_bounds_of_the_text(folds_path: Path) -> None:
    # With the bounds printed in the text of Benavoli et al. 2017 nbc - aode is about 0.00 / 0.37 / 0.63
    # (docs/reproduced.md).
    report = rw.compare(folds_path, pairs=[("nbc", "aode")], method="hierarchical_t", question="likeliest")
    (c,) = report.overall
    assert (report.question, c.method, c.n, c.unit) == ("Q3", "hierarchical_t", 54, "task")
    assert triple(c.evidence.next_task.most_probable) == pytest.approx((0.00, 0.37, 0.63), abs=0.01)
    assert triple(c.verdict) == triple(c.evidence.next_task.most_probable)
    assert c.classical[0].p_value == pytest.approx(1.6e-6, rel=0.01)  # Wilcoxon over the 54 means
    assert (c.rope.high, c.rope.source) == (1.0, "one point of a hundred")
    assert c.estimate.low < c.estimate.mean < c.estimate.high < 0
    assert [k.name for k in c.checks if not k.ok] == []
    text = report.to_text()
    for part in ("aode is probably better than nbc", "anneal", "pulled", "on a new task", "labor"):
        assert part in text


def test_williams_hierarchical_mcnemar(languages: Counts) -> None:
    report = rw.compare(languages, rope="0.1sd", question="next")
    (c,) = report.overall
    assert c.method == "hierarchical_mcnemar"
    (named,) = rw.compare(languages, method="hierarchical_mcnemar", question="next").overall
    assert triple(named.verdict) == triple(c.verdict)
    assert c.estimate.mean == pytest.approx(0.521, abs=1e-3)
    assert triple(c.verdict) == pytest.approx((0.0525, 0.7355, 0.2119), abs=1e-3)
    assert c.verdict.name == "undecided"
    assert len(report.comparisons) == 11
    friedman = report.classical[0]
    assert (friedman.name, friedman.statistic) == ("Friedman", pytest.approx(0.818, abs=1e-3))
    assert friedman.p_value == pytest.approx(0.366, abs=1e-3)


def test_right_and_wrong_answers_are_compared_on_the_accuracy_scale(languages: Counts) -> None:
    (c,) = rw.compare(languages).overall
    assert (c.method, c.rope.high, c.rope.source) == ("hierarchical_accuracy", 0.01, "one point of a hundred")
    assert (c.asks, c.unit, c.n) == ("average", "task", 11)
    fitted = c.evidence.fitted
    assert c.verdict.better == float(fitted.mean_advantage.sf(0.01))
    assert c.verdict.worse == pytest.approx(float(fitted.mean_advantage.cdf(-0.01)), abs=1e-12)
    content = json.loads(rw.compare(languages, rope=0.05).to_json())["overall"][0]
    assert (content["asks"], content["method"]) == ("average", "hierarchical_accuracy")
    assert content["next_task"]["mean"]["better"] == pytest.approx(float(fitted.next.sf(0.05)), abs=1e-9)
    these = content["these_tasks"]
    assert these["better"] + these["equivalent"] + these["worse"] == pytest.approx(1.0)
    assert these["mean"] == pytest.approx(np.mean([fitted.task(i).mean for i in range(11)]), abs=1e-3)
    with pytest.raises(MethodError, match="works on phi, and the ROPE was given in accuracy"):
        rw.compare(languages, rope=0.05, method="hierarchical_mcnemar")


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
    assert c.why == "asked for"
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


def test_two_tasks_are_enough_but_wide() -> None:
    (two,) = tasks([0.05, 0.06]).overall
    (ten,) = tasks([0.05, 0.06] * 5).overall
    assert two.estimate.high - two.estimate.low > ten.estimate.high - ten.estimate.low
    assert two.verdict.name == "undecided"


def test_tasks_that_never_vary_keep_their_mean() -> None:
    # baycomp overwrites a constant difference with noise inside the ROPE, however large it is.
    report = tasks([0.0, 0.3, 0.0, 0.3, 0.3, 0.3], spread=0.0, rope=0.01)
    (c,) = report.overall
    assert list(c.evidence.d) == pytest.approx([0.0, 0.3, 0.0, 0.3, 0.3, 0.3])
    assert any("The scores of no task vary" in k.text for k in c.checks)
    assert c.estimate.mean > 0.1


def test_no_likelihood_depends_on_the_rope() -> None:
    # The same data, one task of which never varies, at two ROPEs: the same posterior of the mean.
    narrow, wide = (
        tasks([0.0, 0.03, 0.02, 0.04, 0.01], units=[20] * 5, rope=rope).overall[0] for rope in (0.001, 0.1)
    )
    assert narrow.estimate.mean == wide.estimate.mean
    assert narrow.evidence.fitted.tasks.scale.tolist() == wide.evidence.fitted.tasks.scale.tolist()
    constant = [tasks([0.0, 0.3, 0.1], spread=0.0, rope=r).overall[0].estimate for r in (0.001, 0.1)]
    assert constant[0] == constant[1]


@pytest.mark.parametrize(("n", "warned"), [(3, True), (5, True), (10, True), (11, False)])
def test_the_signed_rank_test_says_how_often_it_is_wrong_with_few_tasks(n: int, warned: bool) -> None:
    (c,) = tasks(([0.05, 0.06, 0.04, 0.05, 0.07, 0.06] * 2)[:n], method="signed_rank").overall
    said = [
        w for w in c.warnings if "calls models equivalent that differ by a little more than the ROPE" in w
    ]
    assert bool(said) == warned
    assert not warned or f"in up to { {3: 23, 5: 15, 10: 10}[n] }% of cases" in said[0]


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


def test_scales_that_differ_wildly_are_noticed() -> None:
    rng = np.random.default_rng(0)

    def losses(k: float) -> np.ndarray:
        return k * (1 + rng.normal(size=(30, 2)) * 0.1)

    parts = tuple(
        TaskScores(name=f"t{i}", units=[str(j) for j in range(30)], values=losses(10.0**i)) for i in range(6)
    )
    data = Scores(
        models=("A", "B"), tasks=parts, metric="rmse", higher_is_better=False,
        design=Design(unit="example"), audit=Audit(paired=180),
    )  # fmt: skip
    (c,) = rw.compare(data).overall
    assert any("use method poisson_binomial" in w for w in c.warnings)


def test_one_task_has_no_method_over_tasks() -> None:
    data = {"A": [0.5, 0.6, 0.7], "B": [0.4, 0.6, 0.6]}
    for method in ("hierarchical_t", "poisson_binomial"):
        with pytest.raises(OptionError, match="needs several tasks, and there is one"):
            rw.compare(data, method=method)


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
    assert any('one unit: "t1"' in w for w in report.audit.warnings)
    assert "t1" in report.to_text()


def test_counts_on_one_side_only() -> None:
    rows = tuple(TaskCounts(name=f"t{i}", n00=5, n01=0, n10=10, n11=85) for i in range(8))
    (c,) = rw.compare(Counts(a="A", b="B", tasks=rows, audit=Audit(paired=800))).overall
    assert (c.method, c.verdict.name) == ("hierarchical_accuracy", "better")
    assert any("the direction of the disagreements has a proper prior" in k.text for k in c.checks)
    (on_phi,) = rw.compare(Counts(a="A", b="B", tasks=rows, audit=Audit(paired=800)), rope="0.1sd").overall
    assert on_phi.method == "signed_rank"
    assert "the hierarchical McNemar posterior does not exist" in on_phi.why


def test_the_same_answers_on_every_task_are_not_certain_to_be_equivalent() -> None:
    rows = tuple(TaskCounts(name=f"t{i}", n00=5, n01=0, n10=0, n11=15) for i in range(3))
    report = rw.compare(Counts(a="A", b="B", tasks=rows, audit=Audit(paired=60)))
    (c,) = report.overall
    assert (c.method, c.verdict.name) == ("hierarchical_accuracy", "undecided")
    assert c.verdict.equivalent < 0.5
    assert any(
        w.startswith("same answers: A and B have the same score on all 60 examples") for w in c.warnings
    )
    assert "the rate of disagreement has a proper prior" in report.to_text().replace(
        "\n                       ", " "
    )


def test_few_tasks_are_noticed() -> None:
    (c,) = tasks([0.05, 0.06]).overall
    assert any("2 tasks, fewer than 5" in w for w in c.warnings)


def test_the_bars_say_what_they_mean(languages: Counts) -> None:
    said = {
        "average": "probabilities of the mean advantage over tasks like these:",
        "these": "probabilities of the mean advantage over exactly these tasks:",
        "next": "probabilities of the advantage on one new task:",
        "likeliest": "probabilities of which outcome is the likeliest on a new task:",
    }
    for rope in (0.01, "0.1sd"):
        for question, line in said.items():
            assert line in rw.compare(languages, rope=rope, question=question).to_text()


def test_metrics_that_differ_by_task_take_the_poisson_binomial_test(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = ["model,task,metric,fold,score"]
    for i in range(12):
        metric, sign = ("accuracy", 1) if i % 2 else ("rmse", -1)
        for fold in range(10):
            base = rng.uniform(0.4, 0.6)
            rows += [
                f"new,t{i},{metric},{fold},{base + sign * 0.05:.4f}",
                f"old,t{i},{metric},{fold},{base + rng.normal(0, 0.01):.4f}",
            ]
    (tmp_path / "r.csv").write_text("\n".join(rows) + "\n")
    report = rw.compare(tmp_path / "r.csv")
    (c,) = report.overall
    assert (c.method, c.verdict.name) == ("poisson_binomial", "better")
    assert "the metric differs from task to task" in c.why
    assert {k.verdict.name for k in report.comparisons} == {"better"}
    assert rw.compare(tmp_path / "r.csv", method="hierarchical_t").overall[0].method == "hierarchical_t"
    assert rw.compare(tmp_path / "r.csv", score="rmse").overall[0].method == "hierarchical_t"
    (tmp_path / "r.csv").write_text("\n".join(rows).replace("rmse", "zork") + "\n")
    with pytest.raises(ColumnError, match="`zork` does not say which way is up"):
        rw.compare(tmp_path / "r.csv")


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


def test_tasks_one_sided_in_different_directions() -> None:
    rows = (
        TaskCounts(name="a", n00=0, n01=5, n10=0, n11=15),
        TaskCounts(name="b", n00=0, n01=0, n10=7, n11=13),
    )
    (c,) = rw.compare(Counts(a="A", b="B", tasks=rows, audit=Audit(paired=40)), rope="0.1sd").overall
    assert c.method == "signed_rank"


def test_each_task_keeps_its_own_correlation(tmp_path: Path) -> None:
    # 5 folds have rho 1/5, 10 folds 1/10: the whole is bayes.hierarchical_t with one rho per task.
    rng = np.random.default_rng(3)
    sizes = {"wine": 5, "iris": 10, "digits": 10}
    rows, tasks = ["model,task,fold,accuracy"], []
    for task, k in sizes.items():
        x = np.round(rng.uniform(0.6, 0.9, size=(k, 2)), 3)
        tasks.append(x[:, 0] - x[:, 1])
        rows += [f"{m},{task},{j},{x[j, i]}" for j in range(k) for i, m in enumerate("ab")]
    path = tmp_path / "folds.csv"
    path.write_text("\n".join(rows))
    over = rw.compare(path, question="likeliest").overall[0]
    assert "correlation 0.1 to 0.2" in over.why
    expected = rw.bayes.hierarchical_t(tasks, rho=[0.2, 0.1, 0.1], scale=1.0).next_task(0.01)
    wrong = rw.bayes.hierarchical_t(tasks, rho=0.1, scale=1.0).next_task(0.01)
    assert over.verdict.better == pytest.approx(expected.most_probable.better, abs=expected.error)
    assert over.verdict.better != pytest.approx(wrong.most_probable.better, abs=10 * expected.error)

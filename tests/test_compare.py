"""From data to verdicts: the method that is picked, the figures of the papers, the checks, the errors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Audit, Design, Scores, TaskScores
from ropewalk.errors import MethodError, OptionError, RopewalkError
from ropewalk.posterior import Student, Unvaried


def scores(values: np.ndarray, *, design: Design | None = None, metric: str = "score") -> Scores:
    units = [str(i) for i in range(len(values))]
    models = tuple("ABCDEFGH"[: values.shape[1]])
    return Scores(
        models=models,
        tasks=(TaskScores(name=None, units=units, values=values),),
        metric=metric,
        higher_is_better=True,
        design=design or Design(unit="example"),
        audit=Audit(paired=len(values)),
    )


def outcomes(n00: int, n01: int, n10: int, n11: int) -> dict[str, list[int]]:
    a = [0] * (n00 + n01) + [1] * (n10 + n11)
    b = [0] * n00 + [1] * n01 + [0] * n10 + [1] * n11
    return {"GNN": a, "LLM": b}


# --- the table of methods ------------------------------------------------------------------------------


def test_right_or_wrong_takes_mcnemar_and_gives_the_figures_of_p1() -> None:
    report = rw.compare(outcomes(54, 159, 198, 589), scale="phi")
    (c,) = report.comparisons
    assert (report.question, c.method, c.n) == ("Q1", "mcnemar", 1000)
    assert (c.verdict.better, c.verdict.equivalent) == pytest.approx((0.571, 0.429), abs=5e-4)
    assert c.verdict.name == "undecided"
    assert (c.rope.scale, c.rope.source) == ("phi", "0.1 sd")
    assert c.effect.name == "Cohen's g"
    assert c.effect.label == "small"
    assert c.classical[0].name == "McNemar"
    assert c.classical[0].p_value == pytest.approx(0.044, abs=5e-4)
    assert "each example is right or wrong" in c.why


@pytest.mark.parametrize("rope", ["auto", 0.01])
def test_right_or_wrong_is_compared_in_accuracy_with_one_point(rope: object) -> None:
    (c,) = rw.compare(outcomes(54, 159, 198, 589), rope=rope).comparisons
    assert (c.rope.low, c.rope.high) == (-0.01, 0.01)
    assert c.estimate.name == "score difference"
    assert c.estimate.mean == pytest.approx(0.039, abs=1e-3)
    assert c.rope.scale == "score"
    draws = np.random.default_rng(0).dirichlet([55, 160, 199, 590], size=200_000)
    assert c.verdict.better == pytest.approx(np.mean(draws[:, 2] - draws[:, 1] > 0.01), abs=0.003)


def test_real_scores_take_the_t_test() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 1)) + rng.normal(0.0, 0.1, size=(60, 2)) + [0.2, 0.0]
    (c,) = rw.compare(scores(x)).comparisons
    assert c.method == "t"
    assert isinstance(c.posterior, Student)
    assert c.rope.source == "0.1 sd"
    assert c.rope.high == pytest.approx(0.1 * np.std(x[:, 0] - x[:, 1], ddof=1))
    assert [t.name for t in c.classical] == ["paired t", "Wilcoxon"]
    assert c.verdict.name == "better"


def test_folds_take_the_correlated_t_test() -> None:
    rng = np.random.default_rng(0)
    design = Design(unit="fold", folds=10, repeats=3)
    (c,) = (report := rw.compare(scores(rng.uniform(0.8, 0.9, (30, 2)), design=design))).comparisons
    assert (report.question, c.method) == ("Q2", "correlated_t")
    assert (c.rope.low, c.rope.high, c.rope.source) == (-0.01, 0.01, "one percentage point")
    d = scores_difference = c.evidence.d
    assert c.posterior == rw.bayes.t(scores_difference, rho=0.1)
    assert c.classical[0].p_value == rw.nhst.corrected_t(d, rho=0.1).p_value


def test_percent_is_recognised() -> None:
    rng = np.random.default_rng(0)
    design = Design(unit="fold", folds=10)
    (c,) = rw.compare(scores(rng.uniform(80, 90, (10, 2)), design=design)).comparisons
    assert c.rope.high == 1.0


def test_an_open_ended_metric_has_no_point_of_a_hundred() -> None:
    rng = np.random.default_rng(0)
    design = Design(unit="fold", folds=10)
    (c,) = rw.compare(scores(rng.uniform(0.2, 0.9, (10, 2)), design=design, metric="log loss")).comparisons
    assert c.rope.source == "0.1 sd"


def test_five_by_two_has_its_own_classical_tests() -> None:
    rng = np.random.default_rng(0)
    design = Design(unit="fold", folds=2, repeats=5)
    (c,) = rw.compare(scores(rng.uniform(0.8, 0.9, (10, 2)), design=design)).comparisons
    halves = c.evidence.d.reshape(5, 2)
    assert [t.p_value for t in c.classical[1:]] == [
        rw.nhst.five_by_two_t(halves).p_value,
        rw.nhst.five_by_two_f(halves).p_value,
    ]


def test_seeds_are_q2() -> None:
    rng = np.random.default_rng(0)
    report = rw.compare(scores(rng.uniform(0.8, 0.9, (10, 2)), design=Design(unit="seed")))
    assert (report.question, report.comparisons[0].method) == ("Q2", "t")


def test_one_number_per_task_takes_the_t_test_with_the_signed_rank_test_alongside() -> None:
    rng = np.random.default_rng(0)
    report = rw.compare(scores(rng.uniform(0.8, 0.9, (12, 2)), design=Design(unit="task")))
    (c,) = report.overall
    assert report.comparisons == []
    assert (report.question, report.asks, c.method) == ("Q3", "average", "t")
    assert c.readings["likeliest"].by == "signed_rank"
    assert "signed-rank test" in [k.name for k in c.checks]


def test_clusters_are_averaged() -> None:
    rng = np.random.default_rng(0)
    task = TaskScores(
        name=None,
        units=[str(i) for i in range(40)],
        values=np.repeat(rng.normal(size=(10, 2)), 4, axis=0),
        clusters=[str(i // 4) for i in range(40)],
    )
    data = Scores(
        models=("A", "B"), tasks=(task,), metric="loss", higher_is_better=False,
        design=Design(unit="example"), audit=Audit(paired=40),
    )  # fmt: skip
    report = rw.compare(data)
    assert report.comparisons[0].n == 10
    assert report.comparisons[0].unit == "cluster"


@pytest.mark.parametrize("method", ["t", "robust_t", "sign", "signed_rank"])
def test_a_method_can_be_asked_for(method: str) -> None:
    rng = np.random.default_rng(0)
    (c,) = rw.compare(scores(rng.normal(0, 1, (40, 2)) + np.array([0.5, 0.0])), method=method).comparisons
    assert (c.method, c.why) == (method, "set by you")
    assert c.verdict.better + c.verdict.equivalent + c.verdict.worse == pytest.approx(1.0, abs=1e-9)


# --- laws ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["t", "robust_t", "sign", "signed_rank"])
def test_swapping_models_mirrors_the_answer(method: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_t(4, (50, 2)) + np.array([1.5, 0.0])
    (c,) = rw.compare({"A": x[:, 0], "B": x[:, 1]}, method=method).comparisons
    (m,) = rw.compare({"B": x[:, 1], "A": x[:, 0]}, method=method).comparisons
    error = 0.01 if method == "signed_rank" else 2e-6
    assert (c.verdict.better, c.verdict.worse) == pytest.approx(
        (m.verdict.worse, m.verdict.better), abs=error
    )
    assert c.verdict.sentence == m.verdict.sentence


def test_lower_is_better_turns_the_sign_once() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, 2)) + np.array([0.5, 0.0])
    up = rw.compare(scores(x)).comparisons[0]
    down = rw.compare({"A": -x[:, 0], "B": -x[:, 1]}, higher_is_better=False).comparisons[0]
    assert up.verdict.better == pytest.approx(down.verdict.better, rel=1e-9)


def test_scaling_data_and_rope_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, 2)) + np.array([0.1, 0.0])
    one = rw.compare({"A": x[:, 0], "B": x[:, 1]}, rope=0.05).comparisons[0].verdict
    hundred = rw.compare({"A": 100 * x[:, 0], "B": 100 * x[:, 1]}, rope=5).comparisons[0].verdict
    assert (one.better, one.worse) == pytest.approx((hundred.better, hundred.worse), rel=1e-9)


def test_the_same_seed_gives_the_same_bytes() -> None:
    rng = np.random.default_rng(0)
    x = {"A": rng.normal(size=30), "B": rng.normal(size=30)}
    first = rw.compare(x, method="signed_rank", rng=3).to_json()
    assert first == rw.compare(x, method="signed_rank", rng=3).to_json()
    assert first != rw.compare(x, method="signed_rank", rng=4).to_json()


# --- Benavoli et al. 2017 ------------------------------------------------------------------------------


def test_benavoli_table_4_through_the_front_door(folds_path: Path) -> None:
    # nbc - aode on 54 data sets: equivalent on 6 + 1, different on 14, undecided on 33. On two of the seven
    # all 100 folds are the same, worth 8 independent units: that does not earn a verdict here.
    report = rw.compare(folds_path, pairs=[("nbc", "aode")])
    names = [c.verdict.name for c in report.comparisons]
    assert (report.question, len(names)) == ("Q3", 54)
    assert {n: names.count(n) for n in set(names)} == {"equivalent": 5, "worse": 14, "undecided": 35}
    same = [c for c in report.comparisons if np.ptp(c.evidence.d) == 0]
    assert [c.verdict.name for c in same] == ["undecided"] * 2
    by_task = {c.task: c for c in report.comparisons}
    assert by_task["anneal"].classical[0].p_value == pytest.approx(0.00065, abs=5e-6)
    # hayes-roth and labor never vary: the same answers, a verdict of their own kind.
    assert isinstance(by_task["labor"].posterior, Unvaried)
    assert "same answers" in by_task["labor"].warnings[0]


def test_the_loss_matrix_of_benavoli_decides_like_the_threshold(folds_path: Path) -> None:
    by_threshold = rw.compare(folds_path, pairs=[("nbc", "hnb")])
    by_loss = rw.compare(folds_path, pairs=[("nbc", "hnb")], loss_matrix=rw.decide.TWENTY_TO_ONE)
    assert [c.verdict.name for c in by_loss.comparisons] == [c.verdict.name for c in by_threshold.comparisons]
    assert by_loss.comparisons[0].verdict.rule == "lowest expected loss"


# --- degenerate data -----------------------------------------------------------------------------------


def within(r: float, worth: float, reach: float = 1.0) -> float:
    """The closed form: equal differences of 0 leave (1 - r/R)^(n + 3) outside of ±r."""
    return 1 - (1 - r / reach) ** (worth + 3)


@pytest.mark.parametrize(
    ("design", "worth"),
    [(Design(unit="fold", folds=5), 1 / (1 / 10 + 0.2 / 0.8)), (Design(unit="task"), 10)],
)
def test_identical_models_get_the_ordinary_posterior_with_a_warning(design: Design, worth: float) -> None:
    # mlxtend's McNemar answers chi2 = inf, p = 0; baycomp's sign test (nan, nan). Five folds, twice, have the
    # correlation 1/5, so they are worth 2.9 units.
    x = np.repeat(np.random.default_rng(0).integers(0, 2, (10, 1)).astype(float), 2, axis=1)
    report = rw.compare(scores(x, design=design))
    (c,) = report.overall or report.comparisons
    assert c.verdict.name == "undecided"
    assert c.verdict.equivalent == pytest.approx(within(0.01, worth))
    assert "same answers" in c.warnings[0]
    assert "nothing varies" in c.warnings[1]
    assert "do not differ on any" in c.verdict.sentence
    json.loads(report.to_json())


@pytest.mark.parametrize("n", [2, 5, 20, 295, 296])
@pytest.mark.parametrize("method", ["auto", "t", "robust_t", "sign", "signed_rank"])
def test_equal_graded_scores_earn_their_verdict_as_right_and_wrong_answers_do(n: int, method: str) -> None:
    x = np.linspace(0, 1, n)
    (c,) = rw.compare({"a": x, "b": x}, rope=0.01, method=method, higher_is_better=True).comparisons
    answers = [1.0] * n
    (right,) = rw.compare({"a": answers, "b": answers}, rope=0.01).comparisons
    assert c.verdict.equivalent == pytest.approx(within(0.01, n))
    assert c.verdict.equivalent == pytest.approx(right.verdict.equivalent, abs=1e-9)
    assert c.verdict.name == right.verdict.name == ("equivalent" if n == 296 else "undecided")


def test_equal_scores_without_a_range_are_as_far_apart_as_they_are() -> None:
    x = np.linspace(3.0, 8.0, 40)
    data = scores(np.column_stack([x, x]), metric="rmse")
    (c,) = rw.compare(data, rope=0.05).comparisons
    assert c.verdict.equivalent == pytest.approx(within(0.05, 40, reach=5.0))
    (default,) = rw.compare(data).comparisons
    assert default.rope.high == pytest.approx(0.05)
    assert default.rope.source == "a hundredth of the range, because nothing varies"
    (constant,) = rw.compare(scores(np.full((9, 2), 4.0), metric="rmse"), rope=0.05).comparisons
    assert constant.verdict.equivalent == pytest.approx(within(0.05, 9, reach=4.0))


@pytest.mark.parametrize("seeds", [2, 5])
def test_seeds_that_never_vary_are_worth_as_many_as_they_are(seeds: int) -> None:
    rows = [
        {"model": m, "seed": s, "example": i, "score": 0.1 * (i % 10)}
        for m in "ab" for s in range(seeds) for i in range(400)
    ]  # fmt: skip
    frame = pd.DataFrame(rows)
    (c,) = rw.compare(frame, rope=0.01, unit="example", seed="seed", higher_is_better=True).comparisons
    assert c.verdict.name == "undecided"
    assert c.verdict.equivalent == pytest.approx(within(0.01, seeds))
    frame.loc[frame["model"] == "a", "score"] += 0.05
    (ahead,) = rw.compare(frame, rope=0.01, unit="example", seed="seed", higher_is_better=True).comparisons
    assert ahead.verdict.name == "undecided"


def test_a_prior_of_the_advantage_counts_where_nothing_varies() -> None:
    x = np.linspace(0, 1, 20)
    options = {"rope": 0.01, "method": "t", "higher_is_better": True}
    flat, pulled = (
        rw.compare({"a": x, "b": x}, **options, prior_sd=sd).comparisons[0] for sd in (None, 0.01)
    )
    density = (1 - np.abs(grid := np.linspace(-1, 1, 2_000_001))) ** 22
    given = density * np.exp(-0.5 * (grid / 0.01) ** 2)
    share = given[np.abs(grid) <= 0.01].sum() / given.sum()
    assert pulled.verdict.equivalent == pytest.approx(share, abs=1e-3)
    assert pulled.verdict.equivalent > flat.verdict.equivalent


@pytest.mark.parametrize("rope", ["auto", 0.01])
def test_equal_right_and_wrong_answers_earn_their_verdict(rope: float | str) -> None:
    # Oracle: the Dirichlet posterior of 20 equal answers, 0.206 within one point (a closed form: pi ~ Beta(2,
    # 22) and phi uniform); a verdict at 0.95 takes 300 of them.
    few, many = ({"a": [1] * n + [0] * 2, "b": [1] * n + [0] * 2} for n in (18, 300))
    (c,) = rw.compare(few, rope=rope).comparisons
    pi = np.linspace(0, 1, 200_001)[1:]
    density = pi * (1 - pi) ** 21
    within = float(np.sum(density * np.minimum(0.01 / pi, 1.0)) / density.sum())
    assert c.verdict.equivalent == pytest.approx(within, abs=1e-4)
    assert within == pytest.approx(0.206, abs=5e-4)
    assert (c.verdict.name, c.method, c.rope.high) == ("undecided", "mcnemar", 0.01)
    assert "same answers" in c.warnings[0]
    assert c.verdict.sentence == "a and b do not differ on any example."
    assert rw.compare(many, rope=rope).comparisons[0].verdict.name == "equivalent"


def test_a_constant_difference_earns_its_verdict() -> None:
    # Oracle: the closed form. Scores span R, so a further difference may be anything from -R to R.
    x = np.linspace(0.0, 1.75, 20)
    report = rw.compare({"A": x + 0.25, "B": x}, rope=0.05)
    (c,) = report.comparisons
    worse_or_equal = 2.25 / 4 * (1 - 0.2 / 2.25) ** 23
    assert c.verdict.better == pytest.approx(1 - worse_or_equal)
    assert c.verdict.name == "undecided"
    assert "nothing varies: every difference is 0.25" in c.warnings[0]
    assert json.loads(report.to_json())["comparisons"][0]["effect"]["value"] is None
    many = np.linspace(0.0, 1.75, 60)
    assert rw.compare({"A": many + 0.25, "B": many}, rope=0.05).comparisons[0].verdict.name == "better"


def test_on_a_leaderboard_a_pair_that_never_varies_has_the_same_answer() -> None:
    x = np.random.default_rng(0).uniform(size=(25, 3))
    x[:, 1] = x[:, 0]
    report = rw.compare(scores(x), rope=0.01)
    first = next(c for c in report.comparisons if {c.a, c.b} == {"A", "B"})
    i, j = (report.board.names.index(m) for m in (first.a, first.b))
    assert report.board.equivalent[i, j] == pytest.approx(within(0.01, 25))
    assert first.verdict.equivalent == pytest.approx(within(0.01, 25))


def test_a_plan_for_scores_that_never_vary_says_how_many_equal_ones_would_do() -> None:
    x = np.linspace(0, 1, 20)
    (c,) = rw.compare({"a": x, "b": x}, rope=0.01, higher_is_better=True).comparisons
    assert any("296 identical, independent ones would be enough for a verdict" in w for w in c.warnings)


def test_heavy_tails_bring_the_robust_t() -> None:
    rng = np.random.default_rng(0)
    d = np.concatenate([rng.normal(0.2, 0.1, 60), [8.0, -9.0, 10.0]])
    (c,) = rw.compare({"A": d, "B": np.zeros(63)}, rope=0.05).comparisons
    check = {k.name: k for k in c.checks}["robust t-test for comparison"]
    assert not check.ok
    assert "the verdict would be A better instead of undecided" in check.text
    assert check.numbers["better"] > 0.95
    assert {k.name: k for k in c.checks}["normality"].numbers["qq_correlation"] < 0.9


def test_heavy_tails_with_most_differences_tied() -> None:
    rng = np.random.default_rng(0)
    d = np.concatenate([np.zeros(60), rng.normal(0.2, 1, 20)])
    (c,) = rw.compare({"A": d, "B": np.zeros(80)}).comparisons
    assert (
        "not run: 75% of the differences are exactly 0"
        in {k.name: k.text for k in c.checks}["robust t-test for comparison"]
    )


def test_neighbours_that_resemble_each_other_are_noticed() -> None:
    rng = np.random.default_rng(0)
    d = np.repeat(rng.normal(size=30), 10)
    (c,) = rw.compare({"A": d, "B": np.zeros(300)}).comparisons
    assert any("neighboring rows resemble each other" in w for w in c.warnings)
    (c,) = rw.compare({"A": rng.permutation(d), "B": np.zeros(300)}).comparisons
    assert not any("neighbouring" in w for w in c.warnings)


def test_few_units_are_noticed() -> None:
    (c,) = rw.compare({"A": [0.5, 0.6, 0.8], "B": [0.4, 0.6, 0.7]}).comparisons
    assert any("below 10 the model assumptions matter" in w for w in c.warnings)


# --- pairs, models, options ----------------------------------------------------------------------------


def test_every_pair_or_the_reference() -> None:
    rng = np.random.default_rng(0)
    data = scores(rng.normal(size=(20, 4)))
    assert [(c.a, c.b) for c in rw.compare(data).comparisons] == [
        ("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D"),
    ]  # fmt: skip
    report = rw.compare(data, reference="B")
    assert [(c.a, c.b) for c in report.comparisons] == [("A", "B"), ("C", "B"), ("D", "B")]
    assert [(c.a, c.b) for c in rw.compare(data, pairs=[("D", "A")]).comparisons] == [("D", "A")]


def test_models_are_listed_best_first_with_an_interval() -> None:
    report = rw.compare(outcomes(54, 159, 198, 589))
    assert [m.name for m in report.models] == ["GNN", "LLM"]
    best = report.models[0]
    assert best.mean == pytest.approx(0.787)
    assert best.interval == pytest.approx(rw.bayes.risk(787, 1000).interval(0.95))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reference": "b"}, 'there is no model "b"'),
        ({"pairs": [("A", "Z")]}, 'there is no model "Z"'),
        ({"pairs": [("A", "A")]}, "pairs of two different models"),
        ({"pairs": [("A", "B")], "reference": "A"}, "both reference and pairs"),
        ({"threshold": 0.3}, "the threshold is 0.3"),
        ({"rope": "wide"}, "is not understood"),
        ({"method": "mcnemr"}, 'Did you mean "mcnemar"'),
        ({"method": "mcnemar"}, "mcnemar needs right/wrong outcomes"),
        ({"question": "Q9"}, 'question is "Q9"'),
        ({"question": "Q3"}, "needs several tasks"),
        ({"loss": "log"}, "the data are already scores"),
        ({"metric": "auroc"}, "a metric was given, but the data are already scores"),
        ({"rng": "x"}, "whole number"),
        ({"loss_matrix": [[1, 2], [3, 4]]}, "4 rows"),
        ({"rho": 1.5}, "correlation in"),
    ],
)
def test_bad_options_say_what_and_what_to_try(options: dict[str, object], message: str) -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(RopewalkError, match=message):
        rw.compare(scores(rng.normal(size=(20, 2))), **options)


def test_folds_are_not_independent() -> None:
    rng = np.random.default_rng(0)
    data = scores(rng.normal(size=(10, 2)), design=Design(unit="fold", folds=10))
    with pytest.raises(MethodError, match="these folds share training data"):
        rw.compare(data, method="t")


def test_one_unit_is_not_enough() -> None:
    with pytest.raises(RopewalkError, match="no unit to pair them on"):
        rw.compare({"A": [1.0], "B": [0.0]})
    with pytest.raises(MethodError, match="there is only one example for A and B"):
        rw.compare(scores(np.array([[1.0, 0.0]])))


def test_an_unknown_reference_gets_a_suggestion() -> None:
    with pytest.raises(OptionError, match='Did you mean "forest"'):
        rw.compare({"forest": [1.0, 0.5], "svm": [0.0, 1.0]}, reference="forrest")


# --- what a newcomer stumbled over ---------------------------------------------------------------------


def test_a_rope_beyond_every_accuracy_decides_nothing() -> None:
    with pytest.raises(OptionError, match="a ROPE of 5 is wider than the range"):  # thinking in percent
        rw.compare(outcomes(54, 159, 198, 589), rope=5)
    assert rw.bayes.accuracy_difference(1, 2, 3, 4).sf([-1.0, 1.0]).tolist() == [1.0, 0.0]
    assert rw.bayes.accuracy_difference(1, 2, 3, 4).cdf([-2.0, 2.0]).tolist() == [0.0, 1.0]
    assert rw.bayes.accuracy_difference(1, 2, 3, 4).pdf([-2.0, 1.0]).tolist() == [0.0, 0.0]


def test_a_correlation_that_is_given_is_used_and_said() -> None:
    rng = np.random.default_rng(0)
    x = {"nb": rng.uniform(0.8, 0.9, 10), "tree": rng.uniform(0.8, 0.9, 10)}
    report = rw.compare(x, rho=0.1)
    (c,) = report.comparisons
    assert c.method == "correlated_t"
    assert "correlated (0.1)" in c.why
    assert c.posterior == rw.bayes.t(c.evidence.d, rho=0.1)
    assert [t.name for t in c.classical] == ["corrected resampled t"]
    narrow, wide = rw.compare(x).models[0], report.models[0]
    assert wide.high - wide.low > narrow.high - narrow.low


def test_a_default_rope_that_decides_is_named() -> None:
    rng = np.random.default_rng(0)
    d = rng.normal(0.02, 1.0, 10_000)
    (c,) = rw.compare({"A": d, "B": np.zeros(10_000)}).comparisons
    assert c.verdict.name == "equivalent"
    assert any("default ROPE: equivalent here means within ±" in w for w in c.warnings)
    (c,) = rw.compare({"A": d, "B": np.zeros(10_000)}, rope=0.1).comparisons
    assert not any("default ROPE" in w for w in c.warnings)


def test_seeds_of_a_bounded_metric_have_the_same_rope_as_folds() -> None:
    rng = np.random.default_rng(0)
    (c,) = rw.compare(scores(rng.uniform(0.8, 0.9, (10, 2)), design=Design(unit="seed"))).comparisons
    assert c.rope.source == "one percentage point"


def test_a_mistyped_option_gets_a_suggestion() -> None:
    with pytest.raises(OptionError, match=r'there is no option "roep"\n\n  Did you mean "rope"'):
        rw.compare({"A": [1.0, 2.0], "B": [0.0, 1.0]}, roep=0.1)


def test_a_report_has_a_short_repr() -> None:
    scores = {"A": [1.0, 2.0, 3.0], "B": [0.0, 1.0, 2.5]}
    report = rw.compare(scores, higher_is_better=True, rope=0.1)
    assert repr(report) == f"<ropewalk report: {report.comparisons[0].verdict.sentence}>"
    assert repr(rw.compare(scores)).startswith("<ropewalk report: warning: it is not clear whether")


# --- what a sceptic found ------------------------------------------------------------------------------


def test_the_5x2_tests_do_not_depend_on_the_order_of_the_rows() -> None:
    d = np.array([[0.03, 0.01], [0.02, 0.02], [0.01, 0.03], [0.02, 0.01], [0.03, 0.02]])
    rows = [
        {"repeat": i, "fold": j, "model": m, "accuracy": 0.8 + (d[i, j] if m == "A" else 0.0)}
        for j in range(2)
        for i in range(5)
        for m in "AB"
    ]
    (c,) = rw.compare(pd.DataFrame(rows)).comparisons
    assert c.classical[1].p_value == pytest.approx(rw.nhst.five_by_two_t(d).p_value)
    assert c.classical[2].p_value == pytest.approx(rw.nhst.five_by_two_f(d).p_value)


@pytest.mark.parametrize(("metric", "size"), [("rmse", 3.0), ("duration", 0.5), ("score", 4.0)])
def test_one_point_of_a_hundred_needs_a_bounded_metric(metric: str, size: float) -> None:
    rng = np.random.default_rng(0)
    design = Design(unit="fold", folds=10)
    x = size + 0.1 * rng.uniform(size=(10, 2))
    (c,) = rw.compare(scores(x, design=design, metric=metric)).comparisons
    assert c.rope.source == "0.1 sd"


def test_01_losses_are_shown_as_accuracy() -> None:
    wide = pd.DataFrame({"id": range(10), "A": [0] * 9 + [1], "B": [0] * 5 + [1] * 5})
    report = rw.compare(wide.melt("id", var_name="model", value_name="error"))
    assert "accuracy: A 0.900, B 0.500" in report.to_text()
    assert [m.mean for m in report.models] == [0.9, 0.5]
    assert report.comparisons[0].advantage == pytest.approx(0.4)


def test_a_second_opinion_that_cannot_be_had_stops_nothing() -> None:
    rng = np.random.default_rng(0)
    d = rng.permutation(np.concatenate([np.zeros(1000), rng.normal(0.1, 1, 1000)]))
    (c,) = rw.compare({"A": d, "B": np.zeros(2000)}).comparisons
    assert c.method == "t"


def test_random_splits_are_asked_for_their_correlation(tmp_path: Path) -> None:
    rows = [f"{m},{k},{k},0.{5 + k % 3}{j}" for j, m in enumerate("ab") for k in range(1, 7)]
    path = tmp_path / "splits.csv"
    path.write_text("model,repeat,fold,acc\n" + "\n".join(rows))
    with pytest.raises(OptionError, match=r"the splits are not folds"):
        rw.compare(path)
    assert rw.compare(path, rho=0.1).comparisons[0].method == "correlated_t"


def test_repeats_alone_are_taken_for_runs_and_that_is_said(tmp_path: Path) -> None:
    rows = [f"{m},{k},0.{5 + (k * j) % 3}" for j, m in enumerate("ab") for k in range(1, 7)]
    path = tmp_path / "repeats.csv"
    path.write_text("model,repeat,acc\n" + "\n".join(rows))
    assert any("share no training data" in w for w in rw.compare(path).audit.warnings)


def test_a_corpus_metric_without_its_statistics_is_asked_for_them(tmp_path: Path) -> None:
    path = tmp_path / "segments.csv"
    path.write_text("model,id,m1,t1\na,1,2,3\nb,1,1,3\na,2,3,3\nb,2,2,3\n")
    for metric in ("bleu", "rouge"):
        with pytest.raises(
            OptionError, match="is computed from statistics per segment, but their columns"
        ) as caught:
            rw.compare(path, metric=metric)
        assert "--statistics A,B,..." in caught.value.hint


def test_what_can_be_learned_from_rows_that_are_held_out() -> None:
    table = pd.DataFrame(
        {
            "id": range(40),
            "truth": [0, 1] * 20,
            "A": np.linspace(0.1, 0.9, 40),
            "B": np.linspace(0.9, 0.2, 40),
            "part": ["test"] * 20 + ["other"] * 20,
        }
    )
    with pytest.raises(OptionError, match="both a calibration and a threshold were requested"):
        rw.compare(table, calibrate="platt", fpr=0.1, truth="truth", model=["A", "B"])
    with pytest.raises(OptionError, match="rows are held out, but nothing is fitted on them"):
        rw.compare(table, held_out=("part", "other"), truth="truth", model=["A", "B"])
    with pytest.raises(OptionError, match="scores without the truth cannot be calibrated or thresholded"):
        rw.compare({"A": [0.1, 0.2, 0.5], "B": [0.3, 0.1, 0.2]}, calibrate="platt")


def test_a_method_that_is_not_there() -> None:
    with pytest.raises(OptionError, match=r'no method "mcnemer"\n\n  Did you mean "mcnemar"'):
        rw.compare(outcomes(5, 6, 7, 8), method="mcnemer")


def test_pictures_of_what_is_not_there() -> None:
    rng = np.random.default_rng(0)
    report = rw.compare({name: rng.normal(size=12) for name in "ABC"})
    with pytest.raises(OptionError, match="a reliability diagram needs predicted probabilities"):
        report.plot_reliability("A")
    with pytest.raises(OptionError, match="nothing is known about single tasks"):
        report.board.plot_tasks()


def test_rows_that_are_worth_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """No series was found that is worth so little: the summary is replaced by one that says so."""
    from ropewalk.decide import SeriesSummary

    said = SeriesSummary(n=9, series=1, lag1=0.99, lags=9, design_effect=9.0, n_eff=1.0)
    from ropewalk.methods import effective_size

    monkeypatch.setattr(effective_size, "series_summary", lambda d, series: said)
    with pytest.raises(
        MethodError,
        match="the 9 rows are so strongly correlated that they carry the information of a single row",
    ):
        rw.compare({"A": list(range(9)), "B": [0.1] * 9}, method="ess")

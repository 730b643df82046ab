"""Many models at once, from the data to the leaderboard."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.analysis.leaderboard import together
from ropewalk.data import Audit, Design, Scores, TaskScores
from ropewalk.errors import DataError, MethodError, OptionError
from ropewalk.methods.crossed import as_cross_sums
from ropewalk.posterior import JointPosterior, Posterior


def one_task(values: np.ndarray, names: str = "abcdefgh", **design: object) -> Scores:
    return Scores(
        models=tuple(names[: values.shape[1]]),
        tasks=(TaskScores(name=None, units=[str(i) for i in range(len(values))], values=values),),
        metric="reward",
        higher_is_better=True,
        design=Design(unit="example", **design),  # type: ignore[arg-type]
        audit=Audit(paired=len(values)),
    )


def table(skill: list[float], n: int = 60, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 1)) + np.array(skill) + rng.normal(0, 0.5, (n, len(skill)))


def many_tasks(skill: list[float], tasks: int = 12, n: int = 20, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = []
    for t in range(tasks):
        own = rng.normal(0, 0.1, len(skill))
        z = rng.normal(size=(n, 1)) + np.array(skill) + own + rng.normal(0, 0.3, (n, len(skill)))
        rows += [("abcdefgh"[j], f"t{t}", i, z[i, j]) for i in range(n) for j in range(len(skill))]
    return pd.DataFrame(rows, columns=["model", "task", "id", "reward"])


def test_two_models_are_the_pair() -> None:
    report = rw.compare(one_task(table([0.1, 0.0])), rope=0.05)
    v, board = report.comparisons[0].verdict, report.board
    assert board is not None
    error = 4 * np.sqrt(0.25 / 10_000)
    assert board.better[0, 1] == pytest.approx(v.better, abs=error)
    assert board.equivalent[0, 1] == pytest.approx(v.equivalent, abs=error)
    exact = float(report.comparisons[0].posterior.sf(0.0))
    assert report.models[0].p_best == pytest.approx(max(exact, 1 - exact), abs=error)


def test_the_chances_add_up_and_nothing_contradicts() -> None:
    board = rw.compare(one_task(table([0.3, 0.25, 0.0, -0.2])), rope=0.1).board
    assert board is not None
    assert board.posterior.p_best.sum() == pytest.approx(1.0)
    assert np.allclose(board.better + board.equivalent + board.worse + np.eye(4) * 0, 1.0, atol=1e-12)
    assert np.allclose(board.better, board.worse.T)
    assert all(board.p_within >= board.posterior.p_best - 1e-12)


def test_swapping_names_permutes_the_answer() -> None:
    z = table([0.3, 0.2, 0.0])
    one = rw.compare(one_task(z, "abc"), rope=0.1)
    other = rw.compare(one_task(z[:, [2, 0, 1]], "cab"), rope=0.1)
    chances = [{m.name: (m.p_best, m.p_within_rope, m.rank) for m in r.models} for r in (one, other)]
    assert chances[0] == chances[1]


def test_the_headline_names_the_practically_best() -> None:
    clear = rw.compare(one_task(table([1.0, 0.0, -0.1])), rope=0.1)
    assert (
        clear.to_text().split("\n")[1].strip() == "a is the best of the 3 models, or within the ROPE of it."
    )
    assert [m.practically_best for m in clear.models] == [True, False, False]


def test_duplicate_models_share_what_they_have() -> None:
    z = table([0.5, 0.0])
    report = rw.compare(one_task(np.column_stack([z[:, 0], z])), rope=0.1)
    assert report.board is not None
    assert report.board.posterior.p_best[:2].tolist() == pytest.approx([0.5, 0.5], abs=1e-9)
    # As much as so many equal scores have earned, on the board and by themselves.
    alike = report.comparisons[0].verdict.equivalent
    assert report.board.equivalent[0, 1] == pytest.approx(alike, rel=1e-9)
    reach = np.ptp(z[:, 0])
    assert alike == pytest.approx(1 - (1 - 0.1 / reach) ** (len(z) + 3))


def test_folds_take_their_correlation() -> None:
    z = table([0.05, 0.0, -0.05], n=10)
    folds = Scores(
        models=("a", "b", "c"),
        tasks=(TaskScores(name=None, units=[str(i) for i in range(10)], values=z),),
        metric="reward",
        higher_is_better=True,
        design=Design(unit="fold", folds=10),
        audit=Audit(paired=10),
    )
    board = rw.compare(folds, rope=0.1).board
    expected = rw.bayes.joint(z, rho=0.1, rng=0)
    assert board is not None
    assert board.posterior.p_best.tolist() == pytest.approx(expected.p_best.tolist())


def test_lower_is_better() -> None:
    data = many_tasks([0.3, 0.0, -0.3])
    up = rw.compare(data, rope=0.1)
    down = rw.compare(data.assign(reward=-data["reward"]), rope=0.1, higher_is_better=False)
    assert up.board is not None
    assert down.board is not None
    assert np.allclose(up.board.posterior.p_best, down.board.posterior.p_best)
    assert [m.name for m in down.models] == ["a", "b", "c"]


def test_a_missing_model_does_not_lose_the_task() -> None:
    data = many_tasks([0.3, 0.2, 0.0])
    gap = data[~((data["model"] == "c") & data["task"].isin(["t0", "t1"]))]
    report = rw.compare(gap, rope=0.1)
    assert len({c.task for c in report.comparisons}) == 12
    by_pair = {(c.a, c.b): c.n for c in report.overall}
    assert by_pair == {("a", "b"): 12, ("a", "c"): 10, ("b", "c"): 10}
    assert report.board is not None
    assert "2 of 36 cells are missing" in report.board.posterior.why
    assert any("not run on some of the 12 tasks: c on 2" in w for w in report.audit.warnings)


def test_a_model_on_one_task_only() -> None:
    data = many_tasks([0.3, 0.2, 0.0])
    lonely = data[(data["model"] != "c") | (data["task"] == "t0")]
    report = rw.compare(lonely, rope=0.1)
    assert [(c.a, c.b) for c in report.overall] == [("a", "b")]
    assert any("share fewer than two tasks" in w for w in report.audit.warnings)
    assert {m.name for m in report.models} == {"a", "b", "c"}
    # On that task it is compared all the same; task by task, and in each the pairs in their order.
    shared = [(f"t{i}", pair) for i in range(12) for pair in ("ab", "ac", "bc") if pair == "ab" or i == 0]
    assert [(c.task, c.a + c.b) for c in report.comparisons] == shared


def test_ranks_alone() -> None:
    rng = np.random.default_rng(0)
    worth = np.array([1.5, 0.5, 0.0, -0.5])
    rows = []
    for t in range(30):
        order = np.argsort(-(worth + rng.gumbel(size=4)))
        rows += [("abcd"[m], f"t{t}", r + 1) for r, m in enumerate(order)]
    report = rw.compare(pd.DataFrame(rows, columns=["model", "task", "rank"]))
    assert report.board is not None
    assert "Plackett-Luce" in report.board.posterior.model
    assert report.models[0].name == "a"
    assert {c.method for c in report.overall} == {"sign"}


def _pair_on(boards: list[int], tasks: int, right_or_wrong: bool) -> list[tuple[Any, Any]]:
    """What the report says of the first two models on boards of several sizes."""
    rng = np.random.default_rng(1)
    z = rng.normal(size=(tasks, 15, 1)) + rng.normal(size=(tasks, 15, max(boards)))
    z = (z > 0) * 1.0 if right_or_wrong else z
    found = []
    for k in boards:
        rows = [
            (f"m{m:02d}", f"t{t}", i, z[t, i, m]) for m in range(k) for t in range(tasks) for i in range(15)
        ]
        data = pd.DataFrame(rows, columns=["model", "task", "id", "correct" if right_or_wrong else "reward"])
        report = rw.compare(data, rope=0.1)
        c = report.overall[0]
        assert (c.a, c.b) == ("m00", "m01")
        if (board := report.board) is not None:
            assert board.better[0, 1] == c.verdict.better
        posterior = cast("Posterior", c.posterior)
        p, e = c.verdict, c.estimate
        numbers = [p.better, p.equivalent, p.worse, e.mean, e.low, e.high, float(posterior.cdf(0.0))]
        # Sums over columns of a wider table round in another order.
        found.append(((c.method, c.asks, c.rope, p.name, e.name), pytest.approx(numbers, rel=1e-9)))
    return found


@pytest.mark.parametrize("right_or_wrong", [True, False])
def test_a_pair_over_tasks_is_the_same_on_every_board(
    monkeypatch: pytest.MonkeyPatch, right_or_wrong: bool
) -> None:
    # The same method, estimand, ROPE and numbers, whether single tasks are shown (up to 2 pairs here) or not.
    monkeypatch.setattr("ropewalk.analysis.chosen_pairs._MOST_SHOWN", 2)
    two, three = _pair_on([2, 3], 5, right_or_wrong)
    assert two[0] == three[0]
    assert two[1] == three[1].expected
    assert two[0][:2] == ("hierarchical_accuracy" if right_or_wrong else "hierarchical_t", "average")


@pytest.mark.proof
@pytest.mark.parametrize("right_or_wrong", [True, False])
def test_a_pair_over_tasks_is_the_same_on_boards_of_12_and_14_models(right_or_wrong: bool) -> None:
    twelve, fourteen = _pair_on([12, 14], 12, right_or_wrong)
    assert twelve[0] == fourteen[0]
    assert twelve[1] == fourteen[1].expected


def test_pairs_over_tasks_beyond_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of many pairs single tasks are left out, of more the groups, and of still more all but those with the
    # best model; each is said, and the method stays.
    rng = np.random.default_rng(0)
    tasks = tuple(
        TaskScores(
            name=f"t{t}", group="xy"[t % 2], units=list("1234"), values=rng.normal([1, 0, 0], size=(4, 3))
        )
        for t in range(4)
    )
    data = replace(one_task(tasks[0].values, "abc"), tasks=tasks)
    at = "ropewalk.analysis.chosen_pairs."
    for shown, fits, counts, said in (
        (3, 9, (12, 3, 6), ""),
        (2, 9, (0, 3, 6), "3 pairs on 4 tasks: compared over all tasks only"),
        (2, 8, (0, 3, 0), "3 pairs in 2 groups of tasks: compared over all tasks only"),
        (3, 2, (8, 2, 0), "3 pairs are too many: every model is compared with the best, a"),
    ):
        monkeypatch.setattr(at + "_MOST_SHOWN", shown)
        monkeypatch.setattr(at + "_MOST_FITS", fits)
        report = rw.compare(data, rope=0.1)
        groups = sum(len(found) for found in report.groups.values())
        assert (len(report.comparisons), len(report.overall), groups) == counts
        assert {c.method for c in report.overall} == {"hierarchical_t"}
        assert said in " ".join(report.audit.notes)


def test_hundreds_of_models_are_compared_with_the_best() -> None:
    z = np.random.default_rng(2).normal(size=(12, 150)) + np.linspace(0, 3, 150)
    report = rw.compare(
        Scores(
            models=tuple(f"m{i:03d}" for i in range(150)),
            tasks=(TaskScores(name=None, units=[str(i) for i in range(12)], values=z),),
            metric="reward",
            higher_is_better=True,
            design=Design(unit="example"),
            audit=Audit(paired=12),
        ),
        rope=0.1,
    )
    assert len(report.comparisons) == 149
    assert len({c.b for c in report.comparisons}) == 1
    assert any("11,175 pairs are too many" in n for n in report.audit.notes)
    assert "… 90 more" in report.to_text()


def test_in_the_document() -> None:
    content = json.loads(rw.compare(many_tasks([0.3, 0.2, 0.0]), rope=0.1).to_json())
    board = content["leaderboard"]
    assert set(board) >= {"model", "why", "rope", "practically_best", "pairs", "error"}
    assert board["pairs"]["better"][0][1] == pytest.approx(board["pairs"]["worse"][1][0])
    assert {"p_best", "p_within_rope", "rank"} <= set(content["models"][0])


def test_beside_it_for_reviewers() -> None:
    names = [t.name for t in rw.compare(one_task(table([0.3, 0.2, 0.0])), rope=0.1).classical]
    assert names == ["ANOVA", "model confidence set (T_R)"]
    over = rw.compare(many_tasks([0.3, 0.2, 0.0]), rope=0.1)
    assert [t.name for t in over.classical] == ["Friedman", "Nemenyi", "model confidence set (T_R)"]
    text = over.to_text()
    assert "Bayesian false discovery rate" in text.replace("\n" + 19 * " ", " ")
    assert "after Holm" in text


def test_a_reference_that_does_not_exist() -> None:
    with pytest.raises(OptionError, match=r'there is no model "az"(.|\n)*[Dd]id you mean'):
        rw.compare(many_tasks([0.3, 0.2, 0.0]), reference="az")


def test_at_a_false_discovery_rate_of_5_percent_at_most_5_percent_of_the_claims_are_false() -> None:
    # Worlds of the pooled model itself: skills N(0, 0.2²), noise N(0, 0.5²), 20 units, 8 models. A claim is
    # the likeliest of better, equivalent and worse for a pair; it is false when the true difference lies
    # elsewhere. Claims of one world hang together, so the error is that of the share over 300 worlds.
    rope, shares = 0.1, []
    i, j = np.tril_indices(8, -1)
    for seed in range(300):
        rng = np.random.default_rng(seed)
        skill = rng.normal(0, 0.2, 8)
        z = rng.normal(size=(20, 1)) + skill + rng.normal(0, 0.5, (20, 8))
        fitted = rw.bayes.joint(z, draws=2_000, rng=seed)
        p = together(fitted, -rope, rope)[:, i, j]
        gap = skill[i] - skill[j]
        truth = np.where(gap > rope, 0, np.where(gap < -rope, 2, 1))
        made = list(rw.decide.false_discovery(np.clip(1 - p.max(axis=0), 0, 1), q=0.05).claims)
        if made:
            shares.append(np.mean((truth != p.argmax(axis=0))[made]))
    assert len(shares) > 100
    assert np.mean(shares) <= 0.05 + 3 * np.std(shares) / np.sqrt(len(shares))
    assert np.mean(shares) > 0.005  # not by claiming next to nothing


def test_ranks_with_a_gap_are_ranked_again() -> None:
    rows = [("abc"[m], f"t{t}", m + 1) for t in range(12) for m in range(3) if not (m == 0 and t < 3)]
    report = rw.compare(pd.DataFrame(rows, columns=["model", "task", "rank"]))
    assert report.board is not None
    assert (report.models[0].name, report.models[0].mean) == ("a", 1.0)


def seed_runs(lift: dict[str, float], seeds: dict[str, list[int]], luck: float, n: int = 100) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = [
        (m, s, i, lift[m] + own + x)
        for m, runs in seeds.items()
        for s in runs
        for own in [rng.normal(0, luck)]
        for i, x in enumerate(rng.normal(size=n))
    ]
    return pd.DataFrame(rows, columns=["model", "seed", "id", "reward"])


def test_the_leaderboard_of_several_training_runs_does_not_forget_the_seeds() -> None:
    # Three equal models whose seeds vary a lot: averaged over the runs one of them would look best.
    data = seed_runs(dict.fromkeys("abc", 0.0), {m: [0, 1, 2] for m in "abc"}, luck=0.5)
    report = rw.compare(data, rope=0.05)
    board = report.board
    assert board is not None
    assert board.posterior.model == "runs, pooled"
    assert all(board.verdict(i, j) == "undecided" for i in range(3) for j in range(3) if i != j)
    assert board.posterior.p_best.sum() == pytest.approx(1.0)
    averaged = data.groupby(["model", "id"], as_index=False)["reward"].mean()
    forgets = rw.compare(averaged, rope=0.05).board
    assert forgets is not None
    assert "better" in {forgets.verdict(i, j) for i in range(3) for j in range(3) if i != j}
    assert all(m.high - m.low > 0.5 for m in report.models)  # the intervals know about the seeds
    with pytest.raises(MethodError, match="t looks at one training run"):
        rw.compare(data, method="t")


@pytest.mark.parametrize("seeds", [{"a": [0, 1, 2], "b": [0, 1, 2]}, {"a": [0, 1, 2], "b": [7, 8, 9, 10]}])
def test_two_models_of_several_runs_are_the_pair(seeds: dict[str, list[int]]) -> None:
    # The matrix of the joint draws against the exact posterior of `crossed`, paired and not.
    report = rw.compare(seed_runs({"a": 0.2, "b": 0.0}, seeds, luck=0.1), rope=0.05)
    v, board = report.comparisons[0].verdict, report.board
    assert board is not None
    error = 4 * np.sqrt(0.25 / 10_000)
    assert board.better[0, 1] == pytest.approx(v.better, abs=error)
    assert board.equivalent[0, 1] == pytest.approx(v.equivalent, abs=error)


def test_renaming_models_of_several_runs_permutes_the_answer() -> None:
    lift, seeds = {"a": 0.3, "b": 0.2, "c": 0.0}, {"a": [0, 1, 2], "b": [3, 4], "c": [5, 6, 7, 8]}
    data = seed_runs(lift, seeds, luck=0.1)
    other = pd.concat([data[data["model"] == m] for m in "cab"])
    chances = [
        {m.name: (m.p_best, m.p_within_rope, m.rank) for m in rw.compare(d, rope=0.05).models}
        for d in (data, other)
    ]
    assert chances[0] == chances[1]


def test_runs_on_many_tasks_and_a_model_not_run_on_one() -> None:
    lift, seeds = {"a": 0.3, "b": 0.2, "c": 0.0}, {m: [0, 1, 2] for m in "abc"}
    tasks = [seed_runs(lift, seeds, luck=0.1, n=30 + t).assign(task=f"t{t}") for t in range(6)]
    tasks[2] = tasks[2][tasks[2]["model"] != "c"]
    report = rw.compare(pd.concat(tasks), rope=0.05)
    board = report.board
    assert board is not None
    assert board.posterior.model == "tasks, pooled"
    assert "1 of 18 cells are missing" in board.posterior.why
    assert any("not run on some of the 6 tasks: c on 1 (t2)" in w for w in report.audit.warnings)
    assert board.within_by_task is not None
    assert np.isnan(board.within_by_task).tolist() == [[False] * 6, [False] * 6, [t == 2 for t in range(6)]]
    assert {(c.a, c.b): c.n for c in report.overall} == {("a", "b"): 6, ("a", "c"): 5, ("b", "c"): 5}


def test_with_two_models_a_task_that_all_runs_of_one_lack_is_dropped() -> None:
    tasks = [
        seed_runs({"a": 0.3, "b": 0.0}, {"a": [0, 1], "b": [0, 1]}, luck=0.1, n=20).assign(task=f"t{t}")
        for t in range(3)
    ]
    tasks[1] = tasks[1][tasks[1]["model"] == "a"]
    report = rw.compare(pd.concat(tasks), rope=0.05, missing="drop")
    assert {c.task for c in report.comparisons} == {"t0", "t2"}
    assert any("1 task is left out whole" in w and '"t1"' in w for w in report.audit.warnings)


def test_the_spread_of_a_task_of_runs_is_handed_on_pair_by_pair() -> None:
    # For two models exactly what the pair hands on: a variance from the distance of the quartiles.
    rng = np.random.default_rng(0)
    x = rng.standard_t(2, size=(4_000, 3)) * [1.0, 2.0, 3.0]
    s = as_cross_sums(JointPosterior.of(x), 50, [0, 2, 3], 4)
    E = s.m2 / (50 * 49)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        low, high = np.quantile(x[:, i] - x[:, j], [0.25, 0.75])
        a, b = [0, 2, 3][i], [0, 2, 3][j]
        assert E[a, a] + E[b, b] - 2 * E[a, b] == pytest.approx(((high - low) / 1.349) ** 2, rel=1e-3)
    assert np.isnan(s.mean).tolist() == [False, True, False, False]


def test_nothing_links_two_groups_of_models() -> None:
    data = many_tasks([0.3, 0.2, 0.0, 0.1], tasks=6)
    first = data["task"].isin(["t0", "t1", "t2"])
    apart = data[(first & data["model"].isin(["a", "b"])) | (~first & data["model"].isin(["c", "d"]))]
    report = rw.compare(apart, rope=0.1)
    assert report.board is None
    text = 'no leaderboard of all models: no task links the models "c", "d" with the others'
    assert text in report.audit.warnings
    with pytest.raises(DataError, match="the models to be compared share no task"):
        rw.compare(apart, rope=0.1, pairs=[("a", "c")])


def test_intervals_of_a_bounded_metric_stay_inside() -> None:
    # Accuracies near 1 on few tasks: the t interval of the mean would reach beyond 1.
    values = {"a": [0.99, 0.80, 1.0], "b": [0.95, 0.70, 1.0], "c": [0.6, 0.7, 0.9]}
    rows = [(m, f"t{t}", v) for m, own in values.items() for t, v in enumerate(own)]
    report = rw.compare(pd.DataFrame(rows, columns=["model", "task", "accuracy"]))
    beyond = rw.bayes.t(np.array(values["a"])).interval(0.95)
    assert beyond[1] > 1
    for m in report.models:
        assert 0 <= m.low < m.mean < m.high <= 1
    # Oracle: the t posterior cut off at 0 and 1, by its distribution function.
    a, exact = report.models[0], rw.bayes.t(np.array(values["a"]))
    below, inside = float(exact.cdf(0.0)), float(exact.cdf(1.0) - exact.cdf(0.0))
    assert (float(exact.cdf(a.low)) - below) / inside == pytest.approx(0.025, abs=1e-6)
    assert (float(exact.cdf(a.high)) - below) / inside == pytest.approx(0.975, abs=1e-6)
    assert report.board is not None
    ends = report.board.intervals()
    assert ends.min() >= 0
    assert ends.max() <= 1
    unbounded = rw.compare(pd.DataFrame(rows, columns=["model", "task", "reward"]))
    assert max(m.high for m in unbounded.models) > 1


def test_intervals_of_a_bounded_loss_stay_inside_too() -> None:
    rows = [("abc"[j], f"t{t}", v) for j in range(3) for t, v in enumerate([0.0, 0.02 * j, 0.2])]
    rows = [r for r in rows if r[:2] != ("c", "t0")]  # with a gap the intervals are those of the joint model
    report = rw.compare(pd.DataFrame(rows, columns=["model", "task", "error"]))
    assert report.board is not None
    assert report.board.posterior.interval(0.95).max() > 0  # errors below 0
    assert all(0 <= m.low <= m.high <= 1 for m in report.models)


@pytest.mark.parametrize(
    ("values", "rope"),
    [
        ([[0.9, 0.7], [1.0 + 2e-16, 0.8], [0.95, 0.7]], 0.01),  # a one that was rounded up
        ([[90.0, 70.0], [95.0, 80.0], [99.0, 70.0]], 1.0),  # percent
        ([[0.6, 0.95], [0.62, 1.03], [0.58, 0.97]], None),  # neither
    ],
)
def test_one_point_of_a_hundred_only_where_the_scores_say_so(
    values: list[list[float]], rope: float | None
) -> None:
    rows = [(m, f, v[j]) for f, v in enumerate(values) for j, m in enumerate("ab")]
    c = rw.compare(pd.DataFrame(rows, columns=["model", "fold", "error"])).comparisons[0]
    if rope is None:
        assert c.rope.source == "0.1 sd"
    else:
        assert c.rope.high == rope

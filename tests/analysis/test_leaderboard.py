"""Many models at once, from the data to the leaderboard."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.analysis.leaderboard import together
from ropewalk.data import Audit, Design, Scores, TaskScores
from ropewalk.methods.crossed import as_cross_sums
from ropewalk.posterior import JointPosterior
from tests.analysis.boards_of_models import many_tasks, one_task, seed_runs


def table(skill: list[float], n: int = 60, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 1)) + np.array(skill) + rng.normal(0, 0.5, (n, len(skill)))


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
        clear.to_text(width=120).split("\n")[1].strip()
        == "a is the best of the 3 models or practically tied with the best (probability >0.99)."
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
    text = over.to_text(width=200)
    assert "Bayesian false discovery rate" in text
    assert "corrected p-values" in text


@pytest.mark.proof
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


@pytest.mark.parametrize("seeds", [{"a": [0, 1, 2], "b": [0, 1, 2]}, {"a": [0, 1, 2], "b": [7, 8, 9, 10]}])
def test_two_models_of_several_runs_are_the_pair(seeds: dict[str, list[int]]) -> None:
    # The matrix of the joint draws against the exact posterior of `crossed`, paired and not.
    report = rw.compare(seed_runs({"a": 0.2, "b": 0.0}, seeds, luck=0.1), rope=0.05)
    v, board = report.comparisons[0].verdict, report.board
    assert board is not None
    error = 4 * np.sqrt(0.25 / 10_000)
    assert board.better[0, 1] == pytest.approx(v.better, abs=error)
    assert board.equivalent[0, 1] == pytest.approx(v.equivalent, abs=error)


@pytest.mark.proof
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
    assert any("1 task is left out entirely" in w and '"t1"' in w for w in report.audit.warnings)


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

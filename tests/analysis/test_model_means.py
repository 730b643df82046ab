"""Means of models that were not all run on every task, and of several runs."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.errors import DataError, MethodError
from tests.analysis.boards_of_models import many_tasks, seed_runs


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
    with pytest.raises(MethodError, match="t compares one training run"):
        rw.compare(data, method="t")


def test_nothing_links_two_groups_of_models() -> None:
    data = many_tasks([0.3, 0.2, 0.0, 0.1], tasks=6)
    first = data["task"].isin(["t0", "t1", "t2"])
    apart = data[(first & data["model"].isin(["a", "b"])) | (~first & data["model"].isin(["c", "d"]))]
    report = rw.compare(apart, rope=0.1)
    assert report.board is None
    text = 'no leaderboard of all models: no task links the models "c", "d" with the others'
    assert text in report.audit.warnings
    with pytest.raises(DataError, match="the models to be compared have no task in common"):
        rw.compare(apart, rope=0.1, pairs=[("a", "c")])

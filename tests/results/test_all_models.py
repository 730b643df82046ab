"""A leaderboard in the direction of its metric, with verdicts at its threshold."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.errors import OptionError

SCORES = np.random.default_rng(0).normal([5.0, 4.0, 3.9], 0.5, (60, 3))


@pytest.fixture(scope="module")
def boards():
    """The same scores, as they are and turned round."""
    up = rw.compare(dict(zip("abc", SCORES.T, strict=True)), higher_is_better=True, rope=0.1, rho=0)
    down = rw.compare(dict(zip("abc", -SCORES.T, strict=True)), higher_is_better=False, rope=0.1, rho=0)
    return up.board, down.board


def test_the_best_comes_first_whichever_way_the_metric_runs(boards) -> None:
    for board in boards:
        assert [board.names[i] for i in board.order] == ["a", "b", "c"]
        assert board.mean == pytest.approx(SCORES.mean(axis=0), rel=1e-9)


def test_intervals_run_as_the_metric_does(boards) -> None:
    up, down = (board.intervals(0.9) for board in boards)
    assert up == pytest.approx(-down[:, ::-1], rel=1e-9)
    assert (up[:, 0] < SCORES.mean(axis=0)).all()
    assert (up[:, 1] > SCORES.mean(axis=0)).all()


def test_a_verdict_needs_the_threshold_and_has_a_mirror_image(boards) -> None:
    board = boards[0]
    assert board.verdict(0, 1) == "better"
    assert board.verdict(1, 0) == "worse"
    assert board.better[0, 1] >= board.threshold
    assert board.verdict(1, 2) == "undecided"
    assert board.better[1, 2] == pytest.approx(board.worse[2, 1])


def test_one_task_has_no_plot_of_tasks(boards) -> None:
    with pytest.raises(OptionError, match="nothing is known about single tasks"):
        boards[0].plot_tasks()

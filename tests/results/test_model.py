"""One model of a report."""

from __future__ import annotations

import ropewalk as rw
from ropewalk.results import Model


def test_the_interval_is_its_two_ends() -> None:
    assert Model(name="svm", mean=0.8, low=0.7, high=0.9).interval == (0.7, 0.9)


def test_a_leaderboard_gives_each_model_its_chances() -> None:
    scores = {"a": [1, 1, 0, 1, 1, 1], "b": [0, 1, 0, 1, 1, 0], "c": [0, 0, 0, 1, 1, 0]}
    first = rw.compare(scores, rope=0.1).models[0]
    assert first.name == "a"
    assert first.p_best is not None
    assert first.rank is not None
    assert first.rank[0] == 1
    assert first.practically_best

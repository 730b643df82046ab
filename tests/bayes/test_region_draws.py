"""Draws of shares of several regions."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.bayes.region_draws import largest_shares
from ropewalk.posterior import Point
from tests.bayes.several_measures import ROPES, D


def test_most_probable_against_draws() -> None:
    found = bayes.several_sign(D, ROPES)
    patterns = list(found.alpha)
    theta = np.random.default_rng(0).dirichlet([found.alpha[p] for p in patterns], size=400_000)
    won = dict(zip(patterns, np.bincount(theta.argmax(axis=1), minlength=len(patterns)) / 4e5, strict=True))
    assert found.most_probable == pytest.approx(won, abs=0.004)
    assert sum(found.most_probable.values()) == pytest.approx(1, abs=1e-12)
    up = [("worse" not in p) and ("better" in p) for p in patterns]
    share = theta[:, up].sum(axis=1)
    assert float(found.dominates.sf(0.3)) == pytest.approx(np.mean(share > 0.3), abs=0.004)
    down = theta[:, [("better" not in p) and ("worse" in p) for p in patterns]].sum(axis=1)
    neither = 1 - share - down
    largest = np.mean((share > down) & (share > neither))
    assert found.dominance.most_probable.better == pytest.approx(largest, abs=0.004)
    assert found.dominated.mean == pytest.approx(down.mean(), abs=0.002)


def test_a_pattern_that_cannot_occur_has_no_share() -> None:
    found = bayes.several_sign([[0.1, 0.1]] * 3, [0.01, 0.01])
    assert found.dominated == Point(at=0.0)


def test_ties_are_shared() -> None:
    # By hand: the first column is tied between two regions, the second between all three.
    theta = np.array([[0.4, 1 / 3, 0.2], [0.4, 1 / 3, 0.3], [0.2, 1 / 3, 0.5]])
    assert largest_shares(theta) == pytest.approx([1 / 2 + 1 / 3, 1 / 2 + 1 / 3, 1 / 3 + 1])

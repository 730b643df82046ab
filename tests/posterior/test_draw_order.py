"""Weights of joint draws count for claims about order, and for nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.posterior import JointPosterior, Order

DRAWS = [[0.9, 0.8, 0.1], [0.7, 0.8, 0.2], [0.5, 0.6, 0.9], [0.9, 0.7, 0.1]]
WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0])


def test_the_best_and_the_ranks_are_weighted() -> None:
    """Oracle: the weights of the draws in which each model has each rank, by hand."""
    found = JointPosterior.of(DRAWS, order=Order(weights=WEIGHTS, even=0.0))
    assert found.p_best == pytest.approx([0.5, 0.2, 0.3])
    assert found.ranks == pytest.approx(np.array([[5, 2, 3], [2, 8, 0], [3, 0, 7]]) / 10)


def test_weights_that_are_all_the_same_change_nothing() -> None:
    found = JointPosterior.of(DRAWS, order=Order(weights=np.full(4, 7.0), even=0.0))
    plain = JointPosterior.of(DRAWS)
    assert found.p_best == pytest.approx(plain.p_best)
    assert found.ranks == pytest.approx(plain.ranks)
    assert found.error == pytest.approx(plain.error)


def test_pairs_and_means_are_not_weighted() -> None:
    found = JointPosterior.of(DRAWS, order=Order(weights=WEIGHTS, even=0.0))
    assert found.mean == pytest.approx(np.mean(DRAWS, axis=0))
    assert float(found.pair(0, 1).sf(0.0)) == 0.5

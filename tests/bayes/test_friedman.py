"""The Bayesian Friedman test against the sign test, closed-form moments and brute force."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from reproduce import published
from ropewalk import bayes, nhst
from ropewalk.errors import CellError, DataError


def test_two_models_are_the_sign_test() -> None:
    # The order of two models is a sign: theta ~ Beta(wins + s/2, losses + s/2) in both tests.
    d = np.array([0.1, 0.2, -0.1, 0.3, 0.2, 0.4, -0.2, 0.1])
    found = bayes.friedman(np.column_stack([d, np.zeros(8)]), draws=100_000)
    exact = bayes.sign(d, 0.0).most_probable.better
    assert float(found.pair(0, 1).sf(0.0)) == pytest.approx(exact, abs=4 * found.error)


def test_mean_and_variance_in_closed_form() -> None:
    # A Dirichlet process mean has mean E R and variance Var R / (n + s + 1), with R from the posterior's
    # base: the ranks seen with weight 1 each, all k! orders with weight s together.
    z = np.random.default_rng(2).normal(size=(7, 4))
    s, n, k = 2.5, 7, 4
    ranks = (-z).argsort(axis=1).argsort(axis=1) + 1.0
    every = np.array(list(permutations(range(1, k + 1))), dtype=float)
    rows = np.concatenate([ranks, every])
    weight = np.concatenate([np.ones(n), np.full(len(every), s / len(every))]) / (n + s)
    mean = weight @ rows
    covariance = (rows - mean).T @ np.diag(weight) @ (rows - mean) / (n + s + 1)
    found = bayes.friedman(z, strength=s, draws=200_000)
    assert found.mean_ranks == pytest.approx(mean, abs=1e-12)
    assert -found.draws.mean(axis=0) == pytest.approx(mean, abs=4e-3)
    np.testing.assert_allclose(np.cov(found.draws.T), covariance, atol=4e-3)


def test_brute_force_over_all_orders() -> None:
    # Oracle: one Dirichlet over the tasks and all six orders of three models.
    z = np.array([[3, 2, 1], [3, 1, 2], [2, 3, 1], [3, 2, 2]], dtype=float)
    ranks = np.array([[1, 2, 3], [1, 3, 2], [2, 1, 3], [1, 2.5, 2.5]])
    every = np.array(list(permutations([1, 2, 3])), dtype=float)
    w = np.random.default_rng(8).dirichlet([1.0] * 4 + [1 / 6] * 6, size=200_000)
    mean_rank = w @ np.concatenate([ranks, every])
    best = np.bincount(mean_rank.argmin(axis=1), minlength=3) / len(w)
    found = bayes.friedman(z, draws=200_000)
    assert found.p_best == pytest.approx(best, abs=0.006)
    within = (mean_rank <= mean_rank.min(axis=1, keepdims=True) + 0.5).mean(axis=0)
    assert found.p_within(0.5) == pytest.approx(within, abs=0.006)


def test_five_classifiers_on_54_data_sets() -> None:
    # Next to the classical test: the same average ranks, pulled towards 3 by one task's weight.
    found, classical = bayes.friedman(published.means()), nhst.friedman(published.means())
    assert found.mean_ranks == pytest.approx((54 * classical.average_ranks + 3) / 55)
    assert int(found.p_best.argmax()) == int(classical.average_ranks.argmin())


def test_what_it_refuses() -> None:
    with pytest.raises(CellError, match="1 of 4 cells are NaN or infinite"):
        bayes.friedman([[1.0, 2.0], [np.nan, 1.0]])
    with pytest.raises(DataError, match="the table has 1 dimension"):
        bayes.friedman([1.0, 2.0, 3.0])

"""The Poisson-binomial test against enumeration, the binomial distribution, and Lacoste et al. 2012."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc
from scipy.stats import binom

from ropewalk.bayes.poisson_binomial import (
    _by_recursion,
    _by_transforms,
    _cycles,
    poisson_binomial,
    poisson_binomial_matrix,
    wins,
)
from ropewalk.errors import CellError, DataError, OptionError


def test_enumerated() -> None:
    # Every d in {0, 1}^N (Lacoste et al. 2012 eq. 5), and Pr(r > 1/2) of the Beta of each number of wins.
    p = np.array([0.9, 0.8, 0.6, 0.95, 0.0, 1.0, 0.3])
    q = np.zeros(8)
    for d in product((0, 1), repeat=7):
        q[sum(d)] += np.prod([x if won else 1 - x for x, won in zip(p, d, strict=True)])
    assert wins(p) == pytest.approx(q, abs=1e-15)
    above = [1 - betainc(k + 1, 7 - k + 1, 0.5) for k in range(8)]
    assert poisson_binomial(p) == pytest.approx(q @ above, abs=1e-14)
    above = [1 - betainc(k + 0.5, 7 - k + 2, 0.5) for k in range(8)]
    assert poisson_binomial(p, prior=(0.5, 2.0)) == pytest.approx(q @ above, abs=1e-14)


def test_equal_probabilities_give_the_binomial() -> None:
    for n in (1, 30, 1000):
        assert wins(np.full(n, 0.3)) == pytest.approx(binom.pmf(np.arange(n + 1), n, 0.3), abs=1e-13)


@pytest.mark.parametrize("n", [1, 2, 3, 64, 513, 3000])
def test_recursion_and_transforms_agree(n: int) -> None:
    p = np.random.default_rng(n).beta(0.5, 0.5, n)
    assert _by_transforms(p) == pytest.approx(_by_recursion(p), abs=1e-12)


def test_a_hundred_thousand_tasks() -> None:
    p = np.random.default_rng(0).uniform(0.4, 0.7, 100_000)
    q = wins(p)
    k = np.arange(q.size)
    assert q.sum() == pytest.approx(1.0, abs=1e-12)
    assert q @ k == pytest.approx(p.sum(), rel=1e-9)
    assert q @ (k - p.sum()) ** 2 == pytest.approx(np.sum(p * (1 - p)), rel=1e-6)
    assert poisson_binomial(p) == pytest.approx(1.0)


def test_certain_wins_are_a_beta() -> None:
    # Two wins in three tasks and a flat prior: r ~ Beta(3, 2), Pr(r > 1/2) = 11/16.
    assert poisson_binomial([1.0, 1.0, 0.0]) == pytest.approx(11 / 16, abs=1e-15)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=300))
def test_laws(p: list[float]) -> None:
    at = poisson_binomial(p)
    assert 0 <= at <= 1
    assert poisson_binomial([1 - x for x in p]) == pytest.approx(1 - at, abs=1e-12)
    assert poisson_binomial(p[::-1]) == pytest.approx(at, abs=1e-12)
    assert poisson_binomial([*p, 1.0]) >= at - 1e-12
    assert np.all(wins(p) >= 0)


def certain(risk: np.ndarray) -> np.ndarray:
    """p[task, a, b] where the risks are known exactly."""
    return (risk[:, :, None] < risk[:, None, :]) + 0.5 * (risk[:, :, None] == risk[:, None, :])


def test_lacoste_figure_2_is_a_cycle() -> None:
    # Lacoste et al. 2012 sec. 5.1: A beats B, B beats C and C beats A on two of the three data sets each.
    risk = np.array([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [0.2, 0.3, 0.1]])
    found = poisson_binomial_matrix(certain(risk))
    assert found.cycles == ((0, 1, 2),)
    expected = np.array([[0.5, 11 / 16, 5 / 16], [5 / 16, 0.5, 11 / 16], [11 / 16, 5 / 16, 0.5]])
    assert found.matrix == pytest.approx(expected, abs=1e-15)


def test_the_matrix_adds_up_to_one_exactly_and_an_order_has_no_cycles() -> None:
    rng = np.random.default_rng(3)
    strength = np.linspace(0, 3, 6)
    ahead = 1 / (1 + np.exp(-(strength[:, None] - strength)))
    p = np.clip(ahead + rng.normal(0, 0.02, (15, 6, 6)), 0.01, 0.99)
    p = np.triu(p, 1) + np.tril(1 - p.transpose(0, 2, 1), -1) + 0.5 * np.eye(6)
    found = poisson_binomial_matrix(p)
    assert np.all(found.matrix + found.matrix.T == 1.0)
    assert found.cycles == ()
    assert found.matrix[2, 5] == poisson_binomial(p[:, 2, 5])
    assert poisson_binomial_matrix(p, prior=5.0).matrix[5, 0] < found.matrix[5, 0]


def test_a_longer_cycle_is_found_through_ties() -> None:
    beats = np.zeros((5, 5), dtype=bool)
    for a, b in ((0, 1), (1, 2), (2, 3), (3, 0), (4, 0)):
        beats[a, b] = True
    assert _cycles(beats) == ((0, 1, 2, 3),)  # 4 beats 0 but is on no cycle


@pytest.mark.parametrize(
    ("p", "error", "text"),
    [
        ([0.5, 1.2], CellError, "1 of 2 values of p are not probabilities"),
        ([0.5, np.nan, -0.1], CellError, "2 of 3 values of p are not probabilities"),
        ([], DataError, r"p has the shape \(0,\)"),
        ([[0.5]], DataError, r"p has the shape \(1, 1\)"),
        (["x"], DataError, "p is not made of numbers"),
    ],
)
def test_errors(p: list, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        poisson_binomial(p)
    with pytest.raises(error, match=text):
        wins(p)


def test_errors_of_the_matrix() -> None:
    with pytest.raises(DataError, match="p has 2 rows and 3 columns of models"):
        poisson_binomial_matrix(np.full((4, 2, 3), 0.5))
    with pytest.raises(CellError, match="do not add up to one") as caught:
        poisson_binomial_matrix(np.full((1, 2, 2), 0.4))
    assert caught.value.where == ("task 0, models 0 and 1: 0.4 + 0.4",)
    with pytest.raises(OptionError, match="the prior A is 0"):
        poisson_binomial([0.5], prior=(0.0, 1.0))
    with pytest.raises(OptionError, match="the prior prior is -1"):
        poisson_binomial_matrix(np.full((1, 2, 2), 0.5), prior=-1)


def test_the_diagonal_is_a_half_whatever_stands_there() -> None:
    p = np.full((4, 2, 2), 0.9)
    p[:, 1, 0] = 0.1
    found = poisson_binomial_matrix(p).matrix
    assert (found[0, 0], found[1, 1]) == (0.5, 0.5)
    assert found[0, 1] == pytest.approx(poisson_binomial([0.9] * 4), rel=1e-12)

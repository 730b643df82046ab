"""The Nemenyi test; the checks of the input are in test_friedman.py."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.special import erfc

from ropewalk.errors import OptionError
from ropewalk.nhst import friedman, nemenyi
from ropewalk.nhst.nemenyi import _groups

SHAPES = array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=9)
TABLES = arrays(np.int64, SHAPES, elements=st.integers(0, 5))

# Demšar 2006, Table 6, as ranks: C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 data sets (lower is better).
RANKS = """
    4 3 2 1  1 2 3 4  4 1 2 3  4 1 3 2  4 2 3 1  1 2.5 4 2.5  3 2 4 1  2.5 2.5 4 1  4 3 2 1
    2.5 2.5 2.5 2.5  4 2.5 1 2.5  3 2 4 1  4 1 2 3  3 1 4 2
"""
DEMSAR = -np.array(RANKS.split(), dtype=float).reshape(14, 4)


def test_the_example_of_demsar():
    # Demšar 2006, sec. 3.2.2: CD = 1.25 at 5 %, where nothing differs, and 1.12 at 10 %, where C4.5 is worse
    # than C4.5+m and C4.5+m+cf.
    strict, loose = nemenyi(DEMSAR, alpha=0.05), nemenyi(DEMSAR, alpha=0.10)
    assert strict.name == "Nemenyi"
    assert strict.average_ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    assert strict.critical_difference == pytest.approx(1.25, abs=0.005)
    assert strict.groups == ((3, 1, 2, 0),)
    assert loose.critical_difference == pytest.approx(1.12, abs=0.005)
    assert loose.groups == ((3, 1, 2), (2, 0))


def test_statistic_is_that_of_the_two_furthest_apart():
    result = nemenyi(DEMSAR)
    assert result.statistic == pytest.approx((44 - 27.5) / 14 / np.sqrt(20 / (12 * 14)), rel=1e-14)
    assert result.p_value == result.p_values[0, 3] == result.p_values.min()
    assert 0.05 < result.p_value < 0.10  # what the two critical differences say


def test_two_models_in_closed_form():
    # k = 2: CD = 1.96/sqrt(N), and p = erfc(|R_1 - R_2|·sqrt(N)/sqrt(2)), a normal test of the wins.
    z = np.array([[1, 0]] * 15 + [[0, 1]] * 5)
    result = nemenyi(z)
    assert result.critical_difference == pytest.approx(1.959964 / np.sqrt(20), abs=1e-6)
    assert result.p_value == pytest.approx(erfc(0.5 * np.sqrt(20) / np.sqrt(2)), rel=1e-12)


def test_identical_models():
    result = nemenyi(np.ones((8, 3)))
    assert (result.statistic, result.p_value) == (0.0, 1.0)
    assert result.p_values.tolist() == [[1.0] * 3] * 3
    assert result.groups == ((0, 1, 2),)


@given(TABLES, st.sampled_from([0.01, 0.05, 0.1, 0.5]))
def test_p_values_critical_difference_and_groups_say_the_same(z, alpha):
    # A peer's critical-difference plot contradicts its own report.
    result = nemenyi(z, alpha=alpha)
    k = z.shape[1]
    together = {frozenset((i, j)) for group in result.groups for i in group for j in group}
    for i in range(k):
        for j in range(k):
            apart = abs(result.average_ranks[i] - result.average_ranks[j])
            same = frozenset((i, j)) in together
            assert same == (apart < result.critical_difference) == (result.p_values[i, j] > alpha)


@given(TABLES)
def test_groups_are_maximal_and_in_order(z):
    result = nemenyi(z)
    sets = [set(group) for group in result.groups]
    assert set().union(*sets) == set(range(z.shape[1]))
    assert not any(a < b for a in sets for b in sets)
    for group in result.groups:
        ranks = result.average_ranks[list(group)]
        assert np.all(np.diff(ranks) >= 0)


def test_groups_by_hand():
    ranks = np.array([3.0, 1.0, 1.5, 6.0, 2.2])
    assert _groups(ranks, 1.0) == ((1, 2), (2, 4), (4, 0), (3,))
    assert _groups(ranks, 0.5) == ((1,), (2,), (4,), (0,), (3,))
    assert _groups(ranks, 9.0) == ((1, 2, 4, 0, 3),)


@given(TABLES)
def test_p_values_are_a_symmetric_matrix_of_probabilities(z):
    result = nemenyi(z)
    assert result.p_values.shape == (z.shape[1],) * 2
    assert np.array_equal(result.p_values, result.p_values.T)
    assert np.all(np.diag(result.p_values) == 1)
    assert np.all((result.p_values >= 0) & (result.p_values <= 1))
    assert np.array_equal(result.average_ranks, friedman(z).average_ranks)


def test_tiny_p_values_keep_their_digits():
    # Two models, A wins 400 of 400: p = erfc(sqrt(200)) = 5.5e-89.
    assert nemenyi([[1, 0]] * 400).p_value == pytest.approx(erfc(np.sqrt(200)), rel=1e-12)


@pytest.mark.parametrize("alpha", [0, 1, -0.05, 5, float("nan")])
def test_alpha_that_makes_no_sense(alpha):
    with pytest.raises(OptionError, match=f"alpha is {alpha}"):
        nemenyi(np.ones((3, 3)), alpha=alpha)


def test_models_that_tie_stay_in_the_order_given():
    average = np.random.default_rng(0).integers(1, 4, 60).astype(float)
    expected = tuple(tuple(np.flatnonzero(average == rank).tolist()) for rank in (1, 2, 3))
    assert _groups(average, 0.5) == expected

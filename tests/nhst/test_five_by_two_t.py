"""Dietterich's 5x2cv t test, and the checks that it shares with the F test."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropewalk.errors import MethodError
from ropewalk.nhst import five_by_two_f, five_by_two_t
from tests.nhst.halves import BOTH

TABLES = st.lists(st.lists(st.integers(-99, 99), min_size=2, max_size=2), min_size=5, max_size=5).filter(
    lambda p: any(a != b for a, b in p)
)


def test_closed_form():
    # Every replication (3, 1): s_i² = 2, so t = 3/sqrt(2); the tail with 5 degrees of freedom by mpmath.
    result = five_by_two_t([[3, 1]] * 5)
    assert result.name == "5x2cv t"
    assert result.statistic == pytest.approx(3 / np.sqrt(2), rel=1e-14)
    p = mp.betainc(mp.mpf(5) / 2, mp.mpf(1) / 2, 0, 5 / mp.mpf("9.5"), regularized=True)
    assert result.p_value == pytest.approx(float(p), rel=1e-12)


def test_printed_critical_value():
    # Dietterich 1998: reject at 5 % where |t| > 2.571. Rows (t, t - sqrt(2)) have s_i² = 1.
    def p(t):
        return five_by_two_t([[t, t - np.sqrt(2)]] * 5).p_value

    assert p(2.5715) < 0.05 < p(2.5705)


def test_the_definition_step_by_step():
    p = np.random.default_rng(0).normal(0.01, 0.02, size=(5, 2))
    pooled = 0.0
    for first, second in p:
        mean = (first + second) / 2
        pooled += (first - mean) ** 2 + (second - mean) ** 2
    assert five_by_two_t(p).statistic == pytest.approx(p[0, 0] / np.sqrt(pooled / 5), rel=1e-12)


@given(TABLES)
def test_swapping_the_models_mirrors_the_answer(p):
    ours, mirrored = five_by_two_t(p), five_by_two_t(-np.array(p))
    assert (mirrored.statistic, mirrored.p_value) == (-ours.statistic, ours.p_value)


@given(TABLES, st.floats(1e-200, 1e200))
def test_scale_does_not_matter(p, scale):
    scaled = np.array(p, dtype=float) * scale
    for test in (five_by_two_t, five_by_two_f):
        assert test(scaled).p_value == pytest.approx(test(p).p_value, rel=1e-11)


@BOTH
def test_identical_models(test):
    result = test(np.zeros((5, 2)))
    assert (result.statistic, result.p_value) == (0.0, 1.0)


@BOTH
@pytest.mark.parametrize("row", [[0.1, 0.1], [0.9 - 0.8, 0.8 - 0.7]])
def test_folds_that_always_agree_have_no_statistic(test, row):
    with pytest.raises(MethodError, match="so the statistic is infinite") as error:
        test([row] * 5)
    assert "sign test" in error.value.hint

"""Alpaydin's combined 5x2cv F test; the checks of the input are in test_five_by_two_t.py."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropewalk.nhst import five_by_two_f

TABLES = st.lists(st.lists(st.integers(-99, 99), min_size=2, max_size=2), min_size=5, max_size=5).filter(
    lambda p: any(a != b for a, b in p)
)


def test_closed_form():
    # Every replication (3, 1): F = 5·10/(2·5·2) = 2.5; the tail with 10 and 5 by mpmath.
    result = five_by_two_f([[3, 1]] * 5)
    assert result.name == "5x2cv F"
    assert result.statistic == pytest.approx(2.5, rel=1e-14)
    p = mp.betainc(mp.mpf(5) / 2, 5, 0, 5 / (5 + 10 * mp.mpf("2.5")), regularized=True)
    assert result.p_value == pytest.approx(float(p), rel=1e-12)


def test_printed_critical_value():
    # Alpaydin 1999: reject at 5 % where F > 4.74. Rows (x + h, x - h) have p_1² + p_2² = 2(x² + h²) and
    # s_i² = 2h², so F = (x² + h²)/(2h²).
    def p(f):
        x = np.sqrt(2 * f - 1)
        return five_by_two_f([[x + 1, x - 1]] * 5).p_value

    assert p(4.745) < 0.05 < p(4.73)


@given(TABLES)
def test_sign_order_and_folds_do_not_matter(p):
    table = np.array(p)
    expected = five_by_two_f(table)
    for other in (-table, table[::-1], table[:, ::-1]):
        assert five_by_two_f(other).statistic == pytest.approx(expected.statistic, rel=1e-12)
        assert five_by_two_f(other).p_value == pytest.approx(expected.p_value, rel=1e-11)


@given(TABLES)
def test_f_is_at_least_one_half(p):
    # p_1² + p_2² >= (p_1 - p_2)²/2 = s², so the ratio cannot fall below 1/2.
    assert five_by_two_f(p).statistic >= 0.5 - 1e-12

"""Tail probabilities against mpmath: 1e-10 relative, down to 1e-300."""

from __future__ import annotations

import mpmath as mp
import pytest
from scipy.special import chdtrc, fdtrc, ndtr
from scipy.stats import binomtest

from ropewalk.nhst.tails import binomial_two_sided, student_two_sided

mp.mp.dps = 40


def student(t, df):
    """Pr(|T| >= t) as an incomplete beta."""
    half = mp.mpf(1) / 2
    return mp.betainc(df * half, half, 0, df / (df + mp.mpf(t) ** 2), regularized=True)


@pytest.mark.parametrize("df", [1, 2, 5, 9, 99, 175, 1055])
def test_student_against_mpmath(df):
    for t in [1e-9, 1e-8, 1e-6, 1e-3, 0.5, 2.0, 3.52, 7.06, 12.0, 25.0, 36.0, 60.0, 1e3, 1e9, 1e30, 1e60]:
        expected = student(t, df)
        if expected < mp.mpf("1e-300"):
            continue
        assert student_two_sided(t, df) == pytest.approx(float(expected), rel=1e-10)
        assert student_two_sided(-t, df) == student_two_sided(t, df)


def test_student_with_a_million_degrees_of_freedom():
    # The incomplete beta of mpmath gives up here: integrate the density.
    df = mp.mpf(10) ** 6
    norm = 2 * mp.gamma((df + 1) / 2) / mp.gamma(df / 2) / mp.sqrt(df * mp.pi)
    for t in (1, 10, 30):
        tail = mp.quad(lambda x: (1 + x**2 / df) ** (-(df + 1) / 2), [t, t + 1, t + 3, t + 10, t + 40])
        assert student_two_sided(t, 10**6) == pytest.approx(float(norm * tail), rel=1e-10)


def binomial(k, n):
    total = sum(mp.binomial(n, i) for i in range(min(k, n - k) + 1))
    return min(mp.mpf(1), 2 * total / mp.mpf(2) ** n)


@pytest.mark.parametrize("n", [1, 2, 5, 24, 101, 1000])
def test_binomial_against_mpmath(n):
    for k in sorted({0, 1, n // 10, n // 3, n // 2, (n + 1) // 2, n - 1, n}):
        expected = binomial(k, n)
        if expected < mp.mpf("1e-300"):
            continue
        assert binomial_two_sided(k, n) == pytest.approx(float(expected), rel=1e-12)


def test_binomial_against_scipy_binomtest():
    for n in range(1, 31):
        for k in range(n + 1):
            assert binomial_two_sided(k, n) == pytest.approx(binomtest(k, n).pvalue, rel=1e-12)


def test_nothing_observed():
    assert binomial_two_sided(0, 0) == 1.0


# The other closed forms that the tests call directly.


@pytest.mark.parametrize("x", [1e-10, 0.818, 4.04, 50.0, 700.0, 1370.0])
@pytest.mark.parametrize("df", [1, 2, 4, 9])
def test_chi_squared_tail_against_mpmath(x, df):
    expected = mp.gammainc(mp.mpf(df) / 2, mp.mpf(x) / 2, mp.inf, regularized=True)
    assert chdtrc(df, x) == pytest.approx(float(expected), rel=1e-10)


@pytest.mark.parametrize("f", [1e-8, 0.5, 4.74, 1e3, 1e12, 1e60, 1e100])
@pytest.mark.parametrize("df", [(10, 5), (1, 10), (4, 12)])
def test_f_tail_against_mpmath(f, df):
    a, b = (mp.mpf(v) for v in df)
    expected = mp.betainc(b / 2, a / 2, 0, b / (b + a * mp.mpf(f)), regularized=True)
    if expected > mp.mpf("1e-300"):
        assert fdtrc(*df, f) == pytest.approx(float(expected), rel=1e-10)


@pytest.mark.parametrize("z", [1e-9, 1.0, 4.8, 20.0, 37.0])
def test_normal_tail_against_mpmath(z):
    assert 2 * ndtr(-z) == pytest.approx(float(mp.erfc(mp.mpf(z) / mp.sqrt(2))), rel=1e-10)

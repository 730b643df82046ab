"""The paired t test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from ropewalk.errors import CellError, DataError, MethodError
from ropewalk.nhst import paired_t
from ropewalk.sums import Sums

THOUSANDTHS = st.integers(-1000, 1000).map(lambda k: k / 1000)
VARYING = st.lists(THOUSANDTHS, min_size=2, max_size=40).filter(lambda d: len(set(d)) > 1)


def test_against_scipy():
    d = np.random.default_rng(0).normal(0.01, 0.05, size=200)
    theirs, ours = ttest_1samp(d, 0.0), paired_t(d)
    assert ours.name == "paired t"
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-11)
    assert ours.df == theirs.df == 199
    interval = theirs.confidence_interval(0.9)
    assert ours.confidence_interval(0.9) == pytest.approx((interval.low, interval.high), rel=1e-11)


def test_students_sleep_data():
    # Student 1908, the ten differences of R's `sleep`; R: t = 4.0621, df = 9, p-value = 0.002833,
    # 95 % interval 0.7001142 to 2.4598858, mean 1.58.
    result = paired_t([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    assert result.statistic == pytest.approx(4.0621, abs=5e-5)
    assert result.p_value == pytest.approx(0.002833, abs=5e-7)
    assert result.confidence_interval(0.95) == pytest.approx((0.7001142, 2.4598858), abs=5e-8)


@pytest.mark.parametrize(("times", "printed", "digits"), [(1, 0.38, 2), (6, 0.0324, 4), (15, 0.0007, 4)])
def test_mouse_data_logistic_regression_against_mlp(times, printed, digits):
    # Williams 2026: Cohen's d = 0.066 = m/s, N = 176, then the same m and s with 6 N and 15 N. The printed
    # p must lie between those of the two ends of the rounding of d (and of p itself).
    def p(cohen):
        n = 176 * times
        return paired_t(Sums(n=n, mean=cohen, m2=float(n - 1))).p_value

    half = 0.5 * 10**-digits
    assert p(0.0665) - half <= printed <= p(0.0655) + half


def test_mouse_data_logistic_regression_against_svm():
    # Williams 2026 sec. 6.1: t = 7.06, df = 175, p = 3.7e-11.
    def result(t):
        return paired_t(Sums(n=176, mean=t / np.sqrt(176), m2=175.0))

    assert result(7.06).statistic == pytest.approx(7.06)
    assert result(7.06).df == 175
    assert result(7.065).p_value - 0.05e-11 <= 3.7e-11 <= result(7.055).p_value + 0.05e-11


def test_sums_and_differences_agree():
    d = [0.3, -0.1, 0.2, 0.4, 0.05]
    assert paired_t(Sums.of(d)) == paired_t(d)


def test_identical_models():
    result = paired_t([0.0] * 7)
    assert (result.statistic, result.p_value) == (0.0, 1.0)
    assert result.confidence_interval() == (0.0, 0.0)


def test_mean_of_exactly_zero():
    result = paired_t([-1.0, 1.0])
    assert (result.statistic, result.p_value) == (0.0, 1.0)


@pytest.mark.parametrize(
    "d",
    [[0.1] * 10, [-0.25] * 2, [0.9 - 0.8, 0.8 - 0.7, 0.7 - 0.6, 0.5 - 0.4], Sums(n=5, mean=1.0, m2=0.0)],
)
def test_constant_differences_have_no_t(d):
    # The third differs in its last digits only, by the rounding of the subtraction.
    with pytest.raises(MethodError, match=r"they do not vary, so the t statistic is infinite") as error:
        paired_t(d)
    assert "sign test" in error.value.hint


def test_small_but_real_variation_is_not_rounding():
    assert paired_t([1.0, 1.0 + 1e-9, 1.0 - 1e-9]).statistic > 1e8


def test_too_few():
    with pytest.raises(DataError, match="1 difference given, at least 2 needed"):
        paired_t([0.1])
    with pytest.raises(DataError, match="1 difference given, at least 2 needed"):
        paired_t(Sums(n=1, mean=0.1, m2=0.0))


def test_nan_is_refused_by_position():
    with pytest.raises(CellError, match=r"1 of 3 differences are NaN or infinite\s+position 1: nan"):
        paired_t([0.1, float("nan"), 0.3])


@given(VARYING)
def test_swapping_the_models_mirrors_the_answer(d):
    ours, mirrored = paired_t(d), paired_t([-x for x in d])
    assert mirrored.statistic == -ours.statistic
    assert mirrored.p_value == ours.p_value
    assert mirrored.confidence_interval() == tuple(-x for x in reversed(ours.confidence_interval()))


@given(VARYING, st.randoms(use_true_random=False))
def test_order_does_not_matter(d, random):
    shuffled = random.sample(d, len(d))
    assert paired_t(shuffled).p_value == pytest.approx(paired_t(d).p_value, rel=1e-9, abs=1e-12)


@given(VARYING, st.floats(1e-3, 1e3))
def test_scale_does_not_matter(d, scale):
    scaled = paired_t([scale * x for x in d])
    assert scaled.p_value == pytest.approx(paired_t(d).p_value, rel=1e-8, abs=1e-12)


@given(VARYING)
def test_p_is_a_probability(d):
    assert 0 <= paired_t(d).p_value <= 1

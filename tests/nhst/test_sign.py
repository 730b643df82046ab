"""The sign test."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from ropewalk.errors import CellError, DataError
from ropewalk.nhst import sign

DIFFERENCES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60)


def test_against_scipy_binomtest():
    for n in range(1, 25):
        for wins in range(n + 1):
            d = [0.5] * wins + [-0.1] * (n - wins)
            assert sign(d).p_value == pytest.approx(binomtest(wins, n).pvalue, rel=1e-12)


def test_printed_critical_values():
    # Triola, Elementary Statistics, Table A-7: the most losses that reject at 5 %, two tails, n = 6 to 25.
    printed = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7]
    for n, losses in zip(range(6, 26), printed, strict=True):
        rejects = sign([1.0] * (n - losses) + [-1.0] * losses).p_value
        one_more = sign([1.0] * (n - losses - 1) + [-1.0] * (losses + 1)).p_value
        assert rejects <= 0.05 < one_more


def test_zeros_are_dropped_and_counted():
    result = sign([0.0, 0.2, -0.1, 0.0, 0.3, 0.0])
    assert (result.name, result.statistic, result.n, result.zeros) == ("sign", 2.0, 3, 3)
    assert result.p_value == sign([0.2, -0.1, 0.3]).p_value == 1.0


def test_identical_models():
    result = sign([0.0] * 9)
    assert (result.statistic, result.p_value, result.n, result.zeros) == (0.0, 1.0, 0, 9)


def test_constant_differences_have_an_answer():
    assert sign([0.1] * 10).p_value == 2 / 1024


@pytest.mark.parametrize("n", [5, 8, 11])
def test_never_rejects_too_often(n):
    # Under "no difference" all 2^n signs are equally likely; a peer that picked the direction of a one-sided
    # test from the data rejected 9 % of them at 5 %.
    p = [sign(signs).p_value for signs in product([-1.0, 1.0], repeat=n)]
    for level in (0.01, 0.05, 0.1, 0.5):
        assert sum(x <= level for x in p) <= level * 2**n


@given(DIFFERENCES)
def test_swapping_the_models_mirrors_the_answer(d):
    ours, mirrored = sign(d), sign([-x for x in d])
    assert mirrored.statistic == ours.n - ours.statistic
    assert (mirrored.p_value, mirrored.n, mirrored.zeros) == (ours.p_value, ours.n, ours.zeros)


@given(DIFFERENCES, st.randoms(use_true_random=False))
def test_order_and_size_do_not_matter(d, random):
    shuffled = random.sample(d, len(d))
    assert sign(shuffled) == sign(d)
    assert sign([2.0 * x for x in d]) == sign(d)


def test_nan_and_nothing_are_refused():
    with pytest.raises(CellError, match="position 2: nan"):
        sign([0.1, 0.2, float("nan")])
    with pytest.raises(DataError, match="0 differences given, at least 1 needed"):
        sign([])

"""McNemar's test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2

from ropewalk.errors import CellError
from ropewalk.nhst import mcnemar

COUNTS = st.integers(0, 2000)


def test_language_pairs_of_the_paper(language_pairs):
    # Williams 2026: p = 0.044 for da-en (printed as 0.045) and 0.00066 for tr-en (printed as 0.00067), above
    # 0.05 for the other nine.
    p = {pair: mcnemar(*counts).p_value for pair, counts in language_pairs.items()}
    assert p.pop("da-en") == pytest.approx(0.044, abs=5e-4)
    assert p.pop("tr-en") == pytest.approx(0.00066, abs=5e-6)
    assert min(p.values()) > 0.05


def test_statistic_of_the_paper(language_pairs):
    # (|159 - 198| - 1)²/357 = 1444/357.
    result = mcnemar(*language_pairs["da-en"])
    assert result.name == "McNemar"
    assert result.statistic == pytest.approx(1444 / 357, rel=1e-15)
    assert result.p_value == pytest.approx(chi2.sf(1444 / 357, 1), rel=1e-12)


def test_language_pairs_times_ten(language_pairs):
    # Williams 2026 sec. 6.2, scaling the dataset size: p < 0.05 in 8 of 11, all but de-en, id-en and zh-en.
    above = [pair for pair, (a, b) in language_pairs.items() if mcnemar(10 * a, 10 * b).p_value >= 0.05]
    assert above == ["de-en", "id-en", "zh-en"]


def test_exact_below_25_against_scipy_binomtest():
    for total in range(1, 25):
        for n01 in range(total + 1):
            result = mcnemar(n01, total - n01)
            assert result.name == "McNemar (exact)"
            assert result.statistic == min(n01, total - n01)
            assert result.p_value == pytest.approx(binomtest(n01, total).pvalue, rel=1e-12)


def test_the_form_changes_at_25():
    assert mcnemar(4, 20).name == "McNemar (exact)"
    found = mcnemar(5, 20)
    assert (found.name, found.statistic) == ("McNemar", 196 / 25)
    assert found.p_value == pytest.approx(chi2.sf(196 / 25, 1), rel=1e-12)


def test_identical_models():
    # A peer answers chi² = inf and p = 0 here.
    result = mcnemar(0, 0)
    assert (result.statistic, result.p_value) == (0.0, 1.0)


@given(st.integers(0, 10**9))
def test_equal_counts_are_no_evidence(n):
    # Uncapped, the correction would give (0 - 1)²/(2n) and p < 1. R's mcnemar.test does not correct here.
    assert mcnemar(n, n).p_value == 1.0


@given(COUNTS, COUNTS)
def test_swapping_the_models_changes_nothing(n01, n10):
    assert mcnemar(n01, n10) == mcnemar(n10, n01)


@given(st.integers(3, 2000))
def test_p_falls_as_the_counts_part(half):
    p = [mcnemar(half - k, half + k).p_value for k in range(4)]
    assert p == sorted(p, reverse=True)


def test_a_billion_examples():
    # (10^6 - 1)²/10^9, far from any overflow; counts may be NumPy integers or whole floats.
    assert mcnemar(500_500_000, 499_500_000).statistic == pytest.approx(999_999**2 / 1e9, rel=1e-15)
    assert mcnemar(np.int64(159), np.int32(198)) == mcnemar(159.0, 198.0) == mcnemar(159, 198)


@pytest.mark.parametrize("bad", [-1, 2.5, float("nan"), float("inf"), "3", None])
def test_counts_that_are_none(bad):
    with pytest.raises(
        CellError, match=f"n01 is {bad}\n\n  A count is a whole number of examples, 0 or more"
    ):
        mcnemar(bad, 3)
    with pytest.raises(CellError, match=f"n10 is {bad}"):
        mcnemar(3, bad)

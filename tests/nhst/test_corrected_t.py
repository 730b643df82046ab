"""The corrected resampled t test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduce import published
from ropewalk.errors import CellError, MethodError, OptionError
from ropewalk.nhst import corrected_t, paired_t
from ropewalk.sums import Sums


def test_anneal_from_the_printed_mean_and_deviation():
    # Benavoli et al. 2017, sec. 2: mean -0.0194, s 0.01583, rho 1/10, n 100: t = -3.52, p = 0.00065.
    result = corrected_t(Sums(n=100, mean=-0.0194, m2=99 * 0.01583**2), rho=0.1)
    assert result.name == "corrected resampled t"
    assert result.statistic == pytest.approx(-3.52, abs=0.005)
    assert result.p_value == pytest.approx(0.00065, abs=5e-6)
    assert result.df == 99


def test_anneal_from_the_scores():
    result = corrected_t(published.differences("nbc", "aode")["anneal"], rho=0.1)
    assert result.mean == pytest.approx(-0.0194, abs=5e-5)
    assert result.statistic == pytest.approx(-3.52, abs=0.005)
    assert result.p_value == pytest.approx(0.00065, abs=5e-6)


def test_table_2_all_54_data_sets():
    # Benavoli et al. 2017, Table 2: two-sided p-values of nbc against aode, in the printed order, which is
    # that of the data. The printed names breast-cancer, page, pasture and the second "credit" are
    # wisconsin-breast-cancer, page-blocks, pasture-production and credit-2 in the data.
    found = published.differences("nbc", "aode")
    printed = {r["data set"]: float(r["table 2: p"]) for r in published.table("benavoli2017_tables_2_and_7")}
    assert list(printed) == list(found)
    ours = {task: corrected_t(d, rho=0.1).p_value for task, d in found.items()}
    assert ours == pytest.approx(printed, abs=5.0001e-4)
    assert sum(p <= 0.05 for p in ours.values()) == 19


def test_the_formula_of_nadeau_and_bengio():
    # Variance (1/r + n_test/n_train)·s², written out; 10-fold: n_test/n_train = 1/9 and rho = 1/10.
    d = np.random.default_rng(1).normal(0.01, 0.02, size=30)
    expected = d.mean() / np.sqrt((1 / 30 + 1 / 9) * d.var(ddof=1))
    assert corrected_t(d, rho=0.1).statistic == pytest.approx(expected, rel=1e-12)


def test_without_correlation_it_is_the_paired_t():
    d = [0.3, -0.1, 0.2, 0.4]
    ours, paired = corrected_t(d, rho=0.0), paired_t(d)
    assert (ours.statistic, ours.p_value) == (paired.statistic, paired.p_value)


def test_identical_models():
    result = corrected_t(np.zeros(100), rho=0.1)
    assert (result.statistic, result.p_value, result.standard_error) == (0.0, 1.0, 0.0)


def test_constant_differences_have_no_t():
    with pytest.raises(MethodError, match=r"all 10 differences are 0\.02: they do not vary"):
        corrected_t([0.02] * 10, rho=0.1)


@pytest.mark.parametrize("rho", [-0.1, 1.0, 1.5, float("nan")])
def test_rho_that_makes_no_sense(rho):
    with pytest.raises(OptionError, match=f"rho is {rho}"):
        corrected_t([0.1, 0.2], rho=rho)


def test_nan_is_refused():
    with pytest.raises(CellError, match="position 0: nan"):
        corrected_t([float("nan"), 0.2], rho=0.1)


@given(st.floats(0, 0.9), st.floats(1e-6, 0.09))
def test_more_correlation_raises_p(rho, more):
    d = [0.03, 0.01, 0.02, 0.04, -0.01]
    assert corrected_t(d, rho=rho + more).p_value > corrected_t(d, rho=rho).p_value


@given(st.lists(st.integers(-99, 99), min_size=2, max_size=30).filter(lambda d: len(set(d)) > 1))
def test_swapping_the_models_mirrors_the_answer(d):
    ours, mirrored = corrected_t(d, rho=0.1), corrected_t([-x for x in d], rho=0.1)
    assert (mirrored.statistic, mirrored.p_value) == (-ours.statistic, ours.p_value)

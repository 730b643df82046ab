"""The sign-flip test against every sign pattern, SciPy and the binomial distribution."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest

from ropewalk.errors import CellError, OptionError
from ropewalk.nhst import permutation
from ropewalk.nhst.permutation import _drawn


@pytest.mark.parametrize(
    "d",
    [
        [0.3],
        [1, 2, 3, -4],
        [0.1, 0.2, -0.3, 0.4, 0.5],
        [0.01, 0.01, 0.01, -0.02, 0.03, 0.0, 0.0],
        [3, -1, 2, 2, -2, 5, 1, 1, 4],
    ],
    ids=str,
)
def test_every_pattern(d: list[float]) -> None:
    """In hundredths, which are whole numbers: ties are exact."""
    whole = np.round(np.array(d) * 100).astype(int)
    sums = np.array([np.dot(signs, whole) for signs in product([-1, 1], repeat=whole.size)])
    r = permutation(d)
    assert r.p_value == np.mean(np.abs(sums) >= abs(whole.sum()))
    assert r.exact
    assert r.statistic == pytest.approx(np.mean(d))


def test_as_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    d = np.random.default_rng(0).normal(0.3, 1.0, 12)
    theirs = stats.permutation_test(
        (d, np.zeros(12)), lambda x, y: np.mean(x - y), permutation_type="samples"
    )
    assert permutation(d).p_value == pytest.approx(theirs.pvalue, abs=1e-12)


def test_drawn_against_the_binomial() -> None:
    """40 differences of ±1: the sum is 2 Binomial(40, 1/2) - 40, with ties at every value."""
    d = np.array([1.0] * 26 + [-1.0] * 14)
    exact = 2 * sum(comb(40, k) for k in range(15)) / 2**40
    r = permutation(0.1 * d, draws=20_000)
    assert not r.exact
    assert r.p_value == pytest.approx(exact, abs=5 * np.sqrt(exact / 20_000))


def test_drawn_and_exact_agree() -> None:
    """20 differences are enumerated, with a 21st that is next to nothing they are drawn."""
    d = np.random.default_rng(1).normal(0.4, 1.0, 20)
    exact, drawn = permutation(d), permutation([*d, 1e-9], draws=40_000)
    assert (exact.exact, drawn.exact, exact.patterns) == (True, False, 2**20)
    assert drawn.p_value == pytest.approx(exact.p_value, abs=5 * np.sqrt(exact.p_value / 40_000))


def test_never_zero() -> None:
    """The observed pattern is one of them: 40 wins of 40 have (0 + 1)/(99 + 1)."""
    assert permutation(np.linspace(1, 2, 40), draws=99).p_value == 0.01


def test_no_difference_has_p_1() -> None:
    assert permutation([0.0, 0.0]).p_value == 1.0
    assert permutation([0.1, 0.2, -0.3]).p_value == 1.0  # 0.1 + 0.2 - 0.3 is not 0 in floating point


def test_the_seed() -> None:
    d = np.random.default_rng(1).normal(0.1, 1.0, 100)
    assert permutation(d, rng=5) == permutation(d, rng=5) == permutation(d, rng=np.random.default_rng(5))


def test_errors() -> None:
    with pytest.raises(OptionError, match="draws is 0"):
        permutation([1.0, 2.0], draws=0)
    with pytest.raises(CellError, match="1 of 2 differences are NaN"):
        permutation([1.0, np.nan])


@pytest.mark.parametrize("n", [8, 3_000])
def test_as_many_patterns_are_drawn_as_were_asked_for(n: int) -> None:
    """A reach below zero counts every pattern; with 3,000 differences there are several blocks."""
    assert _drawn(np.ones(n), -1.0, 999, np.random.default_rng(0)) == 999


def test_all_signs_alike_are_two_patterns_of_256() -> None:
    draws = 100_000
    found = _drawn(np.ones(8), 8.0, draws, np.random.default_rng(0))
    expected = draws / 128
    assert abs(found - expected) < 5 * np.sqrt(expected)


def test_one_draw_will_do_and_nothing_is_undefined() -> None:
    found = permutation(np.arange(1.0, 31), draws=1)
    assert (found.patterns, found.exact, found.undefined) == (1, False, 0)
    assert found.p_value in (0.5, 1.0)

"""Sums: against exact rational arithmetic, and under addition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropewalk.errors import CellError, DataError
from ropewalk.sums import Sums, as_sums, tallied, whole

floats = st.floats(-1e6, 1e6, allow_subnormal=False)


@given(st.lists(floats, min_size=2, max_size=30))
def test_mean_and_m2_are_exact_to_rounding(values: list[float]) -> None:
    exact = [Fraction(v) for v in values]
    mean = sum(exact) / len(exact)
    m2 = float(sum((v - mean) ** 2 for v in exact))
    sums = Sums.of(values)
    size = max(map(abs, values))
    assert sums.mean == pytest.approx(float(mean), abs=1e-13 * size)
    # Squares of numbers below 1e-150 are subnormal: they are multiples of 5e-324, and have few digits.
    assert sums.m2 == pytest.approx(m2, rel=1e-9, abs=1e-22 * size**2 * len(values) + 1e-321)


@given(st.lists(floats, min_size=1, max_size=20), st.lists(floats, min_size=1, max_size=20))
def test_adding_parts_is_the_whole(a: list[float], b: list[float]) -> None:
    both, whole_ = Sums.of(a) + Sums.of(b), Sums.of(a + b)
    size = max(map(abs, a + b))
    assert both.n == whole_.n
    assert both.mean == pytest.approx(whole_.mean, abs=1e-12 * size)
    assert both.m2 == pytest.approx(whole_.m2, rel=1e-9, abs=1e-20 * size**2 * both.n)


def test_a_million_values_around_1e9_keep_ten_digits() -> None:
    noise = np.round(np.random.default_rng(0).normal(size=1_000_000), 6)  # exactly representable steps at 1e9
    shifted = 1e9 + noise
    exact = Sums.of(shifted - 1e9)  # the differences that are really there
    assert Sums.of(shifted).m2 == pytest.approx(exact.m2, rel=1e-10)


def test_rounding_is_no_spread() -> None:
    assert Sums.of([0.9 - 0.8, 0.8 - 0.7, 0.7 - 0.6]).m2 == 0.0


@pytest.mark.parametrize(
    "sums",
    [Sums(n=5, mean=np.nan, m2=1.0), Sums(n=5, mean=0.0, m2=-1.0), Sums(n=5, mean=0.0, m2=np.inf)],
)
def test_impossible_sums_are_refused(sums: Sums) -> None:
    with pytest.raises(CellError, match="not those of finite numbers"):
        as_sums(sums)


def test_values_too_large_to_square_are_refused() -> None:
    with pytest.raises(CellError, match=r"3e\+200(.|\n)*Scale values beyond 1e\+150"):
        as_sums([1e200, -1e200, 3e200])


def test_counts_become_int() -> None:
    assert whole(n=np.int64(3), m=4.0) == [3, 4]
    assert all(type(k) is int for k in whole(n=np.int64(3), m=4.0))


@pytest.mark.parametrize("bad", ["3", None, -1, 0.5, float("nan"), float("inf")])
def test_what_is_no_count_is_refused(bad: object) -> None:
    with pytest.raises(CellError, match=r"n is .*\n\n  A count is a whole number"):
        whole(n=bad)


@pytest.mark.parametrize("counts", [[1], [1, -1], [0.5, 1], ["a", "b"], [float("nan"), 1]])
def test_counts_that_are_none(counts: list[object]) -> None:
    with pytest.raises(CellError, match="the counts are not one whole number for each difference"):
        tallied([0.1, 0.2], counts)


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 0, 3, 1]])
def test_counted_differences_come_in_order_and_once(order: list[int]) -> None:
    """Oracle: the rows themselves, counted by NumPy."""
    d, counts = np.array([-0.5, 0.0, 0.25, 0.5]), np.array([3, 1, 2, 4])
    for kept in (counts, np.where(d == 0.25, 0, counts)):
        values, times = tallied(d[order], kept[order])
        expected = np.unique(np.repeat(d, kept), return_counts=True)
        assert values.tolist() == expected[0].tolist()
        assert times.tolist() == expected[1].tolist()
    values, times = tallied([0.5, 0.5, 1.0], [1, 2, 3])
    assert (values.tolist(), times.tolist()) == ([0.5, 1.0], [3.0, 3.0])


def test_counts_of_too_few() -> None:
    with pytest.raises(DataError, match="1 differences given, at least 2 needed"):
        tallied([0.1, 0.2], [1, 0], at_least=2)

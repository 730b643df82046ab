"""Differences that are known only to lie between two numbers."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.bayes.intervals import Intervals, censored_differences
from ropewalk.errors import CellError, DataError


@pytest.mark.parametrize("higher_is_better", [False, True])
def test_the_true_difference_always_lies_inside(higher_is_better: bool) -> None:
    # Oracle: the times themselves, before they were stopped.
    a, b = np.random.default_rng(0).exponential(50.0, (2, 500))
    limit = 40.0
    found = censored_differences(
        np.minimum(a, limit),
        np.minimum(b, limit),
        censored_a=a > limit,
        censored_b=b > limit,
        higher_is_better=higher_is_better,
    )
    d = a - b if higher_is_better else b - a
    assert np.all((found.low < d) & (d < found.high) | (found.known & np.isclose(found.low, d)))
    np.testing.assert_array_equal(found.known, (a <= limit) & (b <= limit))


def test_the_regions_that_a_difference_may_lie_in() -> None:
    data = Intervals.of([2.0, -np.inf, 0.5, -np.inf], [2.0, np.inf, np.inf, -3.0])
    may = data.may_be(-1.0, 1.0)
    assert may["better"].tolist() == [True, True, True, False]
    assert may["equivalent"].tolist() == [False, True, True, False]
    assert may["worse"].tolist() == [False, True, False, True]
    assert not data.may_be(0.0, 0.0)["equivalent"].any()  # no width: nothing is exactly zero by chance


def test_what_is_refused() -> None:
    with pytest.raises(CellError, match="1 of 2 units have impossible bounds"):
        Intervals.of([1.0, 3.0], [1.0, 2.0])
    with pytest.raises(DataError, match=r"the shapes \(2,\) and \(1,\)"):
        Intervals.of([1.0, 2.0], [1.0])
    with pytest.raises(DataError, match="1 and 1 values are given with 2 and 1 marks"):
        censored_differences([1.0], [2.0], censored_a=[0, 1], censored_b=[0])

"""Rows that come back: counted by hand, and against sets of tuples."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.data.arrays import strings
from ropewalk.data.duplicates import repeated, repeated_scores, says_what_a_row_is


def test_rows_that_repeat_an_earlier_one_in_all_columns() -> None:
    a, b = strings("xyxyx"), strings("12121")
    assert repeated([a, b]) == (3, (0, 2))
    assert repeated([a, strings("12345")]) is None


@pytest.mark.parametrize(
    ("values", "says"), [("abcdef", True), ("aabbcd", True), ("aaabbbcc", False), ("ab", False)]
)
def test_a_column_of_mostly_different_values_says_what_a_row_is(values: str, says: bool) -> None:
    assert says_what_a_row_is(strings(values)) is says


def test_copied_rows_are_counted_as_a_set_counts_them() -> None:
    x = np.random.default_rng(1).normal(size=(40, 3))
    copied = np.vstack([x, x[:10]])
    assert repeated_scores(copied) == len(copied) - len({*map(tuple, copied.tolist())}) == 10


def test_few_copies_and_scores_with_few_values_are_chance() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(40, 2))
    assert repeated_scores(np.vstack([x, x[:2]])) == 0  # 2 of 42
    assert repeated_scores(rng.integers(0, 3, (40, 2)).astype(float)) == 0


def test_a_zero_has_no_sign() -> None:
    x = np.random.default_rng(3).normal(size=(20, 2))
    x[0, 0], x[1, 0] = 0.0, -0.0
    x[1, 1] = x[0, 1]
    assert repeated_scores(np.vstack([x[:2]] + [x[2:]] * 2)) == 19

"""Counts that a printed accuracy allows."""

from __future__ import annotations

import pytest

from ropewalk.claims.margins import published


@pytest.mark.parametrize(
    ("accuracy", "n", "right"),
    [("86.3%", 1319, (1138, 1138)), (0.86, 1000, (855, 865)), (43 / 51, 51, (43, 43))],
)
def test_counts_of_a_printed_accuracy(accuracy: object, n: int, right: tuple[int, int]) -> None:
    row = published("m", accuracy, n)
    assert (row.least_right, row.most_right) == right

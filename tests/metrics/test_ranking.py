"""Areas under curves, counted pair by pair."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from ropewalk.metrics import (
    METRICS,
)
from tests.metrics.made import DRAWS, N, data


def test_auroc_counted_pair_by_pair(weights: np.ndarray) -> None:
    y, score = data("scores")
    above = (score[:, None] > score) + 0.5 * (score[:, None] == score)
    pairs = np.outer(y == 1, y == 0)
    for w, ours in zip(weights, METRICS["auroc"].prepare(y, score)(weights), strict=True):
        both = np.outer(w, w) * pairs
        assert ours == pytest.approx((both * above).sum() / both.sum(), abs=1e-12)


def test_tied_scores_have_an_auroc_of_exactly_one_half(weights: np.ndarray) -> None:
    y, _ = data("scores")
    assert METRICS["auroc"].prepare(y, np.full(N, 0.3))(weights).tolist() == [0.5] * DRAWS


@pytest.mark.parametrize("name", ["auroc", "average_precision"])
def test_bounds_of_bins_hold_for_every_order_within_them(name: str) -> None:
    """All orders of the examples of two bins, one by one; the third block is of scores that really tie."""
    metric = METRICS[name]
    assert metric.bounds is not None
    y = np.array([1, 0, 1, 0, 1, 0, 0, 1])
    bins = np.array([0, 0, 0, 1, 1, 1, 2, 2])
    values = []
    for first in permutations(range(3)):
        for second in permutations(range(3)):
            score = bins + np.array([*first, *second, 0, 0]) / 10
            values.append(metric.value(y, score))
    low, high = metric.bounds(y, bins.astype(float), np.ones(8), bins < 2)
    assert low <= min(values)
    assert max(values) <= high
    if name == "auroc":  # there they are reached
        assert (low, high) == pytest.approx((min(values), max(values)))
    assert metric.bounds(y, bins.astype(float), np.ones(8), bins < 0) == pytest.approx(
        (metric.value(y, bins), metric.value(y, bins))
    )
    # Counts are copies of rows.
    once = [np.concatenate([x, x]) for x in (y, bins.astype(float), np.ones(8), bins < 2)]
    twice = metric.bounds(y, bins.astype(float), np.full(8, 2.0), bins < 2)
    assert twice == pytest.approx(metric.bounds(*once))

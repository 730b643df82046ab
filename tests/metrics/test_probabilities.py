"""Metrics of probabilities, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.metrics import (
    METRICS,
)
from tests.metrics.made import N, data


@pytest.mark.parametrize("name", ["log_loss", "brier"])
def test_a_matrix_of_probabilities(name: str, weights: np.ndarray) -> None:
    """Three classes by the definition; two columns as one."""
    rng = np.random.default_rng(2)
    y, p = rng.integers(0, 3, N), rng.dirichlet([2, 2, 2], N)
    onehot = np.eye(3)[y]
    each = -np.log((p * onehot).sum(axis=1)) if name == "log_loss" else ((p - onehot) ** 2).sum(axis=1)
    np.testing.assert_allclose(METRICS[name].prepare(y, p)(weights), weights @ each / weights.sum(axis=1))
    y, q = data("scores")
    assert METRICS[name].value(y, q) == METRICS[name].value(y, np.column_stack([1 - q, q]))
    # A class that never occurs keeps its column when y holds the numbers of the columns.
    assert METRICS["brier"].value([0, 2], [[1, 0, 0], [0, 0, 1]]) == 0.0


def test_ece_bin_by_bin(weights: np.ndarray) -> None:
    """A loop over the bins of the definition, for two and for three classes."""
    y, p = data("scores")
    rng = np.random.default_rng(2)
    z, q = rng.integers(0, 3, N), rng.dirichlet([2, 2, 2], N)
    for truth, matrix, given in ((y, np.column_stack([1 - p, p]), p), (z, q, q)):
        confidence, right = matrix.max(axis=1), matrix.argmax(axis=1) == truth
        for w, ours in zip(weights, METRICS["ece"].prepare(truth, given)(weights), strict=True):
            total = 0.0
            for b in range(15):
                rows = (confidence > b / 15) & (confidence <= (b + 1) / 15)
                if w[rows].sum() > 0:
                    gap = np.average(right[rows], weights=w[rows]) - np.average(
                        confidence[rows], weights=w[rows]
                    )
                    total += w[rows].sum() / w.sum() * abs(gap)
            assert ours == pytest.approx(total, abs=1e-12)


def test_ece_by_hand() -> None:
    """Two rows said with 0.8, one right: |1/2 - 0.8|; one row said with 0.6 and right: |1 - 0.6|."""
    assert METRICS["ece"].value([1, 0, 1], [0.8, 0.8, 0.6]) == pytest.approx((2 * 0.3 + 0.4) / 3)

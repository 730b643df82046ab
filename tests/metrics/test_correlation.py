"""Correlations against SciPy, and counted pair by pair."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ropewalk.metrics import (
    METRICS,
)
from tests.metrics.made import N, data


@pytest.mark.parametrize(
    ("name", "function"), [("pearson", "pearsonr"), ("spearman", "spearmanr"), ("kendall", "kendalltau")]
)
@pytest.mark.parametrize("digits", [0, 6])
def test_correlations_as_scipy(name: str, function: str, digits: int, weights: np.ndarray) -> None:
    """With and without ties; the plain value, and whole-number weights as copies."""
    from scipy import stats

    y, said = (np.round(x, digits) for x in data("numbers"))
    whole = weights[-2].astype(int)
    ours = METRICS[name].prepare(y, said)(weights[-2:])
    theirs = [
        getattr(stats, function)(np.repeat(y, c), np.repeat(said, c)).statistic
        for c in (whole, np.ones(N, int))
    ]
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


def test_kendall_counted_pair_by_pair(weights: np.ndarray) -> None:
    y, said = (np.round(x) for x in data("numbers"))
    dy, ds = np.sign(y[:, None] - y), np.sign(said[:, None] - said)
    for w, ours in zip(weights, METRICS["kendall"].prepare(y, said)(weights), strict=True):
        both = np.outer(w, w)
        below = math.sqrt((both * dy**2).sum() * (both * ds**2).sum())
        assert ours == pytest.approx((both * dy * ds).sum() / below, abs=1e-12)

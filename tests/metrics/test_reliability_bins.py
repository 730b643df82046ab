"""The bins of a reliability diagram."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.metrics.reliability_bins import binned


def test_bins_by_hand() -> None:
    p = np.array([0.0, 0.1, 0.2, 0.5, 0.51, 1.0])
    y = np.array([False, False, True, False, True, True])
    found = binned(p, y, bins=4)
    assert found.n.tolist() == [3, 1, 1, 1]  # 0.5 closes the second bin
    np.testing.assert_allclose(found.said, [0.1, 0.5, 0.51, 1.0])
    np.testing.assert_allclose(found.came, [1 / 3, 0, 1, 1])
    assert found.error == pytest.approx((3 * (1 / 3 - 0.1) + 0.5 + 0.49 + 0) / 6)


def test_the_intervals_are_jeffreys() -> None:
    """Oracle: quantiles of Beta(k + 1/2, n - k + 1/2) from scipy.stats; the ends of Brown, Cai & DasGupta."""
    from scipy.stats import beta

    found = binned(np.full(20, 0.7), np.arange(20) < 6, bins=2)
    assert found.n.tolist() == [0, 20]
    assert found.low[1] == pytest.approx(beta.ppf(0.025, 6.5, 14.5))
    assert found.high[1] == pytest.approx(beta.ppf(0.975, 6.5, 14.5))
    assert np.isnan([found.said[0], found.came[0], found.low[0], found.high[0]]).all()
    never, always = (binned(np.full(9, 0.7), np.full(9, v), bins=2) for v in (False, True))
    assert (never.low[1], always.high[1]) == (0, 1)
    assert never.high[1] == pytest.approx(beta.ppf(0.975, 0.5, 9.5))

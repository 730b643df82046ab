"""Order statistics of normal samples."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from ropewalk.posterior.normal_order import band, line, points


def test_points_are_at_bloms_positions():
    """Oracle: the inverse of the normal distribution function in Python's statistics module."""
    theory, sample = points(np.array([0.3, -1.0, 2.0, 0.1]))
    assert list(sample) == [-1.0, 0.1, 0.3, 2.0]
    assert theory == pytest.approx([NormalDist().inv_cdf((i - 0.375) / 4.25) for i in (1, 2, 3, 4)])


def test_the_band_of_the_smallest_and_the_largest():
    """Closed form: Pr(min of n uniforms > u) = (1 - u)^n, Pr(max <= u) = u^n."""
    n = 50
    low, high = band(n)
    inverse = NormalDist().inv_cdf
    assert low[0] == pytest.approx(inverse(1 - 0.975 ** (1 / n)))
    assert high[0] == pytest.approx(inverse(1 - 0.025 ** (1 / n)))
    assert low[-1] == pytest.approx(inverse(0.025 ** (1 / n)))
    assert high[-1] == pytest.approx(inverse(0.975 ** (1 / n)))


def test_the_band_holds_95_percent_of_normal_samples_at_each_point():
    """Simulation, 4,000 samples of 20: within five standard errors."""
    z = np.sort(np.random.default_rng(0).standard_normal((4_000, 20)), axis=1)
    low, high = band(20)
    inside = np.mean((z >= low) & (z <= high), axis=0)
    assert np.abs(inside - 0.95).max() < 5 * np.sqrt(0.95 * 0.05 / 4_000)


def test_the_line_has_the_mean_and_the_standard_deviation():
    """By hand: of 1, 2 and 3 the mean is 2 and the variance (1 + 0 + 1) / 2."""
    assert line(np.array([3.0, 1.0, 2.0])) == (2.0, 1.0)

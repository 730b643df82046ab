"""Cubic splines, against those of SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator

from ropewalk.cubic import monotone, spline


@pytest.mark.parametrize("n", [4, 5, 12, 300])
def test_the_spline_is_that_of_scipy(n: int) -> None:
    """Oracle: scipy.interpolate.CubicSpline, also beyond the ends and for points a thousand times closer."""
    rng = np.random.default_rng(n)
    x, y = np.cumsum(10 ** rng.uniform(-2, 1, n)), rng.normal(size=n)
    at = np.concatenate([x, rng.uniform(x[0] - 0.1, x[-1] + 0.1, 200)])
    expected, found = CubicSpline(x, y), spline(x, y)
    assert found(at) == pytest.approx(expected(at), rel=1e-9, abs=1e-9)
    assert found.slope == pytest.approx(expected(x, 1), rel=1e-9, abs=1e-9)


def test_a_cubic_is_its_own_spline() -> None:
    x = np.array([-2.0, -1.5, 0.0, 1.0, 3.0, 3.5])
    at = np.linspace(-3.0, 5.0, 50)
    assert spline(x, x**3 - 2 * x)(at) == pytest.approx(at**3 - 2 * at, abs=1e-10)


@pytest.mark.parametrize("n", [3, 4, 25])
def test_monotone_cubics_are_those_of_scipy(n: int) -> None:
    """Oracle: scipy.interpolate.PchipInterpolator; rounded values have plateaus and turns."""
    rng = np.random.default_rng(n)
    x, y = np.cumsum(10 ** rng.uniform(-2, 1, n)), rng.normal(size=(20, n)).round(1)
    y[0] = 1.0
    at = rng.uniform(x[0], x[-1], 200)
    found = monotone(x, y)(at)
    assert found == pytest.approx(PchipInterpolator(x, y, axis=1)(at), abs=1e-12)
    low, high = (extreme(y, axis=1)[:, None] for extreme in (np.min, np.max))
    assert np.all((found >= low - 1e-12) & (found <= high + 1e-12))

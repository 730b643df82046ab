"""A density on a grid, against the normal and the Student distribution it was taken from."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from ropewalk.posterior import Grid, Student


@pytest.fixture(scope="module")
def normal() -> Grid:
    x = np.linspace(-12, 12, 241)
    return Grid(x, -0.5 * x**2)


def test_normal_density_is_recovered(normal: Grid) -> None:
    x = np.array([-10.0, -8.0, -3.0, -0.123, 0.0, 1.0, 6.0])
    np.testing.assert_allclose(normal.cdf(x), ndtr(x), rtol=1e-9)
    np.testing.assert_allclose(normal.sf(x), ndtr(-x), rtol=1e-9)
    np.testing.assert_allclose(normal.pdf(x), np.exp(-0.5 * x**2) / np.sqrt(2 * np.pi), rtol=1e-9)
    p = np.array([1e-20, 1e-6, 0.5, 0.975, 1 - 1e-10])
    np.testing.assert_allclose(normal.quantile(p), ndtri(p), rtol=1e-9, atol=1e-9)
    assert normal.mean == pytest.approx(0.0, abs=1e-12)
    assert normal.sd == pytest.approx(1.0, rel=1e-9)
    assert normal.hdi(0.95) == pytest.approx((-1.959964, 1.959964), abs=1e-6)


def test_tails_beyond_the_grid_go_on_and_fall(normal: Grid) -> None:
    tails = normal.sf([12.0, 12.5, 13.0])
    assert np.all(np.diff(tails) < 0)
    assert np.all(tails > 0)
    assert float(normal.cdf(-13.0)) == pytest.approx(float(tails[2]), rel=1e-9)
    assert float(normal.cdf(50.0)) == 1.0


def test_uneven_points_and_heavy_tails() -> None:
    student = Student(df=5, loc=2.0, scale=0.5)
    x = 2.0 + 0.5 * np.sinh(np.linspace(-9, 9, 401))
    grid = Grid(x, np.log(student.pdf(x)))
    at = np.array([-3.0, 1.0, 2.0, 2.4, 6.0])
    np.testing.assert_allclose(grid.cdf(at), student.cdf(at), rtol=1e-6)
    np.testing.assert_allclose(grid.sf(at), student.sf(at), rtol=1e-6)


def test_two_peaks_have_their_shortest_interval() -> None:
    # Oracle: brute force over intervals of the level, on the grid's own quantiles.
    x = np.linspace(-6, 14, 801)
    grid = Grid(x, np.logaddexp(-0.5 * x**2, np.log(0.3) - 0.5 * ((x - 8) / 0.4) ** 2))
    p = np.linspace(1e-9, 0.4 - 1e-9, 4001)
    brute = (grid.quantile(p + 0.6) - grid.quantile(p)).min()
    low, high = grid.hdi(0.6)
    assert high - low == pytest.approx(brute, rel=1e-4)
    assert float(grid.cdf(high) - grid.cdf(low)) == pytest.approx(0.6, abs=1e-9)


def test_power_tails_have_no_standard_deviation(normal: Grid) -> None:
    x = np.linspace(-12, 12, 241)
    assert Grid(x, -0.5 * x**2, power_tails=True).sd == np.inf


def test_samples_follow_the_density(normal: Grid) -> None:
    draws = normal.sample(20_000, 3)
    assert draws.mean() == pytest.approx(0, abs=4 / np.sqrt(20_000))
    assert np.mean(draws > 1) == pytest.approx(ndtr(-1), abs=0.01)

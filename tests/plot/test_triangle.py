"""A density over a triangle, and where most of it lies."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.plot.triangle import binned
from ropewalk.posterior import DirichletRegions
from tests.plot.shares import AREA, CELLS, CORNERS, NODES, K, density_of


def test_the_lattice_tiles_the_triangle():
    nodes, cells = NODES, CELLS
    assert len(nodes) == (K + 1) * (K + 2) // 2
    assert np.all(nodes.sum(axis=1) == K)
    assert len({tuple(sorted(cell)) for cell in cells}) == len(cells) == K**2
    a, b, c = (nodes[cells[:, i]] / K @ CORNERS for i in range(3))
    u, v = b - a, c - a
    areas = 0.5 * np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    assert areas == pytest.approx(np.sqrt(0.75) / 2 / K**2)


@pytest.mark.parametrize("alpha", [(6.0, 5.0, 4.0), (0.3, 0.2, 0.1), (30.0, 0.01, 0.01)])
def test_binning_keeps_number_and_mean(alpha):
    draws = np.random.default_rng(0).dirichlet(alpha, 2_000)
    counts = binned(draws, K)
    assert counts.sum() == pytest.approx(2_000)
    assert counts @ NODES / K / 2_000 == pytest.approx(draws.mean(axis=0))
    assert counts.min() >= 0


@pytest.mark.parametrize("theta", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.5, 0.5, 0.0), (1 / 3, 1 / 3, 1 / 3)])
def test_binning_of_nodes(theta):
    """Corners, the middle of a side, the middle: all of them nodes, as 60 can be divided by 2 and 3."""
    counts = binned(np.array([theta]), K)
    assert NODES[np.argmax(counts)] / K == pytest.approx(theta)
    assert counts.max() == pytest.approx(1.0)


def test_the_density_is_that_of_the_draws():
    """Oracle: the Dirichlet density. The kernel adds 0.19² = 4 % and (0.7/60/sd)² = 1 % to the variances,
    and takes as much from the peak; 20,000 draws leave 2 or 3 % of noise."""
    found = density_of(DirichletRegions(better=9.0, equivalent=6.0, worse=5.0).sample(20_000, 0))
    exact = np.prod((NODES / K) ** np.array([8.0, 5.0, 4.0]), axis=1)
    found, exact = found / (found @ AREA), exact / (exact @ AREA)
    assert np.abs(found - exact).max() < 0.1 * exact.max()


def test_draws_on_one_side_stay_at_it():
    """A region that never holds: the density is highest at that side and gone a few cells away."""
    draws = np.zeros((2_000, 3))
    draws[:, :2] = np.random.default_rng(0).dirichlet([5, 5], 2_000)
    density = density_of(draws)
    assert NODES[np.argmax(density), 2] == 0
    assert density[NODES[:, 2] > 5].max() < 1e-3 * density.max()

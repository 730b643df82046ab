"""The lattice of further tasks."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.assurance.lattice import spread_over


def test_a_lattice_holds_the_mass_and_its_cells_touch() -> None:
    x = np.linspace(-8, 8, 2_001)
    found = spread_over(x, np.exp(-0.5 * x**2), 40)
    np.testing.assert_allclose(found.low[1:], found.high[:-1])
    density = np.exp(-0.5 * found.at**2) / np.sqrt(2 * np.pi)
    assert density @ found.width == pytest.approx(1.0, abs=0.005)


def test_shared_values_keep_their_place() -> None:
    found = spread_over(np.linspace(0, 1, 500), np.ones(500), 20)
    values = np.array([[0.111, 0.5, 0.87], [0.2, 0.2, 0.9]])
    counts = found.counted(values, np.zeros(values.shape, dtype=np.intp), 1)
    np.testing.assert_allclose(counts.sum(axis=0), 3)
    np.testing.assert_allclose(found.at @ counts, values.sum(axis=1))

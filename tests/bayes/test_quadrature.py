"""The adaptive quadrature behind the hierarchical tests, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import norm

from ropewalk.bayes.quadrature import NODES, Panels, below, drawn, settled


def normals(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A narrow and a broad peak, with the same mass: N(0, 10^-3) x N(0, 1) and N(3, 2) x N(1, 1/2)."""
    narrow = -0.5 * (x / 1e-3) ** 2 - np.log(1e-3) - 0.5 * y[:, None] ** 2
    broad = -0.5 * ((x - 3) / 2) ** 2 - np.log(2) - 2 * (y[:, None] - 1) ** 2 + np.log(2)
    return np.asarray(np.logaddexp(narrow, broad))


def test_a_narrow_and_a_broad_peak_keep_their_masses() -> None:
    first = Panels.between([-20.0, 0.0, 20.0]), Panels.between([-30.0, 0.0, 30.0]).graded(0.0, 0.02)
    found = settled(normals, first, 1e-4, 10**6)
    y, x = found.axes
    p = np.exp(found.values) * y.points(NODES)[1][:, None] * x.points(NODES)[1]
    p /= p.sum()
    # Oracle: the normal distribution function.
    for at in (-0.5, 0.0, 2.0):
        exact = 0.5 * ndtr(at) + 0.5 * ndtr(2 * (at - 1))
        density = (p / y.points(NODES)[1][:, None]).sum(axis=1)[None, :]
        assert below(y, density, np.array([at]))[0] == pytest.approx(exact, abs=found.error)
    for at in (-1e-3, 1e-3, 4.0):
        exact = 0.5 * ndtr(at / 1e-3) + 0.5 * ndtr((at - 3) / 2)
        density = (p / x.points(NODES)[1]).sum(axis=0)[None, :]
        assert below(x, density, np.array([at]))[0] == pytest.approx(exact, abs=found.error)
    assert found.error <= 1e-4


def test_too_few_nodes_are_admitted() -> None:
    first = Panels.between([-20.0, 0.0, 20.0]), Panels.between([-30.0, 0.0, 30.0])
    assert settled(normals, first, 1e-4, 200).error > 0.01


def test_panels() -> None:
    panels = Panels.between([0.0, 1.0, 4.0])
    at = np.array([0.1, 0.9, 1.5, 3.9])
    assert panels.interpolated(panels.nodes**5, at) == pytest.approx(at**5, rel=1e-10)
    assert panels.interpolated(np.empty((0, 16)), at).shape == (0, 4)  # of no rows there are none
    assert panels.points(5)[1].sum() == pytest.approx(4.0)
    assert panels.cut(2).low.size == 8
    cut = panels.cut_at(2.5)
    assert (cut.low.tolist(), cut.high.tolist()) == ([0.0, 1.0, 2.5], [1.0, 2.5, 4.0])
    assert panels.cut_at(9.0).low.tolist() == [0.0, 1.0]
    graded = panels.graded([3.0], 0.01)
    away = np.maximum(np.maximum(graded.low - 3.0, 3.0 - graded.high), 0.01)
    assert np.all(graded.high - graded.low <= 2 * away)
    assert graded.low[1:] == pytest.approx(graded.high[:-1])


def test_a_log_density_that_falls_off_a_cliff_does_not_ring() -> None:
    panels = Panels.between([0.0, 1.0, 2.0])
    cliff = np.where(panels.nodes < 0.7, -5.0, -40.0)
    at = np.linspace(0.0, 2.0, 201)
    found = panels.interpolated(np.stack([cliff, cliff + 2]), at)
    assert np.all(found[0] <= np.where(at < 1, -4.0, -39.0))  # the polynomial itself rises to -0.1
    assert found[1] == pytest.approx(found[0] + 2)
    assert panels.interpolated(cliff[:, None], at, axis=0)[:, 0] == pytest.approx(found[0])


def test_points_are_spread_between_the_nodes() -> None:
    """Oracle: two independent normals; at the nodes alone the share up to a point would be 0.06 off."""
    axes = Panels.between(np.linspace(-6, 6, 7)), Panels.between(np.linspace(-6, 6, 9))
    p = np.multiply.outer(*(norm.pdf(a.nodes) * a.points(NODES)[1] for a in axes))
    found = drawn(p, axes, 4000)
    for x in found:
        assert np.unique(x).size == 4000
        assert np.max(np.abs(norm.cdf(np.sort(x)) - (np.arange(4000) + 0.5) / 4000)) < 0.01
    assert np.corrcoef(*found)[0, 1] == pytest.approx(0.0, abs=0.02)


def test_a_panel_is_split_at_each_point() -> None:
    """Oracle: ∫ x³ from the split to the end of its panel, and x⁵; a point outside cuts nothing off."""
    panels = Panels.between([0.0, 1.0, 4.0])
    k, nodes, weights, matrix = panels.split(np.array([-3.0, 0.25, 2.5, 9.0]))
    assert k.tolist() == [0, 0, 1, 1]
    assert weights.sum(axis=1) == pytest.approx([1.0, 1.0, 3.0, 3.0])
    after = np.sum((weights * nodes**3)[:, NODES:], axis=1)
    assert after == pytest.approx([0.25, (1 - 0.25**4) / 4, (4.0**4 - 2.5**4) / 4, 0.0])
    values = panels.nodes.reshape(-1, NODES)[k] ** 5
    assert (matrix @ values[:, :, None])[:, :, 0] == pytest.approx(nodes**5, rel=1e-9, abs=1e-9)


def test_below_at_many_points_of_a_row() -> None:
    """Oracle: ∫ x² and ∫ 1 from 0."""
    panels = Panels.between([0.0, 1.0, 4.0])
    density = np.stack([panels.nodes**2, np.ones(2 * NODES)])
    at = np.array([[0.5, 0.5], [3.0, 2.0], [4.0, 4.0]])
    want = np.column_stack([at[:, 0] ** 3 / 3, at[:, 1]])
    assert below(panels, density, at) == pytest.approx(want)


def test_below_across_a_gap() -> None:
    panels = Panels(low=np.array([0.0, 2.0]), high=np.array([1.0, 3.0]))
    density = np.ones((5, 2 * NODES))
    found = below(panels, density, np.array([-1.0, 0.25, 1.5, 2.5, 9.0]))
    assert found == pytest.approx([0.0, 0.25, 1.0, 1.5, 2.0], abs=1e-12)

"""Where the edges of a ROPE will lie once there are more data."""

from __future__ import annotations

import numpy as np

from ropewalk.assurance.rope_edges import Edges, three
from ropewalk.decide import in_scores, on_phi


def test_edges_that_were_given_stay() -> None:
    edges = Edges.of(in_scores(-0.01, 0.02, "as given", origin="given"), sd=3.0)
    low, high = edges.at(np.array([1.0, 5.0]))
    assert (low.tolist(), high.tolist()) == ([-0.01, -0.01], [0.02, 0.02])


def test_a_share_of_a_standard_deviation_moves_with_it() -> None:
    edges = Edges.of(in_scores(-0.3, 0.3, "a tenth of the sd", origin="sd"), sd=3.0)
    low, high = edges.at(np.array([1.0, 5.0]))
    np.testing.assert_allclose([low, high], [[-0.1, -0.5], [0.1, 0.5]])


def test_on_phi_the_sides_change() -> None:
    # A positive advantage is a phi below one half: better begins at 1/2 - low of the ROPE.
    rope = on_phi(0.5, 0.2, -0.1, 0.2)
    edges = Edges.of(rope, sd=0.5)
    low, high = edges.at(np.array([0.5]))
    np.testing.assert_allclose([low[0], high[0]], [0.5 - rope.high, 0.5 - rope.low])


def test_three_rows_add_up() -> None:
    p = three(np.array([0.7, 0.5]), np.array([0.1, 0.5 + 1e-16]))
    np.testing.assert_allclose(p.sum(axis=0), 1.0)
    assert p.min() >= 0

"""Pairs that two columns order alike: counted one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from ropewalk.metrics.dominance import pairs_below, pairs_tied


@pytest.mark.parametrize("n", [1, 2, 7, 33])
def test_as_counted_one_by_one(n: int) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.integers(0, 5, n), rng.integers(0, 4, n)
    u, v = rng.exponential(size=(2, 3, n))
    below, tied = np.zeros(3), np.zeros(3)
    for i, j in product(range(n), repeat=2):
        below += u[:, i] * v[:, j] * (x[i] < x[j] and y[i] < y[j])
        tied += u[:, i] * v[:, j] * (x[i] < x[j] and y[i] == y[j])
    assert pairs_below(x, y)(u, v) == pytest.approx(below, rel=1e-12, abs=1e-12)
    assert pairs_tied(x, y)(u, v) == pytest.approx(tied, rel=1e-12, abs=1e-12)

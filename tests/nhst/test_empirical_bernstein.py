"""Bernstein's bound."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.nhst import empirical_bernstein
from tests.nhst.bounded import LEVEL, SHAPES, samples


@pytest.mark.parametrize("n", [5, 12, 20])
@pytest.mark.parametrize("shape", SHAPES)
def test_bernsteins_bound_holds_in_every_sample_size(shape: str, n: int) -> None:
    values, chances = SHAPES[shape]
    mean = float(np.dot(values, chances))
    every = [(empirical_bernstein(d, reach=1.0), p) for d, p in samples(values, chances, n)]
    assert sum(p for r, p in every if r.lower_bound(LEVEL) > mean) <= 1 - LEVEL
    assert sum(p for r, p in every if r.upper_bound(LEVEL) < mean) <= 1 - LEVEL


def test_bernsteins_p_value_is_where_its_bound_is_zero() -> None:
    rng = np.random.default_rng(3)
    d = rng.uniform(-0.5, 0.9, 400)
    r = empirical_bernstein(d, reach=1.0)
    assert 1e-6 < r.p_value < 0.05
    assert r.lower_bound(1 - r.p_value / 2) == pytest.approx(0, abs=1e-9)
    # Maurer & Pontil's theorem 4, on [0, 1], written out.
    x, n, log = (d + 1) / 2, d.size, np.log(2 / 0.05)
    bound = x.mean() - np.sqrt(2 * x.var(ddof=1) * log / n) - 7 * log / (3 * (n - 1))
    assert r.lower_bound(0.95) == pytest.approx(2 * bound - 1)
    assert r.upper_bound(0.95) == pytest.approx(-empirical_bernstein(-d, reach=1.0).lower_bound(0.95))

"""The capital of a gambler."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.nhst import betting
from ropewalk.nhst.wealth import _stakes


def test_the_capital_is_the_mixture_of_products() -> None:
    # Multiplied out, one factor and one stake after the other.
    rng = np.random.default_rng(0)
    d, w = rng.uniform(-1, 1, 9), rng.uniform(0.2, 1, 9)
    r = betting(2.5 * d, reach=2.5, weights=w)
    w = w / w.max()
    for m in (-0.9, -0.2, 0.0, 0.4):
        y, mu = (d + 1) / 2, (m + 1) / 2
        stakes, prior = _stakes(float(w @ w))
        capital = 0.0
        for c, p in zip(stakes, prior, strict=True):
            won = 1.0
            for yi, wi in zip(y, w, strict=True):
                won *= 1 + c * wi * (yi / mu - 1)
            capital += p * won
        assert r.p_at_most(2.5 * m) == pytest.approx(min(1, 1 / capital), rel=1e-10)


def test_the_stakes_are_a_distribution() -> None:
    for n in (1.0, 10.0, 1e4, 1e8):
        stakes, prior = _stakes(n)
        assert prior.sum() == pytest.approx(1, abs=1e-12)
        assert prior.min() > 0
        assert 0 < stakes.min() < stakes.max() == 1

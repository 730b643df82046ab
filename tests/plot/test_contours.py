"""Contours hold the shares that they say."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.plot.contours import SHARES, levels
from ropewalk.plot.triangle import binned
from ropewalk.posterior import DirichletRegions
from tests.plot.shares import AREA, K, density_of


@pytest.mark.parametrize("alpha", [(9.0, 6.0, 5.0), (2.0, 3.0, 12.0), (1.0, 1.0, 1.0), (20.0, 1.0, 1.0)])
@pytest.mark.few(2)
def test_the_contours_hold_the_shares_that_they_say(alpha):
    """Oracle: fresh draws; a variance that is 5 % too large makes 80 % of a normal density 82 %, and of 1,000
    draws 80 % is known to 1.3 %."""
    theta = DirichletRegions(better=alpha[0], equivalent=alpha[1], worse=alpha[2])
    density = density_of(theta.sample(20_000, 0))
    at_draws = np.array([binned(draw[None], K) @ density for draw in theta.sample(1_000, 1)])
    held = [np.mean(at_draws >= level) for level in levels(density, AREA)]
    assert held == pytest.approx(SHARES, abs=0.06)


def test_the_shares_lie_above_the_levels():
    """Closed form: a normal density of two numbers exceeds exp(-r²/2) of its peak inside radius r,
    which holds 1 - exp(-r²/2) of it."""
    x = np.linspace(-6, 6, 401)
    density = np.exp(-0.5 * (x[:, None] ** 2 + x**2))
    assert levels(density, np.ones(density.shape)) == pytest.approx([1 - s for s in SHARES], abs=2e-3)

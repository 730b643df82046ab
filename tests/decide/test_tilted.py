"""A posterior times a normal prior around no difference."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.decide.tilted import tilted
from ropewalk.posterior import Draws, Mixture


@pytest.mark.parametrize("prior_sd", [0.01, 0.3, 50.0])
@pytest.mark.parametrize(("mean", "sd"), [(0.4, 0.2), (-3.0, 0.1), (0.0, 1.0)])
def test_normal_times_normal(mean: float, sd: float, prior_sd: float) -> None:
    # Oracle: the conjugate normal, precision by precision.
    found = tilted(Mixture.of([1.0], loc=[mean], scale=[sd]), prior_sd)
    precision = 1 / sd**2 + 1 / prior_sd**2
    centre, spread = mean / sd**2 / precision, precision**-0.5
    assert found.mean == pytest.approx(centre, abs=1e-4 * spread)
    np.testing.assert_allclose(
        found.quantile([0.025, 0.5, 0.975]),
        centre + spread * np.array([-1.95996, 0, 1.95996]),
        atol=1e-3 * spread,
    )


def test_draws_are_weighted() -> None:
    # Oracle: the same by hand, with weights that add up to one.
    x = np.array([-0.2, 0.0, 0.1, 0.5])
    found = tilted(Draws.of(x), 0.2)
    w = np.exp(-0.5 * (x / 0.2) ** 2)
    assert found.mean == pytest.approx(float(w @ x / w.sum()))

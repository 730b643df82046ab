"""A posterior times a normal prior around no difference."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from ropewalk.decide.tilted import tilted
from ropewalk.posterior import Draws, Mixture, Student, Unvaried
from ropewalk.posterior.unvaried import hardly_varied


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


@pytest.mark.parametrize("prior_sd", [0.01, 0.05, 2.0])
@pytest.mark.parametrize(("weight", "scale"), [(0.9, 4e-6), (0.2, 4e-5)])
def test_what_hardly_varies_is_as_uncertain_under_a_prior(
    weight: float, scale: float, prior_sd: float
) -> None:
    # Oracle: quadrature of the two parts, each where it has its mass. The narrow one had all of it before.
    equal = Unvaried(at=0.03, low=-1.0, high=1.0, n=5.0)
    by_t = Student(df=4, loc=0.03, scale=scale)
    found = tilted(hardly_varied(equal, weight, by_t), prior_sd)

    def mass(low: float, high: float) -> float:
        def wide(x: float) -> float:
            return float(weight * equal.pdf(x) * np.exp(-0.5 * (x / prior_sd) ** 2))

        cuts = sorted({low, high, *np.clip([-5 * prior_sd, 0.0, 0.03, 5 * prior_sd], low, high)})
        inside = sum(quad(wide, a, b, limit=200)[0] for a, b in pairwise(cuts))
        narrow = (1 - weight) * float(by_t.cdf(high) - by_t.cdf(low)) * np.exp(-0.5 * (0.03 / prior_sd) ** 2)
        return float(inside + narrow)

    total = mass(-1.0, 1.0)
    for edge in (-0.1, -0.01, 0.01, 0.02):
        assert float(found.sf(edge)) == pytest.approx(mass(edge, 1.0) / total, abs=2e-3)

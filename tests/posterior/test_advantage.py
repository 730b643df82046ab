"""The advantage pi (1 - 2 phi) with Beta rates: a one-line integral by SciPy is the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from ropewalk.posterior.advantage import AdvantagePosterior
from ropewalk.posterior.rate_table import RateTable, refined

PI, PHI = (4.0, 16.0), (5.0, 9.0)


def beta_table(a: float, b: float) -> RateTable:
    return RateTable.of(*refined(lambda z: a * z - (a + b) * np.logaddexp(0, z), np.linspace(-14, 14, 40)))


@pytest.fixture(scope="module")
def posterior() -> AdvantagePosterior:
    return AdvantagePosterior(rate=beta_table(*PI), share=beta_table(*PHI))


@pytest.mark.parametrize("x", [-0.05, -0.01, 0.0, 0.02, 0.1, 0.3])
def test_tails_and_density_as_scipy_integrates_them(posterior: AdvantagePosterior, x: float) -> None:
    pi, phi = stats.beta(*PI), stats.beta(*PHI)
    above = integrate.quad(
        lambda u: phi.cdf(0.5 * (1 - x / u)) * pi.pdf(u), 0, 1, points=[abs(x)], limit=200
    )[0]
    assert float(posterior.sf(x)) == pytest.approx(above, rel=1e-4)
    assert float(posterior.cdf(x)) == pytest.approx(1 - above, rel=1e-4)
    inside = integrate.quad(
        lambda u: phi.pdf(0.5 * (1 - x / u)) * pi.pdf(u) / (2 * u), max(abs(x), 1e-9), 1, limit=400
    )[0]
    assert float(posterior.pdf(x)) == pytest.approx(inside, rel=1e-3)


def test_moments_multiply(posterior: AdvantagePosterior) -> None:
    pi, phi = stats.beta(*PI), stats.beta(*PHI)
    mean = pi.mean() * (1 - 2 * phi.mean())
    second = (pi.var() + pi.mean() ** 2) * (4 * phi.var() + (1 - 2 * phi.mean()) ** 2)
    assert posterior.mean == pytest.approx(mean, rel=1e-6)
    assert posterior.sd == pytest.approx(np.sqrt(second - mean**2), rel=1e-5)


def test_quantiles_come_back_and_the_interval_holds_its_level(posterior: AdvantagePosterior) -> None:
    p = np.array([0.001, 0.1, 0.5, 0.9, 0.999])
    assert posterior.cdf(posterior.quantile(p)) == pytest.approx(p, rel=2e-3)
    low, high = posterior.hdi(0.9)
    assert float(posterior.cdf(high) - posterior.cdf(low)) == pytest.approx(0.9, abs=1e-3)
    assert posterior.quantile([0.0, 1.0]).tolist() == [-1.0, 1.0]

"""Mixtures of beta distributions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta as scipy_beta
from scipy.stats import kstest

from ropewalk.posterior import Beta, BetaMixture


def test_one_beta_is_that_beta() -> None:
    for a, b in ((160.0, 199.0), (1.0, 1.0), (0.4, 0.7), (3.0, 0.5), (2e6, 3e6)):
        alone, exact = BetaMixture.of([2.0], a=[a], b=[b]), Beta(a=a, b=b)
        x, p = exact.quantile([0.01, 0.4, 0.9]), [0.001, 0.3, 0.5, 0.975]
        assert alone.pdf(x) == pytest.approx(exact.pdf(x), rel=1e-10)
        assert alone.cdf(x) == pytest.approx(exact.cdf(x), rel=1e-12)
        assert alone.sf(x) == pytest.approx(exact.sf(x), rel=1e-12)
        assert alone.quantile(p) == pytest.approx(exact.quantile(p), rel=1e-6)
        assert (alone.mean, alone.sd) == (pytest.approx(exact.mean), pytest.approx(exact.sd))
    assert BetaMixture.of([1.0], a=[160], b=[199]).hdi(0.9) == pytest.approx(
        Beta(a=160, b=199).hdi(0.9), abs=1e-5
    )
    assert BetaMixture.of([1.0], a=[1.0], b=[3.0]).hdi(0.9)[0] == pytest.approx(0.0, abs=1e-12)


def test_a_mixture_of_betas() -> None:
    w, a, b = np.array([0.2, 0.5, 0.3]), np.array([0.5, 30.0, 400.0]), np.array([0.5, 10.0, 380.0])
    mixed = BetaMixture.of(w, a=a, b=b)
    for x in (0.01, 0.5, 0.52, 0.8, 0.999):
        below = float(w @ scipy_beta.cdf(x, a, b))
        assert float(mixed.cdf(x)) == pytest.approx(below, rel=1e-12)
        assert float(mixed.quantile(below)) == pytest.approx(x, abs=1e-7)
    second = float(w @ scipy_beta.moment(2, a, b))
    assert mixed.sd == pytest.approx(np.sqrt(second - mixed.mean**2))
    assert mixed.pdf([-0.1, 1.1]).tolist() == [0.0, 0.0]
    assert mixed.cdf([-1.0, 2.0]).tolist() == [0.0, 1.0]
    low, high = mixed.hdi(0.6)
    assert float(mixed.cdf(high) - mixed.cdf(low)) == pytest.approx(0.6, abs=1e-6)
    assert kstest(mixed.sample(20_000, rng=1), lambda x: mixed.cdf(x)).pvalue > 0.001

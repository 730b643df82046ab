"""The beta distribution against mpmath."""

from __future__ import annotations

import mpmath as mp
import pytest

from ropewalk.posterior import Beta

mp.mp.dps = 50


@pytest.mark.parametrize(
    ("a", "b", "x"),
    [(1, 1, 0.3), (160, 199, 0.45), (65, 31, 0.55), (2, 900, 0.5), (500, 700, 0.9), (1.5, 0.5, 0.99)],
)
def test_beta_tails_agree_with_mpmath(a: float, b: float, x: float) -> None:
    posterior = Beta(a=a, b=b)
    below = mp.betainc(a, b, 0, mp.mpf(x), regularized=True)
    above = mp.betainc(b, a, 0, 1 - mp.mpf(x), regularized=True)
    assert float(posterior.cdf(x)) == pytest.approx(float(below), rel=1e-10)
    assert float(posterior.sf(x)) == pytest.approx(float(above), rel=1e-10)
    density = mp.mpf(x) ** (a - 1) * (1 - mp.mpf(x)) ** (b - 1) / mp.beta(a, b)
    assert float(posterior.pdf(x)) == pytest.approx(float(density), rel=1e-10)


def test_beta_reaches_the_deep_tail() -> None:
    # sf(x) of Beta(a, b) is cdf(1 - x) of Beta(b, a), which mpmath sums without cancellation.
    exact = mp.betainc(400, 600, 0, 1 - mp.mpf("0.97"), regularized=True)
    assert 0 < exact < mp.mpf("1e-100")
    assert float(Beta(a=600, b=400).sf(0.97)) == pytest.approx(float(exact), rel=1e-10)

"""Differences of proportions against mpmath, draws and large counts."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from ropewalk.posterior import Posterior, ProportionDifference
from ropewalk.posterior.base import invert

mp.mp.dps = 50


def difference_sf(a01: float, a10: float, same: float, x: float) -> mp.mpf:
    """Pr(T (1 - 2 phi) > x) by mpmath's own quadrature."""
    m, at = a01 + a10, mp.mpf(x)

    def integrand(t: mp.mpf) -> mp.mpf:
        inner = mp.betainc(a01, a10, 0, max(min((1 - at / t) / 2, mp.mpf(1)), mp.mpf(0)), regularized=True)
        return t ** (m - 1) * (1 - t) ** (same - 1) / mp.beta(m, same) * inner

    centre = mp.mpf(m) / (m + same)
    sd = mp.sqrt(centre * (1 - centre) / (m + same + 1))
    cuts = [abs(at), *(centre + k * sd for k in (-12, -8, -4, 0, 4, 8, 12)), mp.mpf(1)]
    cuts = sorted(c for c in cuts if abs(at) <= c <= 1)
    certain = mp.betainc(m, same, 0, -at, regularized=True) if at < 0 else mp.mpf(0)
    return certain + mp.quad(integrand, cuts)


@pytest.mark.parametrize("x", [-0.3, -0.01, 0.0, 0.01, 0.05, 0.2])
@pytest.mark.parametrize("counts", [(1, 1, 1), (1, 2, 5), (160, 199, 645), (64, 31, 100)])
@pytest.mark.few(5)
def test_difference_of_proportions_agrees_with_mpmath(counts: tuple[int, int, int], x: float) -> None:
    a01, a10, same = counts
    posterior = ProportionDifference(a01=a01, a10=a10, same=same)
    with mp.workdps(25):  # 15 digits more than are compared
        exact = difference_sf(a01, a10, same, x)
    assert float(posterior.sf(x)) == pytest.approx(float(exact), rel=1e-10)
    assert float(posterior.cdf(x)) == pytest.approx(float(1 - exact), rel=1e-9)


def test_difference_of_two_uniform_cells_is_a_triangle() -> None:
    # Dirichlet(1, 1, 1): the difference of two coordinates has the density 1 - |x| on [-1, 1].
    posterior = ProportionDifference(a01=1, a10=1, same=1)
    x = np.linspace(-0.95, 0.95, 9)
    np.testing.assert_allclose(posterior.pdf(x), 1 - np.abs(x), rtol=1e-10)
    assert posterior.sd == pytest.approx(np.sqrt(1 / 6))


def test_difference_of_proportions_agrees_with_dirichlet_draws() -> None:
    posterior = ProportionDifference(a01=31, a10=64, same=105)
    draws = posterior.sample(400_000, 1)
    assert posterior.mean == pytest.approx(draws.mean(), abs=4 * posterior.sd / np.sqrt(draws.size))
    assert posterior.sd == pytest.approx(draws.std(), rel=0.005)
    for x in (0.05, 0.15, 0.25):
        p = float(posterior.sf(x))
        assert p == pytest.approx(np.mean(draws > x), abs=4 * np.sqrt(p * (1 - p) / draws.size))


@pytest.mark.parametrize(
    "counts", [(1e5, 1e9, 1e9), (1e4, 1e8, 1e8), (23043, 5291355, 3.07e8), (1e9, 1e5, 1e9)]
)
@pytest.mark.few(2)
def test_large_unbalanced_counts(counts: tuple[float, float, float]) -> None:
    # With such counts the difference is normal to 1e-3: Dirichlet coordinates are gamma variables over a sum.
    posterior = ProportionDifference(a01=counts[0], a10=counts[1], same=counts[2])
    z = np.array([-2.0, -0.3, 0.0, 0.3, 2.0])
    np.testing.assert_allclose(posterior.sf(posterior.mean + z * posterior.sd), ndtr(-z), atol=2e-4)
    np.testing.assert_allclose(posterior.cdf(posterior.mean + z * posterior.sd), ndtr(z), atol=2e-4)
    low, high = posterior.hdi(0.95)
    assert (high - low) / posterior.sd == pytest.approx(2 * 1.959964, rel=1e-3)
    assert float(posterior.cdf(high) - posterior.cdf(low)) == pytest.approx(0.95, abs=1e-8)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.999])
@pytest.mark.parametrize(
    "counts", [(160, 199, 645), (1, 1, 22), (1, 8, 40), (1, 1, 2), (3, 2, 2), (501, 561, 12002), (2, 3000, 5)]
)
@pytest.mark.few(10)
def test_the_shortest_interval_of_a_difference_of_proportions(
    counts: tuple[float, float, float], level: float
) -> None:
    """Oracle: the search over every probability left out below, which all posteriors have."""
    posterior = ProportionDifference(a01=counts[0], a10=counts[1], same=counts[2])
    low, high = posterior.hdi(level)
    slow = Posterior.hdi(posterior, level)
    assert (low, high) == pytest.approx(slow, abs=1e-7 * posterior.sd)
    assert float(posterior.cdf(high) - posterior.cdf(low)) == pytest.approx(level, abs=1e-9)


@pytest.mark.parametrize("p", [0.025, 0.5, 0.975])
def test_a_quantile_of_large_counts_takes_few_integrals(p: float) -> None:
    # Steps too small to see used to throw Newton's method back to the middle of the bracket: 84 integrals.
    posterior, asked = ProportionDifference(a01=1e5, a10=1e9, same=1e9), 0

    class Counted:
        sf = staticmethod(posterior.sf)
        cdf = staticmethod(posterior.cdf)

        @staticmethod
        def pdf(x: np.ndarray) -> np.ndarray:
            nonlocal asked
            asked += 1
            return posterior.pdf(x)

    start = posterior.mean + posterior.sd * ndtri(p)
    found = float(invert(Counted, p, -1.0, 1.0, start, tiny=1e-15 * posterior.sd))  # type: ignore[arg-type]
    assert asked <= 10
    tail = posterior.cdf(found) if p <= 0.5 else 1 - posterior.sf(found)
    # SciPy's incomplete beta function has a noise of 1e-8 with counts of 1e9; since version 1.17 of 2e-10.
    assert float(tail) == pytest.approx(p, abs=1e-8)

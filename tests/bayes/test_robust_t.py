"""The robust t against an independent dense grid over (Delta, log sigma, nu)."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.special import gammaln, ndtri

from ropewalk import bayes
from ropewalk.errors import DataError, MethodError
from ropewalk.posterior import Point


def dense_cdf(x: np.ndarray, at: list[float], scale: float) -> np.ndarray:
    """The distribution function of Delta by brute force: three nested sums, nothing marginalised."""
    n, centre = len(x), np.median(x)
    v = np.linspace(-14, 14, 561)
    delta = centre + scale * np.sinh(v)
    log_sigma = np.linspace(np.log(scale) - 10, np.log(scale) + 17, 181)
    b = np.linspace(-12, 6.4, 75)
    nu = 1 + np.exp(b)
    squares = (x - delta[:, None]) ** 2
    total = np.full(v.size, -np.inf)
    for k in range(nu.size):
        constant = n * (gammaln((nu[k] + 1) / 2) - gammaln(nu[k] / 2) - 0.5 * np.log(nu[k]))
        prior = np.log(nu[k] - 1) - 0.1 * (nu[k] - 1) + b[k]
        scaled = squares[:, None, :] / (nu[k] * np.exp(2 * log_sigma)[:, None])
        f = constant + prior - n * log_sigma - (nu[k] + 1) / 2 * np.log1p(scaled).sum(axis=2)
        top = f.max(axis=1)
        total = np.logaddexp(total, top + np.log(np.exp(f - top[:, None]).sum(axis=1)))
    mass = CubicSpline(v, np.exp(total - total.max()) * np.cosh(v)).antiderivative()
    return (mass(np.arcsinh((np.array(at) - centre) / scale)) - mass(v[0])) / (mass(v[-1]) - mass(v[0]))


SAMPLES = {
    "three": np.array([0.1, 0.3, -0.2]),
    "five, two tied, an outlier": np.array([0.02, 0.01, 0.03, 0.02, 0.9]),
    "three on two scales": np.array([0.0, 1e-3, 1.0]),
    "four, one far away": np.array([-0.36, 8.52, -0.25, -0.11]),
    "normal": np.random.default_rng(1).normal(0.1, 1, 12),
    "heavy tails": np.random.default_rng(2).standard_t(2, 15) + 0.2,
    "almost half tied": np.concatenate([np.zeros(5), np.random.default_rng(3).normal(0.3, 1, 6)]),
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.few(1)
def test_agrees_with_a_dense_grid(name: str) -> None:
    x = SAMPLES[name]
    posterior = bayes.robust_t(x)
    scale = float(np.median(np.abs(x - np.median(x)))) or float(x.std())
    s = x.std(ddof=1)
    at = [float(q) for q in (-0.1 * s, 0.1 * s, *posterior.quantile([0.05, 0.5, 0.9]))]
    np.testing.assert_allclose(posterior.cdf(at), dense_cdf(x, at, 0.5 * scale), atol=1e-4)


def test_normal_data_give_the_t_test() -> None:
    # With many normal differences the centre is the mean and the scale s/sqrt(n).
    x = np.random.default_rng(0).normal(0.05, 1.0, 20_000)
    robust, plain = bayes.robust_t(x), bayes.t(x)
    assert robust.mean == pytest.approx(plain.mean, abs=0.1 * plain.sd)
    assert robust.sd == pytest.approx(plain.sd, rel=0.02)


def test_bins_change_nothing_that_matters() -> None:
    module = sys.modules["ropewalk.bayes.robust_t"]
    x = np.random.default_rng(5).standard_t(2.5, 8_000) + 0.03
    binned = bayes.robust_t(x)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_EXACT", 10**9)
        exact = bayes.robust_t(x)
    q = exact.quantile(np.linspace(0.001, 0.999, 25))
    np.testing.assert_allclose(binned.cdf(q), exact.cdf(q), atol=1e-6)


@pytest.mark.parametrize("n", [3, 4, 10, 1_000, 1_000_000])
@pytest.mark.few(3)
def test_holds_from_three_to_a_million(n: int) -> None:
    x = np.random.default_rng(n).standard_t(3, n) + 1.0
    posterior = bayes.robust_t(x)
    low, high = posterior.interval(0.999)
    assert np.isfinite([low, high]).all()
    assert low < 1.0 < high
    assert posterior.sd == np.inf if n == 3 else np.isfinite(posterior.sd)


def test_swap_shift_and_scale() -> None:
    x = np.random.default_rng(8).standard_t(3, 40) + 0.4
    at = np.array([0.1, 0.4, 0.8])
    p = bayes.robust_t(x).cdf(at)
    np.testing.assert_allclose(bayes.robust_t(-x).sf(-at), p, atol=2e-6)
    np.testing.assert_allclose(bayes.robust_t(1000 * x + 7).cdf(1000 * at + 7), p, atol=2e-6)
    np.testing.assert_allclose(bayes.robust_t(x[::-1]).cdf(at), p, atol=1e-12)


def test_constant_differences_are_certain() -> None:
    assert bayes.robust_t([0.2, 0.2, 0.2]) == Point(at=0.2)


def test_more_than_half_tied_is_refused() -> None:
    with pytest.raises(
        MethodError, match=r"6 of 10 differences are exactly 0\n(.|\n)*concentrates at sigma = 0"
    ):
        bayes.robust_t([0.0] * 6 + [0.1, 0.2, 0.3, 0.4])


def test_two_differences_are_too_few() -> None:
    with pytest.raises(DataError, match="2 differences given, at least 3 needed"):
        bayes.robust_t([0.1, 0.2])


@pytest.mark.parametrize(("left", "spread"), [(58, 0.0065), (57, 0.0035), (56, 0.0018)])
def test_clusters_are_refused_and_not_smoothed_over(left: int, spread: float) -> None:
    # A brute-force grid puts 0.24 to 0.74 of the posterior on the narrow left cluster; nodes spread over both
    # would miss it altogether.
    def normal(n: int) -> np.ndarray:
        return spread * ndtri((np.arange(n) + 0.5) / n)

    with pytest.raises(MethodError, match="form clusters"):
        bayes.robust_t(np.concatenate([normal(left), 1 + normal(100 - left)]))


@pytest.mark.parametrize("n", [4, 60])
def test_a_quadrature_that_does_not_settle_says_so(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No data were found that do it: half of the nodes are made to disagree with all of them."""
    monkeypatch.setattr(sys.modules["ropewalk.bayes.robust_t"], "_moved", lambda *_: 1.0)
    with pytest.raises(MethodError, match="the quadrature of the robust t did not converge"):
        bayes.robust_t(np.random.default_rng(0).normal(size=n))


def test_a_spread_whose_square_is_nothing_is_none() -> None:
    """As in `t`: the sum of squares of 1e-300 is zero."""
    tiny = [1e-300, 2e-300, 3e-300]
    assert bayes.robust_t(tiny) == bayes.t(tiny) == Point(at=2e-300)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.8])
def test_many_differences_know_nu_so_well_that_its_integral_is_sharp(share: float) -> None:
    """log ∫ (nu - 1) e^(-0.1 (nu - 1)) (Γ((nu+1)/2)/Γ(nu/2))^n e^(-(nu+1) L/2) dnu, on a dense grid of nu."""
    n, big_l = 50_000, 50_000 * share
    nu = 1 + np.geomspace(1e-3, 1e3, 1_000_001)
    log_f = (
        np.log(nu - 1) - 0.1 * (nu - 1) + n * (gammaln((nu + 1) / 2) - gammaln(nu / 2)) - (nu + 1) * big_l / 2
    )
    f = np.exp(log_f - log_f.max())
    expected = log_f.max() + np.log(np.sum(np.diff(nu) * (f[1:] + f[:-1]) / 2))
    found = sys.modules["ropewalk.bayes.robust_t"]._integrate_nu(n, np.array([big_l]))
    assert found[0] == pytest.approx(expected, abs=1e-5)

"""What dependent units are worth."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes, nhst
from ropewalk.decide import cluster_means, cluster_summary, series_summary
from ropewalk.errors import PairingError


def in_clusters(rng: np.random.Generator, sizes: np.ndarray, icc: float) -> tuple[np.ndarray, np.ndarray]:
    """Differences of mean zero and variance one, with correlation icc within each cluster."""
    code = np.repeat(np.arange(sizes.size), sizes)
    return np.sqrt(icc) * rng.normal(size=sizes.size)[code] + np.sqrt(1 - icc) * rng.normal(
        size=code.size
    ), code


def ar1(rng: np.random.Generator, n: int, phi: float) -> np.ndarray:
    x = rng.normal(size=n)
    for t in range(1, n):
        x[t] = phi * x[t - 1] + np.sqrt(1 - phi**2) * x[t]
    return x


def test_icc_by_hand() -> None:
    # Clusters (1, 3), (5, 7), (6, 8): means 2, 6, 7, MSB = 2·14/2 = 14, MSW = 6/3 = 2: icc = 12/16.
    found = cluster_summary([1.0, 3.0, 5.0, 7.0, 6.0, 8.0], [0, 0, 1, 1, 2, 2])
    assert (found.n, found.clusters) == (6, 3)
    assert found.icc == pytest.approx(0.75)
    assert found.design_effect == pytest.approx(1.75)
    assert found.n_eff == pytest.approx(6 / 1.75)


def test_icc_and_design_effect_of_unequal_clusters() -> None:
    # Oracle: the icc that the data were drawn with, and the variance of their mean over 2,000 simulations.
    rng = np.random.default_rng(0)
    sizes = np.repeat([1, 2, 5, 20, 60], 12)
    found, means = [], []
    for _ in range(2000):
        d, code = in_clusters(rng, sizes, 0.4)
        means.append(d.mean())
        found.append(cluster_summary(d, code))
    iccs = np.array([f.icc for f in found])
    assert iccs.mean() == pytest.approx(0.4, abs=0.02)
    exact = 1 + (sizes @ sizes / sizes.sum() - 1) * 0.4
    assert np.var(means) * sizes.sum() == pytest.approx(exact, rel=4 * np.sqrt(2 / 2000))
    assert np.mean([f.design_effect for f in found]) == pytest.approx(exact, rel=0.05)


def test_clusters_that_do_not_matter() -> None:
    alone = cluster_summary([0.1, 0.5, 0.2], ["p", "q", "r"])
    assert (alone.icc, alone.design_effect, alone.n_eff) == (0.0, 1.0, 3.0)
    against = cluster_summary([1.0, -1.0, 1.0, -1.0], [0, 0, 1, 1])  # less alike than strangers
    assert against.icc < 0
    assert (against.design_effect, against.n_eff) == (1.0, 4.0)
    assert cluster_summary([0.2] * 4, [0, 0, 1, 1]).icc == 0.0
    assert cluster_summary([1.0, 1.0, 2.0, 2.0], [0, 0, 1, 1]).icc == 1.0


def test_autocorrelation_of_one_series() -> None:
    # Oracle: closed form, an autoregression with phi = 0.8 has design effect (1 + phi)/(1 - phi) = 9.
    found = series_summary(ar1(np.random.default_rng(1), 50_000, 0.8))
    assert found.lag1 == pytest.approx(0.8, abs=0.02)
    assert found.design_effect == pytest.approx(9.0, rel=0.1)
    assert found.n_eff == pytest.approx(50_000 / found.design_effect)


def test_several_series() -> None:
    # Oracle: 200 series of 100; Var(mean) of each is exactly Σ(1 - |k|/n)·phi^|k|/n.
    rng = np.random.default_rng(2)
    d = np.concatenate([ar1(rng, 100, 0.7) for _ in range(200)])
    series = np.repeat(np.arange(200), 100)
    k = np.arange(1, 100)
    exact = 1 + 2 * np.sum((1 - k / 100) * 0.7**k)
    found = series_summary(d, series=series)
    assert (found.n, found.series) == (20_000, 200)
    assert found.design_effect == pytest.approx(exact, rel=0.1)
    interleaved = np.arange(20_000).reshape(200, 100).T.ravel()
    again = series_summary(d[interleaved], series=series[interleaved])
    assert again.design_effect == pytest.approx(found.design_effect)


def test_series_at_different_levels_are_clusters() -> None:
    # Oracle: for units that resemble each other at every lag alike, the two readings agree.
    rng = np.random.default_rng(3)
    d, code = in_clusters(rng, np.full(300, 20), 0.5)
    found = series_summary(d, series=code)
    assert found.design_effect == pytest.approx(cluster_summary(d, code).design_effect, rel=0.1)
    assert found.lags == 19


def test_independent_and_alternating_series() -> None:
    found = series_summary(np.random.default_rng(4).normal(size=20_000))
    assert found.design_effect == pytest.approx(1.0, abs=0.1)
    alternating = series_summary(np.tile([1.0, -1.0], 50))
    assert (alternating.design_effect, alternating.n_eff) == (1.0, 100.0)  # never more than there are
    constant = series_summary([0.3] * 10)
    assert (constant.n_eff, constant.lags) == (10.0, 0)
    assert series_summary([0.1, 0.4, 0.2], series=["p"] * 3) == series_summary([0.1, 0.4, 0.2])


def test_means() -> None:
    assert cluster_means([1.0, 2.0, 6.0], ["q", "q", "p"]).tolist() == [6.0, 1.5]
    with pytest.raises(PairingError, match="there are 2 differences and 1 clusters"):
        cluster_means([1.0, 2.0], ["q"])
    with pytest.raises(PairingError, match="there are 2 differences and 3 clusters"):
        series_summary([1.0, 2.0], series=[1, 1, 1])


def test_error_rates_with_clusters() -> None:
    # Oracle: at 5 %, 400 simulations have a standard error of 1.1 %. 40 clusters of about 20 with icc 0.5:
    # the naive analysis rejects a true hypothesis many times too often, the clustered ones do not.
    rng = np.random.default_rng(5)
    sizes = rng.integers(10, 31, 40)
    rejected = dict.fromkeys(("naive", "means", "ess", "series", "robust"), 0)
    for _ in range(400):
        d, code = in_clusters(rng, sizes, 0.5)
        tails = {
            "naive": bayes.t(d),
            "means": bayes.t(cluster_means(d, code)),
            "ess": bayes.ess_t(d, n_eff=cluster_summary(d, code).n_eff),
            "series": bayes.ess_t(d, n_eff=series_summary(d, series=code).n_eff),
        }
        for name, posterior in tails.items():
            rejected[name] += not 0.025 < float(posterior.cdf(0.0)) < 0.975
        rejected["robust"] += nhst.cluster_t(d, code).p_value < 0.05
    assert rejected["naive"] > 160
    for name in ("means", "ess", "series", "robust"):
        assert 400 * 0.05 - 3.5 * 4.4 < rejected[name] < 400 * 0.05 + 3.5 * 4.4, name


def test_a_series_that_never_varies_has_no_autocorrelation() -> None:
    found = series_summary([0.3] * 6)
    assert (found.lag1, found.lags, found.design_effect, found.n_eff) == (0.0, 0, 1.0, 6.0)

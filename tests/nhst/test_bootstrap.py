"""The paired bootstrap against the exact multinomial distribution, SciPy's BCa and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtri

from ropewalk import nhst
from ropewalk.errors import MethodError, OptionError

DRAWS = 4000


def test_accuracy_in_closed_form() -> None:
    """The counts of a resample are multinomial: p, which has many ties at |d* - d| = |d|, by enumeration."""
    n01, n10, same = 6, 12, 22
    n = n01 + n10 + same
    y = np.ones(n, dtype=int)
    a, b = y.copy(), y.copy()
    a[:n01], b[n01 : n01 + n10] = 0, 0
    r = nhst.bootstrap("accuracy", y, a, b, draws=DRAWS)
    d = (n10 - n01) / n
    assert r.statistic == pytest.approx(d, abs=1e-15)
    exact, variance = 0.0, 0.0
    for plus in range(n + 1):
        for minus in range(n + 1 - plus):
            zero = n - plus - minus
            ways = math.factorial(n) / (math.factorial(plus) * math.factorial(minus) * math.factorial(zero))
            chance = ways * (n10 / n) ** plus * (n01 / n) ** minus * (same / n) ** zero
            variance += chance * ((plus - minus) / n - d) ** 2
            exact += chance * (abs(plus - minus - (n10 - n01)) >= n10 - n01)
    assert r.p_value == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / DRAWS))
    assert variance == pytest.approx((n01 + n10 - n * d * d) / n**2)
    assert r.standard_error == pytest.approx(np.sqrt(variance), rel=5 / np.sqrt(2 * DRAWS))


def skewed(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Truth 0, and errors whose difference is skewed."""
    rng = np.random.default_rng(seed)
    a, b = rng.exponential(1.0, n), rng.gamma(3.0, 0.4, n)
    return np.zeros(n), a, b, b - a


def test_bca_as_scipy() -> None:
    """A mean of skewed differences; each end of either has a Monte Carlo error of about 0.03 sd."""
    stats = pytest.importorskip("scipy.stats")
    y, a, b, d = skewed(40)
    r = nhst.bootstrap("mae", y, a, b, draws=20_000)
    theirs = stats.bootstrap((d,), np.mean, n_resamples=20_000, method="BCa", random_state=1)
    interval = theirs.confidence_interval
    sd = d.std() / np.sqrt(40)
    # The error of a 2.5 % quantile of 20,000 normal draws: sqrt(p (1-p)/n)/phi(1.96) = 0.0189 sd, twice.
    assert r.confidence_interval() == pytest.approx((interval.low, interval.high), abs=5 * sd * 0.0189 * 1.42)
    g = d - d.mean()
    assert r.acceleration == pytest.approx(np.sum(g**3) / (6 * np.sum(g**2) ** 1.5), rel=1e-9)


def test_acceleration_by_groups() -> None:
    """Above 1,000 units groups are left out: the closed form up to the error that is stated there."""
    y, a, b, d = skewed(4000)
    g = d - d.mean()
    exact = np.sum(g**3) / (6 * np.sum(g**2) ** 1.5)
    error = np.sqrt(15) / 6000
    assert abs(exact) > 3 * error  # else this test could not fail
    r = nhst.bootstrap("mae", y, a, b, draws=10)
    assert r.acceleration == pytest.approx(exact, abs=4 * error)


def test_clusters() -> None:
    """Equal clusters: the standard error of the mean of their means."""
    y, a, b, d = skewed(120)
    clusters = np.repeat(np.arange(30), 4)
    means = d.reshape(30, 4).mean(axis=1)
    r = nhst.bootstrap("mae", y, a, b, clusters=clusters)
    assert r.standard_error == pytest.approx(means.std() / np.sqrt(30), rel=5 / np.sqrt(2 * DRAWS))


def test_centred_on_the_difference() -> None:
    """The type I error is close to 5 %; centring |d| instead, as some packages do, gives 11 %."""
    rng = np.random.default_rng(3)
    below = 0
    for _ in range(400):
        a, b = np.abs(rng.normal(size=(2, 60)))
        below += nhst.bootstrap("mae", np.zeros(60), a, b, draws=199, rng=rng).p_value <= 0.05
    assert 0.02 <= below / 400 <= 0.08


def test_swapping_the_models_mirrors_everything() -> None:
    y, a, b, _ = skewed(50)
    one, other = nhst.bootstrap("mae", y, a, b), nhst.bootstrap("mae", y, b, a)
    assert one.statistic == -other.statistic
    assert one.p_value == other.p_value
    assert one.confidence_interval() == pytest.approx(
        [-x for x in other.confidence_interval()[::-1]], abs=1e-12
    )


def test_identical_models() -> None:
    y, a, _, _ = skewed(30)
    r = nhst.bootstrap("rmse", y, a, a, draws=100)
    assert (r.statistic, r.p_value, r.standard_error, r.acceleration) == (0.0, 1.0, 0.0, 0.0)
    assert r.confidence_interval() == (0.0, 0.0)


def test_an_interval_that_runs_off_the_draws_ends_at_the_last() -> None:
    """z0 + z = 6.3 and a = 1/6: 1 - a (z0 + z) is negative, where the plain formula would turn around."""
    r = nhst.BootstrapResult(
        name="", statistic=0.0, p_value=1.0, value_a=0.0, value_b=0.0, standard_error=1.0, bias=3.0,
        acceleration=1 / 6, draws=np.linspace(0.0, 1.0, 101), undefined=0,
    )  # fmt: skip
    low, high = r.confidence_interval(0.999)
    assert high == 1.0
    # by hand: z0 + z = 3 - 3.2905 = -0.2905, over 1 + 0.2905/6 = -0.2771; Phi(3 - 0.2771) = 0.9968
    assert low == pytest.approx(0.9968, abs=1e-4)


def test_the_plus_one() -> None:
    y, a, _, _ = skewed(50)
    assert nhst.bootstrap("mae", y, a, a + 9, draws=99).p_value == 1 / 100


def test_resamples_without_positives_are_counted() -> None:
    """Two positives of 20: none in a resample with probability (18/20)^20."""
    y = np.array([1, 1] + [0] * 18)
    rng = np.random.default_rng(0)
    r = nhst.bootstrap("auroc", y, y + rng.normal(size=20), rng.normal(size=20))
    p = 0.9**20
    assert r.undefined == pytest.approx(DRAWS * p, abs=5 * np.sqrt(DRAWS * p * (1 - p)))
    assert r.draws.size == DRAWS - r.undefined


def test_errors() -> None:
    y, a, b, _ = skewed(10)
    with pytest.raises(OptionError, match="draws is -1"):
        nhst.bootstrap("mae", y, a, b, draws=-1)
    with pytest.raises(MethodError, match="mean_of_all is defined in 0 of 5 resamples"):
        nhst.bootstrap(lambda_named(), y, a, b, draws=5)
    with pytest.raises(OptionError, match="level is 2"):
        nhst.bootstrap("mae", y, a, b, draws=5).confidence_interval(2)


def lambda_named():
    def mean_of_all(y: np.ndarray, p: np.ndarray, w: np.ndarray) -> float:
        return float(p.mean()) if np.all(w == 1) else float("nan")

    return mean_of_all


def test_examples_that_were_counted() -> None:
    """A mean of -1, 0 and 1: standard error sd/sqrt(n), acceleration skewness/(6 sqrt(n)) (Efron 1987)."""
    y, a, b, counts = [1, 1, 1], [0, 1, 1], [1, 0, 1], [40, 900, 4_000]
    found = nhst.bootstrap("accuracy", y, a, b, counts=counts, draws=4_000)
    d = np.repeat([-1.0, 1.0, 0.0], counts)
    n, z = d.size, (d - d.mean()) / d.std()
    assert found.statistic == pytest.approx(860 / 4_940)
    assert found.standard_error == pytest.approx(d.std() / np.sqrt(n), rel=4 / np.sqrt(2 * 4_000))
    # The 1,000 groups give it a standard error of 0.0006; see the module.
    assert found.acceleration == pytest.approx(np.mean(z**3) / (6 * np.sqrt(n)), abs=4 * 0.0006)


def test_the_acceleration_of_a_mean_in_closed_form() -> None:
    """Without unit i the mean is (n m - d_i)/(n - 1): a = Σ(d - m)³/(6 (Σ(d - m)²)^1.5). Several blocks."""
    rng = np.random.default_rng(0)
    y, a, b = np.zeros(700), rng.exponential(size=700), rng.exponential(size=700) ** 2
    found = nhst.bootstrap("mae", y, a, b, draws=50)
    g = (b - a) - (b - a).mean()
    assert found.acceleration == pytest.approx(np.sum(g**3) / (6 * np.sum(g**2) ** 1.5), rel=1e-9)


def test_the_standard_error_is_that_of_the_draws() -> None:
    found = nhst.bootstrap("mae", np.zeros(9), np.arange(9.0), np.arange(9.0) ** 2, draws=5)
    assert found.standard_error == pytest.approx(found.draws.std(ddof=1), rel=1e-12)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_bias_where_every_draw_lies_on_one_side(sign: int) -> None:
    """The share of draws below is kept half a draw away from 0 and 1: z0 = ±Phi^-1(1 - 1/(2·draws))."""

    def metric(y: np.ndarray, prediction: np.ndarray, weights: np.ndarray) -> float:
        return float(-sign * np.average(prediction, weights=weights) ** 2)  # 0 on the data, an extreme

    x = np.sqrt(np.arange(1.0, 10))
    found = nhst.bootstrap(metric, np.zeros(9), x - x.mean(), np.zeros(9), draws=40)
    assert found.bias == pytest.approx(sign * ndtri(1 - 0.5 / 40), rel=1e-9)

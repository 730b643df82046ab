"""Mixtures of Students, normals and Betas against their components, SciPy and mpmath."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import kstest, norm
from scipy.stats import t as student

from ropewalk.errors import OptionError
from ropewalk.posterior import BetaMixture, Mixture, Student

THREE = Mixture.of([0.5, 0.3, 0.2], loc=[0.0, 2.0, -1.0], scale=[1.0, 0.3, 2.0], df=[np.inf, 5.0, np.inf])


def of_three(x: float) -> tuple[float, float]:
    density = 0.5 * norm.pdf(x) + 0.3 * student.pdf(x, 5, 2, 0.3) + 0.2 * norm.pdf(x, -1, 2)
    below = 0.5 * norm.cdf(x) + 0.3 * student.cdf(x, 5, 2, 0.3) + 0.2 * norm.cdf(x, -1, 2)
    return density, below


def test_one_component_is_that_component() -> None:
    alone, exact = Mixture.of([3.0], loc=[0.02], scale=[0.01], df=[9.0]), Student(df=9, loc=0.02, scale=0.01)
    x, p = np.linspace(-0.1, 0.15, 11), [1e-6, 0.025, 0.5, 0.9, 1 - 1e-6]
    assert alone.pdf(x) == pytest.approx(exact.pdf(x), rel=1e-12)
    assert alone.cdf(x) == pytest.approx(exact.cdf(x), rel=1e-12)
    assert alone.sf(x) == pytest.approx(exact.sf(x), rel=1e-12)
    assert alone.quantile(p) == pytest.approx(exact.quantile(p), rel=1e-9)
    assert alone.hdi(0.9) == pytest.approx(exact.hdi(0.9), rel=1e-6)
    assert (alone.mean, alone.sd) == (exact.mean, pytest.approx(exact.sd))


def test_sums_over_components() -> None:
    for x in (-6.0, -1.0, 0.3, 2.0, 9.0):
        density, below = of_three(x)
        assert float(THREE.pdf(x)) == pytest.approx(density, rel=1e-12)
        assert float(THREE.cdf(x)) == pytest.approx(below, rel=1e-12)
        assert float(THREE.sf(x)) == pytest.approx(1 - below, rel=1e-9)
    assert THREE.pdf([[0.0, 1.0], [2.0, 3.0]]).shape == (2, 2)
    assert THREE.pdf([]).shape == (0,)


def test_moments() -> None:
    mean = quad(lambda x: x * of_three(x)[0], -80, 80, limit=200, points=[2.0])[0]
    second = quad(lambda x: x**2 * of_three(x)[0], -80, 80, limit=200, points=[2.0])[0]
    assert THREE.mean == pytest.approx(mean, abs=1e-6)
    assert THREE.sd == pytest.approx(np.sqrt(second - mean**2), abs=1e-5)


def test_a_heavy_tail_has_no_variance() -> None:
    assert Mixture.of([1.0, 1e-6], loc=0.0, scale=1.0, df=[np.inf, 2.0]).sd == np.inf
    assert Mixture.of([1.0, 0.0], loc=0.0, scale=1.0, df=[np.inf, 1.0]).sd == 1.0


def test_small_tails_keep_their_digits() -> None:
    two = Mixture.of([0.25, 0.75], loc=[0.0, 1.0], scale=[1.0, 2.0])
    exact = (mp.erfc(35 / mp.sqrt(2)) + 3 * mp.erfc(17 / mp.sqrt(2))) / 8
    assert float(two.sf(35.0)) == pytest.approx(float(exact), rel=1e-10)
    assert float(two.cdf(-35.0)) > 0


@pytest.mark.parametrize("p", [1e-9, 0.01, 0.3, 0.5, 0.77, 0.999, 1 - 1e-9])
def test_quantile_inverts(p: float) -> None:
    x = float(THREE.quantile(p))
    tail = float(THREE.cdf(x)) if p <= 0.5 else 1 - float(THREE.sf(x))
    assert tail == pytest.approx(p, rel=1e-7)


def test_the_hdi_is_the_shortest_interval() -> None:
    low, high = THREE.hdi(0.8)
    assert float(THREE.cdf(high) - THREE.cdf(low)) == pytest.approx(0.8, abs=1e-6)
    starts = np.linspace(1e-6, 0.2 - 1e-6, 400)
    widths = THREE.quantile(starts + 0.8) - THREE.quantile(starts)
    assert high - low <= widths.min() + 1e-6
    left, right = THREE.interval(0.8)
    assert right - left >= high - low


def test_sampling() -> None:
    draws = THREE.sample(20_000, rng=3)
    assert kstest(draws, lambda x: THREE.cdf(x)).pvalue > 0.001
    assert np.array_equal(draws, THREE.sample(20_000, rng=3))


def test_more_points_times_components_than_fit_at_once() -> None:
    many = Mixture.of(np.ones(3000), loc=np.linspace(-1, 1, 3000), scale=0.1)
    x = np.linspace(-2, 2, 2001)
    assert many.cdf(x)[[700, 1300]] == pytest.approx([float(many.cdf(x[700])), float(many.cdf(x[1300]))])


@pytest.mark.parametrize("weights", [[], [-1.0, 2.0], [0.0, 0.0], [np.nan, 1.0], [[1.0]]])
def test_weights_that_are_none(weights: list) -> None:
    ones = np.ones(np.shape(weights))
    with pytest.raises(OptionError, match="a mixture needs one row of weights"):
        Mixture.of(weights, loc=ones, scale=ones)
    with pytest.raises(OptionError, match="a mixture needs one row of weights"):
        BetaMixture.of(weights, a=ones, b=ones)


def test_components_that_are_none() -> None:
    for options in (
        {"loc": np.nan, "scale": 1.0},
        {"loc": 0.0, "scale": 0.0},
        {"loc": 0.0, "scale": 1.0, "df": 0.0},
    ):
        with pytest.raises(OptionError, match="finite locations, positive finite scales and positive df"):
            Mixture.of([1.0], **options)
    with pytest.raises(OptionError, match="positive finite a and b"):
        BetaMixture.of([1.0], a=[0.0], b=[1.0])
    with pytest.raises(OptionError, match=r"level is 1\.5"):
        THREE.hdi(1.5)
    with pytest.raises(OptionError, match="level is 0"):
        BetaMixture.of([1.0], a=[1.0], b=[1.0]).hdi(0)

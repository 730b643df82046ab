"""Student, Beta and the difference of proportions against mpmath, tails to 1e-300 included."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from ropewalk.errors import OptionError
from ropewalk.posterior import Beta, Point, Posterior, ProportionDifference, Student
from ropewalk.posterior.base import invert

mp.mp.dps = 50


def student_sf(df: float, t: float) -> mp.mpf:
    df, t = mp.mpf(df), mp.mpf(t)
    tail = mp.betainc(df / 2, mp.mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2
    return tail if t >= 0 else 1 - tail


@pytest.mark.parametrize(
    ("df", "t"),
    [
        (1, 1e10),
        (2, 1e150),
        (3, 1e90),
        (9, 1e30),
        (9, 2.5),
        (99, -3.0),
        (99, 1e3),
        (1e4, 37.5),
        (1e6, 37.0),
        (1e6, 1e-3),
    ],
)
def test_student_tails_agree_with_mpmath(df: float, t: float) -> None:
    posterior = Student(df=df, loc=0.0, scale=1.0)
    assert float(posterior.sf(t)) == pytest.approx(float(student_sf(df, t)), rel=1e-10)
    assert float(posterior.cdf(-t)) == pytest.approx(float(student_sf(df, t)), rel=1e-10)


@pytest.mark.parametrize(("df", "x"), [(3, 0.4), (9, 50.0), (99, -7.0), (1e5, 30.0)])
def test_student_density_agrees_with_mpmath(df: float, x: float) -> None:
    loc, scale = mp.mpf("0.3"), mp.mpf("2.5")
    z = (mp.mpf(x) - loc) / scale
    norm = mp.gamma((mp.mpf(df) + 1) / 2) / (mp.gamma(mp.mpf(df) / 2) * mp.sqrt(df * mp.pi)) / scale
    exact = norm * (1 + z**2 / df) ** (-(mp.mpf(df) + 1) / 2)
    assert float(Student(df=df, loc=0.3, scale=2.5).pdf(x)) == pytest.approx(float(exact), rel=1e-10)


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


POSTERIORS = [
    Student(df=4, loc=0.1, scale=2.0),
    Student(df=1, loc=0.0, scale=1.0),
    Beta(a=3, b=7),
    Beta(a=1, b=9),
    Beta(a=0.5, b=0.5),
    ProportionDifference(a01=3, a10=9, same=20),
]


@pytest.mark.parametrize("posterior", POSTERIORS, ids=str)
def test_quantile_inverts_cdf(posterior: Student) -> None:
    p = np.array([1e-9, 0.01, 0.25, 0.5, 0.9, 0.999])
    np.testing.assert_allclose(posterior.cdf(posterior.quantile(p)), p, rtol=1e-8)
    assert posterior.quantile(0.5).shape == ()


@pytest.mark.parametrize("posterior", POSTERIORS, ids=str)
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_intervals_hold_their_level_and_the_hdi_is_the_shortest(posterior: Student, level: float) -> None:
    low, high = posterior.hdi(level)
    assert float(posterior.cdf(high) - posterior.cdf(low)) == pytest.approx(level, abs=1e-9)
    # Oracle: brute force over two hundred intervals of the same level.
    p = np.linspace(1e-7, 1 - level - 1e-7, 201)
    widths = posterior.quantile(p + level) - posterior.quantile(p)
    assert high - low <= widths.min() * (1 + 1e-9)
    central = posterior.interval(level)
    assert float(posterior.cdf(central[0])) == pytest.approx((1 - level) / 2, rel=1e-8)
    assert float(posterior.sf(central[1])) == pytest.approx((1 - level) / 2, rel=1e-8)


@pytest.mark.parametrize("posterior", POSTERIORS, ids=str)
def test_the_same_seed_gives_the_same_draws(posterior: Student) -> None:
    first = posterior.sample(50, 7)
    np.testing.assert_array_equal(first, posterior.sample(50, 7))
    np.testing.assert_array_equal(first, posterior.sample(50, np.random.default_rng(7)))
    assert not np.array_equal(first, posterior.sample(50, 8))


def test_student_without_a_variance_says_infinity() -> None:
    assert Student(df=2, loc=0.0, scale=1.0).sd == np.inf
    assert Student(df=12, loc=0.0, scale=1.0).sd == pytest.approx(np.sqrt(1.2))


def test_point_is_certain() -> None:
    point = Point(at=0.2)
    assert (point.mean, point.sd) == (0.2, 0.0)
    assert (float(point.cdf(0.2)), float(point.sf(0.2))) == (1.0, 0.0)
    assert (float(point.cdf(0.1)), float(point.sf(0.1))) == (0.0, 1.0)
    assert point.hdi(0.9) == (0.2, 0.2)
    assert point.interval(0.9) == (0.2, 0.2)
    assert float(point.pdf(0.3)) == 0.0
    assert set(point.sample(3)) == {0.2}


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, 95.0])
@pytest.mark.parametrize("ask", ["hdi", "interval"])
def test_a_level_is_a_probability(level: float, ask: str) -> None:
    with pytest.raises(OptionError, match="between 0 and 1"):
        getattr(Beta(a=2, b=2), ask)(level)


def test_student_quantiles_at_the_ends() -> None:
    student = Student(df=5, loc=0.0, scale=1.0)
    assert student.quantile([0.0, 1.0]).tolist() == [-np.inf, np.inf]
    assert float(student.quantile(0.5)) == 0.0


@pytest.mark.parametrize(
    "counts", [(1e5, 1e9, 1e9), (1e4, 1e8, 1e8), (23043, 5291355, 3.07e8), (1e9, 1e5, 1e9)]
)
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

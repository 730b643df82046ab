"""What holds for every posterior in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import OptionError
from ropewalk.posterior import Beta, ProportionDifference, Student

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


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, 95.0])
@pytest.mark.parametrize("ask", ["hdi", "interval"])
def test_a_level_is_a_probability(level: float, ask: str) -> None:
    with pytest.raises(OptionError, match="between 0 and 1"):
        getattr(Beta(a=2, b=2), ask)(level)

"""Differences that hardly vary. Oracles: draws of the Dirichlet distribution, closed forms, symmetry."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from ropewalk.posterior import Beta, FewVaried, Unvaried

CASES = [
    ([0.0, -0.7], [199, 1], 1.0),
    ([0.0, -0.7, -1.0], [190, 6, 4], 1.0),
    ([0.05, -0.8], [12, 2], 1.0),
    ([0.0, 0.1, -0.3, 0.25], [5, 1, 1, 1], 1.0),
    ([0.0, -20.0, 35.0], [1990, 7, 3], 100.0),
    ([1.0, 0.5], [20, 2], 1.0),  # the most frequent difference is an end of the range
]


@pytest.mark.parametrize(("values", "counts", "reach"), CASES)
def test_against_draws_of_the_shares(values: list[float], counts: list[int], reach: float) -> None:
    # Oracle: 400,000 draws of the Dirichlet distribution; four standard errors of a share.
    alpha = [*counts, 1, 1]
    alpha[int(np.argmax(counts))] += 2
    x = np.random.default_rng(2).dirichlet(alpha, size=400_000) @ np.array([*values, -reach, reach])
    found = FewVaried(values, counts, low=-reach, high=reach)
    assert found.mean == pytest.approx(x.mean(), abs=4 * x.std() / 630)
    assert found.sd == pytest.approx(x.std(), rel=0.01)
    at = np.quantile(x, [0.001, 0.025, 0.3, 0.5, 0.7, 0.975, 0.999])
    assert found.cdf(at) == pytest.approx([np.mean(x <= a) for a in at], abs=4 * 0.5 / 630)
    assert found.cdf(found.quantile([0.01, 0.5, 0.99])) == pytest.approx([0.01, 0.5, 0.99], abs=1e-9)


@pytest.mark.parametrize(("values", "counts", "reach"), CASES)
def test_the_moments_have_closed_forms(values: list[float], counts: list[int], reach: float) -> None:
    # Of a Dirichlet distribution: the mean Σ alpha v/N, the variance (Σ alpha v²/N - mean²)/(N + 1).
    alpha, v = np.array([*counts, 1, 1, 2.0]), np.array([*values, -reach, reach, values[0]])
    mean = alpha @ v / alpha.sum()
    sd = np.sqrt((alpha @ v**2 / alpha.sum() - mean**2) / (alpha.sum() + 1))
    found = FewVaried(values, counts, low=-reach, high=reach)
    assert found.mean == pytest.approx(mean, abs=1e-4 * sd)
    assert found.sd == pytest.approx(sd, rel=1e-4)
    near = [mean - 12 * sd, found.at, mean + 12 * sd]
    mass = sum(quad(found.pdf, *ends, limit=400)[0] for ends in pairwise(near))
    assert mass == pytest.approx(1.0, abs=1e-6)


def test_losses_of_the_whole_range_are_a_beta() -> None:
    # All that was seen is 0 and -1, and nothing may be above 0: minus the mean is a Beta variable, and tiny
    # tails keep their digits.
    found = FewVaried([0.0, -1.0], [97, 3], low=-1.0, high=0.0)
    lost = Beta(a=4, b=100)  # one more at each end, two at 0
    x = np.array([-0.3, -0.2, -0.1, -0.03, -0.005])
    assert lost.sf(0.3) < 1e-10
    assert found.cdf(x) == pytest.approx(lost.sf(-x), rel=5e-4, abs=0)
    assert found.sf(x) == pytest.approx(lost.cdf(-x), abs=5e-5)
    assert found.pdf(x) == pytest.approx(lost.pdf(-x), rel=5e-4, abs=0)


def test_without_variation_it_is_the_posterior_of_equal_differences() -> None:
    x = np.linspace(-0.4, 0.4, 17)
    equal = Unvaried(at=0.0, low=-1.0, high=1.0, n=20)
    assert FewVaried([0.0], [20], low=-1.0, high=1.0).cdf(x) == pytest.approx(equal.cdf(x), abs=1e-4)


def test_it_is_mirrored_moved_and_scaled_with_the_data() -> None:
    x = np.array([-0.05, -0.02, -0.001, 0.0, 0.01, 0.03])
    one = FewVaried([0.0, -0.7, 0.2], [90, 4, 1], low=-1.0, high=1.0)
    mirrored = FewVaried([0.0, 0.7, -0.2], [90, 4, 1], low=-1.0, high=1.0)
    assert mirrored.sf(-x) == pytest.approx(one.cdf(x), abs=1e-12)
    larger = FewVaried([0.0, -70.0, 20.0], [90, 4, 1], low=-100.0, high=100.0)
    assert larger.cdf(100 * x) == pytest.approx(one.cdf(x), abs=1e-9)
    split = FewVaried([-0.7, 0.0, 0.0, -0.7, 0.2], [1, 45, 45, 3, 1], low=-1.0, high=1.0)
    assert split.cdf(x) == pytest.approx(one.cdf(x), abs=1e-12)


def test_more_losses_never_make_equivalence_more_probable() -> None:
    # One loss among equal scores was "equivalent" with probability 1, equal scores alone with 0.98.
    def inside(losses: int) -> float:
        found = FewVaried([0.0, -0.7], [200 - losses, losses], low=-1.0, high=1.0)
        return float(found.cdf(0.02) - found.cdf(-0.02))

    equal = Unvaried(at=0.0, low=-1.0, high=1.0, n=200)
    p = [float(equal.cdf(0.02) - equal.cdf(-0.02)), *(inside(k) for k in range(1, 12))]
    assert p[0] == pytest.approx(1 - 0.98**203, abs=1e-9)
    assert np.all(np.diff(p) < 0)


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.integers(-100, 100), min_size=2, max_size=12, unique=True),
    most=st.integers(9, 2000),
    reach=st.sampled_from([1.0, 1.7, 100.0]),
)
@example(values=[57, 30], most=1040, reach=1.0)
@example(values=[-79, -70], most=2000, reach=1.0)
@example(values=[-99, 21, 60], most=100, reach=1.0)
def test_any_differences_have_a_distribution(values: list[int], most: int, reach: float) -> None:
    v = np.array(values) * reach / 100
    counts = np.ones(v.size)
    counts[0] = most * (v.size - 1)
    found = FewVaried(v, counts, low=-reach, high=reach)
    alpha, places = np.array([*counts, 1, 1, 2]), np.array([*v, -reach, reach, v[0]])
    mean = alpha @ places / alpha.sum()
    sd = np.sqrt((alpha @ places**2 / alpha.sum() - mean**2) / (alpha.sum() + 1))
    assert found.mean == pytest.approx(mean, abs=2e-3 * sd)
    assert found.sd == pytest.approx(sd, rel=2e-3)
    x = found.quantile([0.001, 0.05, 0.5, 0.95, 0.999])
    assert np.all(np.diff(x) > 0)
    assert found.cdf(x) + found.sf(x) == pytest.approx(np.ones(5), abs=1e-12)

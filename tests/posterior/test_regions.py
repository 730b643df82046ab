"""The exact readings of a Dirichlet over (better, equivalent, worse)."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.posterior import DirichletRegions, Probabilities, WeightedRegions


def test_symmetric_dirichlet_is_a_third_each() -> None:
    p = DirichletRegions(better=4, equivalent=4, worse=4).most_probable
    assert (p.better, p.equivalent, p.worse) == pytest.approx((1 / 3, 1 / 3, 1 / 3), abs=1e-13)


def test_two_regions_are_a_beta() -> None:
    # With an empty region the larger of two: Pr(Beta(7, 3) > 1/2) = sum of binomial terms = 466/512.
    p = DirichletRegions(better=7, equivalent=0, worse=3).most_probable
    assert p.better == pytest.approx(466 / 512, abs=1e-13)
    assert p.equivalent == 0.0


def test_one_region_takes_all() -> None:
    p = DirichletRegions(better=0, equivalent=5, worse=0).most_probable
    assert (p.better, p.equivalent, p.worse) == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("alpha", [(3.5, 1.0, 2.0), (0.5, 0.5, 1.0), (40.0, 35.0, 10.0), (9e4, 9.01e4, 1e3)])
def test_agrees_with_draws(alpha: tuple[float, float, float]) -> None:
    regions = DirichletRegions(better=alpha[0], equivalent=alpha[1], worse=alpha[2])
    draws = regions.sample(400_000, 5)
    shares = np.bincount(draws.argmax(axis=1), minlength=3) / len(draws)
    exact = regions.most_probable
    error = 4 * np.sqrt(0.25 / len(draws))
    np.testing.assert_allclose([exact.better, exact.equivalent, exact.worse], shares, atol=error)
    np.testing.assert_allclose(draws.mean(axis=0), np.array(alpha) / sum(alpha), atol=error)
    assert regions.error == 0.0


def test_mirrored() -> None:
    p = Probabilities(better=0.7, equivalent=0.2, worse=0.1)
    assert p.mirrored == Probabilities(better=0.1, equivalent=0.2, worse=0.7)
    assert p.mirrored.mirrored == p


def test_weighted_points_are_sampled_by_weight() -> None:
    p = Probabilities(better=0.5, equivalent=0.25, worse=0.25)
    points = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]])
    regions = WeightedRegions(mean=p, most_probable=p, error=0.0, points=points, weights=np.array([0.0, 1.0]))
    assert np.all(regions.sample(10) == [0.0, 0.5, 0.5])

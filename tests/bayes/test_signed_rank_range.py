"""Where the prior observation of the signed-rank test is put: by brute force over all places."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.bayes.signed_rank_range import _MOST, _places


def pattern(z0: float, x: np.ndarray, low: float, high: float) -> tuple[tuple[bool, ...], ...]:
    """In which region z0 with itself and with each difference falls: all that the answer knows of z0."""
    mean = np.append(0.5 * (z0 + x), z0)
    return tuple(mean < low), tuple(mean > high)


@pytest.mark.parametrize("seed", range(5))
def test_every_region_pattern_between_the_cuts_has_a_place(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, low, high = rng.normal(0, 1, 6).round(2), -0.13, 0.31
    places = _places(x, low, high)
    cuts = np.concatenate([2 * high - x, 2 * low - x, [low, high]])
    grid = np.linspace(cuts.min() + 1e-9, cuts.max() - 1e-9, 20_001)
    gap = np.abs(grid[:, None] - cuts).min(axis=1)
    wanted = {pattern(z, x, low, high) for z in grid[gap > 1e-9]}
    assert wanted <= {pattern(z, x, low, high) for z in places}
    assert 0.5 * (low + high) in places


def test_many_places_are_thinned_evenly_with_both_ends() -> None:
    x = np.random.default_rng(0).normal(0, 1, 200)
    cuts = np.sort(np.concatenate([0.2 - x, -0.6 - x, [-0.3, 0.1]]))
    places = _places(x, -0.3, 0.1)
    assert len(places) == _MOST + 1  # and the middle of the ROPE
    assert places[0] == pytest.approx(cuts[:2].mean())
    assert places[-1] == pytest.approx(cuts[-2:].mean())


def test_the_strength_is_that_of_signed_rank() -> None:
    d = [0.03, 0.02, -0.01, 0.01, 0.04, 0.00]
    found = bayes.signed_rank_range(d, 0.01, strength=3.0, draws=20_000, rng=1).at(0.0)
    alone = bayes.signed_rank(d, 0.01, strength=3.0, draws=20_000, rng=2).most_probable
    assert found.better == pytest.approx(alone.better, abs=0.02)  # five standard errors of 20,000 draws
    assert abs(found.better - bayes.signed_rank(d, 0.01, draws=20_000).most_probable.better) > 0.05


@pytest.mark.parametrize(
    ("z0", "worse"), [(-0.0125, 1.0), (-0.01, 0.5), (-0.0075, 0.0), (0.0075, 0.0), (0.0125, 0.0)]
)
def test_a_strong_prior_observation_is_where_it_was_put(z0: float, worse: float) -> None:
    """With itself it makes up nearly all of theta: below the ROPE, half on its edge, or inside."""
    found = bayes.signed_rank([0.0], 0.01, strength=1e4, z0=z0, draws=500).mean
    assert found.worse == pytest.approx(worse, abs=0.01)
    assert found.better == pytest.approx(1.0 if z0 > 0.01 else 0.0, abs=0.01)


def test_the_error_is_that_of_a_share_of_the_draws() -> None:
    """The standard error of a binomial share, of the region where it is the largest."""
    found = bayes.signed_rank([0.03, 0.02, -0.01, 0.01, 0.0], 0.01, draws=2_000)
    p = np.array([found.most_probable.better, found.most_probable.equivalent, found.most_probable.worse])
    assert found.error == pytest.approx(np.sqrt((p * (1 - p)).max() / 2_000), rel=1e-12)

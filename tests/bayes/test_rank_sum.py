"""The Bayesian rank-sum test against brute force, closed-form moments and the classical test."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

from ropewalk import bayes, nhst
from ropewalk.errors import OptionError
from ropewalk.posterior import Probabilities


def three(p: Probabilities) -> tuple[float, float, float]:
    return p.better, p.equivalent, p.worse


def brute_force(
    a: np.ndarray, b: np.ndarray, low: float, high: float, prior: tuple[float, ...], s: float
) -> np.ndarray:
    """The formula as it is written, by NumPy's Dirichlet; the prior's pairs go where `prior` says."""
    rng, draws = np.random.default_rng(5), 60_000
    w = rng.dirichlet([1.0] * len(a) + [s], size=draws)
    v = rng.dirichlet([1.0] * len(b) + [s], size=draws)
    d = a[:, None] - b[None, :]
    better = (d > high) + 0.5 * (d == high)
    worse = (d < low) + 0.5 * (d == low)
    seen = [np.einsum("di,ij,dj->d", w[:, :-1], m, v[:, :-1]) for m in (better, 1 - better - worse, worse)]
    left = 1 - (1 - w[:, -1]) * (1 - v[:, -1])
    return np.stack([x + share * left for x, share in zip(seen, prior, strict=True)], axis=1)


@pytest.mark.parametrize(
    ("rope", "place", "prior"),
    [
        (0.0, "equivalent", (0.5, 0, 0.5)),
        (0.25, "equivalent", (0, 1, 0)),
        ((-0.5, 0.25), "better", (1, 0, 0)),
        (0.25, "worse", (0, 0, 1)),
    ],
)
def test_agrees_with_the_formula(rope: float, place: str, prior: tuple[float, ...]) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 8, 6) / 4, rng.integers(-2, 6, 9) / 4  # quarters: many sums meet an edge exactly
    low, high = (-rope, rope) if isinstance(rope, float) else rope
    theta = brute_force(a, b, low, high, prior, 0.5)
    found = bayes.rank_sum(a, b, rope=rope, place=place, draws=60_000)
    assert three(found.mean) == pytest.approx(theta.mean(axis=0), abs=4e-3)
    best = theta == theta.max(axis=1, keepdims=True)
    won = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    assert three(found.most_probable) == pytest.approx(won, abs=0.012)


def test_the_mean_in_closed_form() -> None:
    # E w_i v_j = 1/((n_a + s)(n_b + s)): the mean is U over that, and half of what the prior has.
    a, b, s = np.array([0.3, 0.8, 0.9]), np.array([0.1, 0.2, 0.5, 0.8]), 0.5
    seen = 3 * 4 / ((3 + s) * (4 + s))
    expected = seen * nhst.rank_sum(a, b).superiority + (1 - seen) / 2
    found = bayes.rank_sum(a, b, draws=400_000)
    assert found.mean.better == pytest.approx(expected, abs=1e-3)
    assert found.mean.equivalent == pytest.approx(0, abs=1e-12)


def test_one_unit_of_a_above_some_of_b() -> None:
    # With one unit of A and next to no prior, theta_better is the weight of the b below it: Beta(2, 3).
    found = bayes.rank_sum([0.35], [0.1, 0.2, 0.5, 0.6, 0.7], strength=1e-9, draws=100_000)
    assert found.most_probable.better == pytest.approx(beta.sf(0.5, 2, 3), abs=4 * found.error)


def test_the_classical_p_value_is_near_the_posterior_of_many_units() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.25, 1, 120), rng.normal(0, 1, 150)
    one_sided = nhst.rank_sum(a, b).p_value / 2
    assert bayes.rank_sum(a, b).most_probable.worse == pytest.approx(one_sided, abs=0.006)


def test_the_prior_range() -> None:
    a, b = [0.3, 0.8, 0.9, 0.7], [0.1, 0.2, 0.5, 0.8]
    low, middle, high = (
        bayes.rank_sum(a, b, place=place, draws=20_000).most_probable.better
        for place in ("worse", "equivalent", "better")
    )
    assert low < middle < high


def test_a_place_that_is_none() -> None:
    with pytest.raises(OptionError, match='place is "up"'):
        bayes.rank_sum([1.0, 2.0], [1.0, 2.0], place="up")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="draws is 0"):
        bayes.rank_sum([1.0, 2.0], [1.0, 2.0], draws=0)

"""Oracles: every sample of a discrete distribution with its chance; products multiplied out; closed forms."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.special import gammaln

from ropewalk.errors import CellError, OptionError
from ropewalk.nhst import betting, empirical_bernstein
from ropewalk.nhst.wealth import _stakes

LEVEL = 0.95

# Distributions of a difference between -1 and 1: (values, chances).
SHAPES = {
    "right and wrong": ([-1.0, 0.0, 1.0], [0.12, 0.8, 0.08]),
    "rare and large": ([-1.0, 0.05], [0.07, 0.93]),
    "three grades": ([-0.5, 0.0, 0.5], [0.3, 0.5, 0.2]),
    "never alike": ([-1.0, 1.0], [0.55, 0.45]),
    "nearly alike": ([-1.0, 0.0], [0.02, 0.98]),
    "all to gain": ([0.0, 1.0], [0.98, 0.02]),
}


def samples(values: list[float], chances: list[float], n: int) -> list[tuple[np.ndarray, float]]:
    """Every sample of n up to its order, with its chance."""
    found = []
    for counts in product(range(n + 1), repeat=len(values) - 1):
        if sum(counts) <= n:
            c = np.array([*counts, n - sum(counts)])
            log = gammaln(n + 1) - gammaln(c + 1).sum() + c @ np.log(chances)
            found.append((np.repeat(values, c), float(np.exp(log))))
    assert sum(p for _, p in found) == pytest.approx(1)
    return found


@pytest.mark.parametrize("n", [1, 2, 5, 12, 20])
@pytest.mark.parametrize("shape", SHAPES)
def test_each_bound_holds_in_every_sample_size(shape: str, n: int) -> None:
    # Enumerated: the chance of a sample whose p-value at the true mean is 0.05 or less is at most 0.05.
    values, chances = SHAPES[shape]
    mean = float(np.dot(values, chances))
    every = [(betting(d, reach=1.0), p) for d, p in samples(values, chances, n)]
    assert sum(p for r, p in every if r.p_at_most(mean) <= 1 - LEVEL) <= 1 - LEVEL
    assert sum(p for r, p in every if r.p_at_least(mean) <= 1 - LEVEL) <= 1 - LEVEL
    # Stronger, and the reason: the expected capital at the true mean is exactly 1.
    share = 0.5 * (1 + mean)
    assert sum(p * np.exp(r.up.log_at(share)) for r, p in every) == pytest.approx(1, rel=1e-9)
    assert sum(p * np.exp(r.down.log_at(1 - share)) for r, p in every) == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("n", [5, 12, 20])
@pytest.mark.parametrize("shape", SHAPES)
def test_bernsteins_bound_holds_in_every_sample_size(shape: str, n: int) -> None:
    values, chances = SHAPES[shape]
    mean = float(np.dot(values, chances))
    every = [(empirical_bernstein(d, reach=1.0), p) for d, p in samples(values, chances, n)]
    assert sum(p for r, p in every if r.lower_bound(LEVEL) > mean) <= 1 - LEVEL
    assert sum(p for r, p in every if r.upper_bound(LEVEL) < mean) <= 1 - LEVEL


@pytest.mark.parametrize(("first", "second"), [(3, 3), (2, 9), (1, 12)])
def test_the_mean_over_two_tasks_of_different_size(first: int, second: int) -> None:
    # Enumerated over both tasks: expectations differ, each task counts alike, and all losses lie in the
    # smaller one. The expected capital at the true mean over the tasks is at most 1.
    small, large = ([-1.0, 0.0], [0.3, 0.7]), ([0.0, 1.0], [0.9, 0.1])
    mean = 0.5 * (-0.3 + 0.1)
    weights = np.repeat([1 / first, 1 / second], [first, second])
    capital = wrong = 0.0
    for x, p in samples(*small, first):
        for y, q in samples(*large, second):
            r = betting(np.concatenate([x, y]), reach=1.0, weights=weights)
            assert r.statistic == pytest.approx(0.5 * (x.mean() + y.mean()))
            capital += p * q * np.exp(r.up.log_at(0.5 * (1 + mean)))
            wrong += p * q * (r.p_at_most(mean) <= 1 - LEVEL)
    assert capital <= 1 + 1e-12
    assert wrong <= 1 - LEVEL


def test_the_capital_is_the_mixture_of_products() -> None:
    # Multiplied out, one factor and one stake after the other.
    rng = np.random.default_rng(0)
    d, w = rng.uniform(-1, 1, 9), rng.uniform(0.2, 1, 9)
    r = betting(2.5 * d, reach=2.5, weights=w)
    w = w / w.max()
    for m in (-0.9, -0.2, 0.0, 0.4):
        y, mu = (d + 1) / 2, (m + 1) / 2
        stakes, prior = _stakes(float(w @ w))
        capital = 0.0
        for c, p in zip(stakes, prior, strict=True):
            won = 1.0
            for yi, wi in zip(y, w, strict=True):
                won *= 1 + c * wi * (yi / mu - 1)
            capital += p * won
        assert r.p_at_most(2.5 * m) == pytest.approx(min(1, 1 / capital), rel=1e-10)


def test_the_stakes_are_a_distribution() -> None:
    for n in (1.0, 10.0, 1e4, 1e8):
        stakes, prior = _stakes(n)
        assert prior.sum() == pytest.approx(1, abs=1e-12)
        assert prior.min() > 0
        assert 0 < stakes.min() < stakes.max() == 1


def test_bounds_are_where_the_p_value_is_the_level() -> None:
    rng = np.random.default_rng(1)
    for n in (3, 40, 2_000):
        r = betting(rng.uniform(-0.3, 0.4, n), reach=1.0)
        low, high = r.lower_bound(LEVEL), r.upper_bound(LEVEL)
        assert low < r.statistic < high
        assert r.p_at_most(low) == pytest.approx(1 - LEVEL, rel=1e-6)
        assert r.p_at_least(high) == pytest.approx(1 - LEVEL, rel=1e-6)
        assert r.confidence_interval(0.9) == (low, high)
        grid = np.linspace(-0.99, 0.99, 60)
        assert np.all(np.diff([r.p_at_most(m) for m in grid]) >= 0)  # monotone, so the bound is one number


def test_answers_that_are_all_alike_are_near_the_rule_of_three() -> None:
    # No bound can be better than 0.05^(1/n) - 1: losses of that rate stay unseen in 5% of samples.
    for n in (50, 300, 5_000):
        least = np.expm1(np.log(0.05) / n)
        low = betting(np.zeros(n), reach=1.0).lower_bound(LEVEL)
        assert 1.5 * least < low < least


def test_betting_is_narrower_than_bernstein() -> None:
    rng = np.random.default_rng(2)
    for n in (30, 300, 3_000):
        for d in (rng.uniform(-1, 1, n), rng.choice([-1.0, 0, 1], n, p=[0.02, 0.96, 0.02]), np.zeros(n)):
            low = betting(d, reach=1.0).lower_bound(LEVEL)
            assert low > empirical_bernstein(d, reach=1.0).lower_bound(LEVEL)


def test_bernsteins_p_value_is_where_its_bound_is_zero() -> None:
    rng = np.random.default_rng(3)
    d = rng.uniform(-0.5, 0.9, 400)
    r = empirical_bernstein(d, reach=1.0)
    assert 1e-6 < r.p_value < 0.05
    assert r.lower_bound(1 - r.p_value / 2) == pytest.approx(0, abs=1e-9)
    # Maurer & Pontil's theorem 4, on [0, 1], written out.
    x, n, log = (d + 1) / 2, d.size, np.log(2 / 0.05)
    bound = x.mean() - np.sqrt(2 * x.var(ddof=1) * log / n) - 7 * log / (3 * (n - 1))
    assert r.lower_bound(0.95) == pytest.approx(2 * bound - 1)
    assert r.upper_bound(0.95) == pytest.approx(-empirical_bernstein(-d, reach=1.0).lower_bound(0.95))


@pytest.mark.parametrize("test", [betting, empirical_bernstein])
def test_what_is_refused(test: object) -> None:
    with pytest.raises(OptionError, match="reach is 0"):
        test([0.1, 0.2], reach=0)  # type: ignore[operator]
    with pytest.raises(CellError, match="1 of 2 differences are larger than the reach, 1"):
        test([0.1, 1.2], reach=1.0)  # type: ignore[operator]
    with pytest.raises(CellError, match="not one positive number for each"):
        betting([0.1, 0.2], reach=1.0, weights=[1.0, 0.0])


def test_at_the_ends_of_the_range() -> None:
    lost, won = betting([-1.0] * 5, reach=1.0), betting([1.0] * 5, reach=1.0)
    assert (lost.lower_bound(), won.upper_bound()) == (-1.0, 1.0)
    assert -1 < lost.upper_bound() < 1
    assert lost.upper_bound() == pytest.approx(-won.lower_bound())
    assert won.p_at_most(-1.0) == 0.0
    assert lost.p_at_most(-1.0) == 1.0

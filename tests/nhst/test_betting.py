"""Oracles: every sample of a discrete distribution with its chance; products multiplied out; closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import CellError, OptionError
from ropewalk.nhst import betting, empirical_bernstein
from tests.nhst.bounded import LEVEL, SHAPES, samples


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


def test_the_p_value_is_twice_that_of_the_better_side() -> None:
    d = np.tile([0.4, 0.1, -0.2], 20)
    for r in (betting(d, reach=1.0), betting(-d, reach=1.0)):
        sides = r.p_at_most(0.0), r.p_at_least(0.0)
        assert r.p_value == pytest.approx(2 * min(sides))
        assert r.p_value < 0.1 < max(sides)

"""Student posteriors of every pair, against SciPy's Student distribution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ropewalk.posterior import HardlyVaried, Point, Student, Unvaried
from ropewalk.posterior.own_pairs import HardlyVariedPairs, OwnPairs

ADVANTAGE = np.array([[0.0, 0.1, 0.2], [-0.1, 0.0, 0.1], [-0.2, -0.1, 0.0]])
SCALE = np.array([[0.0, 0.05, 0.0], [0.05, 0.0, 0.04], [0.0, 0.04, 0.0]])
DF = np.array([[9.0, 9.0, 9.0], [9.0, 9.0, 0.0], [9.0, 0.0, 9.0]])


def pairs(**more: object) -> OwnPairs:
    return OwnPairs(
        advantage=ADVANTAGE,
        scale=SCALE,
        df=DF,
        mean=np.array([0.9, 0.8, 0.7]),
        mean_scale=np.array([0.05, 0.1, 0.0]),
        mean_df=9.0,
        **more,
    )


def test_a_pair_is_student_and_above_is_its_tail() -> None:
    own = pairs()
    assert own.pair(0, 1) == Student(df=9, loc=0.1, scale=0.05)
    assert own.above(0.02)[0, 1] == pytest.approx(stats.t.sf(0.02, 9, 0.1, 0.05))
    assert own.above(0.02)[1, 0] == pytest.approx(stats.t.sf(0.02, 9, -0.1, 0.05))


def test_nothing_is_known_of_models_without_common_units() -> None:
    own = pairs()
    assert own.pair(1, 2) is None
    assert np.isnan(own.above(0.0)[1, 2])
    assert not own.known[1, 2]


def test_models_that_are_equal_through_a_third_one_are_moved_too() -> None:
    # The first two are not known to be equal, so they have no range of their own.
    near = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    some = HardlyVariedPairs(reach=near, worth=10 * near, weight=near)
    x = some.moved(np.zeros((9_000, 3)), np.random.default_rng(0))
    # Oracle: shares of Dirichlet(1, 1, 1, 11), so a difference of two has the variance 2/(14 * 15).
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert np.var(x[:, i] - x[:, j]) == pytest.approx(2 / (14 * 15), rel=0.1)


def test_differences_that_never_vary_are_certain_only_where_their_range_is_not_known() -> None:
    assert pairs().pair(0, 2) == Point(at=0.2)
    assert pairs().above(0.1)[0, 2] == 1.0
    assert pairs().above(0.3)[0, 2] == pairs().above(0.2)[0, 2] == 0.0
    known = pairs(unvaried=unvaried(np.where(SCALE > 0, 0.0, 1.0)))
    found = known.pair(0, 2)
    assert found == Unvaried(at=0.2, low=-1.0, high=1.0, n=10.0)
    assert 0.5 < known.above(0.1)[0, 2] < 1.0
    assert known.above(0.1)[0, 2] == pytest.approx(float(found.sf(0.1)))
    assert known.above(0.1)[0, 1] == pairs().above(0.1)[0, 1]


def unvaried(weight: np.ndarray, worth: float = 10.0) -> HardlyVariedPairs:
    return HardlyVariedPairs(
        reach=np.ones_like(weight),
        worth=np.full_like(weight, worth),
        weight=weight - np.diag(np.diag(weight)),
    )


def test_what_hardly_varies_is_between_the_two() -> None:
    own = pairs(unvaried=unvaried(np.full((3, 3), 0.25)))
    found, equal = own.pair(0, 1), Unvaried(at=0.1, low=-1.0, high=1.0, n=10.0)
    assert isinstance(found, HardlyVaried)
    expected = 0.25 * float(equal.sf(0.02)) + 0.75 * stats.t.sf(0.02, 9, 0.1, 0.05)
    assert float(found.sf(0.02)) == pytest.approx(expected, rel=1e-12)
    assert own.above(0.02)[0, 1] == pytest.approx(expected, rel=1e-12)
    assert own.above(-0.02)[1, 0] == pytest.approx(1 - expected, rel=1e-12)


def test_joint_draws_of_what_hardly_varies_have_the_pairs_of_equal_differences() -> None:
    # Oracle: the distribution of Unvaried. Models a, b and c hardly differ, d stands alone.
    weight = np.zeros((4, 4))
    weight[0, 1] = weight[1, 0] = weight[1, 2] = weight[2, 1] = 1.0
    n, at = 200_000, np.array([0.83, 0.80, 0.80, 0.5])
    draws = at + 0.05 * np.random.default_rng(1).normal(size=(n, 1))
    x = unvaried(weight, worth=8.0).moved(draws, np.random.default_rng(2))
    assert np.array_equal(x[:, 3], draws[:, 3])
    two = np.zeros((2, 2)) + 1.0
    y = unvaried(two, worth=8.0).moved(draws[:, :2], np.random.default_rng(3))
    equal = Unvaried(at=0.03, low=-1.0, high=1.0, n=8.0)
    for r in (-0.1, 0.0, 0.02, 0.1):
        assert np.mean(y[:, 0] - y[:, 1] > r) == pytest.approx(float(equal.sf(r)), abs=0.005)
    for r in (0.01, 0.1):  # between equal models the others do not count
        held = float(Unvaried(at=0.0, low=-1.0, high=1.0, n=8.0).sf(r))
        assert np.mean(x[:, 1] - x[:, 2] > r) == pytest.approx(held, abs=0.005)
    z = unvaried(two, worth=8.0).moved(draws[:, [0, 0]], np.random.default_rng(3))
    assert np.mean(z[:, 0] > z[:, 1]) == 0.5  # equal models stay equal
    half = unvaried(0.5 * two, worth=8.0).moved(draws[:, :2], np.random.default_rng(3))
    moved = np.abs(half[:, 0] - half[:, 1] - 0.03) > 1e-12
    assert moved.mean() == pytest.approx(0.5, abs=0.005)


def test_intervals_are_those_of_the_distribution_cut_at_its_range() -> None:
    plain = pairs().intervals(0.9)
    assert plain[0] == pytest.approx(stats.t.interval(0.9, 9, 0.9, 0.05))
    low, high = pairs().intervals(0.9, (0.0, 1.0))[0]
    one = stats.t(9, 0.9, 0.05)
    inside = one.cdf(1.0) - one.cdf(0.0)
    assert (one.cdf(low) - one.cdf(0.0)) / inside == pytest.approx(0.05)
    assert (one.cdf(1.0) - one.cdf(high)) / inside == pytest.approx(0.05)

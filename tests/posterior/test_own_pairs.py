"""Student posteriors of every pair, against SciPy's Student distribution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ropewalk.posterior import Point, Student, Unvaried
from ropewalk.posterior.own_pairs import OwnPairs

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


def test_differences_that_never_vary_are_certain_only_where_their_range_is_not_known() -> None:
    assert pairs().pair(0, 2) == Point(at=0.2)
    assert pairs().above(0.1)[0, 2] == 1.0
    known = pairs(reach=np.ones((3, 3)), worth=np.full((3, 3), 10.0))
    found = known.pair(0, 2)
    assert isinstance(found, Unvaried)
    assert 0.5 < known.above(0.1)[0, 2] < 1.0
    assert known.above(0.1)[0, 2] == pytest.approx(float(found.sf(0.1)))


def test_intervals_are_those_of_the_distribution_cut_at_its_range() -> None:
    plain = pairs().intervals(0.9)
    assert plain[0] == pytest.approx(stats.t.interval(0.9, 9, 0.9, 0.05))
    low, high = pairs().intervals(0.9, (0.0, 1.0))[0]
    one = stats.t(9, 0.9, 0.05)
    inside = one.cdf(1.0) - one.cdf(0.0)
    assert (one.cdf(low) - one.cdf(0.0)) / inside == pytest.approx(0.05)
    assert (one.cdf(1.0) - one.cdf(high)) / inside == pytest.approx(0.05)

"""The three regions of an axis and the places of their labels."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.plot.regions import left_to_right, regions, share_out, spread


def test_order_on_the_axis(case):
    assert [r.who for r in left_to_right(case("better"))] == [
        "svm better",
        "practically equivalent",
        "forest better",
    ]
    assert [r.who for r in left_to_right(case("phi"))] == [
        "forest better",
        "practically equivalent",
        "svm better",
    ]
    assert left_to_right(case("no rope"))[1].who == "exactly equal"  # a ROPE without width: the middle too


def test_regions_are_the_verdicts(case, every):
    comparison = case(every)
    v = comparison.verdict
    better, equivalent, worse = regions(comparison)
    assert [r.probability for r in (better, equivalent, worse)] == [v.better, v.equivalent, v.worse]
    left, middle, right = left_to_right(comparison)
    assert left.high == middle.low <= middle.high == right.low


def test_by_how_much(case):
    assert [r.by for r in regions(case("worse"))] == [
        "by more than\xa00.02",
        "ROPE −0.005 to +0.02",
        "by more than\xa00.005",
    ]
    assert [r.by for r in regions(case("one-sided rope"))] == ["", "ROPE 0 to +0.04", ""]


def test_labels_do_not_overlap_and_stay_inside():
    """Brute force over random places: whenever there is room for all, all have it."""
    random = np.random.default_rng(0)
    for _ in range(200):
        wide = random.uniform(5, 25, 3)
        at = np.array(spread(np.sort(random.uniform(-10, 110, 3)), wide, room=100, gap=5))
        assert at[0] - wide[0] / 2 >= -1e-9
        assert at[2] + wide[2] / 2 <= 100 + 1e-9
        assert np.all(np.diff(at) >= (wide[1:] + wide[:-1]) / 2 + 5 - 1e-9)


def test_labels_with_room_stay_where_they_are():
    assert spread([20, 50, 80], [20, 20, 20], room=100, gap=5) == [20, 50, 80]


def test_room_is_shared_out():
    assert share_out([10, 20, 30], room=100) == [10, 20, 30]
    assert share_out([90, 10, 90], room=100) == [45.0, 10, 45.0]
    assert sum(share_out([90, 80, 70], room=100)) == pytest.approx(100)

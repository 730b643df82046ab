"""Probabilities that are known to lie between two bounds."""

from __future__ import annotations

import pytest

from ropewalk.posterior import RegionRanges


@pytest.fixture
def ranges() -> RegionRanges:
    return RegionRanges(
        better=(0.96, 0.99),
        equivalent=(0.0, 0.03),
        worse=(0.0, 0.01),
        units=20,
        unknown=2,
        attained=True,
        error=0.0,
    )


def test_decided_where_the_whole_range_reaches_the_threshold(ranges: RegionRanges) -> None:
    assert ranges.decided(0.95) == "better"
    assert ranges.decided(0.97) is None
    assert ranges.mirrored.decided(0.95) == "worse"


def test_swapping_the_models_twice_changes_nothing(ranges: RegionRanges) -> None:
    assert ranges.mirrored.mirrored == ranges
    assert ranges.mirrored.of("worse") == ranges.of("better")


def test_the_middle_adds_up(ranges: RegionRanges) -> None:
    p = ranges.middle
    assert p.better + p.equivalent + p.worse == pytest.approx(1.0)
    assert p.better == pytest.approx(0.975 / (0.975 + 0.015 + 0.005))


def test_a_range_runs_upwards() -> None:
    with pytest.raises(AssertionError, match=r"a range from 0\.5 to 0\.4"):
        RegionRanges(
            better=(0.5, 0.4),
            equivalent=(0.0, 0.1),
            worse=(0.0, 0.1),
            units=1,
            unknown=0,
            attained=True,
            error=0.0,
        )

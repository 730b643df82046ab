"""Censored run times: the range of probabilities against every completion of the unknown part."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.bayes.intervals import Intervals, censored_differences
from ropewalk.errors import CellError, DataError, OptionError
from ropewalk.posterior import RegionRanges
from tests.bayes.run_times import INF, REGIONS


def ends(found: list[dict[str, float]], region: str) -> tuple[float, float]:
    values = [one[region] for one in found]
    return min(values), max(values)


@pytest.mark.parametrize("rope", [0.3, 0.0])
def test_nothing_unknown_is_the_ordinary_test(rope: float) -> None:
    d = [0.4, 0.5, -0.2, 0.1, 0.7, 0.3]
    sign, rank = bayes.censored_sign(d, d, rope), bayes.censored_signed_rank(d, d, rope)
    ordinary = bayes.signed_rank(d, rope)
    for region in REGIONS:
        p = getattr(bayes.sign(d, rope).most_probable, region)
        assert sign.of(region) == pytest.approx((p, p), abs=1e-12)
        q = getattr(ordinary.most_probable, region)
        assert rank.of(region) == pytest.approx((q, q), abs=0.01)
    assert (sign.unknown, rank.unknown) == (0, 0)


def test_a_verdict_only_where_the_whole_range_agrees() -> None:
    clear = bayes.censored_sign([3.0] * 20 + [-INF], [INF] * 20 + [INF], 1.0)
    assert clear.decided(0.95) == "better"
    swapped = clear.mirrored
    assert swapped.decided(0.95) == "worse"
    half = bayes.censored_sign([3.0] * 5 + [-INF] * 5, [INF] * 10, 1.0)
    assert half.better[1] > 0.95
    assert half.decided(0.95) is None


def test_differences_of_run_times() -> None:
    # Times, lower is better; A: 10, over 60, over 60, over 30; B: over 60, 20, over 60, 50.
    found = censored_differences(
        [10, 60, 60, 30], [60, 20, 60, 50], censored_a=[0, 1, 1, 1], censored_b=[1, 0, 1, 0]
    )
    assert found.low.tolist() == [50, -INF, -INF, -INF]
    assert found.high.tolist() == [INF, -40, INF, 20]
    turned = censored_differences([10], [60], censored_a=[0], censored_b=[1], higher_is_better=True)
    assert (turned.low.tolist(), turned.high.tolist()) == ([-INF], [-50])


def test_what_is_refused() -> None:
    with pytest.raises(CellError, match="1 of 2 units have impossible bounds"):
        bayes.censored_sign([1.0, 2.0], [1.0, 1.0], 0.1)
    with pytest.raises(DataError, match=r"the bounds have the shapes \(2,\) and \(1,\)"):
        bayes.censored_signed_rank([1.0, 2.0], [1.0], 0.1)
    with pytest.raises(OptionError, match="z0 is inf"):
        bayes.censored_signed_rank([1.0, 2.0], [1.0, 2.0], 0.1, z0=INF)
    with pytest.raises(DataError, match="3 and 3 values are given with 2 and 3 marks"):
        censored_differences([1, 2, 3], [1, 2, 3], censored_a=[0, 1], censored_b=[0, 0, 0])


def test_simulated_limits_hold_the_uncensored_answer() -> None:
    # The answer without a limit lies in the range whatever the limit is, because the limit only hides.
    rng = np.random.default_rng(9)
    for limit in (0.5, 1.0, 2.0, 4.0):
        a, b = rng.exponential(1.0, 30), rng.exponential(1.6, 30)
        found: Intervals = censored_differences(
            np.minimum(a, limit), np.minimum(b, limit), censored_a=a > limit, censored_b=b > limit
        )
        truth = bayes.sign(b - a, 0.1).most_probable
        ranges: RegionRanges = bayes.censored_sign(found.low, found.high, 0.1)
        for region in REGIONS:
            low, high = ranges.of(region)
            assert low - 1e-9 <= getattr(truth, region) <= high + 1e-9

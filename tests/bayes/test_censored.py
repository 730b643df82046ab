"""Censored run times: the range of probabilities against every completion of the unknown part."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.bayes.intervals import Intervals, censored_differences
from ropewalk.errors import CellError, DataError, OptionError
from ropewalk.posterior import RegionRanges

REGIONS = ("better", "equivalent", "worse")
INF = np.inf


def ends(found: list[dict[str, float]], region: str) -> tuple[float, float]:
    values = [one[region] for one in found]
    return min(values), max(values)


def completions(low: list[float], high: list[float], places: list[float]) -> list[np.ndarray]:
    """Every way to put each unknown difference on one of `places` that lies strictly between its bounds."""
    each = [[a] if a == b else [p for p in places if a < p < b] for a, b in zip(low, high, strict=True)]
    return [np.array(one) for one in product(*each)]


LOW = [5, -INF, 2, -3, -INF, -INF, 0.5, 1.0, -INF]
HIGH = [5, INF, 2, -3, 0.7, -2, INF, 1.0, INF]
PLACES = [-9.0, -1.5, 0.0, 0.6, 1.5, 9.0]


@pytest.mark.parametrize("rope", [1.0, 0.0, (-2.0, 0.5)])
def test_sign_is_the_range_over_all_completions(rope: float) -> None:
    found = bayes.censored_sign(LOW, HIGH, rope)
    places = [p for p in PLACES if not (rope == 0.0 and p == 0.0)]  # without a ROPE no tie is assumed
    every = [bayes.sign(d, rope).most_probable for d in completions(LOW, HIGH, places)]
    assert len(every) > 100
    for region in REGIONS:
        values = [getattr(p, region) for p in every]
        assert found.of(region) == pytest.approx((min(values), max(values)), abs=1e-9)
    assert (found.units, found.attained, found.error) == (9, True, 0.0)


@pytest.mark.parametrize("rope", [1.0, 0.0])
def test_signed_rank_holds_every_completion(rope: float) -> None:
    found = bayes.censored_signed_rank(LOW, HIGH, rope, draws=20_000)
    places = [p for p in PLACES if p != 0.0]
    every = [
        bayes.signed_rank(d, rope, draws=4_000).most_probable for d in completions(LOW, HIGH, places)[::7]
    ]
    noise = 5 * 0.5 / np.sqrt(4_000)
    for region in REGIONS:
        low, high = found.of(region)
        values = [getattr(p, region) for p in every]
        assert low - noise <= min(values)
        assert max(values) <= high + noise


def test_signed_rank_without_a_rope_attains_its_ends() -> None:
    found = bayes.censored_signed_rank(LOW, HIGH, 0.0, draws=100_000)
    far = 1e3
    down = np.clip([np.nextafter(a, b) if a < b else a for a, b in zip(LOW, HIGH, strict=True)], -far, far)
    up = np.clip([np.nextafter(b, a) if a < b else b for a, b in zip(LOW, HIGH, strict=True)], -far, far)
    worst, best = (bayes.signed_rank(d, 0.0, draws=100_000).most_probable.better for d in (down, up))
    assert found.better == pytest.approx((worst, best), abs=0.008)
    assert found.attained


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


def test_both_hit_the_limit_on_every_unit() -> None:
    for test in (bayes.censored_sign, bayes.censored_signed_rank):
        found = test([-INF] * 5, [INF] * 5, 0.0)
        assert found.better[0] < 0.05
        assert found.better[1] > 0.95
        assert found.decided(0.95) is None


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
    with pytest.raises(CellError, match="1 of 2 units have bounds that no difference fits"):
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

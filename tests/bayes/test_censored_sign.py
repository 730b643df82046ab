"""The sign test where some runs hit their limit."""

from __future__ import annotations

import pytest

from ropewalk import bayes
from tests.bayes.run_times import HIGH, INF, LOW, PLACES, REGIONS, completions


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


def test_both_hit_the_limit_on_every_unit() -> None:
    for test in (bayes.censored_sign, bayes.censored_signed_rank):
        found = test([-INF] * 5, [INF] * 5, 0.0)
        assert found.better[0] < 0.05
        assert found.better[1] > 0.95
        assert found.decided(0.95) is None

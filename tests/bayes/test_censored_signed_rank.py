"""The signed-rank test where some runs hit their limit."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from tests.bayes.run_times import HIGH, LOW, PLACES, REGIONS, completions


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

"""Probabilities of a claim over every possible table, and against draws."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk import bayes
from ropewalk.claims.margins import Margins
from ropewalk.claims.pair_probabilities import on_different_examples
from tests.claims.published import only


@pytest.mark.parametrize("rope", [0.0, 0.02, (-0.05, 0.01)])
@pytest.mark.parametrize(("right_a", "right_b", "n"), [(40, 33, 50), (25, 20, 60), (50, 44, 50)])
def test_the_ends_over_every_possible_table(right_a: int, right_b: int, n: int, rope: float) -> None:
    # Oracle: the posterior of every table of outcomes with these margins.
    pair = only(rw.claim({"A": right_a / n, "B": right_b / n}, n, rope=rope))
    low, high = (-rope, rope) if isinstance(rope, float) else rope
    m = Margins(n=n, right_a=right_a, right_b=right_b)
    every = [bayes.accuracy_difference(*m.table(k)) for k in range(m.least_both, m.most_both + 1)]
    for region, p in (
        ("better", [float(x.sf(high)) for x in every]),
        ("worse", [float(x.cdf(low)) for x in every]),
    ):
        assert pair.range_of(region) == pytest.approx((min(p), max(p)), abs=2e-3)
    assert all(sum(m.table(k)) == n and min(m.table(k)) >= 0 for k in range(m.least_both, m.most_both + 1))


def test_different_test_sets_against_draws() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.beta(91, 11, 10**6), rng.beta(171, 31, 10**6)
    p = on_different_examples(90, 100, 170, 200, (-0.01, 0.02))
    assert p.better == pytest.approx(np.mean(a - b > 0.02), abs=2e-3)
    assert p.worse == pytest.approx(np.mean(a - b < -0.01), abs=2e-3)
    pair = only(rw.claim({"A": 0.90, "B": 0.85}, {"A": 100, "B": 200}))
    assert not pair.same_examples
    assert [x.agreement for x in pair.bounds] == [None]
    # Independent test sets lie within the range over all agreements of one test set.
    low, high = only(rw.claim({"A": 0.90, "B": 0.85}, 200)).range_of("better")
    assert low < on_different_examples(180, 200, 170, 200, (0.0, 0.0)).better < high

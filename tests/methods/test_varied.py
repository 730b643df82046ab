"""How the answer depends on the ROPE and the threshold, against the posterior itself."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.methods.varied import MOST, at_times, readings, sensitivities, sensitivity, zones


@pytest.fixture(scope="module")
def c():
    rng = np.random.default_rng(1)
    a = rng.normal(5.0, 1.0, 80)
    b = a - 0.1 - rng.normal(0, 0.3, 80)
    return rw.compare({"a": a, "b": b}, higher_is_better=True, rho=0, rope=0.05).comparisons[0]


def test_a_ropes_probabilities_are_the_tails_beyond_it(c) -> None:
    better, equivalent, worse = at_times(c, np.array([0.0, 1.0, 3.0]))
    for k, times in enumerate((0.0, 1.0, 3.0)):
        assert better[k] == pytest.approx(float(c.posterior.sf(0.05 * times)))
        assert worse[k] == pytest.approx(float(c.posterior.cdf(-0.05 * times)))
    assert better + equivalent + worse == pytest.approx(np.ones(3))
    assert equivalent[0] == 0


def test_the_row_of_its_own_rope_is_the_answer_itself(c) -> None:
    (own,) = [row for row in sensitivity(c).ropes if row.times == 1]
    assert own.p == c.verdict.probabilities
    assert sensitivity(c).decided_up_to == max(c.verdict.better, c.verdict.equivalent)


def test_zones_follow_one_another_and_end_where_a_probability_is_the_threshold(c) -> None:
    (side, start, narrow), (between, low, wide), (last, high, end) = zones(c)
    assert (side, between, last) == ("better", "undecided", "equivalent")
    assert (start, low, high, end) == (0.0, narrow, wide, inf)
    assert float(c.posterior.sf(0.05 * narrow)) == pytest.approx(0.95, abs=1e-9)
    inside = c.posterior.cdf(0.05 * wide) - c.posterior.cdf(-0.05 * wide)
    assert float(inside) == pytest.approx(0.95, abs=1e-9)


def test_without_a_threshold_there_are_no_zones(c) -> None:
    rng = np.random.default_rng(1)
    by_loss = rw.compare(
        {"a": rng.normal(size=40), "b": rng.normal(size=40)},
        higher_is_better=True,
        rho=0,
        loss_matrix=[[0, 1, 2], [1, 0, 1], [2, 1, 0], [1, 1, 1]],
    ).comparisons[0]
    assert zones(by_loss) == ()
    assert sensitivity(by_loss).thresholds == ()
    assert [n.about for n in sensitivity(by_loss).notes] == ["threshold"]


def test_one_task_has_no_other_question_and_many_pairs_are_looked_at_while_quick(c) -> None:
    assert readings(c) == {}
    found = sensitivities([c] * (MOST + 1))
    assert found[MOST - 1].ropes == sensitivity(c).ropes
    assert found[MOST].ropes == ()
    assert [n.about for n in found[MOST].notes] == ["all"]

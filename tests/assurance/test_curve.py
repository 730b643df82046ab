"""The curve: what it interpolates, where it stops, what it refuses; and the rule on many futures."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.assurance import Curve, Edges, Normal, Rule, assurance, rounded
from ropewalk.decide import TWENTY_TO_ONE, by_loss, by_threshold
from ropewalk.decide.verdict import NAMES
from ropewalk.errors import OptionError
from ropewalk.posterior import Probabilities
from ropewalk.sums import Sums

DESIGN = Normal(unit="example", sums=Sums(n=200, mean=0.02, m2=8.0), edges=Edges(low=-0.01, high=0.01))


def curve(more: list[int], decided: list[float], draws: int = 100) -> Curve:
    p = np.array(decided)
    return Curve(
        more=np.array(more), better=p, equivalent=0 * p, worse=0 * p, draws=draws, limit=1.0, settles=None
    )


def test_between_two_points_the_chance_is_straight_in_the_logarithm() -> None:
    # Oracle: by hand: 0.8 lies half way between 0.7 and 0.9, and half way between 100 and 400 is 200.
    assert curve([100, 400], [0.7, 0.9]).needed(0.8) == 200
    assert curve([100, 400], [0.7, 0.9]).needed(0.95) is None
    assert curve([100, 400], [0.7, 0.9]).needed(0.5) == 100
    assert curve([100, 400, 800], [0.0, 0.8, 0.8]).needed(0.8) == 400


def test_the_error_is_binomial_and_never_zero() -> None:
    np.testing.assert_allclose(curve([1, 2, 3], [0.0, 0.5, 1.0]).error, [0.01, 0.05, 0.01])


def test_the_rule_is_that_of_one_comparison() -> None:
    # Oracle: decide.by_threshold and decide.by_loss, one by one.
    p = np.random.default_rng(0).dirichlet([0.2, 0.2, 0.2], size=500)
    for rule, one in (
        (Rule(threshold=0.9), lambda q: by_threshold(q, 0.9)),
        (Rule(loss=TWENTY_TO_ONE), lambda q: by_loss(q, TWENTY_TO_ONE)),
    ):
        expected = [one(Probabilities(better=b, equivalent=e, worse=w)) for b, e, w in p]
        assert [NAMES[k] for k in rule(p.T)] == expected


def test_the_same_seed_is_the_same_curve_and_the_chance_grows() -> None:
    a, b = assurance(DESIGN, Rule(), rng=7), assurance(DESIGN, Rule(), rng=7)
    np.testing.assert_array_equal(a.decided, b.decided)
    assert a.decided[-1] >= 0.97
    assert np.all(np.diff(a.decided) > -4 * 0.5 / np.sqrt(a.draws))
    assert a.more[0] == 13  # a sixteenth of what is there


def test_numbers_that_were_asked_for_are_those_looked_at() -> None:
    assert assurance(DESIGN, Rule(), more=[500, 10, 500], draws=50).more.tolist() == [10, 500]


def test_bad_numbers_are_refused() -> None:
    with pytest.raises(OptionError, match="draws is 0"):
        assurance(DESIGN, Rule(), draws=0)
    with pytest.raises(OptionError, match=r"more is \[0\]"):
        assurance(DESIGN, Rule(), more=[0])
    with pytest.raises(OptionError, match=r"more is \[\]"):
        assurance(DESIGN, Rule(), more=[])
    with pytest.raises(OptionError, match=r"the threshold is 0\.4"):
        Rule(threshold=0.4)
    with pytest.raises(OptionError, match="the loss matrix has shape"):
        Rule(loss=((1.0, 2.0),))


def test_two_digits_upwards() -> None:
    assert [rounded(n) for n in (1, 99, 100, 101, 1_234, 99_001)] == [1, 99, 100, 110, 1_300, 100_000]

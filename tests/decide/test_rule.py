"""The rule as a value: the same verdict one by one and for many futures at once, and its name."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.decide import TWENTY_TO_ONE, UNDECIDED, Rule, by_loss, by_threshold
from ropewalk.errors import OptionError
from ropewalk.posterior import Probabilities

NAMES = ("better", "equivalent", "worse", "undecided")


@pytest.mark.parametrize("rule", [Rule(), Rule(threshold=0.7), Rule(loss=TWENTY_TO_ONE)])
def test_many_at_once_are_as_one_by_one(rule: Rule) -> None:
    """Oracle: the rule on one set of probabilities, which is that of `by_threshold` or `by_loss`."""
    p = np.random.default_rng(0).dirichlet([0.3, 0.3, 0.3], size=500)
    names = [NAMES[i] for i in rule(p.T)]
    for name, (better, equivalent, worse) in zip(names, p.tolist(), strict=True):
        three = Probabilities(better=better, equivalent=equivalent, worse=worse)
        alone = by_threshold(three, rule.threshold) if rule.loss is None else by_loss(three, rule.loss)
        assert name == rule.verdict(three) == alone
    assert {*names} == {*NAMES}
    assert NAMES[UNDECIDED] == "undecided"


def test_a_rule_says_what_it_is() -> None:
    assert (str(Rule(threshold=0.9)), Rule(threshold=0.9).least) == ("threshold 0.9", 0.9)
    assert (str(Rule(loss=TWENTY_TO_ONE)), Rule(loss=TWENTY_TO_ONE).least) == ("lowest expected loss", None)


def test_a_bad_rule_is_refused_when_it_is_made() -> None:
    with pytest.raises(OptionError, match=r"the threshold is 0\.5"):
        Rule(threshold=0.5)
    with pytest.raises(OptionError, match="the loss matrix has shape"):
        Rule(loss=((1.0, 2.0),))

"""The sign test on several measures against the sign test on one, draws, and closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.errors import DataError, OptionError
from tests.bayes.several_measures import ROPES, D


def test_one_measure_of_several_is_the_sign_test() -> None:
    found = bayes.several_sign(D, ROPES)
    for k, rope in enumerate(ROPES):
        assert found.measure(k) == bayes.sign(D[:, k], rope)
    without = bayes.several_sign(D, [0.0, 0.0]).measure(0)
    assert without == bayes.sign(D[:, 0], 0.0)


def test_counts_by_hand() -> None:
    # Four units: (+, +), (+, 0), (-, +), (+ on the edge, +); the prior is (0, 0).
    d = [[0.05, 0.05], [0.05, 0.0], [-0.05, 0.05], [0.01, 0.05]]
    found = bayes.several_sign(d, [0.01, 0.01])
    assert found.alpha == {
        ("better", "better"): 1.5,
        ("better", "equivalent"): 1.0,
        ("worse", "better"): 1.0,
        ("equivalent", "better"): 0.5,
        ("equivalent", "equivalent"): 1.0,
    }
    assert (found.better_on_all.a, found.better_on_all.b) == (1.5, 3.5)
    assert (found.dominates.a, found.dominates.b) == (3.0, 2.0)
    assert next(iter(found.mean)) == ("better", "better")


def test_what_it_refuses() -> None:
    with pytest.raises(OptionError, match="1 ROPEs are given for 2 measures"):
        bayes.several_sign(D, [0.01])
    with pytest.raises(DataError, match="the table has 1 dimension"):
        bayes.several_sign([0.1, 0.2, 0.3], [0.01])
    with pytest.raises(OptionError, match="9 measures are too many"):
        bayes.several_sign(np.ones((2, 9)), [0.01] * 9)
    with pytest.raises(OptionError, match="there is no measure 2"):
        bayes.several_sign(D, ROPES).measure(2)

"""The Bayesian t-test with an effective number of units."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.errors import OptionError
from ropewalk.posterior import Point, Student
from ropewalk.sums import Sums


def test_independent_units_are_t() -> None:
    d = np.random.default_rng(0).normal(0.1, 1, 15)
    assert bayes.ess_t(d, n_eff=15).interval() == pytest.approx(bayes.t(d).interval())


def test_units_given_twice_are_worth_half() -> None:
    # Oracle: closed form. Each unit twice, n_eff = n/2, is exactly t on the units given once.
    d = np.random.default_rng(1).normal(0.1, 1, 9)
    assert bayes.ess_t(np.repeat(d, 2), n_eff=9).interval() == pytest.approx(bayes.t(d).interval())


def test_sums_and_a_fraction_of_a_unit() -> None:
    found = bayes.ess_t(Sums(n=100, mean=0.2, m2=90.0), n_eff=10.5)
    assert found == Student(df=9.5, loc=0.2, scale=pytest.approx(np.sqrt(0.9 / 9.5)))


def test_no_variation() -> None:
    assert bayes.ess_t([0.1, 0.1, 0.1], n_eff=2) == Point(at=0.1)


@pytest.mark.parametrize("n_eff", [1.0, 0.0, -3.0, 4.1, np.nan, np.inf])
def test_n_eff_is_above_one_and_at_most_n(n_eff: float) -> None:
    with pytest.raises(OptionError, match=r"n_eff is .* for 4 units"):
        bayes.ess_t([0.1, 0.2, 0.3, 0.4], n_eff=n_eff)


def test_two_units_are_enough() -> None:
    assert bayes.ess_t([0.1, 0.3], n_eff=2).interval() == pytest.approx(bayes.t([0.1, 0.3]).interval())

"""What can be added to a comparison: units like those at hand, with the posterior's mean and spread."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.assurance import Answers, Normal
from ropewalk.methods.futures import as_t, equal_answers, one_direction


def scores(n: int = 40, shift: float = 0.02):
    rng = np.random.default_rng(0)
    a = rng.normal(5.0, 1.0, n)
    b = a - shift - rng.normal(0, 0.1, n)
    return rw.compare({"a": a, "b": b}, higher_is_better=True, rho=0).comparisons[0]


def test_as_t_has_the_mean_and_the_standard_error_of_the_posterior() -> None:
    c = scores()
    found = as_t(c)
    assert isinstance(found, Normal)
    assert found.sums.n == c.n
    assert found.sums.mean == pytest.approx(c.posterior.mean)
    assert found.sums.sd / np.sqrt(c.n) == pytest.approx(c.posterior.scale)


def test_one_direction_is_also_the_quick_one_and_takes_a_prior() -> None:
    ways = one_direction(scores(), as_t(scores()))
    assert ways.designs == (ways.quick,)
    assert ways.under_prior(0.3).quick.prior_sd == 0.3
    assert ways.under_prior(0.3).designs[0].prior_sd == 0.3
    assert one_direction(scores(), None).designs == ()


def test_equal_answers_are_answers_that_may_differ_yet() -> None:
    x = np.random.default_rng(0).uniform(size=60)
    same = rw.compare({"a": x, "b": x}, higher_is_better=True).comparisons[0]
    found = equal_answers(same)
    assert isinstance(found, Answers)
    assert found.same == 60
    assert equal_answers(scores()) is None

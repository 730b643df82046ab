"""Plans from stated numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri

import ropewalk as rw
from ropewalk.errors import OptionError
from tests.plan.pilots_of_plans import outcomes, plan


def test_the_plan_of_stated_numbers_is_the_power_formula() -> None:
    # Oracle: N = ((z_0.95 + z_0.8) sd/(difference - rope))², with sd known.
    found = rw.plan(difference=0.03, sd=0.2, rope=0.01)
    exact = ((ndtri(0.95) + ndtri(0.8)) * 0.2 / 0.02) ** 2
    needed = found.pairs[0].directions[0].needed
    assert needed == pytest.approx(exact, rel=0.08)
    assert found.pairs[0].now is None
    assert f"About {needed:,} examples would decide between A and B" in found.to_text()


def test_stated_accuracies_with_their_examples_are_the_counts() -> None:
    # Oracle: the plan of the very counts.
    stated = rw.plan(accuracy=(0.87, 0.85), disagreement=0.1, examples=1_000, rope=0.01, draws=500)
    a = np.repeat([0, 0, 1, 1], [90, 40, 60, 810])
    b = np.repeat([0, 1, 0, 1], [90, 40, 60, 810])
    counted = rw.plan({"A": a, "B": b}, rope=0.01, draws=500)
    np.testing.assert_array_equal(
        stated.pairs[0].directions[0].curve.decided, counted.pairs[0].directions[0].curve.decided
    )


def test_being_unsure_of_the_difference_lowers_the_top_of_the_curve() -> None:
    sure = rw.plan(difference=0.03, sd=0.2, rope=0.01, more=[2_000])
    unsure = rw.plan(difference=0.03, sd=0.2, rope=0.01, unsure=0.02, more=[2_000])
    assert unsure.pairs[0].directions[0].curve.decided[0] < sure.pairs[0].directions[0].curve.decided[0] - 0.1


def test_data_and_stated_numbers_are_too_much() -> None:
    with pytest.raises(OptionError, match="both data and stated numbers are given"):
        rw.plan(outcomes(), difference=0.02, sd=0.3)


def test_stated_numbers_that_were_measured_have_a_prior() -> None:
    measured = plan(None, difference=0.03, sd=0.3, rope=0.01, examples=200).pairs[0]
    assert measured.prior is not None
    assert measured.prior.sd == pytest.approx(0.015)
    assert plan(None, difference=0.03, sd=0.3, rope=0.01).pairs[0].prior is None
    with pytest.raises(OptionError, match="the stated numbers are treated as exact"):
        plan(None, difference=0.03, sd=0.3, rope=0.01, prior_sd=0.1)
    for bad in (0.0, -1.0, float("nan"), True):
        with pytest.raises(OptionError, match="prior_sd is"):
            plan(outcomes(200), prior_sd=bad)

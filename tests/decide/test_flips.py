"""The ROPE at which the verdict flips, against closed forms."""

from __future__ import annotations

import pytest

from ropewalk.decide import by_threshold, flips, in_scores, on_phi, probabilities, scaled
from ropewalk.posterior import Beta, Point, Student

ROPE = in_scores(-0.01, 0.01, "given")


@pytest.mark.parametrize("loc", [0.03, -0.03])
@pytest.mark.parametrize("threshold", [0.9, 0.95, 0.99])
def test_the_narrow_edge_is_a_quantile(loc: float, threshold: float) -> None:
    """Oracle: Pr(d > k r) = threshold exactly where k r is the quantile of 1 - threshold."""
    posterior = Student(df=20, loc=loc, scale=0.008)
    found = flips(posterior, ROPE, threshold)
    edge = abs(float(posterior.quantile(1 - threshold if loc > 0 else threshold)))
    assert found.side == ("better" if loc > 0 else "worse")
    assert found.narrow == pytest.approx(edge / 0.01, rel=1e-9)


def test_the_wide_edge_of_a_centred_posterior_is_a_quantile() -> None:
    """Oracle: around 0 the ROPE holds 0.95 where its upper edge is the quantile of 0.975."""
    posterior = Student(df=9, loc=0.0, scale=0.02)
    found = flips(posterior, ROPE)
    assert (found.side, found.narrow) == (None, 0.0)
    assert found.wide == pytest.approx(float(posterior.quantile(0.975)) / 0.01, rel=1e-9)


@pytest.mark.parametrize("loc", [-0.04, -0.01, 0.0, 0.012, 0.05])
def test_the_verdict_is_what_the_flips_say(loc: float) -> None:
    """Oracle: the verdict itself, at many widths on both sides of the edges."""
    posterior = Student(df=15, loc=loc, scale=0.009)
    found = flips(posterior, ROPE)
    assert found.wide is not None
    for times in (0.01, 0.3, 0.9, 1.0, 1.7, 3.0, 8.0):
        low, high = scaled(ROPE, times)
        said = by_threshold(probabilities(posterior, in_scores(low, high, "given")))
        expected = found.side if times < found.narrow else "undecided" if times < found.wide else "equivalent"
        assert said == expected


def test_on_phi_smaller_is_better() -> None:
    """Oracle: the quantile of a Beta, measured from 1/2."""
    posterior = Beta(a=60, b=100)
    rope = on_phi(posterior.mean, 0.3, -0.1, 0.1)
    found = flips(posterior, rope)
    assert found.side == "better"
    assert scaled(rope, found.narrow)[0] == pytest.approx(float(posterior.quantile(0.95)), rel=1e-9)


def test_a_rope_on_one_side_leaves_the_other() -> None:
    """From 0 upwards: a model that is worse stays worse, however wide the ROPE."""
    found = flips(Student(df=30, loc=-0.05, scale=0.01), in_scores(0.0, 0.01, "given"))
    assert found.side == "worse"
    assert found.narrow == float("inf")
    assert found.wide is None


def test_a_certain_posterior_goes_from_one_verdict_to_the_other() -> None:
    found = flips(Point(at=0.025), ROPE)
    assert found.side == "better"
    assert found.narrow == pytest.approx(2.5)
    assert found.wide == pytest.approx(2.5)


def test_scaling_is_around_no_difference_on_either_scale() -> None:
    assert scaled(in_scores(-0.1, 0.3, "given"), 2) == pytest.approx((-0.2, 0.6))
    phi = on_phi(0.5, 1.0, -0.2, 0.4)  # 0.3 to 0.6
    assert scaled(phi, 2) == pytest.approx((0.1, 0.7))


def test_a_threshold_of_one_is_reached_by_certainty() -> None:
    assert flips(Point(at=1.0), in_scores(-0.1, 0.1, "given"), 1.0).side == "better"
    one_sided = flips(Point(at=1.0), in_scores(-0.1, 0.0, "given"), 1.0)
    assert (one_sided.side, one_sided.narrow, one_sided.wide) == ("better", float("inf"), None)

"""Three probabilities and the verdict on them: the figures of Benavoli et al. 2017, and the edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropewalk.decide import (
    TWENTY_TO_ONE,
    by_loss,
    by_threshold,
    in_scores,
    on_phi,
    probabilities,
)
from ropewalk.errors import OptionError
from ropewalk.posterior import Beta, Point, Probabilities, Student


def test_probabilities_on_both_scales() -> None:
    advantage = probabilities(Student(df=9, loc=2.0, scale=0.1), in_scores(-1, 1, "given"))
    assert advantage.better == pytest.approx(1.0, abs=1e-3)
    phi = probabilities(Beta(a=20, b=2), on_phi(0.5, 1.0, -0.1, 0.1))
    assert phi.worse == pytest.approx(1.0, abs=1e-3)  # A makes the mistakes


@given(st.floats(-30, 30), st.floats(0, 3), st.floats(1e-6, 5))
def test_probabilities_add_up_and_mirror(loc: float, r: float, scale: float) -> None:
    rope = in_scores(-r, r, "given")
    p = probabilities(Student(df=7, loc=loc, scale=scale), rope)
    mirrored = probabilities(Student(df=7, loc=-loc, scale=scale), rope)
    assert p.better + p.equivalent + p.worse == pytest.approx(1.0, abs=1e-12)
    assert (p.better, p.equivalent, p.worse) == pytest.approx(
        (mirrored.worse, mirrored.equivalent, mirrored.better), rel=1e-9, abs=1e-15
    )


def test_a_tiny_probability_of_equivalence_keeps_its_digits() -> None:
    posterior = Student(df=1000, loc=10.0, scale=1.0)
    p = probabilities(posterior, in_scores(-1, 1, "given"))
    assert p.equivalent == pytest.approx(float(posterior.cdf(1.0) - posterior.cdf(-1.0)), rel=1e-9)
    assert 0 < p.equivalent < 1e-15


@pytest.mark.parametrize(("at", "name"), [(0.01, "equivalent"), (-0.01, "equivalent"), (0.011, "better")])
def test_the_rope_is_closed(at: float, name: str) -> None:
    assert by_threshold(probabilities(Point(at=at), in_scores(-0.01, 0.01, "given"))) == name


def test_without_width_nothing_is_equivalent() -> None:
    rope = in_scores(0.0, 0.0, "given")
    assert rope.is_point
    assert probabilities(Student(df=5, loc=0.0, scale=1.0), rope).equivalent == pytest.approx(0.0, abs=1e-15)


def test_the_threshold_is_reached_not_passed() -> None:
    assert by_threshold(Probabilities(better=0.95, equivalent=0.05, worse=0.0), 0.95) == "better"
    assert by_threshold(Probabilities(better=0.949, equivalent=0.051, worse=0.0), 0.95) == "undecided"
    assert by_threshold(Probabilities(better=0.0, equivalent=0.2, worse=0.8), 0.8) == "worse"
    assert by_threshold(Probabilities(better=0.0, equivalent=1.0, worse=0.0), 1.0) == "equivalent"


@pytest.mark.parametrize("threshold", [0.5, 0.0, 1.01, -1, float("nan"), 95])
def test_a_threshold_below_one_half_could_give_two_verdicts(threshold: float) -> None:
    with pytest.raises(OptionError, match=r"above 0\.5 and at most 1"):
        by_threshold(Probabilities(better=1.0, equivalent=0.0, worse=0.0), threshold)


@given(st.floats(0, 1), st.floats(0, 1))
def test_losses_of_20_and_1_are_the_threshold_095(x: float, y: float) -> None:
    better, worse = x * y, x * (1 - y)
    p = Probabilities(better=better, equivalent=1 - better - worse, worse=worse)
    if min(abs(v - 0.95) for v in (p.better, p.equivalent, p.worse)) > 1e-9:
        assert by_loss(p, TWENTY_TO_ONE) == by_threshold(p, 0.95)


def test_losses_decide_by_their_expectation() -> None:
    p = Probabilities(better=0.6, equivalent=0.3, worse=0.1)
    timid = ((0, 5, 50), (5, 0, 5), (50, 5, 0), (3, 3, 3))  # 0.3·5 + 0.1·50 = 6.5; 0.7·5 = 3.5; 3
    assert by_loss(p, timid) == "undecided"
    bold = ((0, 1, 1), (1, 0, 1), (1, 1, 0), (9, 9, 9))
    assert by_loss(p, bold) == "better"


def test_a_loss_matrix_has_four_rows() -> None:
    with pytest.raises(OptionError, match=r"shape \(3, 3\)(.|\n)*4 rows"):
        by_loss(Probabilities(better=1.0, equivalent=0.0, worse=0.0), np.zeros((3, 3)))


def test_a_tiny_share_inside_the_rope_keeps_its_digits_on_both_sides() -> None:
    """Mirror images: the small number between must be the same from below and from above."""
    rope = in_scores(-0.1, 0.1, "given")
    above = probabilities(Student(df=30, loc=1.0, scale=0.05), rope)
    below = probabilities(Student(df=30, loc=-1.0, scale=0.05), rope)
    assert 0 < above.equivalent < 1e-15
    assert below.equivalent == pytest.approx(above.equivalent, rel=1e-9, abs=0)


@pytest.mark.parametrize("loss", ["dear", [["a"] * 3] * 4, [[1, 2, 3]] * 3, [[1, 2], [3]], None])
def test_a_loss_matrix_that_is_none(loss: object) -> None:
    with pytest.raises(OptionError, match="the loss matrix "):
        by_loss(Probabilities(better=1.0, equivalent=0.0, worse=0.0), loss)  # type: ignore[arg-type]

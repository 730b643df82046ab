"""ROPEs, probabilities, rules and effect sizes: the papers' worked figures, and the edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropewalk.decide import (
    TWENTY_TO_ONE,
    RopeRequest,
    by_loss,
    by_threshold,
    cohens_d,
    cohens_g,
    cohens_h,
    in_scores,
    on_phi,
    probabilities,
    share_of_sd,
)
from ropewalk.errors import CellError, OptionError
from ropewalk.posterior import Beta, Point, Probabilities, Student
from ropewalk.sums import Sums


@pytest.mark.parametrize(
    ("given_as", "kind", "low", "high"),
    [
        ("auto", "auto", 0.0, 0.0),
        (0.01, "score", -0.01, 0.01),
        (0, "score", 0.0, 0.0),
        ("0.01", "score", -0.01, 0.01),
        ((-0.005, 0.02), "score", -0.005, 0.02),
        ("-0.005, 0.02", "score", -0.005, 0.02),
        ("0.2sd", "sd", -0.2, 0.2),
        ("0.2 SD", "sd", -0.2, 0.2),
        ("-0.1,0.3sd", "sd", -0.1, 0.3),
        (np.float32(0.5), "score", -0.5, 0.5),
    ],
)
def test_every_way_to_ask_for_a_rope(given_as: object, kind: str, low: float, high: float) -> None:
    assert RopeRequest.parse(given_as) == RopeRequest(kind=kind, low=low, high=high)
    assert RopeRequest.parse(RopeRequest.parse(given_as)) == RopeRequest.parse(given_as)


@pytest.mark.parametrize(
    "bad", ["wide", "-0.01", -0.01, (0.2, 0.1), (1, 2, 3), "nan", "infsd", None, "sd", ""]
)
def test_what_is_no_rope_is_refused(bad: object) -> None:
    with pytest.raises(OptionError, match=r"is not understood\n\n  Give a half width in score units"):
        RopeRequest.parse(bad)


def test_p1_rope_on_phi() -> None:
    rope = on_phi(0.5, 0.3, -0.1, 0.1)  # Williams 2026 sec. 5.4: [0.45, 0.55] at the mean 0.5
    assert (rope.low, rope.high) == pytest.approx((0.45, 0.55))
    assert rope.scale == "phi"
    assert rope.in_scores == "±0.03 in accuracy, at 30.0% disagreement"  # 2 · 0.05 · 0.3


def test_a_positive_advantage_is_a_small_phi() -> None:
    rope = on_phi(0.5, 1.0, -0.1, 0.3)
    assert (rope.low, rope.high) == pytest.approx((0.35, 0.55))


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
    with pytest.raises(OptionError, match=r"above 0\.5 and up to 1"):
        by_threshold(Probabilities(better=1.0, equivalent=0.0, worse=0.0), threshold)


@given(st.floats(0, 1), st.floats(0, 1))
def test_p4_equation_7_with_20_and_1_is_the_threshold_095(x: float, y: float) -> None:
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


def test_share_of_sd() -> None:
    rope = share_of_sd(2.0, -0.1, 0.1)
    assert (rope.low, rope.high, rope.source, rope.in_scores) == (-0.2, 0.2, "0.1 sd", "±0.2")


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (0.0, "negligible"),
        (0.19, "negligible"),
        (0.2, "small"),
        (-0.5, "medium"),
        (0.79, "medium"),
        (0.8, "large"),
    ],
)
def test_cohens_d_labels(value: float, label: str) -> None:
    effect = cohens_d(Sums(n=11, mean=value, m2=10.0))
    assert (effect.value, effect.label) == (pytest.approx(value), label)


def test_on_the_edge_of_medium_the_order_of_the_units_does_not_matter() -> None:
    """m/s = 1/2 on paper; in one of these orders it comes out as 0.49999999999999994."""
    for place in range(4):
        d = np.zeros(4)
        d[place] = 0.844
        assert cohens_d(d).label == "medium"
        assert cohens_d(-d).label == "medium"


def test_p1_effect_sizes_of_section_6_1() -> None:
    assert cohens_d(Sums(n=176, mean=0.066, m2=175.0)).label == "negligible"
    assert cohens_d(Sums(n=176, mean=0.53, m2=175.0)).label == "medium"


def test_effects_without_spread_or_disagreement() -> None:
    assert cohens_d([0.0, 0.0]).value == 0.0
    assert cohens_d([0.1, 0.1]).value == np.inf
    assert cohens_d([-0.1, -0.1]).value == -np.inf
    assert cohens_g(0, 0).value == 0.0
    assert cohens_g(3, 1).value == 0.25
    assert cohens_g(3, 1).label == "large"


@pytest.mark.parametrize("rope", ["0,01", "0,1sd"])
def test_a_decimal_comma_is_not_a_pair(rope: str) -> None:
    with pytest.raises(OptionError, match=r"decimal comma(.|\n)*Write it with a point: 0\."):
        RopeRequest.parse(rope)


@pytest.mark.parametrize("rope", [(0.01, 0.02), (-0.02, -0.01), "0.01,0.02"])
def test_a_rope_holds_zero(rope: object) -> None:
    with pytest.raises(OptionError, match="does not hold 0"):
        RopeRequest.parse(rope)


def test_cohens_h_by_hand() -> None:
    # asin √0.75 = π/3 and asin √0.5 = π/4: h = 2(π/3 - π/4) = π/6.
    assert cohens_h(0.75, 0.5).value == pytest.approx(np.pi / 6, rel=1e-12)
    assert cohens_h(0.5, 0.75).value == -cohens_h(0.75, 0.5).value
    assert (cohens_h(0.5, 0.5).label, cohens_h(1.0, 0.0).label) == ("negligible", "large")


def test_cohens_d_is_the_mean_over_the_standard_deviation() -> None:
    assert cohens_d([2.0, 4.0, 9.0]).value == pytest.approx(5 / np.sqrt(13), rel=1e-12)


@pytest.mark.parametrize(
    ("h", "label"),
    [(0.19, "negligible"), (0.21, "small"), (0.51, "medium"), (0.79, "medium"), (0.81, "large")],
)
def test_the_labels_of_cohens_h(h: float, label: str) -> None:
    """From a = 1/2, asin √a = π/4: the b whose h is asked for."""
    b = float(np.sin(np.pi / 4 - h / 2) ** 2)
    assert cohens_h(0.5, b).value == pytest.approx(h, rel=1e-12)
    assert cohens_h(0.5, b).label == label


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan"), "half", None])
def test_cohens_h_of_what_is_no_share(bad: object) -> None:
    with pytest.raises(CellError, match=f"b is {bad}\n\n  Cohen's h is for numbers between 0 and 1"):
        cohens_h(0.5, bad)  # type: ignore[arg-type]
    with pytest.raises(CellError, match=f"a is {bad}"):
        cohens_h(bad, 0.5)  # type: ignore[arg-type]


def test_a_tiny_share_inside_the_rope_keeps_its_digits_on_both_sides() -> None:
    """Mirror images: the small number between must be the same from below and from above."""
    rope = in_scores(-0.1, 0.1, "given")
    above = probabilities(Student(df=30, loc=1.0, scale=0.05), rope)
    below = probabilities(Student(df=30, loc=-1.0, scale=0.05), rope)
    assert 0 < above.equivalent < 1e-15
    assert below.equivalent == pytest.approx(above.equivalent, rel=1e-9, abs=0)


def test_edges_that_differ_are_both_shown() -> None:
    assert in_scores(-0.005, 0.02, "given").in_scores == "-0.005 to +0.02"
    assert in_scores(-0.02, 0.02, "given").in_scores == "±0.02"


@pytest.mark.parametrize("loss", ["dear", [["a"] * 3] * 4, [[1, 2, 3]] * 3, [[1, 2], [3]], None])
def test_a_loss_matrix_that_is_none(loss: object) -> None:
    with pytest.raises(OptionError, match="the loss matrix "):
        by_loss(Probabilities(better=1.0, equivalent=0.0, worse=0.0), loss)  # type: ignore[arg-type]

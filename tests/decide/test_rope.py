"""The region of practical equivalence: every way to ask for one, and the figures of Williams 2026."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.decide import (
    RopeRequest,
    in_scores,
    on_phi,
    share_of_sd,
)
from ropewalk.errors import OptionError


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
    "bad", ["wide", "-0.01", -0.01, (0.2, 0.1), (1, 2, 3), "nan", "infsd", None, "sd", "", 10**400]
)
def test_what_is_no_rope_is_refused(bad: object) -> None:
    with pytest.raises(OptionError, match=r"is not understood\n\n  Give a half width in score units"):
        RopeRequest.parse(bad)


def test_the_rope_on_phi_of_williams() -> None:
    rope = on_phi(0.5, 0.3, -0.1, 0.1)  # Williams 2026 sec. 5.4: [0.45, 0.55] at the mean 0.5
    assert (rope.low, rope.high) == pytest.approx((0.45, 0.55))
    assert rope.scale == "phi"
    assert rope.in_scores == "±0.03 in accuracy, at 30.0% disagreement"  # 2 · 0.05 · 0.3


def test_a_positive_advantage_is_a_small_phi() -> None:
    rope = on_phi(0.5, 1.0, -0.1, 0.3)
    assert (rope.low, rope.high) == pytest.approx((0.35, 0.55))


def test_share_of_sd() -> None:
    rope = share_of_sd(2.0, -0.1, 0.1)
    assert (rope.low, rope.high, rope.source, rope.in_scores) == (-0.2, 0.2, "0.1 sd", "±0.2")


@pytest.mark.parametrize("rope", ["0,01", "0,1sd"])
def test_a_decimal_comma_is_not_a_pair(rope: str) -> None:
    with pytest.raises(OptionError, match=r"decimal comma(.|\n)*Use a decimal point: 0\."):
        RopeRequest.parse(rope)


@pytest.mark.parametrize("rope", [(0.01, 0.02), (-0.02, -0.01), "0.01,0.02"])
def test_a_rope_holds_zero(rope: object) -> None:
    with pytest.raises(OptionError, match="does not contain 0"):
        RopeRequest.parse(rope)


def test_edges_that_differ_are_both_shown() -> None:
    assert in_scores(-0.005, 0.02, "given").in_scores == "-0.005 to +0.02"
    assert in_scores(-0.02, 0.02, "given").in_scores == "±0.02"

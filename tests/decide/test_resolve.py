"""The one place that knows what a ROPE is where it was not given in scores: every request on every scale."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.decide import SHARE, PhiScale, RopeRequest, ScoreScale, WinScale, resolve_rope
from ropewalk.errors import OptionError

AUTO, SD, GIVEN = (RopeRequest.parse(text) for text in ("auto", "0.2sd", "-0.01,0.03"))
PLAIN = ScoreScale(metric="loss", sd=2.0)
BOUNDED = ScoreScale(metric="accuracy", sd=2.0, points=0.01)
PERCENT = ScoreScale(metric="accuracy", sd=2.0, points=1.0)
WHOLE = ScoreScale(metric="RMSE", sd=2.0)
PHI = PhiScale(phi=0.4, disagreement=0.2)
RANKS = ScoreScale(metric="rank", sd=2.0, is_rank=True)


@pytest.mark.parametrize(
    ("scale", "low", "high", "origin"),
    [
        (PLAIN, -0.2, 0.2, "sd"),
        (BOUNDED, -0.01, 0.01, "point"),
        (PERCENT, -1.0, 1.0, "point"),
        (WHOLE, -0.2, 0.2, "sd"),
        (PHI, -0.01, 0.01, "point"),
        (RANKS, 0.0, 0.0, "none"),
    ],
)
def test_what_auto_means(scale: ScoreScale | PhiScale, low: float, high: float, origin: str) -> None:
    rope = resolve_rope(AUTO, scale)
    assert (rope.low, rope.high) == pytest.approx((low, high))
    assert (rope.scale, rope.origin) == ("score", origin)
    assert rope.is_used


@pytest.mark.parametrize("scale", [PLAIN, BOUNDED, PERCENT, WHOLE, RANKS])
def test_a_share_of_a_standard_deviation_is_one_on_every_scale(scale: ScoreScale) -> None:
    rope = resolve_rope(SD, scale)
    assert (rope.low, rope.high, rope.source, rope.origin) == (-0.4, 0.4, "0.2 sd", "sd")


@pytest.mark.parametrize("scale", [PLAIN, BOUNDED, WHOLE, RANKS, PHI])
def test_what_is_given_in_scores_stays(scale: ScoreScale | PhiScale) -> None:
    rope = resolve_rope(GIVEN, scale)
    assert (rope.low, rope.high, rope.scale, rope.origin) == (-0.01, 0.03, "score", "given")


ON_PHI = RopeRequest.parse("auto", "phi")


@pytest.mark.parametrize(
    ("request_", "scale", "share"),
    [
        (ON_PHI, PHI, SHARE),
        (SD, PHI, 0.2),
        (RopeRequest.parse("0.2sd", "phi"), PHI, 0.2),
        (AUTO, PhiScale(phi=0.4, disagreement=0.2, only=True), SHARE),
    ],
)
def test_on_phi_it_lies_around_one_half(request_: RopeRequest, scale: PhiScale, share: float) -> None:
    """Williams 2026: a tenth of sqrt(phi (1 - phi)) each way."""
    rope = resolve_rope(request_, scale)
    half = share * np.sqrt(0.4 * 0.6)
    assert (rope.low, rope.high) == pytest.approx((0.5 - half, 0.5 + half))
    assert (rope.scale, rope.origin) == ("phi", "sd")


def test_where_phi_is_asked_for_a_leaderboard_of_accuracies_has_the_same_share() -> None:
    assert resolve_rope(ON_PHI, BOUNDED).share == (-SHARE, SHARE)


@pytest.mark.parametrize(
    ("request_", "low", "high", "origin"),
    [(AUTO, 0.45, 0.55, "point"), (SD, 0.45, 0.55, "point"), (GIVEN, 0.49, 0.53, "given")],
)
def test_a_share_of_tasks_won_has_five_points_around_one_half(
    request_: RopeRequest, low: float, high: float, origin: str
) -> None:
    rope = resolve_rope(request_, WinScale())
    assert (rope.low, rope.high) == pytest.approx((low, high))
    assert (rope.scale, rope.origin, rope.centre) == ("share", origin, 0.5)


@pytest.mark.parametrize(
    ("rope", "scale", "problem"),
    [(0.01, "phi", "in score units, but the scale is phi"), ("auto", "logit", 'no scale "logit"')],
)
def test_a_scale_that_makes_no_sense(rope: object, scale: str, problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        RopeRequest.parse(rope, scale)

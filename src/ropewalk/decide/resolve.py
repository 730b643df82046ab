"""What a ROPE is in scores, where it was not given in scores: the only place that knows the defaults."""

from __future__ import annotations

from dataclasses import dataclass

from ropewalk.decide.rope import Rope, RopeRequest, in_scores, on_phi, share_of_sd

SHARE = 0.1  # of a standard deviation: half of a small effect (Williams 2026)
ACCURACY_POINT = 0.01  # one point of a hundred, of right/wrong answers
_PERCENT = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreScale:
    """What is known of the scores: the standard deviation of a difference, and one point of a hundred.

    `points` is 0 where the metric is not bounded. A metric of the whole test set has the `level` of its
    values. Ranks have no unit in which a ROPE could be given.
    """

    metric: str
    sd: float
    points: float = 0.0
    level: float | None = None
    is_rank: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PhiScale:
    """Right and wrong answers: phi is the share of A's mistakes among those on which the two disagree."""

    phi: float
    disagreement: float


def resolve_rope(request: RopeRequest, scale: ScoreScale | PhiScale) -> Rope:
    """The ROPE that was asked for; "auto" is the default of this scale.

    >>> resolve_rope(RopeRequest.parse("auto"), ScoreScale(metric="accuracy", sd=0.2, points=0.01)).in_scores
    '±0.01'
    >>> resolve_rope(RopeRequest.parse("0.2sd"), ScoreScale(metric="accuracy", sd=0.2, points=0.01)).in_scores
    '±0.04'
    """
    if request.kind == "score":
        return in_scores(request.low, request.high, "given")
    low, high = (request.low, request.high) if request.kind == "sd" else (-SHARE, SHARE)
    if isinstance(scale, PhiScale):
        return on_phi(scale.phi, scale.disagreement, low, high)
    if request.kind == "auto":
        if scale.is_rank:
            return in_scores(0.0, 0.0, "ranks have no size", origin="none")
        if scale.points:
            return in_scores(-scale.points, scale.points, "one point of a hundred", origin="point")
        if scale.level is not None:
            half = _PERCENT * abs(scale.level)
            return in_scores(-half, half, f"1 % of the models' mean {scale.metric}", origin="percent")
    return share_of_sd(scale.sd, low, high)


# Models that answer alike everywhere are equivalent whatever the ROPE.
NO_ROPE = in_scores(0.0, 0.0, "not needed", origin="unneeded")

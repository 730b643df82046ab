"""The ROPE in score units if it was not given in these: the only place that knows the defaults."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ropewalk.decide.rope import Rope, RopeRequest, in_scores, on_phi, on_share, share_of_sd

SHARE = 0.1  # share of a standard deviation: half of a small effect (Williams 2026)
ACCURACY_POINT = 0.01  # one percentage point, for right/wrong answers
WIN_RATE = 0.05  # five percentage points, for the share of tasks won


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreScale:
    """Scale of the scores, from which a ROPE is resolved.

    Parameters
    ----------
    metric : str
        What was measured.
    sd : float
        Standard deviation of a difference.
    points : float, default 0.0
        One percentage point; 0 if the metric is not bounded.
    is_rank : bool, default False
        Whether the scores are ranks, which have no unit in which a ROPE could be given.

    Examples
    --------
    >>> from ropewalk.decide import ScoreScale
    >>> ScoreScale(metric="accuracy", sd=0.4, points=0.01).points
    0.01
    """

    metric: str
    sd: float
    points: float = 0.0
    is_rank: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PhiScale:
    """Scale of right and wrong answers: phi, the share of A's mistakes among the disagreements.

    Parameters
    ----------
    phi : float
        Observed share.
    disagreement : float
        Share of examples on which exactly one model is right.
    only : bool, default False
        Whether the method knows no other scale than phi.

    Examples
    --------
    >>> from ropewalk.decide import PhiScale
    >>> PhiScale(phi=0.4, disagreement=0.1).disagreement
    0.1
    """

    phi: float
    disagreement: float
    only: bool = False


@dataclass(frozen=True, slots=True)
class WinScale:
    """Scale of the share of tasks that A wins, around one half.

    Examples
    --------
    >>> from ropewalk.decide import WinScale
    >>> WinScale()
    WinScale()
    """


def resolve_rope(request: RopeRequest, scale: ScoreScale | PhiScale | WinScale) -> Rope:
    """The ROPE that was asked for; "auto" is the default of this scale.

    Parameters
    ----------
    request : RopeRequest
        What was asked for.
    scale : ScoreScale, PhiScale or WinScale
        What is known of the scores.

    Returns
    -------
    Rope
        The ROPE, with where it comes from.

    Notes
    -----
    One percentage point for scores between 0 and 1 or in percent and for right/wrong answers, five
    points for the share of tasks won, and a tenth of a standard deviation for scores without a range. A share
    of a standard deviation of right and wrong answers is one on phi (Williams 2026).

    Examples
    --------
    >>> resolve_rope(RopeRequest.parse("auto"), ScoreScale(metric="accuracy", sd=0.2, points=0.01)).in_scores
    '±0.01'
    >>> resolve_rope(RopeRequest.parse("0.2sd"), ScoreScale(metric="accuracy", sd=0.2, points=0.01)).in_scores
    '±0.04'
    """
    rope = _resolved(request, scale)
    return replace(rope, is_default=request.kind == "auto" or rope.origin == "point")


def _resolved(request: RopeRequest, scale: ScoreScale | PhiScale | WinScale) -> Rope:
    default = request.kind == "auto" and not request.phi
    low, high = (-SHARE, SHARE) if request.kind == "auto" else (request.low, request.high)
    if isinstance(scale, WinScale):
        if request.kind == "score":
            return on_share(low, high, "given")
        return on_share(-WIN_RATE, WIN_RATE, "five percentage points", origin="point")
    if request.kind == "score":
        return in_scores(low, high, "given")
    if isinstance(scale, PhiScale):
        if default and not scale.only:
            return _points(ACCURACY_POINT)
        return on_phi(scale.phi, scale.disagreement, low, high)
    if default and scale.is_rank:
        return in_scores(0.0, 0.0, "differences of ranks have no natural size", origin="none")
    if default and scale.points:
        return _points(scale.points)
    return share_of_sd(scale.sd, low, high)


def _points(size: float) -> Rope:
    return in_scores(-size, size, "one percentage point", origin="point")

"""How the verdict depends on the ROPE, the threshold and the prior, for every method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import inf

import numpy as np

from ropewalk.decide import (
    AtPrior,
    AtRope,
    Note,
    Sensitivity,
    at_thresholds,
    by_threshold,
    decided_up_to,
    flips,
    scaled,
)
from ropewalk.decide.sensitivity import TIMES
from ropewalk.decide.verdict import Name
from ropewalk.methods.method import PriorAnswer, method_of, outside, reads_likeliest
from ropewalk.posterior import DirichletRegions, Posterior, Probabilities, Unvaried, WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.questions import Asks
from ropewalk.results.comparison import Comparison
from ropewalk.results.other_questions import Reading

FIRST = 3  # number of pairs analyzed in full, however long it takes
MOST = 200  # number of pairs for a test that answers immediately
_HALVINGS = 4  # bisections of the width at which the verdict of a sampled or hierarchical test changes
_STEPS = 10  # the same for the sign test, which moves in steps
_FURTHER = (8.0, 16.0)
_GRID = (*(k / 8 for k in range(33)), *_FURTHER)
_ROUNDING = 1e-12  # rounding error of Pr(equivalent) for a ROPE of zero width
_LEFT_OUT = Note(
    about="all", text="the ROPE and the prior were not varied for this pair; compare it separately (--pair)"
)
_NO_THRESHOLD = Note(about="threshold", text="no threshold to vary: a loss matrix decides")
_GIVEN = Note(about="prior", text="no prior to vary: it was set by you (prior_sd)")
_NOTHING_VARIES = Note(
    about="prior", text="no prior to vary: the scores do not vary, and the answer rests on their range"
)


def follows(c: Comparison) -> bool:
    """Whether the answer depends on a ROPE and can be recomputed immediately for another one."""
    return method_of(c).follows(c)


def at_times(c: Comparison, times: Floats) -> Floats | None:
    """Probabilities of better, equivalent and worse, 3 x times, for multiples of the ROPE; None if unknown.

    Unknown if the test has no ROPE or the ROPE no width, if the verdict is based on a reading that cannot be
    recomputed, or if only sums of the data were kept.
    """
    if not follows(c) or c.rope.is_point:
        return None
    low, high = (np.asarray(edge) for edge in scaled(c.rope, times))
    if isinstance(c.posterior, Unvaried):
        sides: Floats | None = outside(c.posterior, c.rope.scale, low, high)
    else:
        sides = method_of(c).at(c, low, high)
    if sides is None:
        return None
    better, worse = np.clip(sides, 0.0, 1.0)
    between = 1 - better - worse
    return np.stack([better, np.where(between > _ROUNDING, between, 0.0), worse])


@lru_cache(maxsize=256)  # text, tables, plots and JSON all need it
def sensitivity(c: Comparison) -> Sensitivity:
    """Return the answer with other ROPEs, thresholds and priors."""
    least = c.verdict.decided_by.least
    ropes, why_no_rope = _ropes(c, least)
    if c.prior_sd is not None:
        found: tuple[PriorAnswer, ...] | Note = _GIVEN
    else:
        found = _NOTHING_VARIES if isinstance(c.posterior, Unvaried) else method_of(c).other_priors(c)
    priors = (
        ()
        if isinstance(found, Note)
        else tuple(
            AtPrior(name=row.name, why=row.why, p=row.p, verdict=_verdict(row.p, least)) for row in found
        )
    )
    notes = (*why_no_rope, *([found] if isinstance(found, Note) else []))
    return _sensitivity(c, ropes=ropes, priors=priors, notes=notes)


@lru_cache(maxsize=256)
def readings(c: Comparison) -> Mapping[Asks, Reading]:
    """Return the answers to the other questions over tasks; none if nothing varies."""
    return {} if c.asks is None or isinstance(c.posterior, Unvaried) else method_of(c).readings(c)


def sensitivities(answers: Sequence[Comparison]) -> list[Sensitivity]:
    """Sensitivity of many pairs: in full for the first few and for fast tests, else only the thresholds."""
    return [
        sensitivity(c)
        if i < FIRST or (i < MOST and method_of(c).at_once(c))
        else _sensitivity(c, ropes=(), priors=(), notes=(_LEFT_OUT,))
        for i, c in enumerate(answers)
    ]


def _sensitivity(
    c: Comparison, *, ropes: tuple[AtRope, ...], priors: tuple[AtPrior, ...], notes: tuple[Note, ...]
) -> Sensitivity:
    p = c.verdict.probabilities
    by_loss = c.verdict.decided_by.least is None
    return Sensitivity(
        ropes=ropes,
        thresholds=() if by_loss else at_thresholds(p),
        decided_up_to=None if by_loss else decided_up_to(p),
        priors=priors,
        notes=(*notes, _NO_THRESHOLD) if by_loss else notes,
    )


def _verdict(p: Probabilities, threshold: float | None) -> Name | None:
    return None if threshold is None else by_threshold(p, threshold)


def _ropes(c: Comparison, threshold: float | None) -> tuple[tuple[AtRope, ...], list[Note]]:
    rows = tuple(_at(c, TIMES, threshold))
    return rows, [] if rows else [Note(about="rope", text=_no_rope(c))]


def _at(c: Comparison, times: Sequence[float], threshold: float | None) -> list[AtRope]:
    """Return a row for each width, none if unknown; for the original ROPE, the answer as computed."""
    found = at_times(c, np.array(times))
    rows = []
    for k, (better, equivalent, worse) in zip(times, () if found is None else found.T.tolist(), strict=False):
        low, high = scaled(c.rope, k)
        p = (
            Probabilities(better=better, equivalent=equivalent, worse=worse)
            if k != 1
            else c.verdict.probabilities
        )
        rows.append(AtRope(times=k, low=low, high=high, p=p, verdict=_verdict(p, threshold)))
    return rows


def _no_rope(c: Comparison) -> str:
    if c.rope.origin == "unused" or c.rope.is_point:
        return "no ROPE to vary: none was used"
    return "the ROPE was not varied, because the data would have to be read again"


@lru_cache(maxsize=256)
def zones(c: Comparison) -> tuple[tuple[str | None, float, float], ...]:
    """Return the verdict in each range of multiples of the ROPE, the narrowest first; () if unknown."""
    threshold = c.verdict.decided_by.least
    if threshold is None:
        return ()
    rows = sensitivity(c).ropes
    if not rows:
        return ()
    if reads_likeliest(c) and not isinstance(c.posterior, Unvaried):
        return tuple(_between(c, rows, threshold))
    found = flips(_one_number(c), c.rope, threshold)
    wide = inf if found.wide is None else found.wide
    return (found.side, 0.0, found.narrow), ("undecided", found.narrow, wide), ("equivalent", wide, inf)


def _one_number(c: Comparison) -> Posterior:
    return c.posterior  # type: ignore[return-value]  # `at_times` looked


def _between(
    c: Comparison, rows: Sequence[AtRope], threshold: float
) -> list[tuple[str | None, float, float]]:
    """Zones of a test without a formula for them, by bisection between widths with different verdicts.

    The last step interpolates linearly, unless the probabilities have steps. A sampled test is evaluated at
    many widths at once instead, with the same draws.
    """
    if isinstance(c.posterior, WeightedRegions):
        rows, halvings = _at(c, _GRID, threshold), 0
    else:
        halvings = _STEPS if isinstance(c.posterior, DirichletRegions) else _HALVINGS
        rows = [*rows, *(_at(c, _FURTHER, threshold) if rows[-1].verdict != "equivalent" else [])]

    def changes(one: AtRope, two: AtRope, left: int) -> list[tuple[float, Name | None]]:
        if one.verdict == two.verdict:
            return []
        if left > 0:
            (middle,) = _at(c, (0.5 * (one.times + two.times),), threshold)
            return [*changes(one, middle, left - 1), *changes(middle, two, left - 1)]
        name = two.verdict if one.verdict == "undecided" else one.verdict
        p, q = getattr(one.p, str(name)), getattr(two.p, str(name))
        part = 1.0 if halvings == _STEPS else (threshold - p) / (q - p)
        return [(one.times + part * (two.times - one.times), two.verdict)]

    found: list[tuple[float, Name | None]] = [(0.0, rows[0].verdict)]
    for one, two in pairwise(rows):
        found += changes(one, two, halvings)
    ends = [*(times for times, _ in found[1:]), inf]
    return [(name, times, end) for (times, name), end in zip(found, ends, strict=True)]

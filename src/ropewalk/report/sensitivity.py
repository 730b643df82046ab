"""How the verdict depends on the ROPE, on the threshold and on the prior: computed, in lines, in tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, inf

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
from ropewalk.methods.other_priors import other_priors
from ropewalk.methods.other_ropes import at_times, is_regions
from ropewalk.posterior import (
    DirichletRegions,
    Point,
    Posterior,
    Probabilities,
    ProportionDifference,
    WeightedRegions,
)
from ropewalk.report.document import Block, Lines, Table
from ropewalk.results.comparison import Comparison
from ropewalk.results.formatting import share

FIRST = 3  # pairs that are looked at in full, whatever it takes
_MOST = 200  # pairs of a test that answers at once
_AT_ONCE = ("t", "correlated_t", "ess", "mcnemar", "poisson_binomial")
_HALVINGS = 4  # of the widths between which the verdict of a sampled or hierarchical test changes
_STEPS = 10  # of those between which the sign test does, which moves in steps
_FURTHER = (8.0, 16.0)
_GRID = (*(k / 8 for k in range(33)), *_FURTHER)
_OTHER = (0.9, 0.99)
_LEFT_OUT = Note(
    about="all", text="the ROPE and the prior were not varied for this pair: compare it by itself"
)
_NO_THRESHOLD = Note(about="threshold", text="a loss matrix decided: there is no threshold to vary")


@lru_cache(maxsize=256)  # text, tables, picture and JSON ask for the same
def sensitivity(c: Comparison) -> Sensitivity:
    """The answer with other ROPEs, thresholds and priors."""
    least = c.verdict.decided_by.least
    ropes, why_no_rope = _ropes(c, least)
    found, no_prior = other_priors(c)
    why_no_prior = Note(about="prior", text=no_prior)
    priors = tuple(AtPrior(name=name, why=why, p=p, verdict=_verdict(p, least)) for name, why, p in found)
    notes = tuple(note for note in (why_no_rope, why_no_prior) if note.text)
    return _sensitivity(c, ropes=ropes, priors=priors, notes=notes)


def sensitivities(answers: Sequence[Comparison]) -> list[Sensitivity]:
    """Of many pairs: in full for the first few and for tests that answer at once, else the thresholds."""
    return [
        sensitivity(c)
        if i < FIRST or (i < _MOST and _at_once(c))
        else _sensitivity(c, ropes=(), priors=(), notes=(_LEFT_OUT,))
        for i, c in enumerate(answers)
    ]


def _at_once(c: Comparison) -> bool:
    return c.method in _AT_ONCE and not isinstance(c.posterior, ProportionDifference)


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


def _ropes(c: Comparison, threshold: float | None) -> tuple[tuple[AtRope, ...], Note]:
    rows = tuple(_at(c, TIMES, threshold))
    return rows, Note(about="rope", text="" if rows else _no_rope(c))


def _at(c: Comparison, times: Sequence[float], threshold: float | None) -> list[AtRope]:
    """A row for each width, none where it is not known; with its own ROPE the answer as it was computed."""
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
    if c.rope.origin == "unneeded":
        return "no ROPE to vary: they answer alike"
    if c.rope.origin == "unused" or c.rope.is_point:
        return "no ROPE to vary: none was used"
    return "the ROPE was not varied: the data would have to be read again"


# --- lines ---------------------------------------------------------------------------------------------


def flips_text(c: Comparison) -> str:
    """The other verdicts with the ROPEs and the threshold that they need, the nearest first; "" for none."""
    if c.verdict.decided_by.least is None:
        return ""
    parts = [text for text in (_rope_text(c), _threshold_text(c)) if text]
    return ", or ".join(parts)


def _rope_text(c: Comparison) -> str:
    real = [(name, low, high) for name, low, high in zones(c) if low < high]
    below = [f"below {_edges(c, high)} (then: {name})" for name, _, high in real if high <= 1]
    above = [f"{_edges(c, low)} or wider (then: {name})" for name, low, _ in real if low > 1]
    texts = [*reversed(below), *above]
    return f"the ROPE were {', '.join(texts)}" if texts else ""


def zones(c: Comparison) -> list[tuple[str | None, float, float]]:
    """The verdict from one multiple of the ROPE to another, the narrowest first; [] where it is not known."""
    threshold = c.verdict.decided_by.least
    if threshold is None or isinstance(c.posterior, Point):
        return []
    rows = sensitivity(c).ropes
    if not rows:
        return []
    if is_regions(c.posterior) or c.method == "hierarchical_t":
        return _between(c, rows, threshold)
    found = flips(_one_number(c), c.rope, threshold)
    wide = inf if found.wide is None else found.wide
    return [(found.side, 0.0, found.narrow), ("undecided", found.narrow, wide), ("equivalent", wide, inf)]


def _one_number(c: Comparison) -> Posterior:
    return c.posterior  # type: ignore[return-value]  # `at_times` looked


def _between(
    c: Comparison, rows: Sequence[AtRope], threshold: float
) -> list[tuple[str | None, float, float]]:
    """The zones of a test without a formula for them, by halving between widths with different verdicts.

    At the end a straight line through both probabilities, unless they have steps. A sampled test is asked at
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


def _threshold_text(c: Comparison) -> str:
    """The threshold at which there is a verdict, or no longer one; rounded so that what it says is true."""
    highest, least = sensitivity(c).decided_up_to, c.verdict.decided_by.least
    assert least is not None
    if highest is None:
        return ""
    if highest < least:
        down = floor(1000 * highest) / 1000
        then = by_threshold(c.verdict.probabilities, highest)
        return f"the threshold were {down:g} or lower (then: {then})" if down > 0.5 else ""
    up = ceil(1000 * highest) / 1000
    return f"the threshold were above {up:g} (then: undecided)" if up < 1 else ""


def prior_text(c: Comparison) -> str:
    """How far the leading probability moves under the priors, and which of them changes the verdict."""
    found = sensitivity(c)
    if not found.priors:
        return next((note.text for note in found.notes if note.about == "prior"), "")
    p = c.verdict.probabilities
    lead = max(("better", "equivalent", "worse"), key=lambda name: getattr(p, name))
    values = [getattr(row.p, lead) for row in found.priors]
    low, high = share(min(values)), share(max(values))
    names = ", ".join(row.name for row in found.priors)
    text = f"{lead} {low if low == high else f'{low} to {high}'} under {len(values)} priors ({names})"
    if c.verdict.decided_by.least is None:
        return text
    other = [f"{row.verdict} under {row.name}" for row in found.priors if row.verdict != c.verdict.name]
    return f"{text}: {', '.join(other) or 'the same verdict'}"


def many_text(answers: Sequence[Comparison]) -> str:
    """How many verdicts of several pairs change with the ROPE, the threshold and the prior."""
    if any(c.verdict.decided_by.least is None for c in answers):
        return ""
    at_once = len(answers) <= _MOST and all(map(_at_once, answers))
    count: Counter[str] = Counter()
    for c, s in zip(answers, sensitivities(answers) if at_once else (), strict=False):
        for times, words in ((0.5, "with half the ROPE"), (2.0, "with twice the ROPE")):
            count[words] += any(row.times == times and row.verdict != c.verdict.name for row in s.ropes)
        count["under another prior"] += any(row.verdict != c.verdict.name for row in s.priors)
    for c in answers:
        for row in at_thresholds(c.verdict.probabilities):
            if row.threshold in _OTHER:
                count[f"at a threshold of {row.threshold:g}"] += row.verdict != c.verdict.name
    told = ", ".join(f"{n:,} {words}" for words, n in count.items())
    left = "" if at_once else "; for other ROPEs and priors compare one pair by itself"
    return f"verdicts that would change, of {len(answers):,}: {told}{left}"


# --- tables --------------------------------------------------------------------------------------------


def tables(c: Comparison) -> list[Block]:
    """Three small tables: other ROPEs, other thresholds, other priors, and why these."""
    found = sensitivity(c)
    three = ("better", "equiv.", "worse", "verdict")
    blocks: list[Block] = [Lines(lines=("the answer with other ROPEs, thresholds and priors:",))]
    if found.ropes:
        rows = tuple((_edges(c, row.times), f"{row.times:g}", *_answer(row)) for row in found.ropes)
        blocks.append(_table(("ROPE", "times", *three), (False, True), rows))
    if found.thresholds:
        cells = tuple((f"{row.threshold:g}", str(row.verdict)) for row in found.thresholds)
        blocks.append(Table(columns=("threshold", "verdict"), numeric=(True, False), rows=cells))
    if found.priors:
        named = tuple((row.name, *_answer(row)) for row in found.priors)
        blocks.append(_table(("prior", *three), (False,), named))
        blocks.append(Lines(lines=tuple(f"prior {row.name}: {row.why}" for row in found.priors)))
    return [*blocks, *([Lines(lines=tuple(note.text for note in found.notes))] if found.notes else [])]


def _answer(row: AtRope | AtPrior) -> tuple[str, str, str, str]:
    return (f"{row.p.better:.3f}", f"{row.p.equivalent:.3f}", f"{row.p.worse:.3f}", row.verdict or "-")


def _table(columns: tuple[str, ...], first: tuple[bool, ...], rows: tuple[tuple[str, ...], ...]) -> Table:
    return Table(columns=columns, numeric=(*first, True, True, True, False), rows=rows)


def _edges(c: Comparison, times: float) -> str:
    low, high = scaled(c.rope, times)
    if c.rope.scale == "phi":
        return f"phi {low:.3f} to {high:.3f}"
    return f"±{high:.3g}" if low == -high else f"{low:+.3g} to {high:+.3g}"

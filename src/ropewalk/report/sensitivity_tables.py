"""How the verdict depends on the ROPE, the threshold and the prior, as text and as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil, floor

from ropewalk.decide import AtPrior, AtRope, at_thresholds, by_threshold, scaled
from ropewalk.methods import method_of
from ropewalk.methods.varied import MOST, sensitivities, sensitivity, zones
from ropewalk.report.document import Block, Lines, ReportTable
from ropewalk.results.comparison import Comparison
from ropewalk.results.formatting import decimals, share, verdict_text

_OTHER = (0.9, 0.99)


def flips_text(c: Comparison) -> str:
    """Return the ROPEs and thresholds that would change the verdict, the nearest first; "" if none would."""
    if c.verdict.decided_by.least is None:
        return ""
    parts = [*_other_ropes(c), *_other_threshold(c)]
    return f"the verdict would be {'; '.join(parts)}" if parts else ""


def _other_ropes(c: Comparison) -> list[str]:
    real = [(name, low, high) for name, low, high in zones(c) if low < high]
    below = [
        f"{verdict_text(c, name)} with a ROPE below {_edges(c, high)}" for name, _, high in real if high <= 1
    ]
    above = [
        f"{verdict_text(c, name)} with a ROPE of {_edges(c, low)} or wider"
        for name, low, _ in real
        if low > 1
    ]
    return [*reversed(below), *above]


def _other_threshold(c: Comparison) -> list[str]:
    """The threshold at which the pair becomes decided or undecided, rounded so that the text is true."""
    highest, least = sensitivity(c).decided_up_to, c.verdict.decided_by.least
    assert least is not None
    if highest is None:
        return []
    if highest < least:
        down = floor(1000 * highest) / 1000
        then = by_threshold(c.verdict.probabilities, highest)
        return [f"{verdict_text(c, then)} with a threshold of {down:g} or lower"] if down > 0.5 else []
    up = ceil(1000 * highest) / 1000
    return [f"undecided with a threshold above {up:g}"] if up < 1 else []


def prior_text(c: Comparison) -> str:
    """Range of the leading probability over the priors, and the priors that change the verdict."""
    found = sensitivity(c)
    if not found.priors:
        return next((note.text for note in found.notes if note.about == "prior"), "")
    p = c.verdict.probabilities
    lead = max(("better", "equivalent", "worse"), key=lambda name: getattr(p, name))
    values = [getattr(row.p, lead) for row in found.priors]
    low, high = (share(p, c.verdict.decided_by.least) for p in (min(values), max(values)))
    names = ", ".join(row.name for row in found.priors)
    moves = low if low == high else f"{low} to {high}"
    text = f"P({verdict_text(c, lead)}) is {moves} under {len(values)} priors ({names})"
    if c.verdict.decided_by.least is None:
        return text
    other = [
        f'{verdict_text(c, row.verdict)} with the prior "{row.name}"'
        for row in found.priors
        if row.verdict != c.verdict.name
    ]
    return f"{text}; the verdict is {', '.join(other) or 'the same'}"


def many_text(answers: Sequence[Comparison]) -> str:
    """Number of verdicts that change with the ROPE, the threshold and the prior."""
    if any(c.verdict.decided_by.least is None for c in answers):
        return ""
    at_once = len(answers) <= MOST and all(method_of(c).at_once(c) for c in answers)
    count: Counter[str] = Counter()
    for c, s in zip(answers, sensitivities(answers) if at_once else (), strict=False):
        for times, when in ((0.5, "with half the ROPE"), (2.0, "with twice the ROPE")):
            count[when] += any(row.times == times and row.verdict != c.verdict.name for row in s.ropes)
        count["under another prior"] += any(row.verdict != c.verdict.name for row in s.priors)
    for c in answers:
        for row in at_thresholds(c.verdict.probabilities):
            if row.threshold in _OTHER:
                count[f"at a threshold of {row.threshold:g}"] += row.verdict != c.verdict.name
    told = ", ".join(f"{n:,} change{'s' if n == 1 else ''} {when}" for when, n in count.items())
    left = "" if at_once else ". To vary ROPE and prior, compare a single pair: --pair A B"
    return f"of {len(answers):,} verdicts, {told}{left}"


# --- tables --------------------------------------------------------------------------------------------


def tables(c: Comparison) -> list[Block]:
    """Three small tables: other ROPEs, thresholds and priors, with the reason for each prior."""
    found = sensitivity(c)
    three = (verdict_text(c, "better"), "equiv.", verdict_text(c, "worse"), "verdict")
    blocks: list[Block] = [Lines(lines=("The answer with other ROPEs, thresholds and priors:",))]
    if found.ropes:
        rows = tuple((_edges(c, row.times), f"{row.times:g}", *_answer(c, row)) for row in found.ropes)
        blocks.append(_table(("ROPE", "multiple", *three), (False, True), rows, "with other ROPEs"))
    if found.thresholds:
        cells = tuple((f"{row.threshold:g}", verdict_text(c, row.verdict)) for row in found.thresholds)
        caption = "Verdict at other thresholds."
        columns = ("threshold", "verdict")
        blocks.append(ReportTable(columns=columns, numeric=(True, False), rows=cells, caption=caption))
    if found.priors:
        named = tuple((row.name, *_answer(c, row)) for row in found.priors)
        blocks.append(_table(("prior", *three), (False,), named, "with other priors"))
        blocks.append(Lines(lines=tuple(f"{row.name}: {row.why}" for row in found.priors)))
    return [*blocks, *([Lines(lines=tuple(note.text for note in found.notes))] if found.notes else [])]


def _answer(c: Comparison, row: AtRope | AtPrior) -> tuple[str, str, str, str]:
    verdict = verdict_text(c, row.verdict) if row.verdict else "-"
    better, equivalent, worse = (
        decimals(p, c.verdict.decided_by.least) for p in (row.p.better, row.p.equivalent, row.p.worse)
    )
    return better, equivalent, worse, verdict


def _table(
    columns: tuple[str, ...], first: tuple[bool, ...], rows: tuple[tuple[str, ...], ...], varied: str
) -> ReportTable:
    caption = f"Posterior probabilities and verdict {varied}."
    return ReportTable(columns=columns, numeric=(*first, True, True, True, False), rows=rows, caption=caption)


def _edges(c: Comparison, times: float) -> str:
    low, high = scaled(c.rope, times)
    if c.rope.centre:
        return f"{'phi' if c.rope.scale == 'phi' else 'share'} {low:.3f} to {high:.3f}"
    return f"±{high:.3g}" if low == -high else f"{low:+.3g} to {high:+.3g}"

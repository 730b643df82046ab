"""How the verdict depends on the ROPE, on the threshold and on the prior: in lines and in tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil, floor

from ropewalk.decide import AtPrior, AtRope, at_thresholds, by_threshold, scaled
from ropewalk.methods import method_of
from ropewalk.methods.varied import MOST, sensitivities, sensitivity, zones
from ropewalk.report.document import Block, Lines, Table
from ropewalk.results.comparison import Comparison
from ropewalk.results.formatting import decimals, share, verdict_text

_OTHER = (0.9, 0.99)


def flips_text(c: Comparison) -> str:
    """The other verdicts with the ROPEs and the threshold that they need, the nearest first; "" for none."""
    if c.verdict.decided_by.least is None:
        return ""
    parts = [text for text in (_rope_text(c), _threshold_text(c)) if text]
    return ", or ".join(parts)


def _rope_text(c: Comparison) -> str:
    real = [(name, low, high) for name, low, high in zones(c) if low < high]
    below = [
        f"below {_edges(c, high)} (then: {verdict_text(c, name)})" for name, _, high in real if high <= 1
    ]
    above = [f"{_edges(c, low)} or wider (then: {verdict_text(c, name)})" for name, low, _ in real if low > 1]
    texts = [*reversed(below), *above]
    return f"the ROPE were {', '.join(texts)}" if texts else ""


def _threshold_text(c: Comparison) -> str:
    """The threshold at which there is a verdict, or no longer one; rounded so that what it says is true."""
    highest, least = sensitivity(c).decided_up_to, c.verdict.decided_by.least
    assert least is not None
    if highest is None:
        return ""
    if highest < least:
        down = floor(1000 * highest) / 1000
        then = by_threshold(c.verdict.probabilities, highest)
        return f"the threshold were {down:g} or lower (then: {verdict_text(c, then)})" if down > 0.5 else ""
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
    low, high = (share(p, c.verdict.decided_by.least) for p in (min(values), max(values)))
    names = ", ".join(row.name for row in found.priors)
    moves = low if low == high else f"{low} to {high}"
    text = f"{verdict_text(c, lead)} {moves} under {len(values)} priors ({names})"
    if c.verdict.decided_by.least is None:
        return text
    other = [
        f"{verdict_text(c, row.verdict)} under {row.name}"
        for row in found.priors
        if row.verdict != c.verdict.name
    ]
    return f"{text}: {', '.join(other) or 'the same verdict'}"


def many_text(answers: Sequence[Comparison]) -> str:
    """How many verdicts of several pairs change with the ROPE, the threshold and the prior."""
    if any(c.verdict.decided_by.least is None for c in answers):
        return ""
    at_once = len(answers) <= MOST and all(method_of(c).at_once(c) for c in answers)
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
    three = (verdict_text(c, "better"), "equiv.", verdict_text(c, "worse"), "verdict")
    blocks: list[Block] = [Lines(lines=("the answer with other ROPEs, thresholds and priors:",))]
    if found.ropes:
        rows = tuple((_edges(c, row.times), f"{row.times:g}", *_answer(c, row)) for row in found.ropes)
        blocks.append(_table(("ROPE", "times", *three), (False, True), rows))
    if found.thresholds:
        cells = tuple((f"{row.threshold:g}", verdict_text(c, row.verdict)) for row in found.thresholds)
        blocks.append(Table(columns=("threshold", "verdict"), numeric=(True, False), rows=cells))
    if found.priors:
        named = tuple((row.name, *_answer(c, row)) for row in found.priors)
        blocks.append(_table(("prior", *three), (False,), named))
        blocks.append(Lines(lines=tuple(f"prior {row.name}: {row.why}" for row in found.priors)))
    return [*blocks, *([Lines(lines=tuple(note.text for note in found.notes))] if found.notes else [])]


def _answer(c: Comparison, row: AtRope | AtPrior) -> tuple[str, str, str, str]:
    verdict = verdict_text(c, row.verdict) if row.verdict else "-"
    better, equivalent, worse = (
        decimals(p, c.verdict.decided_by.least) for p in (row.p.better, row.p.equivalent, row.p.worse)
    )
    return better, equivalent, worse, verdict


def _table(columns: tuple[str, ...], first: tuple[bool, ...], rows: tuple[tuple[str, ...], ...]) -> Table:
    return Table(columns=columns, numeric=(*first, True, True, True, False), rows=rows)


def _edges(c: Comparison, times: float) -> str:
    low, high = scaled(c.rope, times)
    if c.rope.centre:
        return f"{'phi' if c.rope.scale == 'phi' else 'share'} {low:.3f} to {high:.3f}"
    return f"±{high:.3g}" if low == -high else f"{low:+.3g} to {high:+.3g}"

"""A report as a row of blocks, which every renderer sets in its own way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ropewalk.errors import short
from ropewalk.report.comparison import Comparison, Outcomes

if TYPE_CHECKING:
    from ropewalk.decide import Verdict
    from ropewalk.report.report import Report

_MANY_PAIRS = 45  # more pairs than this are counted, not listed, in a report for reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The answer, in one sentence."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Plain lines that belong together."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Probabilities as bars, and the verdict under them."""

    rows: tuple[tuple[str, float], ...]
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Short labels, each with a text."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of cells; `numeric` says which columns are numbers, set to the right."""

    columns: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]


Block: TypeAlias = Headline | Lines | Bars | Facts | Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The blocks in the order of reading: the answer, then why, then what could be wrong with it."""

    blocks: tuple[Block, ...]


def of(report: Report) -> Document:
    """The document of a report."""
    blocks: list[Block] = [Headline(text=headline(report)), _audit(report)]
    if len(report.comparisons) == 1:
        blocks += _one(report, report.comparisons[0])
    else:
        blocks += _many(report)
    warnings = [*report.audit.warnings, *_shared_warnings(report)]  # those of one pair stand beside it
    if warnings:
        blocks.append(Lines(lines=tuple(f"warning: {w}" for w in warnings)))
    return Document(blocks=tuple(blocks))


def headline(report: Report) -> str:
    """The whole answer in one sentence."""
    if len(report.comparisons) == 1:
        return report.comparisons[0].verdict.sentence
    names = [m.name for m in report.models]
    tasks = len({c.task for c in report.comparisons})
    total = len(report.comparisons)
    won: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for c in report.comparisons:
        if c.verdict.name in ("better", "worse"):
            winner, loser = (c.a, c.b) if c.verdict.name == "better" else (c.b, c.a)
            won[winner] += 1
            lost[loser] += 1
    settled = (
        f"{sum(c.verdict.name != 'undecided' for c in report.comparisons)} of {total} comparisons settled"
    )
    references = {c.b for c in report.comparisons}
    if len(references) == 1 and len(names) > 2:
        (b,) = references
        if tasks == 1:
            return f"{lost[b]} of {total} models are better than {short(b)}, {won[b]} worse; {settled}."
        return (
            f"Against {short(b)}: better {lost[b]} times, worse {won[b]} times on {tasks} tasks; {settled}."
        )
    best = [m for m in names if won[m] == tasks * (len(names) - 1)]
    if best:
        return f"{short(best[0])} is better than every other model" + (
            " on every task." if tasks > 1 else "."
        )
    if not won:
        return f"No model is better than another; {settled}."
    unbeaten = [m for m in names if not lost[m]]
    if unbeaten and len(unbeaten) < len(names):
        return f"No model is better than {_or(unbeaten)}; {settled}."
    return f"No model comes out on top throughout; {settled}."


def _or(names: list[str]) -> str:
    shown = [short(n, 24) for n in names[:4]]
    if len(names) > 4:
        return f"{', '.join(shown)} or {len(names) - 4} more"
    return f"{', '.join(shown[:-1])} or {shown[-1]}" if len(shown) > 1 else shown[0]


def _audit(report: Report) -> Lines:
    audit = report.audit
    unit = report.comparisons[0].unit
    paired = f"{audit.paired:,} {unit}s paired"
    if unit == "fold":
        paired += f" ({report.design})"
    dropped = "".join(f"   {d.units:,} {d.reason}: dropped" for d in audit.dropped)
    return Lines(lines=(paired + dropped, *audit.notes))


def _one(report: Report, c: Comparison) -> list[Block]:
    """One pair on one task, in full."""
    a, b = short(c.a), short(c.b)
    e = c.evidence
    estimate = [
        f"{report.metric}   {a} {_score(e.mean_a)}   {b} {_score(e.mean_b)}   "
        f"advantage of {a} {c.advantage:+.4g}",
        f"{c.estimate.name} {c.estimate.mean:.4g}   "
        f"{c.estimate.level:.0%} HDI [{c.estimate.low:.4g}, {c.estimate.high:.4g}]",
    ]
    by = _by_more_than(c)
    rows = (
        (f"{a} better{by}", c.verdict.better),
        ("practically equivalent", c.verdict.equivalent),
        (f"{b} better{by}", c.verdict.worse),
    )
    facts = [("why this method", c.why if c.why != "asked for" else f"{c.method}: asked for")]
    if isinstance(e, Outcomes):
        facts.append(
            ("they disagree on", f"{a} right, {b} wrong: {e.n10:,}    {b} right, {a} wrong: {e.n01:,}")
        )
    facts.append(("ROPE", _rope_text(c)))
    facts.append(("effect", f"{c.effect.name} {c.effect.value:.3g} ({c.effect.label})"))
    if c.classical:
        facts.append(
            ("classical tests", "   ".join(f"{t.name} p = {p_text(t.p_value)}" for t in c.classical))
        )
    facts += [(("checked" if i == 0 else ""), f"{k.name}: {k.text}") for i, k in enumerate(c.checks)]
    facts.append(("read more", f"ropewalk methods {c.method}"))
    verdict = f"verdict at {c.verdict.rule}: {c.verdict.name.upper()}"
    return [
        Lines(lines=tuple(estimate)),
        Bars(rows=rows, verdict=verdict),
        Facts(rows=tuple(facts)),
        *([Lines(lines=tuple(f"warning: {w}" for w in c.warnings))] if c.warnings else []),
    ]


def _many(report: Report) -> list[Block]:
    """Several pairs, or several tasks: the models, the pairs, a sentence for each."""
    models = Table(
        columns=("model", f"mean {report.metric}", "95 % interval"),
        numeric=(False, True, True),
        rows=tuple(
            (short(m.name), _score(m.mean), f"{_score(m.low)} to {_score(m.high)}") for m in report.models
        ),
    )
    tasks = list(dict.fromkeys(c.task for c in report.comparisons))
    facts = [("why this method", report.comparisons[0].why), ("ROPE", _rope_summary(report))]
    facts.append(
        ("verdict", f"{report.comparisons[0].verdict.rule}; better and worse are those of the first")
    )
    tests = dict.fromkeys(c.classical[0].name for c in report.comparisons if c.classical)
    facts.append(("p", ", ".join(tests) or "no classical test"))
    if len(tasks) > 1:
        return [models, _tally(report, len(tasks)), Facts(rows=tuple(facts))]
    listed = report.comparisons[:_MANY_PAIRS]
    sentences = tuple(c.verdict.sentence for c in listed)
    if len(report.comparisons) > _MANY_PAIRS:
        sentences += (f"… and {len(report.comparisons) - _MANY_PAIRS} more pairs: see the JSON document.",)
    return [models, pairs_table(listed), Lines(lines=sentences), Facts(rows=tuple(facts))]


def pairs_table(comparisons: list[Comparison]) -> Table:
    """One row a pair: the advantage of the first, the three probabilities, the verdict, the classical p."""
    return Table(
        columns=("pair", "advantage", "better", "equiv.", "worse", "verdict", "p"),
        numeric=(False, True, True, True, True, False, True),
        rows=tuple(
            (
                f"{short(c.a, 24)} - {short(c.b, 24)}",
                f"{c.advantage:+.3f}" if abs(c.advantage) < 100 else f"{c.advantage:+.3g}",
                *shares(c.verdict),
                c.verdict.name,
                p_text(c.classical[0].p_value) if c.classical else "-",
            )
            for c in comparisons
        ),
    )


def _tally(report: Report, tasks: int) -> Table:
    """One row a pair: on how many tasks A is better, equivalent, worse, undecided."""
    names = ("better", "equivalent", "worse", "undecided")
    rows = []
    for a, b in dict.fromkeys((c.a, c.b) for c in report.comparisons):
        count = Counter(str(c.verdict.name) for c in report.comparisons if (c.a, c.b) == (a, b))
        rows.append((f"{short(a, 24)} - {short(b, 24)}", *(str(count[n]) for n in names)))
    return Table(
        columns=(f"pair on {tasks} tasks", *names),
        numeric=(False, True, True, True, True),
        rows=tuple(rows),
    )


def _shared_warnings(report: Report) -> list[str]:
    """With many comparisons a warning is said once, with how many it concerns and one example."""
    if len(report.comparisons) == 1:
        return []
    failed: dict[str, list[tuple[Comparison, str]]] = {}
    for c in report.comparisons:
        for check in c.checks:
            if not check.ok:
                failed.setdefault(check.name, []).append((c, check.text))
    total = len(report.comparisons)
    lines = []
    for name, cases in failed.items():
        c, text = cases[0]
        on = f" on {short(c.task, 24)}" if c.task else ""
        count = "" if len(cases) == 1 else f"{len(cases)} of {total} comparisons, such as "
        lines.append(f"{name}: {count}{short(c.a, 24)} - {short(c.b, 24)}{on}: {text}")
    return lines


def _by_more_than(c: Comparison) -> str:
    if c.rope.is_point:
        return ""
    if c.rope.scale == "score" and c.rope.low == -c.rope.high:
        return f" by more than {c.rope.high:.3g}"
    return ", practically"


def _rope_text(c: Comparison) -> str:
    source = {"given": "as given", "not needed": "not needed"}.get(c.rope.source, f"from {c.rope.source}")
    if c.rope.scale == "phi":
        return f"phi {c.rope.low:.3f} to {c.rope.high:.3f} ({source}): {c.rope.in_scores}"
    return f"{c.rope.in_scores} in {c.metric} ({source})"


def _rope_summary(report: Report) -> str:
    texts = list(dict.fromkeys(_rope_text(c) for c in report.comparisons if c.rope.source != "not needed"))
    if not texts:
        return "not needed"
    return texts[0] if len(texts) == 1 else f"{texts[0]} for the first pair; each pair has its own"


def shares(verdict: Verdict) -> tuple[str, str, str]:
    """The three probabilities with two decimals; 0.00 and 1.00 are kept for what is certain."""
    p = (verdict.better, verdict.equivalent, verdict.worse)
    if sorted(p) == [0.0, 0.0, 1.0]:
        return f"{p[0]:.2f}", f"{p[1]:.2f}", f"{p[2]:.2f}"
    text = ["<0.01" if x < 0.005 else ">0.99" if x >= 0.995 else f"{x:.2f}" for x in p]
    return text[0], text[1], text[2]


def p_text(p: float) -> str:
    """
    >>> p_text(0.0441), p_text(3e-9)
    ('0.044', '3.0e-09')
    """
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"


def _score(x: float) -> str:
    return f"{x:.3f}" if abs(x) < 10 else f"{x:.2f}"

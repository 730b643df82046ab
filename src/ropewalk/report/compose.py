"""Report -> document: the answer, then why, then what could be wrong with it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ropewalk.arithmetic import usual_arithmetic
from ropewalk.errors import short
from ropewalk.outcomes import Outcomes
from ropewalk.report.audit_lines import audit_lines
from ropewalk.report.document import (
    Bars,
    Block,
    Document,
    Facts,
    Headline,
    Lines,
    Question,
    Table,
    Warnings,
    cautions,
)
from ropewalk.report.group_table import groups_table
from ropewalk.report.pair_tables import many
from ropewalk.report.planned import more_text
from ropewalk.report.sensitivity_tables import flips_text, prior_text, tables
from ropewalk.results.asks import ASKS, Asks
from ropewalk.results.comparison import Comparison, Hierarchy, OverTasks
from ropewalk.results.formatting import (
    MANY,
    VERDICTS,
    by_more_than,
    decimals,
    other_questions,
    over_what,
    p_text,
    pair,
    rope_text,
    score,
    shares,
    verdict_text,
    why_text,
)
from ropewalk.results.headline import headline

if TYPE_CHECKING:
    from ropewalk.results.report import Report


@usual_arithmetic
def document(report: Report, *, full: bool = False) -> Document:
    """The document of a report; in full also what a paper needs: prose, checklist, references, provenance."""
    answers = report.overall or report.comparisons
    blocks: list[Block] = [
        *cautions(report.audit.cautions),
        Headline(text=headline(report)),
        *_question(report),
        _audit(report),
    ]
    if len(answers) == 1:
        blocks += _one(report, answers[0])
        blocks += tables(answers[0]) if full else []
    else:
        blocks += many(report, answers)
    if report.seeds:
        blocks.append(_seeds_table(report, with_tests=full))
    ranks = () if report.mean_ranks is None else report.mean_ranks.checks
    failed = (f"{check.name}: {check.text}" for check in ranks if not check.ok)
    warnings = [*report.audit.warnings, *_warnings(report), *failed]
    if warnings:
        blocks.append(Warnings(lines=tuple(f"warning: {w}" for w in warnings)))
    if full:
        from ropewalk.report.appendix import appendix

        blocks += appendix(report)
    else:
        paper = "for the paper (methods, checklist, BibTeX): --markdown FILE, to_markdown()"
        blocks.append(Lines(lines=(paper,)))
    return Document(blocks=tuple(blocks))


def _question(report: Report) -> list[Block]:
    """Over tasks: the question that the headline answers, and where another test disagrees."""
    if report.asks is None:
        return []
    lines = [question_line(report.asks)]
    apart = [(c, k) for c in report.overall for k in c.checks if k.kind == "disagreement"]
    if apart:
        c, check = apart[0]
        such = (
            ""
            if len(report.overall) == 1
            else f" in {len(apart)} of {len(report.overall)} pairs, such as {pair(c)}"
        )
        lines.append(f"note: another test disagrees{such}: {check.text} ({check.name})")
    return [Question(lines=tuple(lines))]


def question_line(asks: Asks) -> str:
    """The question of a report, by its name."""
    return f"question: {asks} ({ASKS[asks].asks}?)"


def _audit(report: Report) -> Lines:
    tasks = len({c.task for c in report.comparisons})
    return Lines(lines=audit_lines(report.audit, unit=report.unit, tasks=tasks, design=report.design))


# --- one pair ------------------------------------------------------------------------------------------


def _one(report: Report, c: Comparison) -> list[Block]:
    """One pair in full; over many tasks with a line for each of them."""
    a, b = short(c.a), short(c.b)
    e = c.evidence
    mean = "mean " if isinstance(e, OverTasks) else ""
    lines = (
        f"{mean}{report.metric}   {a} {score(e.mean_a)}   {b} {score(e.mean_b)}   "
        f"advantage of {a} {c.advantage:+.4g}",
        f"{c.estimate.name} {c.estimate.mean:.4g}   "
        f"{c.estimate.level:.0%} HDI [{c.estimate.low:.4g}, {c.estimate.high:.4g}]",
    )
    by = by_more_than(c)
    named = (
        (f"{a} better{by}", c.verdict.better),
        ("practically equivalent", c.verdict.equivalent),
        (f"{b} better{by}", c.verdict.worse),
    )
    rows = tuple((label, p, decimals(p, c.verdict.decided_by.least)) for label, p in named)
    verdict = f"verdict: {verdict_text(c)} ({c.verdict.rule})"
    blocks: list[Block] = [
        Lines(lines=(*lines, *_meaning(c))),
        Bars(rows=rows, verdict=verdict, about=over_what([c])),
    ]
    if isinstance(e, OverTasks) and report.comparisons:
        blocks.append(_tasks_table(e, report.comparisons))
    if report.groups:
        blocks.append(groups_table(report.groups, most=MANY))
    return [*blocks, Facts(rows=tuple(_facts(report, c)))]


def _facts(report: Report, c: Comparison) -> list[tuple[str, str]]:
    a, b, e = short(c.a), short(c.b), c.evidence
    facts = [("why this method", why_text(c))]
    if isinstance(e, Outcomes):
        text = f"{a} right, {b} wrong: {e.n10:,}    {b} right, {a} wrong: {e.n01:,}"
        facts.append(("they disagree on", text))
    facts += _readings(c)
    if isinstance(e, OverTasks) and report.comparisons:
        facts.append(("tasks by themselves", _tally_text(report.comparisons, c)))
    facts.append(("ROPE", rope_text(c)))
    facts.append(("effect", f"{c.effect.name} {c.effect.value:.3g} ({c.effect.label})"))
    tests = [*c.classical, *report.classical[:1]]
    if tests:
        text = "   ".join(f"{t.name} p = {p_text(t.p_value)}" for t in tests)
        facts.append(("classical tests", text))
    passed = [k for k in c.checks if k.ok]  # the others are warnings, further down
    facts += [("checked" if i == 0 else "", f"{k.name}: {k.text}") for i, k in enumerate(passed)]
    facts += [
        (label, text) for label, text in (("flips if", flips_text(c)), ("prior", prior_text(c))) if text
    ]
    more = more_text(c)
    if more:
        facts.append(("to decide it", more))
    facts.append(("read more", f"ropewalk methods {c.method}"))
    return facts


def _meaning(c: Comparison) -> tuple[str, ...]:
    """Over tasks the bars have a meaning that has to be said."""
    return () if c.asks is None else (f"probabilities of {ASKS[c.asks].of}:",)


def _readings(c: Comparison) -> list[tuple[str, str]]:
    """The other questions, each under its own name."""
    rows = other_questions(c)
    if rows:
        rows.insert(0, ("other questions", f"the headline answers {c.asks}"))
    if isinstance(c.evidence, Hierarchy):
        rows.append(("pulled", "how far the other tasks pull a task's advantage towards the mean over tasks"))
    return rows


def _tasks_table(e: OverTasks, comparisons: list[Comparison]) -> Table:
    """A line for each task: its own advantage, what the other tasks make of it, its own verdict."""
    own = {c.task: c for c in comparisons}
    pulled = list(e.shrinkage) if isinstance(e, Hierarchy) else []
    rows = []
    for i, (name, n, d) in enumerate(zip(e.names[:MANY], e.n, e.d, strict=False)):
        pull = (f"{pulled[i]:.0%}",) if pulled else ()
        by_itself = (
            (*shares(own[name].verdict), verdict_text(own[name])) if name in own else ("", "", "", "-")
        )
        rows.append((short(name, 24), f"{n:,}", f"{d:+.4g}", *pull, *by_itself))
    if len(e.names) > MANY:
        rows.append((f"… {len(e.names) - MANY:,} more", *[""] * (len(rows[0]) - 1)))
    middle = ("pulled",) if pulled else ()
    columns = ("task", "n", "advantage", *middle, "better", "equiv.", "worse", "verdict")
    return Table(columns=columns, numeric=(False, *[True] * (len(columns) - 2), False), rows=tuple(rows))


def _tally_text(comparisons: list[Comparison], c: Comparison) -> str:
    """On how many tasks each verdict was reached, and on which the two models differ most clearly."""
    own = [k for k in comparisons if (k.a, k.b) == (c.a, c.b)]
    count = Counter(str(k.verdict.name) for k in own)
    text = ", ".join(f"{verdict_text(c, name)} on {count[name]}" for name in VERDICTS)
    decided = sorted(
        (k for k in own if k.verdict.name in ("better", "worse")), key=lambda k: -abs(k.advantage)
    )
    if decided:
        names = ", ".join(short(k.task, 24) for k in decided[:3])
        text += f"; the largest decided differences: {names}"
    if own and own[0].rope.scale != c.rope.scale:
        text += f"; each of them with its own ROPE on {own[0].rope.scale} ({own[0].rope.source})"
    return text


def _seeds_table(report: Report, *, with_tests: bool) -> Table:
    """The training runs of each model: never only the best one; with the tests against a common baseline."""
    answers = report.overall or report.comparisons
    tested = {c.a: c for c in answers if c.classical} if len({c.b for c in answers}) == 1 else {}
    with_tests = with_tests and bool(tested)
    rows = []
    for name, s in report.seeds.items():
        low, high = s.interval(0.95)
        tests: tuple[str, ...] = ()
        if with_tests:
            test = tested[name].classical[0] if name in tested else None
            base = "baseline" if name == answers[0].b else "-"
            tests = (base, "-") if test is None else (test.name, p_text(test.p_value))
        rows.append(
            (
                short(name, 24),
                str(s.seeds),
                score(s.mean),
                f"{s.sd:.3g}",
                f"{score(low)} to {score(high)}",
                score(s.worst),
                score(s.best),
                *tests,
            )
        )
    columns = ("training runs", "seeds", f"mean {report.metric}", "sd", "95 % interval", "worst", "best")
    against = (f"test against {short(answers[0].b, 24)}", "p") if with_tests else ()
    return Table(
        columns=(*columns, *against),
        numeric=(False, *[True] * 6, *((False, True) if with_tests else ())),
        rows=tuple(rows),
    )


def _warnings(report: Report) -> list[str]:
    """Each warning once, with how many comparisons it concerns and one example."""
    everything = [*report.overall, *report.comparisons]
    failed: dict[str, list[tuple[Comparison, str]]] = {}
    for c in everything:
        for check in c.checks:
            if not check.ok and check.kind != "disagreement":  # that stands in the first lines
                failed.setdefault(check.name, []).append((c, check.text))
    lines = []
    for name, cases in failed.items():
        c, text = cases[0]
        if len(everything) == 1:
            lines.append(f"{name}: {text}")
            continue
        on = f" on {short(c.task, 24)}" if c.task else ""
        count = "" if len(cases) == 1 else f"{len(cases)} of {len(everything)} comparisons, such as "
        lines.append(f"{name}: {count}{pair(c)}{on}: {text}")
    return lines

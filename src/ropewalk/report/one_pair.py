"""One pair -> blocks: scores, bars and verdict on the first screen, then the details."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ropewalk.errors import short
from ropewalk.outcomes import Outcomes
from ropewalk.report.document import Bars, Block, Facts, Lines, ReportTable
from ropewalk.report.group_table import groups_table
from ropewalk.report.method_names import other_questions, why_text
from ropewalk.report.planned import assumed_text, more_text
from ropewalk.report.sensitivity_tables import flips_text, prior_text
from ropewalk.results.comparison import Comparison
from ropewalk.results.evidence import Hierarchy, OverTasks
from ropewalk.results.formatting import (
    MANY,
    VERDICTS,
    by_more_than,
    decimals,
    effect_text,
    estimate_text,
    over_what,
    p_text,
    pair,
    rope_source,
    rope_text,
    score,
    share,
    shares,
    verdict_text,
)

if TYPE_CHECKING:
    from ropewalk.results.report import Report


def first(report: Report, c: Comparison) -> list[Block]:
    """Return scores, probabilities, verdict, ROPE, method, and what would decide an undecided pair."""
    a, b, e = short(c.a), short(c.b), c.evidence
    mean = "mean " if isinstance(e, OverTasks) else ""
    lines = [f"{mean}{report.metric}: {a} {score(e.mean_a)}, {b} {score(e.mean_b)}", estimate_text(c)]
    by = by_more_than(c)
    named = (
        (f"{a} better{by}", c.verdict.better),
        ("practically equivalent", c.verdict.equivalent),
        (f"{b} better{by}", c.verdict.worse),
    )
    rows = tuple((label, p, decimals(p, c.verdict.decided_by.least)) for label, p in named)
    facts = [("ROPE", rope_text(c)), ("Method", why_text(c))]
    more = more_text(c)
    facts += [("Next", more)] if more else []
    return [
        Lines(lines=tuple(lines)),
        Bars(
            rows=rows,
            verdict=f"Verdict: {verdict_text(c)} ({reason(c)})",
            about=over_what([c]),
            caption=f"Posterior probabilities for {a} and {b} ({report.metric}, ROPE {c.rope.in_scores}). "
            f"Verdict: {verdict_text(c)}.",
        ),
        Facts(rows=tuple(facts)),
    ]


def reason(c: Comparison) -> str:
    """Return why the rule gives this verdict."""
    v, least = c.verdict, c.verdict.decided_by.least
    if least is None:
        return str(v.rule)
    if v.name == "undecided":
        return f"no probability reaches {least:.15g}"
    return f"probability {share(getattr(v, v.name), least)}, threshold {least:.15g}"


def details(report: Report, c: Comparison) -> list[Block]:
    """Return the single tasks, the groups of tasks, and the facts that are not on the first screen."""
    e = c.evidence
    blocks: list[Block] = []
    if isinstance(e, OverTasks) and report.comparisons:
        blocks.append(_tasks_table(e, report.comparisons))
    if report.groups:
        blocks.append(groups_table(report.groups, most=MANY))
    return [*blocks, Facts(rows=tuple(_facts(report, c)))]


def _facts(report: Report, c: Comparison) -> list[tuple[str, str]]:
    a, b, e = short(c.a), short(c.b), c.evidence
    ahead = f" in favor of {b if c.advantage < 0 else a}" if c.advantage else ""
    facts = [("Observed", f"advantage {abs(c.advantage):.4g}{ahead}")]
    facts.append(("Interval", "highest-density interval (HDI) of the posterior"))
    if isinstance(e, Outcomes):
        text = f"{a} right, {b} wrong: {e.n10:,}; {b} right, {a} wrong: {e.n01:,}"
        facts.append(("Disagreements", text))
    facts += _readings(c)
    if isinstance(e, OverTasks) and report.comparisons:
        facts.append(("Task by task", _tally_text(report.comparisons, c)))
    facts.append(("Effect size", effect_text(c)))
    tests = [*c.classical, *report.classical[:1]]
    if tests:
        text = "; ".join(f"{t.name} p = {p_text(t.p_value)}" for t in tests)
        facts.append(("Classical tests", text))
    passed = [k for k in c.checks if k.ok]  # failed checks are warnings on the first screen
    facts += [("Checks" if i == 0 else "", f"{k.name}: {k.text}") for i, k in enumerate(passed)]
    varied = (("Sensitivity", flips_text(c)), ("Prior", prior_text(c)))
    facts += [(label, text) for label, text in varied if text]
    assumed = assumed_text(c)
    facts += [("Next", assumed)] if assumed else []
    facts.append(("Read more", f"ropewalk methods {c.method}"))
    return facts


def _readings(c: Comparison) -> list[tuple[str, str]]:
    """Return the answers to the other questions, each under its own name."""
    rows = other_questions(c)
    if rows:
        rows.insert(0, ("Other questions", f"the headline answers the question {c.asks!r}"))
    if isinstance(c.evidence, Hierarchy):
        rows.append(
            ("Shrinkage", "how far each task's observed advantage is pulled towards the mean over tasks")
        )
    return rows


def _tasks_table(e: OverTasks, comparisons: list[Comparison]) -> ReportTable:
    """One row per task: its observed advantage, its shrinkage, and the verdict on this task alone."""
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
    middle = ("shrinkage",) if pulled else ()
    columns = (
        f"task, {pair(comparisons[0])}",
        "n",
        "observed",
        *middle,
        "better",
        "equiv.",
        "worse",
        "verdict",
    )
    first = comparisons[0]
    caption = (
        f"Each task on its own: observed advantage of {short(first.a)} over {short(first.b)}"
        + (", how far it is pulled towards the mean over tasks" if pulled else "")
        + f", and the probabilities that {short(first.a)} is better, practically equivalent or worse."
    )
    return ReportTable(
        columns=columns,
        numeric=(False, *[True] * (len(columns) - 2), False),
        rows=tuple(rows),
        caption=caption,
    )


def _tally_text(comparisons: list[Comparison], c: Comparison) -> str:
    """Number of tasks with each verdict, and the tasks on which the models differ most."""
    own = [k for k in comparisons if (k.a, k.b) == (c.a, c.b)]
    count = Counter(str(k.verdict.name) for k in own)
    text = ", ".join(f"{verdict_text(c, name)} on {count[name]}" for name in VERDICTS)
    decided = sorted(
        (k for k in own if k.verdict.name in ("better", "worse")), key=lambda k: -abs(k.advantage)
    )
    if decided:
        names = ", ".join(short(k.task, 24) for k in decided[:3])
        text += f"; largest decided differences: {names}"
    if own and own[0].rope.scale != c.rope.scale:
        text += f"; each task has its own ROPE on {own[0].rope.scale} ({rope_source(own[0].rope)})"
    return text

"""Report -> document: the first screen, then the details."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropewalk.arithmetic import usual_arithmetic
from ropewalk.errors import short
from ropewalk.questions import ASKS, Asks
from ropewalk.report import one_pair, several_pairs
from ropewalk.report.audit_lines import audit_lines
from ropewalk.report.document import (
    Block,
    DataNotes,
    Details,
    Document,
    Headline,
    Lines,
    Question,
    ReportTable,
    Warnings,
    cautions,
)
from ropewalk.report.sensitivity_tables import tables
from ropewalk.results.comparison import Comparison
from ropewalk.results.formatting import p_text, pair, score
from ropewalk.results.headline import headline

if TYPE_CHECKING:
    from ropewalk.results.report import Report


@usual_arithmetic
def document(report: Report, *, full: bool = False, brief: bool = False) -> Document:
    """Document of a report.

    With `brief` it ends after the first screen; with `full` it also has what a paper needs: prose, checklist,
    references, provenance.
    """
    answers = report.overall or report.comparisons
    one = answers[0] if len(answers) == 1 else None
    blocks: list[Block] = [
        *cautions(report.audit.cautions),
        Headline(text=headline(report)),
        *_question(report),
        _paired(report),
        *(several_pairs.first(report, answers) if one is None else one_pair.first(report, one)),
        *_warnings(report),
        Details(lines=("Details",)),
    ]
    if brief:
        return Document(blocks=tuple(blocks[:-1]))
    blocks += several_pairs.details(report, answers) if one is None else one_pair.details(report, one)
    if one is not None and full:
        blocks += tables(one)
    if report.seeds:
        blocks.append(_seeds_table(report, with_tests=full))
    if full:
        from ropewalk.report.appendix import appendix

        blocks += appendix(report)
    else:
        paper = "For a paper (methods, results, checklist, BibTeX): --markdown FILE or to_markdown()"
        blocks.append(Lines(lines=(paper,)))
    return Document(blocks=tuple(blocks))


def _question(report: Report) -> list[Block]:
    """Over tasks: return the question that the headline answers, and any test that disagrees."""
    if report.asks is None:
        return []
    lines = [question_line(report.asks)]
    apart = [(c, k) for c in report.overall for k in c.checks if k.kind == "disagreement"]
    if apart:
        c, check = apart[0]
        such = (
            ""
            if len(report.overall) == 1
            else f" in {len(apart)} of {len(report.overall)} pairs, for example {pair(c)}"
        )
        lines.append(f"Note: the {check.name} disagrees{such}: {check.text}")
    return [Question(lines=tuple(lines))]


def question_line(asks: Asks) -> str:
    """Return the question of a report, by its name."""
    return f"Question ({asks}): {ASKS[asks].asks}?"


def _paired(report: Report) -> DataNotes:
    tasks = len({c.task for c in report.comparisons})
    return DataNotes(lines=audit_lines(report.audit, unit=report.unit, tasks=tasks, design=report.design))


def _seeds_table(report: Report, *, with_tests: bool) -> ReportTable:
    """Table of all training runs of each model, with the tests against a common baseline."""
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
    columns = ("training runs", "seeds", f"mean {report.metric}", "sd", "95% interval", "worst", "best")
    against = (f"test against {short(answers[0].b, 24)}", "p") if with_tests else ()
    return ReportTable(
        columns=(*columns, *against),
        numeric=(False, *[True] * 6, *((False, True) if with_tests else ())),
        rows=tuple(rows),
        caption="Training runs of each model: mean, standard deviation and range over its seeds.",
    )


def _warnings(report: Report) -> list[Block]:
    """Warnings of the audit and of every check that failed."""
    ranks = () if report.mean_ranks is None else report.mean_ranks.checks
    failed = (f"{check.name}: {check.text}" for check in ranks if not check.ok)
    texts = [*report.audit.warnings, *_failed_checks(report), *failed]
    return [Warnings(lines=tuple(f"warning: {text}" for text in texts))] if texts else []


def _failed_checks(report: Report) -> list[str]:
    """Return each failed check once, with the number of comparisons it concerns and one example."""
    everything = [*report.overall, *report.comparisons]
    failed: dict[str, list[tuple[Comparison, str]]] = {}
    for c in everything:
        for check in c.checks:
            if not check.ok and check.kind != "disagreement":  # the first lines already report it
                failed.setdefault(check.name, []).append((c, check.text))
    lines = []
    for name, cases in failed.items():
        c, text = cases[0]
        if len(everything) == 1:
            lines.append(f"{name}: {text}")
            continue
        on = f" on {short(c.task, 24)}" if c.task else ""
        count = "" if len(cases) == 1 else f"{len(cases):,} of {len(everything):,} comparisons, for example "
        lines.append(f"{name} ({count}{pair(c)}{on}): {text}")
    return lines

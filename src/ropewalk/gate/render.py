"""Decision -> text, Markdown, JSON, JUnit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from ropewalk.errors import short
from ropewalk.gate.decision import Decision, Row
from ropewalk.report import markdown, text
from ropewalk.report.document import Document, Heading, Headline, Lines, ReportTable, Warnings, cautions
from ropewalk.report.json import number
from ropewalk.version import VERSION

_MOST_ROWS = 30
_MOST_WARNINGS = 5
_NAME = 18  # width of a task's name in terminal columns
_APPROXIMATION = "if further units resemble those so far"
_ALIKE = "exact, if further units show no difference either"


def to_text(decision: Decision) -> str:
    """Return text for a terminal: the answer, then the reasons, then the caveats."""
    return text.render(document(decision)).strip("\n") + "\n"


def to_markdown(decision: Decision) -> str:
    """Return Markdown for the summary of a CI step: the decision, a table of all rows, the notes."""
    return markdown.render(document(decision, full=True))


def document(decision: Decision, *, full: bool = False) -> Document:
    """Return cautions, decision, rows and notes; with all numbers if in full."""
    answer = Headline(text=f"{decision.name.upper()}  {decision.reason}{_settled(decision)}")
    before = [Heading(lines=("ropewalk gate",))] if full else []
    table = _all_rows(decision) if full else _first_rows(decision)
    others = [f"warning: {said}" for said in decision.warnings if said not in decision.audit.cautions]
    warnings = others[:_MOST_WARNINGS]
    if len(others) > _MOST_WARNINGS:
        warnings.append(f"and {len(others) - _MOST_WARNINGS} more warnings; --json shows them all")
    after = [Warnings(lines=tuple(warnings))] if warnings else []
    return Document(
        blocks=(
            *before,
            *cautions(decision.audit.cautions),
            answer,
            table,
            Lines(lines=tuple(_notes(decision))),
            *after,
        )
    )


def _first_rows(decision: Decision) -> ReportTable:
    """Return the rows that fit a terminal, the decisive ones first."""
    ordered = sorted(decision.rows, key=lambda r: (r.task is not None, r.name == "not worse"))
    rows = [
        (
            short("overall" if row.task is None else row.task, _NAME),
            f"{row.advantage:+.3f}",
            f"[{row.low:+.3f}, {row.high:+.3f}]",
            f"{row.margin:.3g}",
            row.worse_text(),
            f"{row.name}{' *' if row.required and len(decision.rows) > 1 else ''}",
        )
        for row in ordered[:_MOST_ROWS]
    ]
    if len(ordered) > _MOST_ROWS:
        rows.append((f"… {len(ordered) - _MOST_ROWS} more", "", "", "", "", "in --json"))
    columns = (short(decision.metric, _NAME), "advantage", _interval(decision), "margin", "P(worse)", "")
    return ReportTable(columns=columns, numeric=(False, True, True, True, True, False), rows=tuple(rows))


def _all_rows(decision: Decision) -> ReportTable:
    rows = [
        (
            "overall" if row.task is None else short(row.task),
            f"{row.n:,}",
            f"{row.advantage:+.4f}",
            f"{row.low:+.4f} to {row.high:+.4f}",
            f"{row.margin:g}",
            row.worse_text(4),
            row.not_worse_text(4),
            str(row.name),
        )
        for row in decision.rows
    ]
    rows += [(short(task), "0", "", "", "", "", "", "not run") for task in _without_row(decision)]
    columns = ("task", "n", "advantage", _interval(decision), "margin", "P(worse)", "P(not worse)", "verdict")
    return ReportTable(columns=columns, numeric=(False, *[True] * 6, False), rows=tuple(rows))


def _without_row(decision: Decision) -> list[str]:
    """Return the missing tasks that were left out, rather than counted as wrong."""
    return [task for task in decision.missing if task not in {row.task for row in decision.tasks}]


def _interval(decision: Decision) -> str:
    return f"{200 * decision.policy.probability - 100:.3g}% interval"


def _settled(decision: Decision) -> str:
    counted = {0: "pass", 1: "fail"}.get(decision.exit_code)
    return f" (counted as a {counted})" if decision.name == "undecided" and counted else ""


def _notes(decision: Decision) -> list[str]:
    """Return notes for the reader alongside the numbers."""
    audit, p = decision.audit, decision.policy.probability
    dropped = "; ".join(f"{d.units:,} left out ({short(d.reason)})" for d in audit.dropped[:_MOST_WARNINGS])
    sides = [short(Path(i.path).name) for i in audit.inputs]
    named = f"baseline {sides[0]}, candidate {sides[1]}: " if len(sides) == 2 else ""
    found = [f"{named}{audit.paired:,} units paired" + (f"; {dropped}" if dropped else "")]
    if len(decision.tasks) > 1:
        overall = (
            f"overall: {decision.overall.what}; "
            if decision.overall
            else ("no overall mean, because metrics differ; ")
        )
        found.append(
            f"{overall}a single task fails at P(worse) >= {decision.tasks[0].fails_from:.6g}, "
            "corrected for several tasks"
        )
        found.append(f"a pass requires P(not worse) >= {p:g} in the rows marked *")
    elif decision.overall is not None:
        found.append(decision.overall.what)
    if decision.more is not None:
        found.append(_how_many_more(decision.more))
    if decision.looks is not None:
        found.append(decision.looks.sentence)
    return found


def _how_many_more(row: Row) -> str:
    like = "" if row.refused or row.exact else f", {_APPROXIMATION}"
    return f"{row.called}: {row.how_many_more}{like}"


def to_json(decision: Decision) -> str:
    """Return one JSON document (schema ropewalk-gate/1), the same for the same input, policy and seed."""
    policy, looks = decision.policy, decision.looks
    content = {
        "schema": "ropewalk-gate/1",
        "decision": decision.name,
        "exit_code": decision.exit_code,
        "reason": decision.reason,
        "decided_by": [r.task for r in decision.decided_by],
        "more": None
        if decision.more is None
        else {
            "task": decision.more.task,
            "units": decision.more.more,
            "unit": decision.more.unit,
            "exact": decision.more.exact,
            "approximation": _ALIKE if decision.more.exact else _APPROXIMATION,
        },
        "metric": decision.metric,
        "asks": decision.asks,
        "overall": None if decision.overall is None else _row(decision.overall),
        "tasks": [_row(r) for r in decision.tasks],
        "missing": list(decision.missing),
        "policy": {
            "margin": policy.margin,
            "probability": policy.probability,
            "on_undecided": policy.on_undecided,
            "margins": dict(policy.margins),
            "must_not_regress": "all" if policy.must_not_regress == "all" else list(policy.must_not_regress),
            "bounds": None if policy.bounds is None else list(policy.bounds),
            "question": policy.question,
        },
        "looks": None
        if looks is None
        else {
            "count": looks.count,
            "wrong_pass_at_most": looks.wrong_pass,
            "wrong_fail_at_most": looks.wrong_fail,
            "formula": "looks * (1 - probability); for a fail, times 2 with several tasks",
        },
        "audit": {
            "paired": decision.audit.paired,
            "dropped": [{"reason": d.reason, "units": d.units} for d in decision.audit.dropped],
            "cautions": list(decision.audit.cautions),
            "warnings": list(decision.warnings),
            "notes": list(decision.audit.notes),
        },
        "provenance": {
            "ropewalk": VERSION,
            "seed": decision.seed,
            "inputs": [{"path": i.path, "sha256": i.sha256} for i in decision.audit.inputs],
        },
    }
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def _row(row: Row) -> dict[str, Any]:
    return {
        "task": row.task,
        "verdict": row.name,
        "required": row.required,
        "n": row.n,
        "unit": row.unit,
        "advantage": number(row.advantage),
        "interval": [number(row.low), number(row.high)],
        "margin": row.margin,
        "p_worse": row.p_worse,
        "p_not_worse": row.p_not_worse,
        "fails_from": row.fails_from,
        "more": row.more,
        "what": row.what,
        "refused": row.refused or None,
    }


def to_junit(decision: Decision) -> str:
    """Return a test case for each task and one overall; undecided is skipped, or fails by the policy."""
    cases = [_case(row, decision) for row in decision.rows]
    for task in _without_row(decision):
        case = ET.Element("testcase", classname="ropewalk.gate", name=short(task, 200))
        ET.SubElement(case, _unsettled(decision), message="candidate was not run on this task")
        cases.append(case)
    suite = ET.Element(
        "testsuite",
        name="ropewalk gate",
        tests=str(len(cases)),
        failures=str(sum(c.find("failure") is not None for c in cases)),
        errors="0",
        skipped=str(sum(c.find("skipped") is not None for c in cases)),
    )
    suite.extend(cases)
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(row: Row, decision: Decision) -> ET.Element:
    # `short` keeps only printable characters, because XML cannot represent the others.
    name = "overall" if row.task is None else short(row.task, 200)
    case = ET.Element("testcase", classname="ropewalk.gate", name=name)
    said = (
        f"advantage {row.advantage:+.4g}, margin {row.margin:g}: P(worse) = {row.worse_text()}, "
        f"P(not worse) = {row.not_worse_text()}"
    )
    if row.name == "worse":
        ET.SubElement(case, "failure", message=said)
    elif row.name == "undecided" and row.required:
        ET.SubElement(case, _unsettled(decision), message=f"undecided: {said}")
    elif row.name == "undecided":
        ET.SubElement(case, "skipped", message=f"undecided: {said}")
    ET.SubElement(case, "system-out").text = said
    return case


def _unsettled(decision: Decision) -> str:
    return "failure" if decision.policy.on_undecided == "fail" else "skipped"

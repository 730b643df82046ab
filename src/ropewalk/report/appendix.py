"""The appendix for a paper: prose, checklist, references, provenance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropewalk.errors import short
from ropewalk.report import prose
from ropewalk.report.checklist import checklist
from ropewalk.report.document import Block, Code, Facts, Heading, Prose
from ropewalk.report.references import bibtex
from ropewalk.version import VERSION

if TYPE_CHECKING:
    from ropewalk.results.report import Report

_LONGEST = 4_000  # longest path or command shown, in characters


def appendix(report: Report) -> list[Block]:
    """Sections at the end of the full document."""
    blocks: list[Block] = [
        Heading(lines=("Methods paragraph",)),
        _prose("methods", prose.methods(report)),
        Heading(lines=("Results paragraph",)),
        _prose("results", prose.results(report)),
        Heading(lines=("NeurIPS paper checklist, item 7",)),
        _prose("neurips", prose.neurips_7(report)),
        Heading(lines=("Checklist",)),
        Facts(rows=tuple((f"[{item.state}] {item.name}", item.text) for item in checklist(report))),
        Heading(lines=("References (BibTeX)",)),
        Code(lines=tuple(bibtex(prose.sources(report)).splitlines())),
        Heading(lines=("Provenance",)),
        Facts(rows=tuple(_provenance(report))),
    ]
    if report.command is not None:  # a file name with line breaks still takes one line
        blocks.append(Code(lines=(short(report.command, _LONGEST),)))
    return blocks


def _provenance(report: Report) -> list[tuple[str, str]]:
    """Return the facts needed to reproduce the report."""
    inputs = [("input", f"{short(i.path, _LONGEST)}, SHA-256 {i.sha256}") for i in report.audit.inputs]
    return [("ropewalk", VERSION), ("seed", str(report.seed)), *inputs]


def _prose(name: str, sentences: tuple[prose.Sentence, ...]) -> Prose:
    return Prose(name=name, lines=(prose.text_of(sentences),), sentences=sentences)

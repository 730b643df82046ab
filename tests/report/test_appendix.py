"""What a paper needs: prose, checklist, references, and where the figures come from."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ropewalk as rw
from ropewalk.data import Input
from ropewalk.report import prose
from ropewalk.report.appendix import appendix
from ropewalk.report.document import Code, Facts, Heading, Prose


@pytest.fixture(scope="module")
def report() -> rw.Report:
    return rw.compare({"a": [1, 1, 0, 1, 1, 1] * 5, "b": [0, 1, 0, 1, 1, 0] * 5}, rng=7)


def test_the_sections_and_their_prose(report: rw.Report) -> None:
    found = appendix(report)
    assert [b.lines[0] for b in found if isinstance(b, Heading)] == [
        "Methods paragraph",
        "Results paragraph",
        "NeurIPS paper checklist, item 7",
        "Checklist",
        "References (BibTeX)",
        "Provenance",
    ]
    texts = {b.name: b.lines[0] for b in found if isinstance(b, Prose)}
    assert texts["methods"] == prose.text_of(prose.methods(report))
    assert texts["results"] == prose.text_of(prose.results(report))


def test_provenance_has_the_seed_the_files_and_the_command_on_one_line(report: rw.Report) -> None:
    told = replace(
        report,
        command="ropewalk compare a\nb.csv",
        audit=replace(report.audit, inputs=(Input(path="a.csv", sha256="e3b0"),)),
    )
    rows = [b for b in appendix(told) if isinstance(b, Facts)][-1].rows
    assert ("ropewalk", rw.__version__) in rows
    assert ("seed", "7") in rows
    assert ("input", "a.csv, SHA-256 e3b0") in rows
    last = appendix(told)[-1]
    assert isinstance(last, Code)
    assert "\n" not in last.lines[0]
    assert not isinstance(appendix(report)[-1], Code)

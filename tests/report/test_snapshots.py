"""What each renderer makes of three small reports, letter by letter.

After a change that is meant, look at the difference and rewrite them: ROPEWALK_REWRITE=1 pytest on this file.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.data.audit import Input
from ropewalk.report import Report
from ropewalk.report.compose import document
from ropewalk.report.document import Code, Heading, Prose

SNAPSHOTS = Path(__file__).parent / "snapshots"
FORMS = {"text": "to_text", "markdown": "to_markdown", "latex": "to_latex", "json": "to_json"}
Made = Callable[[str], Report]


def with_command(report: Report) -> Report:
    inputs = (Input(path="results.csv", sha256="0" * 64),)
    command = "ropewalk compare results.csv --rope 0.01"
    return replace(report, audit=replace(report.audit, inputs=inputs), command=command)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "name", ["accuracy_difference", "crossed", "hierarchical_mcnemar", "hierarchical_accuracy"]
)
def test_it_looks_as_it_did(made: Made, name: str, form: str) -> None:
    """Oracle: the files in snapshots/, which somebody has looked at."""
    text = getattr(with_command(made(name)), FORMS[form])().replace(rw.__version__, "VERSION")
    path = SNAPSHOTS / f"{name}-{form}.txt"
    if os.environ.get("ROPEWALK_REWRITE"):
        path.write_text(text, encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    if form == "json":  # the last digits of a sum differ between processors
        assert_close(json.loads(text), json.loads(kept), _stated_error(json.loads(kept)))
    else:
        assert text == kept


def _stated_error(document: dict[str, Any]) -> float:
    """The numerical error that a document states for its probabilities of the likeliest outcome."""
    readings = [c["readings"] for c in document["overall"]]
    return max((found["likeliest"]["error"] for found in readings if "likeliest" in found), default=0.0)


def assert_close(found: object, kept: object, error: float, within: float = 1e-9) -> None:
    """The same keys, words and order; numbers to six digits.

    The likeliest outcome is that of each node of a quadrature: where two are equally likely, the last digits
    decide, which differ between versions of SciPy. Its probabilities are held to the error that is stated.
    """
    if isinstance(kept, dict):
        assert isinstance(found, dict)
        assert list(found) == list(kept)
        for key in kept:
            counted = key in ("likeliest", "most_probable")
            assert_close(found[key], kept[key], error, error if counted else within)
    elif isinstance(kept, list):
        assert isinstance(found, list)
        assert len(found) == len(kept)
        for x, y in zip(found, kept, strict=True):
            assert_close(x, y, error, within)
    elif isinstance(kept, float):
        assert found == pytest.approx(kept, rel=1e-6, abs=within)
    else:
        assert found == kept


def test_the_same_input_and_seed_give_the_same_bytes() -> None:
    rng = np.random.default_rng(0)
    scores = {m: rng.normal(size=40) for m in "abc"}
    one, other = (rw.compare(scores, method="signed_rank") for _ in range(2))
    for form in (*FORMS.values(), "to_bibtex"):
        assert getattr(one, form)() == getattr(other, form)()


def test_nothing_is_dated(each: Report) -> None:
    """Years stand only in the references."""
    for form in ("to_text", "to_json"):
        assert not re.search(r"\b20\d\d-\d\d|\d\d:\d\d:\d\d", getattr(each, form)())


def test_a_terminal_stays_short_and_says_where_there_is_more(each: Report) -> None:
    text = each.to_text()
    assert "--markdown FILE" in text
    assert "References" not in text
    assert "We ask" not in text
    assert "--markdown FILE" not in each.to_markdown()


def test_the_sections_in_full(each: Report) -> None:
    titles = [b.lines[0] for b in document(each, full=True).blocks if isinstance(b, Heading)]
    assert titles == [
        "Methods paragraph",
        "Results paragraph",
        "NeurIPS paper checklist, item 7",
        "Checklist",
        "References (BibTeX)",
        "Provenance",
    ]
    assert not any(isinstance(b, Heading | Prose | Code) for b in document(each).blocks)
    markdown = each.to_markdown()
    for title in titles:
        assert f"\n## {title}\n" in markdown


def test_provenance_has_the_command_where_there_was_one(made: Made) -> None:
    report = made("t")
    assert report.command is None
    assert "command" not in json.loads(report.to_json())["provenance"]
    report = with_command(report)
    assert json.loads(report.to_json())["provenance"]["command"] == "ropewalk compare results.csv --rope 0.01"
    assert "\n```\nropewalk compare results.csv --rope 0.01\n```\n" in report.to_markdown()
    assert "\n% ropewalk compare results.csv --rope 0.01\n" in report.to_latex()


@pytest.mark.parametrize("name", ["a\n\\input{x}", "a\u2028b", "a\r\\end{document}"])
def test_a_command_cannot_leave_its_comment(made: Made, name: str) -> None:
    """A file name with a line break would otherwise be TeX of its own."""
    report = replace(made("t"), command=f"ropewalk compare '{name}'")
    lines = report.to_latex().splitlines()
    (line,) = [line for line in lines if "ropewalk compare" in line]
    assert line.startswith("% ropewalk compare 'a\ufffd")
    assert not any(line.startswith((r"\input", r"\end{document}", "b'")) for line in lines)


def test_code_in_markdown_cannot_leave_its_fence(made: Made) -> None:
    report = replace(made("t"), command="ropewalk compare '```' '<b>'")
    assert "\n````\nropewalk compare '```' '<b>'\n````\n" in report.to_markdown()

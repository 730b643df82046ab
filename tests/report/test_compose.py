"""The order of a document: cautions, the answer, the question, the data, the details, the appendix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.report.compose import document
from ropewalk.report.document import Cautions, DataNotes, Details, Headline, Prose, ReportTable, Warnings
from ropewalk.results.comparison import Check


@pytest.fixture(scope="module")
def report() -> rw.Report:
    rng = np.random.default_rng(0)
    found = rw.compare({m: rng.normal(size=40) for m in "abc"}, higher_is_better=True, rho=0)
    return replace(found, audit=found.audit.cautioned("look"))


def kinds(report: rw.Report, **options: bool) -> list[type]:
    return [type(b) for b in document(report, **options).blocks]


def test_the_answer_comes_after_the_cautions_and_before_the_details(report: rw.Report) -> None:
    found = kinds(report)
    assert found[:3] == [Cautions, Headline, DataNotes]
    assert found.index(Headline) < found.index(Details)
    brief = kinds(report, brief=True)
    assert brief == found[: found.index(Details)]


def test_the_full_document_goes_on_with_what_a_paper_needs(report: rw.Report) -> None:
    assert Prose not in kinds(report)
    assert kinds(report, full=True).count(Prose) == 3


def test_a_failed_check_is_said_once_with_how_many_failed(report: rw.Report) -> None:
    bad = Check(name="normality", kind="normality", ok=False, text="it is skewed")
    failed = replace(report, comparisons=[replace(c, checks=[bad]) for c in report.comparisons])
    lines = [t for b in document(failed).blocks if isinstance(b, Warnings) for t in b.lines]
    assert [t for t in lines if "normality" in t] == [
        "warning: normality (3 of 3 comparisons, for example a - b): it is skewed"
    ]


def test_training_runs_have_a_table() -> None:
    rng = np.random.default_rng(1)
    rows = {(m, s): rng.normal(0.8, 0.05, 30) for m in "ab" for s in range(3)}
    import pandas as pd

    frame = pd.DataFrame(
        [(m, s, i, x) for (m, s), xs in rows.items() for i, x in enumerate(xs)],
        columns=["model", "seed", "id", "accuracy"],
    )
    tables = [b for b in document(rw.compare(frame)).blocks if isinstance(b, ReportTable)]
    (runs,) = [t for t in tables if t.columns[0] == "training runs"]
    assert [row[:2] for row in runs.rows] == [("a", "3"), ("b", "3")]
    worst = f"{min(np.mean(rows['a', s]) for s in range(3)):.3f}"
    assert worst in runs.rows[0][5]

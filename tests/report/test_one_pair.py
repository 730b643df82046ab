"""The first screen of one pair: its blocks hold the numbers of the comparison, not others."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.report import one_pair
from ropewalk.report.document import Bars, Facts, Lines


@pytest.fixture
def report() -> rw.Report:
    rng = np.random.default_rng(1)
    forest = rng.integers(0, 2, 200)
    svm = np.where(rng.random(200) < 0.2, 1 - forest, forest)
    return rw.compare({"forest": forest, "svm": svm}, rope=0.02)


def test_the_first_screen_has_scores_bars_and_facts(report: rw.Report) -> None:
    (c,) = report.comparisons
    lines, bars, facts = one_pair.first(report, c)
    assert isinstance(lines, Lines)
    assert isinstance(bars, Bars)
    assert isinstance(facts, Facts)
    assert f"{c.evidence.mean_a:.3f}" in lines.lines[0]
    assert f"{c.evidence.mean_b:.3f}" in lines.lines[0]
    assert [p for _, p, _ in bars.rows] == [c.verdict.better, c.verdict.equivalent, c.verdict.worse]
    assert next(label for label, *_ in bars.rows).startswith("forest better")
    assert dict(facts.rows)["Method"]


def test_the_reason_names_the_threshold(report: rw.Report) -> None:
    (c,) = report.comparisons
    assert f"{c.verdict.decided_by.least:g}" in one_pair.reason(c)

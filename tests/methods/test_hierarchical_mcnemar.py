"""The hierarchical McNemar test through the analysis."""

from __future__ import annotations

import pytest

import ropewalk as rw
from ropewalk.data import Audit, Counts, TaskCounts
from tests.analysis.tasks_of_papers import triple


def test_williams_hierarchical_mcnemar(languages: Counts) -> None:
    report = rw.compare(languages, rope="0.1sd", question="next")
    (c,) = report.overall
    assert c.method == "hierarchical_mcnemar"
    (named,) = rw.compare(languages, method="hierarchical_mcnemar", question="next").overall
    assert triple(named.verdict) == triple(c.verdict)
    assert c.estimate.mean == pytest.approx(0.521, abs=1e-3)
    assert triple(c.verdict) == pytest.approx((0.0525, 0.7355, 0.2119), abs=1e-3)
    assert c.verdict.name == "undecided"
    assert len(report.comparisons) == 11
    friedman = report.classical[0]
    assert (friedman.name, friedman.statistic) == ("Friedman", pytest.approx(0.818, abs=1e-3))
    assert friedman.p_value == pytest.approx(0.366, abs=1e-3)


def test_counts_on_one_side_only() -> None:
    rows = tuple(TaskCounts(name=f"t{i}", n00=5, n01=0, n10=10, n11=85) for i in range(8))
    (c,) = rw.compare(Counts(a="A", b="B", tasks=rows, audit=Audit(paired=800))).overall
    assert (c.method, c.verdict.name) == ("hierarchical_accuracy", "better")
    assert any("the direction of the disagreements has a proper prior" in k.text for k in c.checks)
    (on_phi,) = rw.compare(Counts(a="A", b="B", tasks=rows, audit=Audit(paired=800)), rope="0.1sd").overall
    assert on_phi.method == "signed_rank"
    assert "the posterior of the hierarchical McNemar test does not exist" in on_phi.why


def test_tasks_one_sided_in_different_directions() -> None:
    rows = (
        TaskCounts(name="a", n00=0, n01=5, n10=0, n11=15),
        TaskCounts(name="b", n00=0, n01=0, n10=7, n11=13),
    )
    (c,) = rw.compare(Counts(a="A", b="B", tasks=rows, audit=Audit(paired=40)), rope="0.1sd").overall
    assert c.method == "signed_rank"

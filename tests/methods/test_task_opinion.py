"""Where the signed-rank test disagrees with the means, the first lines say so."""

from __future__ import annotations

import pandas as pd
import pytest

import ropewalk as rw
from tests.analysis.suites import numbers


def outlying() -> pd.DataFrame:
    """Eleven small gains and one large loss: the mean is open, most tasks speak for one model."""
    d = [0.03, 0.035, 0.028, 0.031, 0.04, 0.027, 0.033, 0.036, 0.029, 0.034, 0.032, -0.4]
    rows = [(m, f"t{i}", 0.5 + x * (m == "new")) for i, x in enumerate(d) for m in ("new", "old")]
    return pd.DataFrame(rows, columns=["model", "task", "accuracy"])


def test_where_the_signed_rank_test_disagrees_the_first_lines_say_so() -> None:
    report = rw.compare(outlying())
    (c,) = report.overall
    assert (c.method, c.asks, c.verdict.name) == ("t", "average", "undecided")
    # Oracle: bayes.signed_rank on the differences.
    alone = rw.bayes.signed_rank(c.evidence.d, 0.01).most_probable
    assert alone.better > 0.95
    assert c.readings["likeliest"].p.better == pytest.approx(alone.better, abs=0.01)
    for form in (report.to_text(width=300), report.to_markdown(), report.to_html()):
        at = form.index("the signed-rank test disagrees")
        assert at < form.index("12 tasks paired")
        assert "task t11 (-0.4) is far from the others" in form
    headline = rw.compare(outlying(), method="signed_rank")
    (other,) = headline.overall
    assert (other.asks, other.verdict.name) == ("likeliest", "better")
    assert other.verdict.better == pytest.approx(alone.better, abs=1e-9)


def test_two_tests_that_agree_need_no_first_line() -> None:
    report = rw.compare(numbers(2))
    assert "disagrees" not in report.to_text()
    assert "signed-rank test: m0 better " in report.to_text(width=300)

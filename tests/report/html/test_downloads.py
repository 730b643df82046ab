"""Files that the page offers."""

from __future__ import annotations

import pytest

from ropewalk.report import frames
from ropewalk.report.html import downloads
from tests.report.html.posteriors import tasks


def test_of_too_many_comparisons_those_over_all_tasks_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    report = tasks(3, 4)
    assert downloads.files(report)["comparisons.csv"] == frames.to_csv(frames.comparisons(report))
    monkeypatch.setattr(downloads, "_MOST", 10)
    assert downloads.has_left_out(report)
    lines = downloads.files(report)["comparisons.csv"].splitlines()
    assert [line.split(",")[0] for line in lines] == ["level", "overall", "overall", "overall"]
    assert list(downloads.files(report)) == ["comparisons.csv", "models.csv", "scores.csv", "references.bib"]

"""The table of groups in every form of a report."""

from __future__ import annotations

import json
from pathlib import Path

from ropewalk import compare
from ropewalk.report.group_table import groups_table
from tests.read.formats.groups import LAW, NESTED, STEM, write


def test_every_form_of_the_report_has_the_groups(tmp_path: Path) -> None:
    report = compare(write(tmp_path / "out", [*STEM, *LAW, "gsm8k"], NESTED))
    (c,) = report.groups["mmlu_humanities"]
    line = [w for text in report.to_text().splitlines() if "mmlu_humanities  " in text for w in text.split()]
    assert line[:3] == ["mmlu_humanities", "2", f"{c.estimate.mean:+.3g}"]
    assert c.verdict.name in line
    assert "| mmlu\\_humanities | 2 |" in report.to_markdown()
    assert "group, on average over tasks" in report.to_html()
    assert "group, on average over tasks" in report.to_latex()
    found = json.loads(report.to_json())["groups"]
    assert [g["group"] for g in found] == ["mmlu_stem", "mmlu_humanities"]
    assert set(found[1]["tasks"]) == set(LAW)
    assert found[1]["comparisons"][0]["probability"]["better"] == c.verdict.better


def test_several_pairs_have_a_line_each(tmp_path: Path) -> None:
    report = compare(write(tmp_path / "out", [*STEM, *LAW, "gsm8k"], NESTED, models=("a", "b", "c")))
    assert [len(found) for found in report.groups.values()] == [3, 3]
    assert sum(line.strip().startswith("mmlu_stem ") for line in report.to_text().splitlines()) == 3


def test_many_groups_are_cut(tmp_path: Path) -> None:
    report = compare(write(tmp_path / "out", [*STEM, *LAW], NESTED, models="abc"))
    every = [*report.overall, *(c for found in report.groups.values() for c in found)]
    assert {(c.method, c.asks) for c in every} == {("hierarchical_accuracy", "average")}
    table = groups_table(report.groups, most=4)
    assert table.columns[:3] == ("group, on average over tasks", "pair", "n")
    assert [row[0] for row in table.rows] == ["mmlu_stem"] * 3 + ["mmlu_humanities", "… 2 more"]

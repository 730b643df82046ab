"""Names that a stranger chose, in every file that a report can be saved as."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest

import ropewalk as rw
from ropewalk.results import Report

NAMES = {
    "escape": "a\x1b[31mred\x1b]0;owned\x07",
    "control": "good\x9b2J",
    "delete": "a\x7fb",
    "surrogate": "a\ud800b",
    "astral": "a\U000e0001b",  # a letter that is not printed, beyond the first 65,536
    "bidirectional": "a\u202egnp.exe",
    "lines": "a\n::error::owned\r\nb",
    "null": "a\x00b",
    "page": "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>",
    "latex": "\\input{/etc/passwd}\\write18{id}$x_%&#{}~^",
    "mathtext": "$\\frac{$",
    "markdown": "x|y![i](http://e/x)[l](javascript:alert(1))`` **b** <b>",
    "formula": '=HYPERLINK("http://e","x")',
    "command": "+1+cmd|' /C calc'!A0",
    "path": "../../../evil",
    "format": "%s%d{0}{x}",
}
TEXTS = (".csv", ".json", ".html", ".md", ".tex", ".txt")


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return NAMES[request.param]


@pytest.fixture
def report(name: str) -> Report:
    draw = random.Random(0)
    return rw.compare({m: [draw.random() for _ in range(41)] for m in (name, "other")})


@pytest.mark.few(8)
def test_no_file_holds_what_steers_a_terminal(report: Report, tmp_path: Path) -> None:
    for suffix in TEXTS:
        text = report.save(tmp_path / f"report{suffix}").read_text(encoding="utf-8")
        unprintable = {c for c in text if not c.isprintable()} - {"\n", "\t"}
        assert not unprintable, suffix


def test_the_document_keeps_the_name(report: Report, name: str) -> None:
    """Oracle: what a reader of JSON makes of it."""
    assert {m["name"] for m in json.loads(report.to_json())["models"]} == {name, "other"}


def test_no_cell_is_a_formula_that_calls_something(report: Report, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    with report.save(tmp_path / "report.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not [c for c in cells if c[:1] in {"=", "+", "-", "@"} and set(c) & set("(|!")]
    book = openpyxl.load_workbook(report.save(tmp_path / "report.xlsx"))
    assert not [c for sheet in book for row in sheet.iter_rows() for c in row if c.data_type == "f"]


def test_names_of_ablations_stay_as_they_are(tmp_path: Path) -> None:
    """They begin as formulas do, and call nothing."""
    names = ["+augmented", "-dropout", "@k", "=base"]
    draw = random.Random(0)
    report = rw.compare({m: [draw.random() for _ in range(41)] for m in names})
    with report.save(tmp_path / "report.csv").open(encoding="utf-8", newline="") as file:
        assert {row["a"] for row in csv.DictReader(file)} <= set(names)

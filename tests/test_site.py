"""What the site promises: every card has all of its parts, every plot its code, every target its help."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import sys
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

import ropewalk as rw
from ropewalk.plan.result import Plan
from ropewalk.results.all_models import Leaderboard
from tests.contract import public

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
CARDS = [
    (room, name)
    for room in ("bayes", "nhst")
    for name in getattr(rw, room).__all__
    if inspect.isfunction(getattr(getattr(rw, room), name))
]


# --- method cards ---


@pytest.mark.parametrize(("room", "name"), CARDS)
def test_a_card_has_formula_assumptions_limits_references_and_two_examples(room: str, name: str) -> None:
    text = inspect.getdoc(getattr(getattr(rw, room), name)) or ""
    for part in ("Formula::", "Assumes\n", "Not for\n", "References\n----------", "Examples\n--------\n>>>"):
        assert part in text, part
    story = (
        ast.get_docstring(ast.parse((DOCS / "worked" / room / f"{name}.py").read_text(encoding="utf-8")))
        or ""
    )
    before, after = story.split("\n\n")
    assert before.endswith((".", "?"))
    assert after.endswith(".")


def test_every_worked_example_belongs_to_a_card() -> None:
    found = {(p.parent.name, p.stem) for p in (DOCS / "worked").rglob("*.py")}
    assert found == set(CARDS)


def test_every_card_has_a_picture_of_its_calibration() -> None:
    figures = ROOT / "calibration" / "figures"
    coverage = json.loads((figures / "sbc.json").read_text(encoding="utf-8"))["rows"]
    claims = json.loads((figures / "classical.json").read_text(encoding="utf-8"))["rows"]
    measured = {("bayes", row["method"]) for row in coverage}
    measured |= {("nhst", row["test"]) for row in claims if row["side"] == "ropewalk" and not row["effect"]}
    assert set(CARDS) <= measured


# --- the chooser ---

sys.path.append(str(DOCS / "_ext"))
CHOOSER = importlib.import_module("chooser_cases")


@pytest.mark.parametrize("case", CHOOSER.CASES, ids=lambda case: "-".join(case.when.values()))
@pytest.mark.few(5)
def test_the_chooser_names_the_method_that_a_comparison_uses(case: Any) -> None:
    data = case.data()
    report = rw.compare(data, **case.options)
    used = {c.method for c in report.overall or report.comparisons}
    assert used == {rw.check(data, **case.options).method}
    answer = CHOOSER._answer(case)
    room, name = answer["card"].removeprefix("methods/").removesuffix(".html").split(".")
    assert (room, name) in CARDS
    written = "".join(f" --{option} {value}" for option, value in case.options.items())
    assert answer["command"] == f"ropewalk compare results.csv{written}"
    shown = answer["table"].splitlines()
    assert shown == [*data.to_csv(index=False).splitlines()[:4], "..."]
    assert set(case.options.values()) & {"patient"} <= set(shown[0].split(","))


def test_the_chooser_asks_about_every_kind_of_data() -> None:
    kinds = {case.when["have"] for case in CHOOSER.CASES}
    assert kinds == set(CHOOSER.QUESTIONS[0]["answers"])


# --- API reference ---

REFERENCE = importlib.import_module("api_reference")


def test_the_reference_lists_every_public_name() -> None:
    shown = {
        id(getattr(importlib.import_module(room), name))
        for room, names in REFERENCE.listed().items()
        for name in names
    }
    shown.add(id(rw.gate.gate))  # `rw.gate` is this function
    assert {name for name, thing in public.names().items() if id(thing) not in shown} == set()
    for room in (rw, *public.ROOMS):
        names = {name: getattr(room, name) for name in room.__all__}
        missing = {n for n, thing in names.items() if not inspect.ismodule(thing) and id(thing) not in shown}
        assert not missing, room.__name__


def test_a_name_or_a_method_that_the_reference_lacks_is_noticed() -> None:
    every = REFERENCE.undocumented(())
    for name in (
        "compare",
        "gate",
        "plan",
        "Report.save",
        "plan.Planner.sequential",
        "results.Leaderboard.plot",
    ):
        assert f"ropewalk.{name}" in every
    assert REFERENCE.undocumented(set(every) - {"ropewalk.Report.save"}) == ["ropewalk.Report.save"]
    for full in every:  # Sphinx leaves out a member without a docstring
        assert inspect.getdoc(resolve_name(full)), full
    for full in REFERENCE.VALUES:
        room, _, name = full.rpartition(".")
        assert name in importlib.import_module(room).__all__, full


# --- gallery ---


def test_every_plot_is_in_the_gallery() -> None:
    examples = [p.read_text(encoding="utf-8") for p in (DOCS / "gallery_src").glob("*.py")]
    shown = "\n".join(examples)
    assert len(examples) >= 25
    for kind in rw.plot.KINDS:
        assert f'.plot("{kind}"' in shown, kind
    own = {"plot_reliability": rw.plot.reliability, "plot_ranks": rw.plot.ranks}  # functions by their methods
    own |= {"plot_verdicts": rw.plot.verdict_matrix, "plot_tasks": rw.plot.task_matrix}
    own |= {"board.plot": rw.plot.leaderboard, "rw.plot.critical_difference": rw.plot.critical_difference}
    for call in (*own, "plot_seeds", "rw.plan(", "rw.plan.sequential("):
        assert call.rstrip("(") + "(" in shown, call
    drawing = {n for n in rw.plot.__all__ if inspect.isfunction(getattr(rw.plot, n))}
    assert drawing - set(rw.plot.KINDS) - {f.__name__ for f in own.values()} == {
        "caption",
        "draw",
        "kinds",
        "render",
    }
    for owner in (rw.Report, Leaderboard, rw.experiment.Experiment, Plan):
        for method in (n for n in dir(owner) if re.match(r"plot_\w+", n)):
            assert f".{method}(" in shown, method


# --- the built pages ---


def test_what_another_host_serves_and_links_to_nowhere_are_found(tmp_path: Path) -> None:
    checked = importlib.import_module("checked_site")
    (tmp_path / "a.html").write_text(
        '<link rel="stylesheet" href="https://fonts.example/f.css"><link rel="canonical" href="https://x.example">'
        '<img src="data:image/png;base64,AA"><a href="https://o.example">o</a><a href="b.html#there">b</a>'
        '<a href="b.html#nowhere">b</a><a href="c.html">c</a><script src="//cdn.example/x.js"></script>'
    )
    (tmp_path / "b.html").write_text('<h1 id="there">b</h1>')
    (tmp_path / "s.css").write_text('@import "https://cdn.example/s.css"; a { background: url(i.png) }')
    assert checked.found(tmp_path) == [
        "a.html loads https://fonts.example/f.css",
        "a.html loads //cdn.example/x.js",
        "s.css loads https://cdn.example/s.css",
        "a.html links to b.html#nowhere: the page has no such place",
        "a.html links to c.html: there is no such file",
    ]


# --- the house ---


def test_every_make_target_has_a_line_of_help() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (targets,) = re.findall(r"^\.PHONY: (.*)$", text, flags=re.MULTILINE)
    helped = re.findall(r"^([a-z-]+):.*## \S", text, flags=re.MULTILINE)
    assert set(targets.split()) == set(helped)


def test_the_version_is_the_same_everywhere() -> None:
    from ropewalk.version import VERSION

    versions = json.loads((DOCS / "versions.json").read_text(encoding="utf-8"))
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert VERSION in {entry["version"] for entry in versions}
    assert re.search(rf"^version: {re.escape(VERSION)}$", citation, flags=re.MULTILINE)

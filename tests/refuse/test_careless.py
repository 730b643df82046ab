"""Careless inputs: none gives a confident wrong answer, and the page lists what comes of each."""

from __future__ import annotations

import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ropewalk.gate import render
from tests.refuse import (
    careless,
    careless_more,
    careless_pairs,
    careless_rows,
    careless_shapes,
    careless_strangers,
    careless_structure,
)

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "refuses.md"
BEGIN = "<!-- from here on made from tests/refuse/careless.py: make refuses -->"


CASES = [
    *careless.CASES,
    *careless_strangers.CASES,
    *careless_more.CASES,
    *careless_rows.CASES,
    *careless_shapes.CASES,
    *careless_pairs.CASES,
    *careless_structure.CASES,
]


def test_there_are_three_hundred_and_a_hundred_inputs_at_both_doors() -> None:
    assert len(CASES) >= 300
    assert _both_doors() >= 100
    assert len({(c.command, c.what) for c in CASES}) == len(CASES)


@pytest.fixture
def documents(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The JSON documents of what was printed as text."""
    found: list[str] = []
    reports, gate = (import_module(f"ropewalk.cli.{name}") for name in ("report_files", "gate"))
    shown, judged = reports.show, gate._show

    def show(report: Any, **options: Any) -> None:
        found.append(report.to_json())
        shown(report, **options)

    def show_decision(decision: Any, as_json: bool) -> None:
        found.append(render.to_json(decision))
        judged(decision, as_json)

    monkeypatch.setattr(reports, "show", show)
    monkeypatch.setattr(gate, "_show", show_decision)
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.command}: {c.what}")
def test_no_confident_wrong_answer(case: Any, command: Any, documents: list[str], tmp_path: Path) -> None:
    files = case.files(tmp_path)
    code, out, err = command(case.command, *files, *case.options)
    said = " ".join((out + err).split())
    assert case.says in said
    if case.outcome == "refuses":
        assert code in (3, 4)
        assert out == ""
        assert "\n\n  " in err or "error:" in err
        return
    assert code in (0, 1, 2), err
    (document,) = documents
    found = json.loads(document)
    if case.outcome == "warns":
        assert said.startswith("warning: ")
        assert case.says in said[: said.index(".", said.index(case.says))]
        assert found["audit"]["cautions"]
    elif case.command == "gate":
        winner = {0: "candidate", 1: "baseline", 2: "neither"}[code]
        assert winner == case.best
    else:
        (answer,) = found["overall"] or found["comparisons"]
        # The default ROPE of scores without a range is said first; nothing else is.
        assert [c for c in found["audit"]["cautions"] if "default ROPE for these scores" not in c] == []
        named = {"better": answer["a"], "worse": answer["b"]}.get(answer["verdict"], "")
        assert named == case.best
        assert case.outcome == "right" or answer["verdict"] in ("undecided", "equivalent")


def test_the_page_has_what_the_table_has() -> None:
    wanted = page(PAGE.read_text(encoding="utf-8").partition(BEGIN)[0])
    if os.environ.get("ROPEWALK_REWRITE"):
        PAGE.write_text(wanted, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == wanted


def page(head: str) -> str:
    """The page: what is written by hand, and then the table of cases."""
    lines = [
        head.rstrip(),
        "",
        BEGIN,
        "",
        f"## {len({c.what for c in CASES})} careless inputs and their outcomes",
        "",
        f"The tests run every one of them, {_both_doors()} through both `compare` and `gate`. None gives a "
        "confident wrong answer.",
        "",
        "| input | command | outcome | the output says |",
        "| --- | --- | --- | --- |",
    ]
    for case in CASES:
        typed = " ".join(["ropewalk", case.command, "...", *case.options]).strip()
        words = case.says or (_answer(case) if case.outcome == "right" else "no verdict")
        lines.append(f"| {case.what} | `{typed}` | {case.outcome} | {words.replace('|', ' ')} |")
    return "\n".join(lines) + "\n"


def _both_doors() -> int:
    at = [{c.what for c in CASES if c.command == door} for door in ("compare", "gate")]
    return len(at[0] & at[1])


def _answer(case: Any) -> str:
    if case.command == "gate":
        return {"candidate": "pass", "baseline": "fail"}[case.best]
    return f"`{case.best}` is better"

"""The answer of a gate in its four forms."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest

from ropewalk.gate import Decision, Policy, render
from tests.gate.sides import judge, outcomes


@pytest.fixture(scope="module")
def odd_names() -> Decision:
    names = ["<b>&\"'", "a|b", "bell\x07\ud800", "]]>"]
    both = [outcomes(300, lost, 3) for lost in (3, 90, 9, 3)]
    tasks = [dict(zip(names, side, strict=True)) for side in zip(*both, strict=True)]
    return judge(*tasks, Policy(margin=0.02), looks=3)


def test_junit_is_valid_and_names_are_names(odd_names: Decision) -> None:
    suite = ET.fromstring(render.to_junit(odd_names).encode()).find("testsuite")
    assert suite is not None
    cases = {c.get("name"): c for c in suite.findall("testcase")}
    assert list(cases) == ["overall", "<b>&\"'", "a|b", "bell��", "]]>"]
    assert suite.get("tests") == "5"
    failed = [name for name, c in cases.items() if c.find("failure") is not None]
    assert failed == [r.task or "overall" for r in odd_names.rows if r.name == "worse"]
    assert int(suite.get("failures") or 0) == len(failed)
    assert "a|b" in failed


def test_markdown_has_a_row_for_each_task(odd_names: Decision) -> None:
    text = render.to_markdown(odd_names)
    assert text.startswith("## ropewalk gate\n\n**FAIL  candidate is worse on \\`a\\|b\\`")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 5
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {9}
    assert "<b>" not in text


def test_json_is_stable_and_plain(odd_names: Decision) -> None:
    text = render.to_json(odd_names)
    content = json.loads(text)
    assert text.isascii()
    assert content["schema"] == "ropewalk-gate/1"
    assert (content["decision"], content["exit_code"]) == ("fail", 1)
    assert "a|b" in content["decided_by"]
    assert [t["task"] for t in content["tasks"]][1] == "a|b"
    assert content["looks"]["wrong_pass_at_most"] == 0.15
    for row in (content["overall"], *content["tasks"]):
        assert 0 <= row["p_worse"] + row["p_not_worse"] <= 1 + 1e-9  # each is on its own safe side


def test_text_fits_a_terminal(odd_names: Decision) -> None:
    lines = render.to_text(odd_names).strip("\n").splitlines()
    assert lines[0].startswith("  FAIL  candidate is worse on `a|b` by 0.29")
    assert max(map(len, lines)) <= 80
    assert "look 3 at this baseline" in " ".join(lines)

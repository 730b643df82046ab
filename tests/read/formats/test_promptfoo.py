"""Results of promptfoo."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ropewalk.errors import PairingError, ReadError
from ropewalk.read import read
from tests.read.formats.written import SAMPLES, means, scores


def test_promptfoo_as_the_tool_wrote_it() -> None:
    """promptfoo 0.121: "good" fails on word 7; "bad" passes on word 3 only, and breaks on word 5."""
    s = scores(SAMPLES / "promptfoo.json")
    assert s.models == ("good", "bad")
    assert s.metric == "pass"
    assert means(s) == {"good": 7 / 8, "bad": 1 / 8}
    assert s.audit.warnings == ("bad: 1 test ended in an error, counted as failed",)
    assert "read as promptfoo" in s.audit.notes
    cost = scores(SAMPLES / "promptfoo.json", score="cost")
    assert not cost.higher_is_better
    assert cost.tasks[0].values[0].tolist() == [0.001, 0.0005]


def promptfoo(changes: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((SAMPLES / "promptfoo.json").read_text())
    for row in document["results"]["results"]:
        changes(row)
    return document


def test_promptfoo_runs_in_two_files_are_paired_by_their_variables(tmp_path: Path) -> None:
    def other(row: dict[str, Any]) -> None:
        row["provider"] = {"id": row["provider"]["id"] + "-v2", "label": ""}
        row["testIdx"] = 7 - row["testIdx"]

    (tmp_path / "old.json").write_text((SAMPLES / "promptfoo.json").read_text())
    (tmp_path / "new.json").write_text(json.dumps(promptfoo(other)))
    s = scores(tmp_path)
    assert s.models == ("custom:good-v2", "custom:bad-v2", "good", "bad")
    assert s.audit.paired == 8
    values = s.tasks[0].values
    assert (values[:, :2] == values[:, 2:]).all()


def test_promptfoo_other_assertions_are_another_test(tmp_path: Path) -> None:
    def other(row: dict[str, Any]) -> None:
        row["provider"] = {"id": row["provider"]["label"] + "2"}
        if row["vars"]["word"] == "word1":
            row["testCase"]["assert"] = [{"type": "equals", "value": "x"}]

    (tmp_path / "old.json").write_text((SAMPLES / "promptfoo.json").read_text())
    (tmp_path / "new.json").write_text(json.dumps(promptfoo(other)))
    with pytest.raises(PairingError, match="differ in the assertions of 1 unit"):
        read(tmp_path)


def test_promptfoo_two_prompts_of_one_provider(tmp_path: Path) -> None:
    def other(row: dict[str, Any]) -> None:
        row["provider"] = {"id": "gpt", "label": ""}
        row["prompt"]["label"] = ["short", "long"][row["promptIdx"]]

    (tmp_path / "r.json").write_text(json.dumps(promptfoo(other)))
    assert scores(tmp_path / "r.json").models == ("gpt [short]", "gpt [long]")
    (tmp_path / "empty.json").write_text('{"evalId": "x", "results": {"version": 3, "results": []}}')
    with pytest.raises(ReadError, match="no results of single tests"):
        read(tmp_path / "empty.json")

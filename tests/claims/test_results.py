"""A whole table of claims."""

from __future__ import annotations

import json
from pathlib import Path

import ropewalk as rw


def test_a_whole_table(tmp_path: Path) -> None:
    found = rw.claim({"a": "0.912", "b": "0.899", "c": "0.897", "d": "0.897"}, 10_000)
    assert [(p.a.model, p.b.model) for p in found.holding("every")] == [("a", "b"), ("a", "c"), ("a", "d")]
    assert [(p.a.model, p.b.model) for p in found.holding("some")] == [("b", "c"), ("b", "d")]
    assert found.tied == (("c", "d"),)
    text = found.to_text()
    assert "3 of 5: holds for every possible agreement" in text
    assert "Equal accuracies, no order is claimed: c and d." in text
    assert max(map(len, text.splitlines())) < 80
    document = json.loads(found.to_json())
    assert document["format"] == "ropewalk-claims/1"
    assert document["claims"][0]["smallest_n"] == found.pairs[0].smallest_n

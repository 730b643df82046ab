from __future__ import annotations

import json

import numpy as np
import pytest

from ropewalk.errors import ReadError
from ropewalk.read import jsonl
from ropewalk.read.jsonl import from_json
from ropewalk.read.table import Table, as_text


def table(content: str) -> Table:
    return from_json(content, name="t.jsonl", stem="t")


def test_columns_keep_their_kind() -> None:
    rows = [
        {"id": 1, "x": 1, "s": "a", "b": True, "n": None, "big": 2**60, "huge": 2**70, "mix": 1},
        {"id": 2, "x": 2.5, "s": "b", "b": False, "n": 3, "big": 2**60 + 1, "huge": 1, "mix": "z"},
    ]
    read = table("\n".join(map(json.dumps, rows)))
    assert read.columns["id"].dtype == np.int64
    assert read.columns["x"].tolist() == [1.0, 2.5]
    assert read.columns["b"].tolist() == ["True", "False"]
    assert read.columns["n"].tolist() == ["", "3"]
    assert as_text(read.columns["big"]).tolist() == [str(2**60), str(2**60 + 1)]  # no digit is lost
    assert read.columns["huge"].tolist() == [str(2**70), "1"]
    assert read.columns["mix"].tolist() == ["1", "z"]


def test_keys_may_be_missing_and_nested_values_are_set_aside() -> None:
    read = table('{"id": 1, "doc": {"text": "x"}}\n\n{"id": 2, "score": 0.5}\n')
    assert list(read.columns) == ["id", "score"]
    assert np.isnan(read.columns["score"][0])
    assert read.skipped == {"doc": "holds lists or objects"}
    assert read.lines is not None
    assert read.lines.tolist() == [1, 3]


def test_line_separators_inside_strings() -> None:
    assert table('{"id": "a\u2028b"}\n{"id": "c\x85d"}\n').columns["id"].tolist() == ["a\u2028b", "c\x85d"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"id": 1}\n[1, 2]\n', r"t.jsonl, row 2 \(line 2\): not an object"),
        ('{"id": 1}\n7\n', r"t.jsonl, row 2 \(line 2\): not an object"),
        ("[[1], [2]]", "t.jsonl, row 1: not an object"),
        ("[]", "t.jsonl is an empty array"),
        ('{"id": 1\n', r"t.jsonl, line 1: not valid JSON \(Expecting ',' delimiter, column 9\)"),
        ('{"id": 1} x\n', "t.jsonl, line 1: not valid JSON"),
        ('{"id": 1, "id": 2}\n', "a key occurs twice in one object"),
        ('{"id" : 1, "id" : 2}\n', "a key occurs twice in one object"),
        ('[{"id": 1, "x": 1, "id": 2}]', "a key occurs twice in one object"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "t.jsonl, line 1: nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "t.jsonl, line 1: not valid JSON"),
        ('{"a": {"b": 1}}\n', "t.jsonl has no column of plain values\n\n  `a`: holds lists or objects"),
        ("{}\n", "t.jsonl has no column of plain values"),
    ],
)
def test_bad_json(content: str, message: str) -> None:
    with pytest.raises(ReadError, match=message):
        table(content)


def test_values_that_would_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "room_for_values", lambda: 1_000)
    rows = "".join(f'{{"id": {i}, "a": {i}, "b": 1}}\n' for i in range(50))
    with pytest.raises(ReadError, match=r"t.jsonl would take more than 1,000 bytes of memory"):
        table(rows)

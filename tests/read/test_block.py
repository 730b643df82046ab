"""Blocks of rows: their keys as text, coded over all blocks, and the roles that all must have."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import PairingError
from ropewalk.read.block import KeyColumn, same_keys
from tests.read.wide import block


def test_ids_that_were_saved_as_floats_are_whole() -> None:
    one = block({"id": ["1.0", "2.0"], "a": [1, 2]}, models=["a"], unit="id")
    assert one.key("unit").tolist() == ["1", "2"]
    mixed = block({"id": ["1.0", "2.5"], "a": [1, 2]}, models=["a"], unit="id")
    assert mixed.key("unit").tolist() == ["1.0", "2.5"]


def test_whole_numbers_and_text_meet_as_text() -> None:
    whole = block({"id": [7, 8], "a": [1, 2]}, models=["a"], unit="id")
    text = block({"id": ["8", "9"], "b": [1, 2]}, models=["b"], unit="id")
    assert KeyColumn.of([whole, whole], "unit").cells.dtype == np.int64
    found = KeyColumn.of([whole, text], "unit")
    assert found.codes.tolist() == [0, 1, 1, 2]
    assert found.text(found.first).tolist() == ["7", "8", "9"]


def test_a_key_that_one_has_all_must_have() -> None:
    one, two = ("a.csv", {"task": "t", "unit": "id"}), ("b.csv", {"unit": "id"})
    with pytest.raises(PairingError, match=r"a\.csv has a column for the task, b\.csv has none"):
        same_keys([one, two], by_position=False)
    assert same_keys([one, one], by_position=False) == ["task", "unit"]
    assert same_keys([("a", {"unit": "id"}), ("b", {})], by_position=True) == []

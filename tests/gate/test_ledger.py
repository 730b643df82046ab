"""Looks at the same candidate add up."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk.errors import DataError, OptionError
from ropewalk.gate import Ledger, Looks


def test_looks_add_up() -> None:
    # Oracle: Bonferroni's bound N (1 - p), never above 1.
    looks = Looks(count=4, probability=0.95, families=2)
    assert (looks.wrong_pass, looks.wrong_fail) == (0.2, 0.4)
    assert looks.keeping == pytest.approx(0.9875)
    assert Looks(count=400, probability=0.95).wrong_pass == 1.0
    assert looks.sentence == (
        "look 4 at this baseline: the chance of at least one wrong pass is at most 4 × 0.05 = 0.2, "
        "of a wrong fail at most 0.4; --probability 0.9875 would keep the first at 0.05"
    )
    for count in (0, -1, True):
        with pytest.raises(OptionError, match=f"looks is {count}"):
            Looks(count=count, probability=0.95)


def test_a_ledger_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "ledger.json"
    assert Ledger.read(file) == Ledger()
    for content in ("[]", "{", '{"schema": "other", "looks": {}}', '{"looks": 3}', "[" * 100_000):
        file.write_text(content)
        with pytest.raises(DataError, match="is not a ledger of decisions"):
            Ledger.read(file)
    with pytest.raises(DataError, match="cannot be read"):
        Ledger.read(tmp_path)
    ledger = Ledger().with_look("b", "c")
    file.write_text(ledger.to_json())
    assert Ledger.read(file) == ledger

"""What a log says goes with its table: it says nothing unless the file did, and cannot be changed."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from ropewalk.read.log import Log


def test_a_log_that_says_nothing() -> None:
    log = Log(format="x")
    assert not any((log.notes, log.warnings, log.higher_is_better, log.same, log.alike, log.groups))
    with pytest.raises(FrozenInstanceError):
        log.format = "y"

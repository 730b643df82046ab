"""Tables that are summed where they lie."""

from __future__ import annotations

from typing import Any

import pytest

from ropewalk.data import Scores, Summed


def same_sums(found: Any, rows: Scores, pairs: list[tuple[str, str]]) -> None:
    """n to the unit, mean and M2 to 1e-12 of the size of the scores."""
    assert isinstance(found, Summed)
    assert found.audit.paired == rows.audit.paired
    assert found.audit.dropped == rows.audit.dropped
    for task in found.tasks:
        for a, b in pairs:
            here, there = found.sums(a, b, task), rows.sums(a, b, task.name)
            assert here.n == there.n
            assert here.mean == pytest.approx(there.mean, abs=1e-12)
            assert here.m2 == pytest.approx(there.m2, rel=1e-12)

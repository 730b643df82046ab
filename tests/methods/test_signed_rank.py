"""The signed-rank test as a method: counted differences, and too many units to vary the ROPE."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.methods import method_of, signed_rank


def test_counted_differences_are_as_good_as_read_ones() -> None:
    a, b = np.array([1, 1, 1, 0, 1, 0, 1, 1]), np.array([0, 1, 1, 1, 1, 0, 0, 1])
    (c,) = rw.compare({"A": a, "B": b}, method="signed_rank", rope=0.1).comparisons
    (d,) = rw.compare({"A": a + 0.001, "B": b + 0.001}, method="signed_rank", rope=0.1).comparisons
    assert c.verdict.better == pytest.approx(d.verdict.better, abs=0.01)
    assert c.at_ropes([2.0]) == pytest.approx(d.at_ropes([2.0]), abs=0.02)


def test_of_many_units_the_rope_is_not_varied(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    (c,) = rw.compare({"A": rng.normal(0.1, 1, 31), "B": np.zeros(31)}, method="signed_rank").comparisons
    assert method_of(c).follows(c)
    monkeypatch.setattr(signed_rank, "MOST_UNITS", 30)
    assert not method_of(c).follows(c)
    assert c.at_ropes([2.0]) is None

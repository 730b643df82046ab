"""Verdicts at the edge of the ROPE, small here and stored in full: calibration/verdict_edges.py."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def edges() -> Iterator[Any]:
    sys.path.insert(0, str(ROOT / "calibration"))
    try:
        yield import_module("verdict_edges")
    finally:
        sys.path.remove(str(ROOT / "calibration"))


def test_the_page_has_the_stored_figures(edges: Any) -> None:
    figures = json.loads((ROOT / "calibration" / "figures" / "verdict_edges.json").read_text())
    assert edges.text(figures) in (ROOT / "docs" / "calibration.md").read_text(encoding="utf-8")
    # No shape is called worse wrongly by more than chance, 5% and 3.5 standard errors; but for the
    # signed-rank test, which is the worst of four spreads, and of which the page says how often it is wrong.
    for r in figures["rows"]:
        limit = 0.05 + 3.5 * np.sqrt(0.05 * 0.95 / r["times"])
        assert r["worse"] <= (0.1 if r["shape"] == edges.RANKED else limit)


def test_the_warning_of_few_tasks_is_the_stored_rate() -> None:
    from ropewalk.methods.signed_rank import _FALSE_EQUIVALENT

    figures = json.loads((ROOT / "calibration" / "figures" / "verdict_edges.json").read_text())
    stored = {r["n"]: r["equivalent"] for r in figures["rows"] if r["shape"] == "one number per task"}
    assert max(_FALSE_EQUIVALENT) == 10
    for n, share in _FALSE_EQUIVALENT.items():
        fewer = max(k for k in stored if k <= n)  # 7 and 9 were not simulated: the rate of one task fewer
        assert share == pytest.approx(stored[fewer], abs=0.005)


def test_a_default_that_is_too_sure_is_caught(edges: Any) -> None:
    # The page says where not to use it: graded scores that are alike but for a few large losses.
    assert edges.at_edge("graded, nearly all alike", 200, 25)["equivalent"] > 0.05
    assert edges.at_edge("five grades", 50, 25)["equivalent"] <= 0.2

"""Tests lie where what they test lies: `report/text.py` has `tests/report/test_text.py`."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "ropewalk"
# Modules that are tested through others only. None is added here: write or move its tests.
THROUGH_OTHERS: set[str] = set()


def test_every_module_has_its_test_file() -> None:
    modules = {p.relative_to(SOURCE) for p in SOURCE.rglob("*.py") if not p.name.startswith("__")}
    missing = {str(m) for m in modules if not (TESTS / m.parent / f"test_{m.name}").exists()}
    assert missing == THROUGH_OTHERS

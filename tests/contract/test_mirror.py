"""Tests lie where what they test lies: `report/text.py` has `tests/report/test_text.py`."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "ropewalk"


def test_every_module_has_its_test_file() -> None:
    modules = {p.relative_to(SOURCE) for p in SOURCE.rglob("*.py") if not p.name.startswith("__")}
    assert {str(m) for m in modules if not (TESTS / m.parent / f"test_{m.name}").exists()} == set()

"""What docs/plan.md prints is what ropewalk prints: the oracle is the page, run as in tests/test_docs.py."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_page_prints_what_ropewalk_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("pages", ROOT / "tests" / "test_docs.py")
    assert spec is not None
    assert spec.loader is not None
    pages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pages)
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "plan.md").read_text(encoding="utf-8")
    assert pages.run(text, {}) >= 5
    assert (ROOT / "docs" / "img" / "assurance.png").exists()

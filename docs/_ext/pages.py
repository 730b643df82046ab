"""Where pages are, and how one is written."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parents[1]


def write(path: Path, text: str) -> None:
    """Write a page only if it changed, because Sphinx rebuilds newer files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")

"""Files that the pages about the house name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACEHOLDERS = {"x", "my_test", "test_my_test"}


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_every_file_that_is_named_is_there(page: str) -> None:
    named = set(re.findall(r"`([a-z_/]+\.py)`", (ROOT / page).read_text(encoding="utf-8")))
    missing = {
        name
        for name in named
        if Path(name).stem not in PLACEHOLDERS
        and not (ROOT / name).exists()
        and not (ROOT / "src" / "ropewalk" / name).exists()
    }
    assert len(named) > 5
    assert not missing


def test_the_listing_of_the_architecture_is_the_tree() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listing = page.split("src/ropewalk/\n")[1].split("```")[0]
    listed = {line.split()[0].rstrip("/") for line in listing.splitlines()}
    there = {p.name for p in (ROOT / "src" / "ropewalk").iterdir() if p.is_dir() or p.suffix == ".py"}
    assert listed == there - {"__init__.py", "__main__.py", "__pycache__"}


def test_a_command_takes_ten_hops_at_most() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    hops = re.findall(r"^\| (\d+) \|", page, flags=re.MULTILINE)
    assert hops == [str(k + 1) for k in range(len(hops))]
    assert 0 < len(hops) <= 10

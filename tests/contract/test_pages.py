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

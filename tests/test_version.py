"""The version of the package is that of its metadata and of the citation file."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import ropewalk as rw
from ropewalk.version import VERSION


def test_there_is_one_version() -> None:
    assert rw.__version__ == version("ropewalk") == VERSION
    assert f"version: {VERSION}\n" in (Path(__file__).parents[1] / "CITATION.cff").read_text()

"""Archives and workbooks."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from ropewalk.data import Scores

ROWS = [["id", "svm", "forest"], [1, 0.5, 0.75], [2, 0.25, 0.5], [3, 1.0, 0.75]]


CSV = "\n".join(",".join(map(str, row)) for row in ROWS) + "\n"


def values(found: Any) -> list[list[float]]:
    assert isinstance(found, Scores)
    out: list[list[float]] = found.tasks[0].values.tolist()
    return out


def zstd_module() -> Any:
    """What packs with zstd: a part of Python from 3.14 on."""
    return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


def zstd_zipfile() -> Any:
    """The module zipfile that knows zstd."""
    return import_module("zipfile" if sys.version_info >= (3, 14) else "backports.zstd.zipfile")

"""Figures of other packages."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType


def _made() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "reference_figures", Path(__file__).with_name("reference_figures.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MADE = _made()


FIGURES: dict[str, float] = json.loads(MADE.FILE.read_text())

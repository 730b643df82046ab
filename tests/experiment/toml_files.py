"""Experiments as files."""

from __future__ import annotations

from pathlib import Path

from ropewalk.experiment.file import ExperimentFile, read_experiment

DATA = """
[datasets]
wine = "wine"
"""


def read(tmp_path: Path, text: str, *allow: str) -> ExperimentFile:
    path = tmp_path / "e.toml"
    path.write_text(text)
    return read_experiment(path, allow=allow)

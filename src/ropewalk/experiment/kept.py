"""The predictions of fits that are kept: one file for each fit."""

from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from ropewalk.errors import ReadError, short
from ropewalk.experiment.manifest import REPAIR
from ropewalk.experiment.work import Fit
from ropewalk.read.content import broken_zip, check_regular

OUTPUTS = "outputs"
_NEW = ".new"
_DIGITS = 24  # length of a file name
_UNFINISHED = re.compile(rf"[0-9a-f]{{{_DIGITS}}}{re.escape(_NEW)}")


def outputs_path(folder: Path, fit: Fit) -> Path:
    """Return the path of a fit's outputs, which does not contain names of algorithms or data sets."""
    stem = hashlib.sha256(json.dumps(fit.identity).encode()).hexdigest()[:_DIGITS]
    return folder / OUTPUTS / f"{stem}.npz"


def unfinished_outputs(folder: Path) -> list[Path]:
    """Return the prediction files that an interrupted run left unfinished in a results folder."""
    place = folder / OUTPUTS
    if not place.is_dir():
        return []
    return [path for path in place.iterdir() if _UNFINISHED.fullmatch(path.name)]


def save_outputs(path: Path, outputs: dict[str, Any]) -> None:
    """Write the arrays of one fit completely or not at all; the file is on disk before it gets its name."""
    beside = path.with_suffix(_NEW)
    try:
        with beside.open("wb") as file:
            np.savez(file, **outputs)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def read_outputs(folder: Path, fit: Fit) -> dict[str, Any]:
    """Read the arrays of one fit."""
    path = outputs_path(folder, fit)
    try:
        _check_size(path)
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except Exception as error:  # noqa: BLE001  # whatever NumPy and zipfile say of a broken file
        raise ReadError(f"the outputs {short(path)} cannot be read: {short(error)}", hint=REPAIR) from None


def _check_size(path: Path) -> None:
    """Refuse files that a stranger may have put there: pipes, devices, or archives of gigabytes."""
    check_regular(path)
    with zipfile.ZipFile(path) as file:
        if sum(info.file_size for info in file.infolist()) > path.stat().st_size:  # ours are not compressed
            raise zipfile.BadZipFile("it unpacks to more bytes than it states")


def is_whole(folder: Path, fit: Fit, *, thoroughly: bool) -> bool:
    """Whether the outputs of a fit exist; `thoroughly` compares every byte with its checksum."""
    path = outputs_path(folder, fit)
    try:
        _check_size(path)
        with zipfile.ZipFile(path) as file:
            return bool(file.namelist()) and not (thoroughly and file.testzip())
    except broken_zip():
        return False

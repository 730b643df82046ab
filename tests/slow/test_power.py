"""The power fails: snapshots of the disk below a mounted file system, taken while an experiment runs.

A snapshot holds what the system has written by itself or was made to write, and nothing else. Needs the right
to mount; `tests/experiment/test_damage.py` has the same without a disk.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ropewalk.errors import RopewalkWarning
from ropewalk.experiment import Experiment

CODE = """
import sys, time
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from ropewalk.experiment import cross_validate, store
store._SOME = 40
class Slow(GaussianNB):
    def fit(self, X, y):
        time.sleep(float(sys.argv[2]))
        return super().fit(X, y)
Slow.__module__ = "soaked"
sys.modules["soaked"] = sys.modules["__main__"]
cross_validate({"a": Slow(), "b": DummyClassifier()}, {"iris": load_iris(return_X_y=True)}, design="20x5cv",
               store=sys.argv[1], keep_predictions=True)
"""
FITS = 200
EVERY = 1.0  # seconds
MOST = 5  # snapshots that are gone on with


@contextmanager
def mounted(image: Path, place: Path) -> Iterator[Path]:
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", "loop", image, place], check=True, capture_output=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


@pytest.fixture
def image(tmp_path: Path) -> Path:
    if not (shutil.which("mkfs.ext4") and shutil.which("mount") and os.geteuid() == 0):
        pytest.skip("file systems cannot be made and mounted here")
    path = tmp_path / "disk.img"
    path.write_bytes(b"")
    os.truncate(path, 64 << 20)
    subprocess.run(["mkfs.ext4", "-q", path], check=True)
    try:
        with mounted(path, tmp_path / "try"):
            pass
    except subprocess.CalledProcessError:
        pytest.skip("file systems cannot be mounted here")
    return path


def values(folder: Path) -> list[Any]:
    return sorted((f.identity, f.values["accuracy"]) for f in Experiment.load(folder).fits)


def run(folder: Path, sleep: float) -> list[str]:
    return [sys.executable, "-W", "ignore", "-c", CODE, str(folder), str(sleep)]


def test_snapshots_of_a_disk_can_be_gone_on_with(image: Path, tmp_path: Path) -> None:
    """Oracle: a run without failures, on another disk."""
    subprocess.run(run(tmp_path / "whole", 0), check=True)
    expected, shots = values(tmp_path / "whole"), []
    with mounted(image, tmp_path / "disk") as disk:
        child = subprocess.Popen(run(disk / "r", 0.05))
        while child.poll() is None:
            time.sleep(EVERY)
            child.send_signal(signal.SIGSTOP)  # nothing is written while the disk is copied
            shots.append(shutil.copyfile(image, tmp_path / f"shot-{len(shots)}.img"))
            child.send_signal(signal.SIGCONT)
        assert child.returncode == 0
        shots.append(shutil.copyfile(image, tmp_path / f"shot-{len(shots)}.img"))
    found = []
    for shot in [*shots[:-1][:: max(1, len(shots) // MOST)], shots[-1]]:
        with mounted(shot, tmp_path / "shot") as disk, warnings.catch_warnings():
            warnings.simplefilter("ignore", RopewalkWarning)
            there = (disk / "r" / "experiment.json").exists()
            found.append(len(Experiment.load(disk / "r").fits) if there else 0)
            subprocess.run(run(disk / "r", 0), check=True)
            assert values(disk / "r") == expected
            Experiment.load(disk / "r").predictions()
        shot.unlink()
    # At the end everything had been waited for; on the way some of it.
    assert found[-1] == FITS
    assert len(found) > 3
    assert any(0 < n < FITS for n in found)

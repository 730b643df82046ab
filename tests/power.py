"""A disk whose power fails: what nobody has waited for may be gone."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

NEEDED = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="open files and folders cannot be looked at here"
)


class Disk:
    """What would be on a disk if the power failed now.

    Of a file it is the content that was last waited for. Of a folder it is all names that it has by now, or
    those only that it had when it was last waited for: disks write names down early or late.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._content: dict[int, bytes] = {}
        self._names: dict[int, dict[str, int]] = {}
        self._kept: dict[int, int] = {}  # open files: the number of a file that is open is given to no other
        self._fsync = os.fsync
        monkeypatch.setattr(os, "fsync", self._wait)

    def __enter__(self) -> Disk:
        return self

    def __exit__(self, *_: object) -> None:
        for handle in self._kept.values():
            os.close(handle)

    def sync(self, folder: Path) -> None:
        """Wait for the names in a folder."""
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)

    def _wait(self, handle: int) -> None:
        self._fsync(handle)
        place = Path(f"/proc/self/fd/{handle}")
        number = self._number(place)
        if stat.S_ISREG(os.fstat(handle).st_mode):
            self._content[number] = place.read_bytes()
        else:
            self._names[number] = {path.name: self._number(path) for path in place.iterdir()}

    def _number(self, path: Path) -> int:
        number = path.stat().st_ino
        if number not in self._kept:
            self._kept[number] = os.open(path, os.O_RDONLY)
        return number

    def with_all_names(self, folder: Path, copy: Path) -> None:
        """Copy what would be there if every name had been written down and nothing else had."""
        shutil.copytree(folder, copy)
        for path in folder.rglob("*"):
            if path.is_file():
                (copy / path.relative_to(folder)).write_bytes(self._content.get(path.stat().st_ino, b""))

    def with_old_names(self, folder: Path, copy: Path) -> None:
        """Copy what would be there if nothing had been written down that was not waited for."""
        number = self._names.get(folder.parent.stat().st_ino, {}).get(folder.name)
        if number is not None:
            self._copied(number, copy)

    def _copied(self, number: int, copy: Path) -> None:
        if stat.S_ISREG(os.fstat(self._kept[number]).st_mode):
            copy.write_bytes(self._content.get(number, b""))
            return
        copy.mkdir()
        for name, inside in self._names.get(number, {}).items():
            self._copied(inside, copy / name)

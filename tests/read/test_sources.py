"""Workbooks, text packed by gzip, and zip archives of a folder."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import Any

import pytest

from ropewalk.data import Scores
from ropewalk.errors import ReadError
from ropewalk.read import read
from ropewalk.read.formats import file as packed_file
from tests.read.archives import CSV, ROWS, values


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_text_packed_by_gzip(suffix: str, tmp_path: Path) -> None:
    rows = "".join(f'{{"id": {i}, "svm": {a}, "forest": {b}}}\n' for i, a, b in ROWS[1:])
    text = CSV if suffix == ".csv" else rows
    path = tmp_path / f"t{suffix}.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert values(read(path)) == [row[1:] for row in ROWS[1:]]
    half = len(text) // 2  # several members, as logrotate and pigz leave them
    path.write_bytes(gzip.compress(text[:half].encode()) + gzip.compress(text[half:].encode()))
    assert values(read(tmp_path)) == [row[1:] for row in ROWS[1:]]
    path.write_bytes(gzip.compress(text.encode())[:-12])
    with pytest.raises(ReadError, match="is compressed by gzip and incomplete"):
        read(path)


def test_one_packed_file_a_model(tmp_path: Path) -> None:
    for k, model in enumerate(("svm", "forest"), start=1):
        text = "id,score\n" + "".join(f"{row[0]},{row[k]}\n" for row in ROWS[1:])
        (tmp_path / f"{model}.csv.gz").write_bytes(gzip.compress(text.encode()))
    found = read(tmp_path)
    assert isinstance(found, Scores)
    assert found.models == ("forest", "svm")


def test_a_gzip_bomb(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"id,a,b\n" + b"1,2,3\n" * 20_000_000))
    assert path.stat().st_size < 500_000
    with pytest.raises(ReadError, match="unpacks to more than"):
        read(path)


def test_many_packed_members_are_not_copied_for_each_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows a member is copied: with all of the rest, the time grows with the square of the size.

    Oracle: what is handed over to be unpacked, in bytes.
    """
    given: list[int] = []

    class Counted:
        def __init__(self, **options: Any) -> None:
            self._real = zlib.decompressobj(**options)

        def decompress(self, piece: bytes, most: int) -> bytes:
            given.append(len(piece))
            return self._real.decompress(piece, most)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._real, name)

    class Module:
        error = zlib.error
        decompressobj = Counted

    monkeypatch.setattr(packed_file, "zlib", Module)
    members = 5_000
    packed = gzip.compress(b"", mtime=0) * members + gzip.compress(CSV.encode())
    path = tmp_path / "t.csv.gz"
    path.write_bytes(packed)
    assert values(read(path)) == [row[1:] for row in ROWS[1:]]
    assert max(given) <= 4_096
    assert packed_file.gunzip(packed[:-5], 10**6) == CSV.encode()

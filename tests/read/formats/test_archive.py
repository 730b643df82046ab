"""Archives of strangers: bombs, broken members and zstd."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ropewalk.errors import MissingExtraError, ReadError
from ropewalk.read import read
from ropewalk.read.formats import archive
from tests.read.archives import zstd_module, zstd_zipfile
from tests.read.formats.inspect_logs import (
    Log,
    N,
    score,
    scores,
    write,
)


def test_a_zip_bomb_is_not_unpacked(logs: dict[str, Log], tmp_path: Path) -> None:
    write(logs, tmp_path, "eval")
    with zipfile.ZipFile(tmp_path / "good.eval", "a", zipfile.ZIP_DEFLATED) as file:
        file.writestr("summaries2.json", b"")
    with zipfile.ZipFile(tmp_path / "poor.eval", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", json.dumps(logs["poor"] | {"samples": None}))
        file.writestr("summaries.json", b"[" + b" " * 50_000_000 + b"]")
    with pytest.raises(ReadError, match=r"summaries\.json unpacks to more than"):
        read(tmp_path)


def test_all_members_together_are_bounded(
    logs: dict[str, Log], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(logs, tmp_path, "eval with samples alone")
    monkeypatch.setattr(archive, "_MOST_BYTES", 1500)
    with pytest.raises(ReadError, match="unpacks to more than"):
        read(tmp_path)


def test_members_are_bounded_in_number(
    logs: dict[str, Log], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(logs, tmp_path, "eval")
    monkeypatch.setattr(archive, "_MOST_MEMBERS", 10)
    with pytest.raises(ReadError, match="has more than 10 members"):
        read(tmp_path)


def test_members_with_paths_are_not_written(logs: dict[str, Log], tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    write(logs, folder, "eval")
    with zipfile.ZipFile(folder / "good.eval", "a") as file:
        file.writestr("../../escaped.json", "{}")
    before = sorted(tmp_path.rglob("*"))
    scores(folder)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_zip_without_a_header(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.eval", "w") as file:
        file.writestr("readme", "nothing")
    with pytest.raises(ReadError, match=r"it has no header\.json"):
        read(tmp_path / "x.eval")


def write_zstd(logs: dict[str, Log], folder: Path) -> None:
    """As inspect_ai itself packs its logs."""
    zstd_zip = zstd_zipfile()
    for name, content in logs.items():
        with zstd_zip.ZipFile(folder / f"{name}.eval", "w", zstd_zip.ZIP_ZSTANDARD) as file:
            file.writestr("header.json", json.dumps(content | {"samples": None}))
            file.writestr("summaries.json", json.dumps(content["samples"]))


def test_zstd_is_read(logs: dict[str, Log], tmp_path: Path) -> None:
    write_zstd(logs, tmp_path)
    s = scores(tmp_path)
    assert s.audit.paired == N
    assert s.tasks[0].values.tolist() == [[score("good", i), score("poor", i)] for i in range(N)]


def test_without_zstd_the_extra_is_named(
    logs: dict[str, Log], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_zstd(logs, tmp_path)
    monkeypatch.setattr(archive, "_zstd", lambda: None)
    with pytest.raises(
        MissingExtraError, match="compressed with zstd, which this Python cannot decompress"
    ) as caught:
        read(tmp_path)
    assert "pip install backports.zstd" in caught.value.hint


def test_where_there_is_no_zstd_module(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    assert archive._zstd() is None


def test_a_zstd_bomb_is_not_unpacked(logs: dict[str, Log], tmp_path: Path) -> None:
    # A gigabyte of blanks is 33 kB of zstd. No more than was allowed may ever be in memory.
    zstd_zip = zstd_zipfile()
    with zstd_zip.ZipFile(tmp_path / "good.eval", "w", zstd_zip.ZIP_ZSTANDARD) as file:
        file.writestr("header.json", json.dumps(logs["good"] | {"samples": None}))
        with file.open("summaries.json", "w") as stream:
            for _ in range(64):
                stream.write(b" " * (1 << 24))
    assert (tmp_path / "good.eval").stat().st_size < 200_000
    tracemalloc.start()
    with pytest.raises(ReadError, match=r"summaries\.json unpacks to more than"):
        read(tmp_path / "good.eval")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 << 20


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda z, data: data + z.compress(b" "), "bad CRC-32"),
        (lambda z, data: data[:-3], "a member ends before its data do"),
        (lambda z, data: b"no zstd", "cannot be read as a zip archive"),
        (lambda z, data: z.compress(b"") * 101, "a member has more than 100 frames"),
    ],
    ids=["more than was packed", "cut short", "something else", "frames without end"],
)
def test_zstd_that_is_broken(
    change: Callable[[Any, bytes], bytes], message: str, logs: dict[str, Log], tmp_path: Path
) -> None:
    zstd = zstd_module()
    data = json.dumps(logs["good"] | {"samples": None}).encode()
    packed = change(zstd, zstd.compress(data))
    with zipfile.ZipFile(tmp_path / "good.eval", "w") as file:
        file.writestr("header.json", packed)
        info = file.getinfo("header.json")
        info.compress_type, info.CRC = 93, zlib.crc32(data)
    with pytest.raises(ReadError, match=message):
        read(tmp_path / "good.eval")


def test_frames_one_after_another_are_one_member(logs: dict[str, Log], tmp_path: Path) -> None:
    zstd = zstd_module()
    data = json.dumps(logs["good"]).encode()
    assert archive._unpacked(zstd.compress(data[:50]) + zstd.compress(data[50:]), len(data), "x") == data


def test_other_ways_of_packing_are_refused(logs: dict[str, Log], tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "good.eval", "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("header.json", json.dumps(logs["good"]))
    with pytest.raises(ReadError, match=r"header\.json is compressed by method 12"):
        read(tmp_path / "good.eval")


def test_a_small_archive_of_empty_lists_is_refused(tmp_path: Path) -> None:
    """0.5 MB that unpack to 85 MB and would be 2 GB of lists, in a process that may have 1.5 GB."""
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr(
            "header.json", json.dumps({"eval": {"task": "t", "model": "m"}, "status": "success"})
        )
        noise = json.dumps(random.Random(0).randbytes(350_000).hex()).encode()  # else the ratio gives it away
        archive.writestr("summaries.json", b"[" + b"[]," * (27 << 20) + noise + b"]")
    assert path.stat().st_size < 700_000
    limit = 1_500_000_000
    code = (
        f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))\n"
        f"import ropewalk as rw; rw.read([{str(path)!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "would take too much memory" in done.stderr
    assert "MemoryError" not in done.stderr

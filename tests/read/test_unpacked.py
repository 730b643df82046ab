"""Zipped folders."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from ropewalk.data import Scores
from ropewalk.errors import ReadError
from ropewalk.read import read
from tests.read.archives import CSV, ROWS, values


def logs(folder: Path) -> None:
    for m, right in (("small", [1, 0, 1]), ("large", [1, 1, 1])):
        (folder / m).mkdir(parents=True)
        events = "".join(
            f'{{"sample_id": "s{i}", "type": "match", "data": {{"correct": {str(bool(r)).lower()}}}}}\n'
            for i, r in enumerate(right)
        )
        spec = f'{{"spec": {{"completion_fns": ["{m}"], "eval_name": "t"}}}}\n'
        (folder / m / "log.jsonl").write_text(spec + events + '{"final_report": {}}\n')


def test_a_zipped_folder_of_logs(tmp_path: Path) -> None:
    logs(tmp_path / "logs")
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((tmp_path / "logs").rglob("*.jsonl")):
            archive.write(file, file.relative_to(tmp_path))
        archive.writestr("__MACOSX/logs/._log.jsonl", b"\x00\x05")
    found, folder = read(path), read(tmp_path / "logs")
    assert isinstance(found, Scores)
    assert found.models == folder.models == ("large", "small")  # type: ignore[union-attr]
    assert values(found) == values(folder)
    assert [i.path for i in found.audit.inputs] == [
        str(path / "logs" / "large" / "log.jsonl"),
        str(path / "logs" / "small" / "log.jsonl"),
    ]
    assert [i.sha256 for i in found.audit.inputs] == [i.sha256 for i in folder.audit.inputs]


def test_a_zipped_folder_of_tables(tmp_path: Path) -> None:
    path = tmp_path / "results.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for k, model in enumerate(("svm", "forest"), start=1):
            rows = "".join(f"{row[0]},{row[k]}\n" for row in ROWS[1:])
            archive.writestr(f"results/{model}.csv", "id,score\n" + rows)
    found = read(path)
    assert isinstance(found, Scores)
    assert found.models == ("forest", "svm")
    assert found.audit.inputs[0].path == str(path / "results" / "forest.csv")


@pytest.mark.parametrize(
    "name",
    ["../evil.csv", "/tmp/evil.csv", "a/../../evil.csv", "..\\evil.csv", "C:\\evil.csv", "a/C:/evil.csv"],
)
def test_a_member_that_leaves_the_archive(name: str, tmp_path: Path) -> None:
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, CSV)
    with pytest.raises(ReadError, match="points outside the archive"):
        read(path)
    assert not (tmp_path.parent / "evil.csv").exists()


def test_a_zip_bomb_and_a_broken_archive(tmp_path: Path) -> None:
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", b"id,a,b\n" + b"1,2,3\n" * 20_000_000)
    with pytest.raises(ReadError, match="is too large when unpacked"):
        read(path)
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(ReadError, match="cannot be read as a zip archive"):
        read(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("é.csv", CSV)
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xe9\xe9"))
    with pytest.raises(ReadError, match="cannot be read as a zip archive"):
        read(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_whose_packed_bytes_are_broken(method: int, tmp_path: Path) -> None:
    """Every way to pack has errors of its own. Oracle: a member is refused, or read as it was packed."""
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("t/t.csv", CSV)
    whole, before, accepted = path.read_bytes(), values(read(path)), 0
    assert before == [row[1:] for row in ROWS[1:]]
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("t/t.csv")
    start = info.header_offset + 30 + len(info.filename)
    for at in range(start, start + info.compress_size):
        broken = bytearray(whole)
        broken[at] ^= 0xFF
        path.write_bytes(broken)
        with suppress(ReadError):  # and nothing else
            assert values(read(path)) == before
            accepted += 1
    assert accepted < info.compress_size

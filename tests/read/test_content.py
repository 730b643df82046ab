"""Pipes, devices, endless lines and files that are gone: refused at once, and with bounded memory."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ropewalk.data import Scores
from ropewalk.errors import DataError, OptionError, ReadError
from ropewalk.experiment.datasets import dataset
from ropewalk.experiment.file import read_experiment
from ropewalk.gate.policy import Policy
from ropewalk.read import read
from ropewalk.read.content import content, toml

TABLE = b"id,a,b\n1,0.5,0.4\n2,0.5,0.25\n"
posix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.fixture
def pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(import_module("ropewalk.read.content"), "_PATIENCE", 0.3)
    path = tmp_path / "t.csv"
    os.mkfifo(path)
    return path


def writer(path: Path, *parts: bytes, wait: float = 0.0) -> None:
    def write() -> None:
        time.sleep(wait)
        # Who reads may have seen enough.
        with contextlib.suppress(BrokenPipeError), path.open("wb", buffering=0) as file:
            for part in parts:
                time.sleep(wait)
                file.write(part)

    threading.Thread(target=write, daemon=True).start()


def sparse(path: Path, head: bytes = b"", size: int = 10**9) -> Path:
    """A file of a billion bytes that takes no room on the disk."""
    with path.open("wb") as file:
        file.write(head)
        file.truncate(size)
    return path


@posix
@pytest.mark.parametrize("in_place", [None, True])
def test_a_pipe_that_nobody_writes_to(pipe: Path, in_place: bool | None) -> None:
    with pytest.raises(
        DataError, match=r"it is a pipe to which no process writes|cannot be aggregated in place"
    ):
        read(pipe, in_place=in_place)


@posix
def test_a_pipe_that_nobody_writes_to_elsewhere(pipe: Path) -> None:
    for suffix in (".arff", ".toml"):
        os.mkfifo(pipe.with_suffix(suffix))
    with pytest.raises(ReadError, match="it is a pipe to which no process writes"):
        dataset("d", pipe.with_suffix(".arff"))
    with pytest.raises(ReadError, match="cannot be read: it is a pipe to which no process writes"):
        read_experiment(pipe.with_suffix(".toml"))
    with pytest.raises(OptionError, match="cannot be read: it is a pipe to which no process writes"):
        Policy.read(pipe.with_suffix(".toml"))


@posix
@pytest.mark.parametrize("wait", [0.0, 0.1])
def test_a_pipe_whose_writer_takes_his_time(pipe: Path, wait: float) -> None:
    writer(pipe, TABLE[:12], TABLE[12:], wait=wait)
    found = read(pipe)
    assert isinstance(found, Scores)
    assert found.models == ("a", "b")


@posix
def test_parquet_does_not_come_through_a_pipe(pipe: Path) -> None:
    writer(pipe, b"PAR1 and so on")
    with pytest.raises(ReadError, match="is a pipe, and Parquet cannot be read from one"):
        read(pipe)


@posix
def test_a_pipe_that_never_ends(pipe: Path) -> None:
    writer(pipe, *[b"y" * 2**20] * 70)
    with pytest.raises(ReadError, match=r"it has a line of more than 67,108,864 bytes"):
        read(pipe)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device that never ends")
def test_a_device(tmp_path: Path) -> None:
    for name in ("t.csv", "t.arff", "t.toml"):
        (tmp_path / name).symlink_to("/dev/zero")
    with pytest.raises(ReadError, match="is not a file"):
        read(tmp_path / "t.csv")
    with pytest.raises(ReadError, match="cannot be opened: it is not a file"):
        dataset("d", tmp_path / "t.arff")
    with pytest.raises(ReadError, match="cannot be read: it is not a file"):
        read_experiment(tmp_path / "t.toml")


@pytest.mark.parametrize(
    ("name", "head", "message"),
    [
        ("t.csv", b"", "it has a line of more than 67,108,864 bytes"),
        ("t.txt", b"id,a,b\n1,", "it has a line of more than 67,108,864 bytes"),
        ("t.json", b"[", "it has a line of more than 134,217,728 bytes"),
        ("t.jsonl", b'{"id": 1, "x": "', "it has a line of more than 134,217,728 bytes"),
        ("t.arff", b"@relation x\n@data\n", "it has a line of more than 67,108,864 bytes"),
        ("t.parquet", b"PAR1", "No magic bytes found at end of file"),
        ("t.eval", b"PK\x03\x04", "File is not a zip file"),
    ],
)
@pytest.mark.few(3)
def test_a_line_of_a_billion_characters(tmp_path: Path, name: str, head: bytes, message: str) -> None:
    # Nothing beyond the first 64 or 128 MiB is read; DuckDB looks at the end of a Parquet file first.
    path = sparse(tmp_path / name, head)
    with pytest.raises(ReadError) as caught:
        dataset("d", path) if name == "t.arff" else read(path)
    assert message in str(caught.value)


def test_long_lines_and_large_files_that_are_allowed(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(b"x" * 1000 + b"\r" + b"y" * 1000)
    assert content(path) == path.read_bytes()
    with pytest.raises(OSError, match="it has more than 1,999 bytes"):
        content(path, most=1999)


def test_a_file_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(TABLE)
    files = import_module("ropewalk.read.sources")
    expanded: Callable[[object], list[str]] = files.expanded

    def and_gone(source: object) -> list[str]:
        found = expanded(source)
        path.unlink(missing_ok=True)
        return found

    monkeypatch.setattr(files, "expanded", and_gone)
    monkeypatch.setattr(import_module("ropewalk.read.files"), "expanded", lambda _: [str(path)])
    with pytest.raises(ReadError, match=r"t.csv cannot be opened: No such file or directory"):
        read(path)


@pytest.mark.parametrize("part", ["a", "'a'", '"a b"', "a "])
@pytest.mark.parametrize("form", ["{} = 1", "[{}]", "x = {{ {} = 1 }}", "[[{}]]"])
def test_a_dotted_key_of_very_many_parts_is_refused(tmp_path: Path, part: str, form: str) -> None:
    """200 kB of it took 16 GB and three minutes: the parser keeps every beginning of the key."""
    file = tmp_path / "a.toml"
    file.write_text(form.format(".".join([part] * 51)))
    with pytest.raises(ValueError, match="a key has more than 50 parts"):
        toml(file)
    file.write_text(form.format(".".join([part] * 50)))
    found: Any = toml(file)
    for _ in range(50):
        found = next(iter(found.values())) if isinstance(found, dict) else found[0]


def test_many_names_of_files_are_no_dotted_key(tmp_path: Path) -> None:
    names = [f"data/set.{i}.csv" for i in range(200)]
    (tmp_path / "a.toml").write_text(f"files = {names!r}  # 1.2.3. and so on ...\n")
    assert toml(tmp_path / "a.toml") == {"files": names}

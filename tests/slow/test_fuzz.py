"""100,000 mutated files through every reader, and files made to fill the memory.

The driver is fuzz.py, where each case can be run again; the first cases are in tests/read/test_fuzz.py too.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

for package in ("pyarrow", "sklearn"):
    pytest.importorskip(package)

FILES = 100_000


def fuzz() -> Any:
    spec = importlib.util.spec_from_file_location("fuzz", Path(__file__).parent / "fuzz.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzz"] = module  # its dataclasses look for it
    spec.loader.exec_module(module)
    return module


def test_mutated_files(tmp_path: Path) -> None:
    """No traceback, no crash, no message without bounds, 5 s and 512 MiB at most for each."""
    found = fuzz().everything(FILES, tmp_path)
    assert sum(sum(t.said.values()) for t in found.values()) == FILES
    assert {reader: t.failures for reader, t in found.items() if t.failures} == {}


def long_line(path: Path, head: bytes = b"", tail: bytes = b"") -> None:
    """A line of a billion characters."""
    with path.open("wb") as file:
        file.write(head)
        for _ in range(10):
            file.write(b"x" * 10**8)
        file.write(tail)


def zip_bomb(path: Path) -> None:
    """A megabyte that unpacks to a gigabyte."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file, file.open("header.json", "w") as member:
        for _ in range(10):
            member.write(b" " * 10**8)


def parquet_bomb(path: Path) -> None:
    """A megabyte that unpacks to 200 million rows."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet

    column = pa.array(np.zeros(200_000_000, dtype=np.int8))
    pyarrow.parquet.write_table(pa.table({"id": column, "a": column}), path, compression="zstd")


BOMBS: dict[str, Callable[[Path], None]] = {
    "line.csv": long_line,
    "line.txt": lambda path: long_line(path, b"id,a,b\n1,", b",0.5\n"),
    "line.json": lambda path: long_line(path, b'[{"id": "', b'"}]'),
    "line.jsonl": lambda path: long_line(path, b'{"id": 1, "a": "', b'"}\n'),
    "nest.json": lambda path: path.write_bytes(b"[" * 10**8) and None,
    "bomb.eval": zip_bomb,
    "bomb.parquet": parquet_bomb,
}
READ = """
import resource, sys
import duckdb, numpy
import ropewalk
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    ropewalk.read(sys.argv[1])
except ropewalk.errors.ReadError as error:
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024, error.what)
"""


@pytest.mark.parametrize("name", BOMBS)
def test_files_made_to_fill_the_memory(name: str, tmp_path: Path) -> None:
    BOMBS[name](tmp_path / name)
    found = subprocess.run(
        [sys.executable, "-c", READ, str(tmp_path / name)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    (tmp_path / name).unlink()
    grown, said = found.stdout.split(maxsplit=1)
    assert int(grown) < 512, said

"""Small packed files of JSON that would be gigabytes as Python values."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ropewalk.data import Scores
from ropewalk.errors import ReadError
from ropewalk.read import content, read

N = 12
EMPTY = [[]] * 20_000  # about 2 MB as Python values, and 80 kB as text
ROOM = 10_000_000


@pytest.fixture(autouse=True)
def _little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "_MOST_PACKED", ROOM)


def log(path: Path, junk: dict[str, Any], *, samples: int = N) -> None:
    """A log of inspect_ai that was not finished: it has a member for each sample, and no summaries."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        header = {"eval": {"task": "t", "model": path.stem}, "status": "success"}
        archive.writestr("header.json", json.dumps(header))
        for i in range(samples):
            sample = {"id": i, "epoch": 1, "target": "x", "scores": {"match": {"value": "CI"[i % 2]}}}
            archive.writestr(f"samples/{i}_epoch_1.json", json.dumps(sample | junk))


def test_members_are_bounded_together(tmp_path: Path) -> None:
    """None of them is large by itself."""
    log(tmp_path / "a.eval", {"metadata": {"junk": EMPTY}})
    with pytest.raises(ReadError, match=r"a\.eval, samples/\d+_epoch_1\.json would take too much memory"):
        read(tmp_path / "a.eval")


def test_archives_are_bounded_together(tmp_path: Path) -> None:
    for name in "abcdefghijkl":
        log(tmp_path / f"{name}.eval", {"metadata": {"junk": EMPTY}}, samples=2)
    with pytest.raises(ReadError, match="would take too much memory"):
        read(tmp_path)


def test_what_is_not_needed_takes_no_room(tmp_path: Path) -> None:
    """Messages are most of a real log; oracle: the scores of a log without them."""
    for name in "ab":
        log(tmp_path / f"{name}.eval", {"messages": EMPTY})
    found = read(tmp_path)
    assert isinstance(found, Scores)
    assert found.tasks[0].values.tolist() == [[1.0, 1.0], [0.0, 0.0]] * (N // 2)


def rows() -> str:
    return "".join(json.dumps({"id": i, "svm": 0.5, "forest": 0.25, "junk": EMPTY}) + "\n" for i in range(N))


def test_lines_of_json_packed_by_gzip(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl.gz").write_bytes(gzip.compress(rows().encode()))
    with pytest.raises(ReadError, match=r"t\.jsonl\.gz would take too much memory") as caught:
        read(tmp_path / "t.jsonl.gz")
    assert "gunzip" in caught.value.hint


def test_files_of_a_zipped_folder_are_bounded_together(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "logs.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(N):
            archive.writestr(f"{i}.json", json.dumps({"junk": EMPTY}))
    with pytest.raises(ReadError, match=r"logs\.zip would take too much memory") as caught:
        read(tmp_path / "logs.zip")
    assert "Unpack it first" in caught.value.hint

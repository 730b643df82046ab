"""The registry: one format for one file, and readers of other packages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest

from ropewalk.data import Scores
from ropewalk.errors import ReadError
from ropewalk.read import read
from ropewalk.read.formats import FORMATS, File, format_of, known_formats
from ropewalk.read.formats.rows import log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table


def _theirs(files: Sequence[File]) -> list[Table]:
    columns = {"model": ["a", "a", "b", "b"], "id": [1, 2, 1, 2], "metric": ["f1"] * 4, "score": [0, 1, 1, 1]}
    return [log_table(f, columns, source=f.source(), log=Log(format="theirs")) for f in files]


THEIRS = SimpleNamespace(
    NAME="theirs", recognises=lambda file: file.head.startswith(b"THEIRS"), tables=_theirs
)


HALF = SimpleNamespace(NAME="half")


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    found: list[EntryPoint] = []
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: [p for p in found if p.group == group]
    )
    known = {"theirs": THEIRS, "half": HALF}
    load = EntryPoint.load
    monkeypatch.setattr(EntryPoint, "load", lambda self: known.get(self.name) or load(self))
    known_formats.cache_clear()
    yield found
    known_formats.cache_clear()


def test_every_format_has_its_three_names() -> None:
    for name, found in zip(FORMATS, known_formats(), strict=False):
        assert found.NAME, name
        assert callable(found.recognises)
        assert callable(found.tables)
    assert len({f.NAME for f in known_formats()}) == len(known_formats())


def test_a_reader_of_another_package(points: list[EntryPoint], tmp_path: Path) -> None:
    (tmp_path / "x.log").write_text("THEIRS")
    assert format_of(File(path=str(tmp_path / "x.log"), name="x", stem="x")) is None
    known_formats.cache_clear()
    points.append(EntryPoint(name="theirs", value="their.module", group="ropewalk.readers"))
    s = read(tmp_path)
    assert isinstance(s, Scores)
    assert s.models == ("a", "b")
    assert s.metric == "f1"


def test_a_reader_that_is_none(points: list[EntryPoint], tmp_path: Path) -> None:
    points.append(EntryPoint(name="half", value="their.module", group="ropewalk.readers"))
    (tmp_path / "x.csv").write_text("id,a,b\n1,0,1\n2,1,1\n")
    with pytest.raises(ReadError, match='the reader "half" of another package has no `recognises`'):
        read(tmp_path)


def test_a_reader_that_cannot_be_imported(points: list[EntryPoint], tmp_path: Path) -> None:
    points.append(EntryPoint(name="gone", value="no_such_module_anywhere", group="ropewalk.readers"))
    (tmp_path / "x.csv").write_text("id,a,b\n1,0,1\n2,1,1\n")
    with pytest.raises(ReadError, match='the reader "gone" of another package cannot be imported'):
        read(tmp_path)


@pytest.mark.parametrize(
    "head",
    [
        b"id,a,b\n1,0,1\n",
        b'{"id": 1, "score": 0.5}\n',
        b'[{"id": 1, "score": 0.5}]',
        b"model,task,fold,score\n",
        b"dataset,fold,model,error\n",
        b'{"doc_id": 1, "score": 0.5}\n',
        b"PK\x03\x04[Content_Types].xml",
        b"\x00" * 100,
        b"",
    ],
)
def test_plain_tables_are_of_no_format(head: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(head)
    assert format_of(File(path=str(path), name="table", stem="table")) is None

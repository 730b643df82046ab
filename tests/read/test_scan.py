"""Files opened where they lie have the cells that the reader of text finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk.errors import ReadError
from ropewalk.read.formats import File
from ropewalk.read.scan import dialect_of, scanned, scanner


def file(path: Path, content: str | bytes) -> File:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return File(path=str(path), name=path.name, stem=path.stem)


def rows(found: File) -> list[tuple[object, ...]]:
    with scanner() as connection:
        relation = scanned(connection, found)
        assert relation is not None
        return relation.fetchall()


def test_every_cell_of_a_csv_is_text_and_spaces_after_a_delimiter_go(tmp_path: Path) -> None:
    found = file(tmp_path / "a[1].csv", 'id; x\n007; 1.50\n"a;b";2024-01-02\n')
    assert rows(found) == [("007", "1.50"), ("a;b", "2024-01-02")]


def test_lines_of_json_keep_dates_as_text(tmp_path: Path) -> None:
    found = file(tmp_path / "a.jsonl", '{"id": 1, "when": "2024-01-02"}\n{"id": 2, "when": null, "x": 0.5}\n')
    assert rows(found) == [(1, "2024-01-02", None), (2, None, 0.5)]


@pytest.mark.parametrize(
    "content", ["id,ID\n1,2\n", "id,\n1,2\n", "id,x", b"id,x\x00\n1,2\n", b"id,\xff\n1,2\n"]
)
def test_what_duckdb_would_read_differently_is_left_to_our_reader(
    tmp_path: Path, content: str | bytes
) -> None:
    assert dialect_of(file(tmp_path / "a.csv", content)) is None


def test_a_list_of_objects_or_a_key_that_comes_twice_too(tmp_path: Path) -> None:
    with scanner() as connection:
        assert scanned(connection, file(tmp_path / "a.json", '[{"id": 1}]')) is None
        assert scanned(connection, file(tmp_path / "b.jsonl", '{"id": 1, "id": 2}\n')) is None


def test_a_row_with_too_few_cells_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="the files cannot be read"):
        rows(file(tmp_path / "a.csv", "id,x\n1,2\n3\n"))

"""Large CSV files by DuckDB: the table that the reader of text gives, or none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ropewalk.data import Input
from ropewalk.read.formats import File
from ropewalk.read.roles import Options
from ropewalk.read.table import Table
from ropewalk.read.typed import typed_csv

N = 60_000  # more than a megabyte of such rows


def typed(path: Path, content: str) -> Table | None:
    path.write_text(content)
    return typed_csv(
        content.encode(),
        File(path=str(path), name=path.name, stem=path.stem),
        Input(path=path.name, sha256=""),
        Options(),
    )


def lines(cell: str = "") -> str:
    rows = [f"{i},item {i % 7},{i / 8}" for i in range(N)]
    if cell:
        rows[N // 2] = cell
    return "\n".join(["id,name,x", *rows]) + "\n"


def test_numbers_are_numbers_and_text_is_text(tmp_path: Path) -> None:
    found = typed(tmp_path / "t.csv", lines())
    assert found is not None
    assert found.columns["id"].dtype == np.int64
    assert found.columns["x"].tolist() == [i / 8 for i in range(N)]
    assert found.columns["name"][:8].tolist() == [f"item {i % 7}" for i in range(8)]
    assert found.lines[[0, N - 1]].tolist() == [2, N + 1]


@pytest.mark.parametrize("cell", ["007,a,1.5", "1_000,a,2", "x,a,1.5", "+1,a,1.5"])
def test_ids_that_are_no_plain_numbers_stay_text(cell: str, tmp_path: Path) -> None:
    found = typed(tmp_path / "t.csv", lines(cell))
    assert found is not None
    assert found.columns["id"][N // 2] == cell.split(",")[0]
    assert found.columns["id"][0] == "0"


FORMS = ["007", "1_000", "+1", "1.0", "9.5", "5.", "-0", "00", "12e2", "0x4B0", "0xFFFFF", "0b11", "1 "]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_whole_number_keeps_its_text(form: str, tmp_path: Path) -> None:
    # Without text elsewhere the lengths of cells are compared, not the cells: 12e2 is as long as 1200.
    rows = [f"{i},{i / 8}" for i in range(2 * N)]
    rows[N] = f"{form},0.5"
    found = typed(tmp_path / "t.csv", "\n".join(["id,n", *rows]) + "\n")
    assert found is not None
    assert found.columns["id"][N] == form
    assert found.columns["id"][:2].tolist() == ["0", "1"]


def test_whole_numbers_of_every_length_are_whole_numbers(tmp_path: Path) -> None:
    ids = [sign * 10**k + i for k in range(1, 18) for sign in (-1, 1) for i in range(4_000)]
    found = typed(tmp_path / "t.csv", "\n".join(["id,n", *(f"{i},0.5" for i in ids)]))
    assert found is not None
    assert found.columns["id"].dtype == np.int64
    assert found.columns["id"].tolist() == ids


@pytest.mark.parametrize("cell", ["1,a", '1,"a\nb",2', "\n1,a,2", '1,"a"b,2'])
def test_what_is_unusual_is_left_to_the_reader_of_text(cell: str, tmp_path: Path) -> None:
    assert typed(tmp_path / "t.csv", lines(cell)) is None


def test_small_files_too(tmp_path: Path) -> None:
    assert typed(tmp_path / "t.csv", "id,x\n1,2\n") is None

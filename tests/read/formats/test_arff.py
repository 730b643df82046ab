"""ARFF: cells, and files that are broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk.errors import ColumnError, ReadError
from ropewalk.read import read
from ropewalk.read.formats.arff import _cells
from tests.read.formats.arff_files import openml


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("1,2, x ", ["1", "2", "x"]),
        ("?,a,?", ["", "a", ""]),
        (r"'a, b',\"c\"", ["a, b", r"\"c\""]),
        (r"'it\'s', \"x\" ,3".replace('\\"', '"'), ["it's", "x", "3"]),
        ("'a',", ["a", ""]),
        ("'?',?", ["?", ""]),
    ],
)
def test_cells_of_a_row(line: str, cells: list[str]) -> None:
    assert _cells(line) == cells


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for model in ("svm", "tree"):
        (tmp_path / f"{model}.arff").write_text(openml(model))
    return tmp_path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("@DATA", "", "has no @data"),
        ("@DATA", "@DATA\n{0 1, 3 yes}", "2 values for 7 columns"),
        ("@DATA", "@DATA\n0,0,77,?,yes,0.5,0.5", "rows without a row_id, a prediction or the truth"),
        ("@ATTRIBUTE fold", "@ATTRIBUTE repeat", "more than one column called"),
        ("% run", "% r\udcffn", "not UTF-8"),
    ],
)
def test_broken_arff(old: str, new: str, message: str, folder: Path) -> None:
    text = (folder / "svm.arff").read_text().replace(old, new)
    (folder / "svm.arff").write_text(text, errors="surrogateescape")
    with pytest.raises((ReadError, ColumnError), match=message):
        read(folder)


def test_arff_without_rows(folder: Path) -> None:
    (folder / "svm.arff").write_text(openml("svm", rows=[]))
    with pytest.raises(ReadError, match="has no rows"):
        read(folder)

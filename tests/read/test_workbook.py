"""Workbooks of Excel."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from ropewalk.cli import main
from ropewalk.data import Predictions
from ropewalk.errors import ColumnError, OptionError, ReadError
from ropewalk.read import read, workbook
from tests.read.archives import CSV, ROWS, values

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed: pip install 'ropewalk[excel]'")


def book(path: Path, sheets: dict[str, list[list[Any]]]) -> Path:
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for title, rows in sheets.items():
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
    workbook.save(path)
    return path


def test_the_first_sheet_of_a_workbook(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    path = book(tmp_path / "t.xlsx", {"scores": ROWS, "notes": [["nothing"]]})
    found, text = read(path), read(tmp_path / "t.csv")
    assert values(found) == values(text)
    assert found.models == text.models  # type: ignore[union-attr]
    assert found.audit.inputs[0].path == str(path)


def test_another_sheet_by_its_name(tmp_path: Path) -> None:
    path = book(tmp_path / "t.xlsx", {"notes": [["nothing"]], "scores": ROWS})
    assert values(read(path, sheet="scores")) == [row[1:] for row in ROWS[1:]]
    with pytest.raises(OptionError, match='has no sheet "score"') as caught:
        read(path, sheet="score")
    assert 'Did you mean "scores"?' in str(caught.value)
    with pytest.raises(ReadError, match='the sheet "notes" has no table'):
        read(path)
    (tmp_path / "t.csv").write_text(CSV)
    with pytest.raises(OptionError, match="no file is a workbook"):
        read(tmp_path / "t.csv", sheet="scores")
    with pytest.raises(SystemExit) as done:
        main(["compare", str(path), "--sheet", "scores"])
    assert done.value.code == 0


def test_words_empty_cells_and_rows_of_the_sheet_in_messages(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["id", "label", "a", "b"], ["q1", "x", "x", "y"], [], ["q2", "y", "y", None]]
    path = book(tmp_path / "t.xlsx", {"s": rows})
    with pytest.raises(ReadError.__mro__[1], match="holds no value") as caught:
        read(path)
    assert "row 2 (line 4)" in str(caught.value)
    rows[3][3] = " y "
    found = read(book(tmp_path / "t.xlsx", {"s": rows}))
    assert isinstance(found, Predictions)
    assert found.classes == ("x", "y")


def test_cells_beside_the_table_and_names_twice(tmp_path: Path) -> None:
    rows: list[list[Any]] = [*ROWS[:2], [2, 0.25, 0.5, "seen"]]
    with pytest.raises(ReadError, match="has cells outside of its named columns") as caught:
        read(book(tmp_path / "t.xlsx", {"s": rows}))
    assert "row 3 of the sheet" in str(caught.value)
    with pytest.raises(ReadError, match="has cells outside"):
        read(book(tmp_path / "t.xlsx", {"s": [["My results"], *ROWS]}))
    with pytest.raises(ColumnError, match="more than one column called"):
        read(book(tmp_path / "t.xlsx", {"s": [["id", "a", "a"], [1, 2, 3], [2, 3, 4]]}))


def test_a_workbook_with_another_suffix(tmp_path: Path) -> None:
    path = book(tmp_path / "t.xlsx", {"s": ROWS})
    expected = values(read(path))
    assert values(read(path.rename(tmp_path / "t.json"))) == expected


def test_a_broken_workbook(tmp_path: Path) -> None:
    path = book(tmp_path / "t.xlsx", {"s": ROWS})
    with zipfile.ZipFile(path) as whole:
        parts = {n: whole.read(n) for n in whole.namelist()}
    parts["xl/worksheets/sheet1.xml"] = parts["xl/worksheets/sheet1.xml"][:200]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    with pytest.raises(ReadError, match="cannot be read as an Excel workbook"):
        read(path)


def with_sheet(path: Path, rows: str) -> Path:
    """A workbook with this XML as the rows of its sheet."""
    plain = book(path.with_name("plain.xlsx"), {"s": [["id", "a", "b"]]})
    head = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            sheet = info.filename.startswith("xl/worksheets/")
            new.writestr(
                info.filename, f"{head}{rows}</sheetData></worksheet>" if sheet else old.read(info.filename)
            )
    return path


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ('<row r="1"><c r="XFD1"><v>1</v></c></row>', "has 16,384 columns"),
        (f'<row r="{10**12}"><c><v>1</v></c></row>', "has cells below row 1,048,576"),
        (
            "".join(f'<row r="{i}"><c r="NTP{i}"><v>{i}</v></c></row>' for i in range(1, 60)),
            "would take too much memory",
        ),
        ("<row><c><v>1</v></c></row>" * 500_000, r"unpacks to 13,\d{3},\d{3} bytes, too many for a workbook"),
    ],
)
def test_a_small_workbook_does_not_fill_the_memory(
    rows: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """openpyxl fills in all cells before the last of a row, and all rows before the last."""
    monkeypatch.setattr(workbook, "room_for_packed_values", lambda: 1 << 24)
    path = with_sheet(tmp_path / "t.xlsx", rows)
    assert path.stat().st_size < 200_000
    with pytest.raises(ReadError, match=message):
        read(path)

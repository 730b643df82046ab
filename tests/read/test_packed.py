"""Workbooks, text packed by gzip, and zip archives of a folder."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ropewalk.cli import main
from ropewalk.data import Predictions, Scores
from ropewalk.errors import ColumnError, OptionError, ReadError
from ropewalk.read import read

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed: pip install 'ropewalk[excel]'")

ROWS = [["id", "svm", "forest"], [1, 0.5, 0.75], [2, 0.25, 0.5], [3, 1.0, 0.75]]
CSV = "\n".join(",".join(map(str, row)) for row in ROWS) + "\n"


def book(path: Path, sheets: dict[str, list[list[Any]]]) -> Path:
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for title, rows in sheets.items():
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
    workbook.save(path)
    return path


def values(found: Any) -> list[list[float]]:
    assert isinstance(found, Scores)
    out: list[list[float]] = found.tasks[0].values.tolist()
    return out


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


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_text_packed_by_gzip(suffix: str, tmp_path: Path) -> None:
    rows = "".join(f'{{"id": {i}, "svm": {a}, "forest": {b}}}\n' for i, a, b in ROWS[1:])
    text = CSV if suffix == ".csv" else rows
    path = tmp_path / f"t{suffix}.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert values(read(path)) == [row[1:] for row in ROWS[1:]]
    half = len(text) // 2  # several members, as logrotate and pigz leave them
    path.write_bytes(gzip.compress(text[:half].encode()) + gzip.compress(text[half:].encode()))
    assert values(read(tmp_path)) == [row[1:] for row in ROWS[1:]]
    path.write_bytes(gzip.compress(text.encode())[:-12])
    with pytest.raises(ReadError, match="breaks off"):
        read(path)


def test_one_packed_file_a_model(tmp_path: Path) -> None:
    for k, model in enumerate(("svm", "forest"), start=1):
        text = "id,score\n" + "".join(f"{row[0]},{row[k]}\n" for row in ROWS[1:])
        (tmp_path / f"{model}.csv.gz").write_bytes(gzip.compress(text.encode()))
    found = read(tmp_path)
    assert isinstance(found, Scores)
    assert found.models == ("forest", "svm")


def test_a_gzip_bomb(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"id,a,b\n" + b"1,2,3\n" * 20_000_000))
    assert path.stat().st_size < 500_000
    with pytest.raises(ReadError, match="unpacks to more than"):
        read(path)


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


@pytest.mark.parametrize("name", ["../evil.csv", "/tmp/evil.csv", "a/../../evil.csv", "..\\evil.csv"])
def test_a_member_that_leaves_the_archive(name: str, tmp_path: Path) -> None:
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, CSV)
    with pytest.raises(ReadError, match="leaves the archive"):
        read(path)
    assert not (tmp_path.parent / "evil.csv").exists()


def test_a_zip_bomb_and_a_broken_archive(tmp_path: Path) -> None:
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", b"id,a,b\n" + b"1,2,3\n" * 20_000_000)
    with pytest.raises(ReadError, match="unpacks to more than fits"):
        read(path)
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(ReadError, match="cannot be read as a zip archive"):
        read(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("é.csv", CSV)
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xe9\xe9"))
    with pytest.raises(ReadError, match="cannot be read as a zip archive"):
        read(path)

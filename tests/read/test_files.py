from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from ropewalk.data import Predictions, Scores
from ropewalk.errors import DataError, ReadError
from ropewalk.read import read

Write = Callable[..., str]
SCORES = "id,accuracy\n1,.5\n2,.6\n"
PREDICTIONS = "id,label,prediction\n1,x,x\n2,y,x\n"


def test_inputs_are_kept_as_written_with_their_hash(csv_file: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(csv_file(SCORES, "a.csv")).parent
    csv_file(SCORES, "b.csv")
    monkeypatch.chdir(folder)
    inputs = read(["a.csv", Path("./b.csv")]).audit.inputs
    assert [i.path for i in inputs] == ["a.csv", "b.csv"]
    assert inputs[0].sha256 == hashlib.sha256(SCORES.encode()).hexdigest()


def test_folder_and_pattern(csv_file: Write) -> None:
    folder = Path(csv_file(SCORES, "runs/svm.csv")).parent
    csv_file(SCORES, "runs/forest.csv")
    csv_file("notes", "runs/README.md")
    csv_file("x", "runs/.hidden.csv")
    assert read(folder).models == ("forest", "svm")
    assert read(str(folder / "*.csv")).models == ("forest", "svm")


def test_files_of_one_name_get_their_folders(csv_file: Write) -> None:
    paths = [csv_file(PREDICTIONS, f"{m}/out/predictions.csv") for m in ("svm", "forest")]
    p = read([*paths, csv_file(PREDICTIONS, "knn.csv")])
    assert isinstance(p, Predictions)
    assert p.models == ("svm/out/predictions", "forest/out/predictions", "knn")


def test_only_known_suffixes_are_cut_off(csv_file: Write) -> None:
    assert read([csv_file(SCORES, "llama-3.1"), csv_file(SCORES, "qwen-2.5.csv")]).models == (
        "llama-3.1",
        "qwen-2.5",
    )


def test_brackets_in_a_name_are_no_pattern(csv_file: Write, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    for name, value in (("x[1].parquet", 0.5), ("x1.parquet", 7.0)):
        pyarrow.parquet.write_table(pa.table({"id": [1, 2], "loss": [value, value]}), tmp_path / name)
    s = read([tmp_path / "x[1].parquet", tmp_path / "x1.parquet"])
    assert isinstance(s, Scores)
    assert s.models == ("x[1]", "x1")
    assert s.tasks[0].values[0].tolist() == [0.5, 7.0]


def test_long_paths_keep_their_end_in_messages(csv_file: Write) -> None:
    deep = "/".join(["a-rather-long-folder-name"] * 5)
    a = csv_file("id,accuracy\n1,.5\n2,oops\n", f"{deep}/svm.csv")
    with pytest.raises(DataError, match=r"^…/svm.csv: 1 cell of column `accuracy` holds no finite number"):
        read([a, csv_file(SCORES, f"{deep}/forest.csv")])
    with pytest.raises(ReadError, match=r"there is no file ….*/smv.csv\n\n  Did you mean \"svm.csv\"\?"):
        read(a.replace("svm", "smv"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.csv", "", r"empty.csv is empty\n\n  Was the file written\?"),
        ("blank.csv", "\n \n", "blank.csv is empty"),
        ("binary.csv", b"id,a\n1,\x00\x01\n", "binary.csv is a binary file, not a table of text"),
        ("book.xlsx", b"PK\x03\x04\x00", "book.xlsx is a broken zip archive or workbook"),
        ("a.csv.gz", b"\x1f\x8b\x08\x00", "a.csv.gz is compressed by gzip and incomplete"),
        ("a.npy", b"\x93NUMPY\x01\x00", "a.npy is a NumPy array"),
        (
            "latin.csv",
            "id,a,b\n1,2,é\n".encode("latin1"),
            "latin.csv is not UTF-8 text\n\n  line 2: byte 0xe9",
        ),
        ("utf16.csv", b"\xff\xfei\x00d", "utf16.csv"),
        ("bad.parquet", b"PAR1 and nothing else", "bad.parquet cannot be read as Parquet"),
    ],
)
def test_files_that_are_no_tables(
    csv_file: Write, monkeypatch: pytest.MonkeyPatch, name: str, content: str, message: str
) -> None:
    monkeypatch.chdir(Path(csv_file(content, name)).parent)
    with pytest.raises(ReadError, match=message):
        read(name)


def test_missing_files(csv_file: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    csv_file(SCORES, "forest.csv")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    for source, message in (
        ("forrest.csv", r'no file forrest.csv\n\n  Did you mean "forest.csv"\?'),
        ("empty/a.csv", "The folder empty is empty"),
        ("nowhere/a.csv", "There is no folder nowhere either, or it cannot be read"),
        ("*.tsv", r"no file matches \*.tsv"),
        ("", "the path is empty"),
        ("a\0b", r"there is no file a\ufffdb"),
        ("x" * 5000, "cannot be opened|there is no file"),  # Python 3.14 says only that it is not there
        (["forest.csv", "./forest.csv"], "./forest.csv is given twice"),
    ):
        with pytest.raises(ReadError, match=message):
            read(source)
    with pytest.raises(DataError, match="the list is empty"):
        read([])


@pytest.mark.skipif(os.name != "posix" or not Path("/dev/null").exists(), reason="needs a device file")
def test_a_device_is_no_file() -> None:
    with pytest.raises(ReadError, match="/dev/null is not a file"):
        read("/dev/null")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(csv_file: Write) -> None:
    path = csv_file(SCORES, "a.csv")
    Path(path).chmod(0)
    with pytest.raises(ReadError, match=r"a.csv cannot be opened: Permission denied"):
        read(path)


def test_a_file_that_fails_while_it_is_read(csv_file: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> bytes:
        raise OSError(5, "Input/output error")

    path = csv_file(SCORES, "a.csv")
    monkeypatch.setattr(import_module("ropewalk.read.formats.file"), "content", fail)
    with pytest.raises(ReadError, match=r"a.csv cannot be opened: Input/output error"):
        read(path)


def test_bad_folders(csv_file: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    csv_file(b"\x89PNG", "pictures/a.png")
    csv_file(SCORES, "mixed/a.csv")
    csv_file("{}", "mixed/config.json")
    csv_file(SCORES, "nested/inner/a.csv")
    for folder, message in (
        ("empty", "the folder empty is empty"),
        ("pictures", r'the folder pictures has no tables\n\n  files: "a.png"'),
        (
            "mixed",
            r"the folder mixed has files of several kinds: .csv, .json\n\n.*\n\n  Name the files",
        ),
        ("nested", r"the folder nested has no tables\n\n.*pattern: nested/\*/\*.csv"),
    ):
        with pytest.raises(ReadError, match=message):
            read(folder)


def test_two_files_that_name_one_model(csv_file: Write) -> None:
    paths = [csv_file(PREDICTIONS, "svm.csv"), csv_file(PREDICTIONS.replace(",", "\t"), "svm.tsv")]
    with pytest.raises(
        DataError, match=r'(?s)two models are called "svm".*svm.csv\n.*svm.tsv\n\n  A model is named'
    ):
        read(paths)


def test_twenty_thousand_columns_are_refused_before_the_rows_are_read(tmp_path: Path) -> None:
    """The second row is ragged, which nobody gets to see."""
    header = ",".join(["id", *(f"m{i}" for i in range(20_000))])
    (tmp_path / "wide.csv").write_text(f"{header}\n1,2\n")
    with pytest.raises(ReadError, match="has 20,001 columns; at most 10,000 can be read"):
        read(tmp_path / "wide.csv")
    rows = "".join(f"m{i},1,0.5\nm{i},2,0.5\n" for i in range(20_000))
    (tmp_path / "models.csv").write_text("model,id,score\n" + rows)
    with pytest.raises(DataError, match="there are 20,000 models, but at most 10,000 can be compared"):
        read(tmp_path / "models.csv")

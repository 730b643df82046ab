"""A report tells nothing about the machine: files are named from where the command ran."""

from __future__ import annotations

import json
import shlex
import sqlite3
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ropewalk.cli import main


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (tmp_path / "home" / "me").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "home" / "me")
    rows = "\n".join(f"{i},{int(i % 9 > 0)}" for i in range(60))
    for path in (Path("a.csv"), tmp_path / "b.csv"):
        path.write_text(f"id,correct\n{rows}\n")
    return [str(tmp_path / "home" / "me" / "a.csv"), str(tmp_path / "b.csv")]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert (stop.value.code or 0) == 0
    return capsys.readouterr().out


def paths(document: str) -> list[str]:
    found = json.loads(document)
    given = found["provenance"]["inputs"] if "provenance" in found else found["inputs"]
    return [Path(i["path"]).as_posix() for i in given]


def test_reports_name_files_from_where_the_command_ran(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, short = str(tmp_path / "home" / "me" / "r.html"), f"--markdown={tmp_path / 'home' / 'r.md'}"
    out = run(capsys, "compare", *files, "--json", "--html", page, short)
    assert paths(out) == ["a.csv", "../../b.csv"]
    written = (out, Path("r.html").read_text(), Path("../r.md").read_text())
    assert not any(str(tmp_path) in text for text in written)
    command = shlex.split(json.loads(out)["provenance"]["command"])
    assert command[1:] == [
        "compare",
        "a.csv",
        "../../b.csv",
        "--json",
        "--html",
        "r.html",
        "--markdown=../r.md",
    ]
    again = run(capsys, *command[1:])
    assert paths(again) == paths(out)


def test_the_gate_too(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "gate", *files, "--margin", "0.3", "--json", "--markdown", "g.md", "--junit", "g.xml")
    assert str(tmp_path) not in out + Path("g.md").read_text() + Path("g.xml").read_text()


@pytest.mark.parametrize("more", [[], ["--verbose"]])
def test_a_report_has_no_password_of_a_database(
    files: list[str], more: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, the command in the page and in the JSON had the address as it was typed."""

    class Lite(sqlite3.Connection):
        def execute(self, query: str, *_: object) -> sqlite3.Cursor:
            return super().execute("select 1" if query.startswith("set ") else query)

    def connect(given: str) -> sqlite3.Connection:
        assert given == address
        connection = sqlite3.connect(":memory:", factory=Lite)
        rows = "select value as id, value % 2 as a, value % 3 = 1 as b from json_each('[1,2,3,4,5,6,7,8,9]')"
        connection.execute(f"create table runs as {rows}")
        return connection

    address = "postgresql://me:s3cret:@[::1]:5432/db?password=s3cret"
    driver = SimpleNamespace(dbapi=SimpleNamespace(connect=connect, Error=sqlite3.Error))
    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql", driver)
    query = ["--sql", "select * from runs", "--model", "a", "--model", "b"]
    out = run(capsys, "compare", address, *query, "--json", "--html", "r.html", *more)
    assert "postgresql://me@[::1]:5432/db?password=" in json.loads(out)["provenance"]["command"]
    assert "s3cret" not in out + Path("r.html").read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "a.csv", "b.csv", "--html", "a.csv"],
        ["compare", "a.csv", "b.csv", "--markdown", "./b.csv"],
        ["compare", "a.csv", "b.csv", "--latex", "link"],
        ["compare", "sides", "--html", "sides/a.csv"],
        ["gate", "a.csv", "b.csv", "--margin", "0.3", "--junit", "b.csv"],
        ["gate", "sides/a.csv", "sides/b.csv", "--margin", "0.3", "--markdown", "sides/b.csv"],
        ["run", "e.toml", "--html", "e.toml"],
    ],
)
def test_what_was_read_is_not_replaced(
    files: list[str], capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """Oracle: the files are as they were. Before, a page took the place of the results."""
    Path("e.toml").write_text('[algorithms]\na = "sklearn.dummy.DummyClassifier"\n[datasets]\nw = "wine"\n')
    Path("b.csv").write_bytes(Path(files[1]).read_bytes())
    Path("sides").mkdir()
    for name in ("a.csv", "b.csv"):
        (Path("sides") / name).write_bytes(Path(name).read_bytes())
    Path("link").symlink_to("b.csv")
    before = {p: p.read_bytes() for p in Path().rglob("*") if p.is_file()}
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 3
    assert "is an input file and would be overwritten" in capsys.readouterr().err
    assert {p: p.read_bytes() for p in Path().rglob("*") if p.is_file()} == before


def test_two_outputs_are_two_files(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["compare", *files, "--html", "r", "--markdown", "./r"])
    assert stop.value.code == 3
    assert capsys.readouterr().err.startswith("error: r is given for two outputs\n")
    run(capsys, "compare", *files, "--html", "/dev/null", "--markdown", "/dev/null")


def test_an_output_that_cannot_be_looked_at_is_one_message(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """As in a folder that may not be entered, which root always may."""
    with pytest.raises(SystemExit) as stop:
        main(["compare", *files, "--html", "x" * 5_000])
    assert stop.value.code == 3
    assert "cannot be written: File name too long" in capsys.readouterr().err


def test_absolute_paths_are_kept_when_asked(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert paths(run(capsys, "compare", *files, "--json", "--verbose")) == files

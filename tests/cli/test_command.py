"""The exact command is kept in the report, and gives the same bytes again."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

import ropewalk as rw
from ropewalk.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert not stop.value.code
    return capsys.readouterr().out


@pytest.fixture
def scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    name = "my scores; $(touch owned).csv"
    rows = [f"{i},{0.5 + i % 7 / 10},{0.4 + i % 5 / 10}" for i in range(40)]
    Path(name).write_text("\n".join(["id,forest,svm", *rows, ""]))
    return name


def test_the_command_is_quoted_so_that_it_can_be_run_again(
    scores: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Oracle: the shell's own splitting gives back what was typed; the second run the same bytes."""
    typed = ["compare", scores, "--rope", "0.05", "--json"]
    first = run(capsys, *typed)
    command = json.loads(first)["provenance"]["command"]
    assert shlex.split(command) == ["ropewalk", *typed]
    assert run(capsys, *shlex.split(command)[1:]) == first


def test_the_command_is_read_from_the_shell(
    scores: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/ropewalk", "compare", scores, "--json"])
    with pytest.raises(SystemExit):
        main()
    content = json.loads(capsys.readouterr().out)
    assert content["provenance"]["command"] == shlex.join(["ropewalk", "compare", scores, "--json"])
    (given,) = content["provenance"]["inputs"]
    assert given["path"] == scores


def test_markdown_and_latex_have_it(scores: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "compare", scores, "--markdown", "r.md", "--latex", "r.tex")
    command = shlex.join(["ropewalk", "compare", scores, "--markdown", "r.md", "--latex", "r.tex"])
    assert f"\n```\n{command}\n```\n" in Path("r.md").read_text()
    assert f"\n% {command}\n" in Path("r.tex").read_text()
    assert "SHA-256 " in Path("r.md").read_text()


def test_python_has_no_command(scores: str) -> None:
    assert rw.compare(scores).command is None


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert stop.value.code
    return capsys.readouterr().err


def test_rows_held_out_need_a_column_and_a_value(scores: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert '"part" does not select rows' in refused(capsys, "compare", scores, "--calibration-split", "part")


def test_a_folder_of_pictures_that_cannot_be_made(scores: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("taken").write_text("a file")
    said = refused(capsys, "compare", scores, "--plots", "taken/here")
    assert "cannot create taken/here: Not a directory" in said


def test_the_demo_without_scikit_learn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    assert "the demo needs scikit-learn" in refused(capsys, "demo")

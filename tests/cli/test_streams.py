"""Standard output and standard error."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ropewalk.cli import main
from tests import forked
from tests.cli.files import predictions


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    predictions(tmp_path, "forest", 0.9)
    predictions(tmp_path, "svm", 0.6)
    program = f"{sys.executable} -c 'from ropewalk.cli import main; main()'"
    command = f"{program} compare forest.csv svm.csv --json | head -1"
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.stdout == "{\n"
    assert "Traceback" not in run.stderr


def test_nothing_fancy_on_standard_error_when_not_a_terminal(tmp_path: Path) -> None:
    predictions(tmp_path, "forest", 0.9)
    predictions(tmp_path, "svm", 0.6)
    run = forked.run("compare", "forest.csv", "svm.csv", cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert "\x1b" not in run.stdout


PLANNED = ["plan", "--accuracy", "0.87,0.85", "--disagreement", "0.1", "--rope", "0.01"]
ANSWERS = [
    ["compare", "all.csv"],
    ["check", "all.csv"],
    ["gate", "forest.csv", "svm.csv", "--margin", "0.02"],
    ["plan", "all.csv"],
    [*PLANNED, "--batches", "3", "--batch-size", "500"],
    PLANNED,
    ["claim", "--accuracy", "0.86,0.85", "--n", "1000", "--names", "Σ,ü"],
    ["metrics", "ece"],
    ["methods", "robust_t"],
]


def printed(arguments: list[str], encoding: str, monkeypatch: pytest.MonkeyPatch) -> tuple[object, str]:
    """The exit code and what a standard output of this encoding got, as Windows gives one to a pipe."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        with pytest.raises(SystemExit) as stop:
            main(arguments)
    return stop.value.code, raw.getvalue().decode(encoding)


@pytest.mark.parametrize("arguments", ANSWERS, ids=" ".join)
def test_letters_that_standard_output_cannot_write_change_no_answer(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Oracle: the exit code of UTF-8, and its JSON document. `ropewalk plan` failed on Windows in a pipe."""
    monkeypatch.chdir(tmp_path)
    predictions(tmp_path, "forest", 0.9)
    predictions(tmp_path, "svm", 0.6)
    rows = "".join(f"{i},{int(i % 10 > 1)},{int(i % 7 > 1)}\n" for i in range(70))
    Path("all.csv").write_text(f"id,Σ-model,☃\U0001f600\n{rows}", encoding="utf-8")
    code = printed(arguments, "utf-8", monkeypatch)[0]
    for encoding in ("cp1252", "cp437"):
        found, text = printed(arguments, encoding, monkeypatch)
        assert (found, bool(text.strip())) == (code, True)
    if arguments[0] != "methods":
        typed = [*arguments, "--json"]
        expected = json.loads(printed(typed, "utf-8", monkeypatch)[1])
        assert len(expected) > 0
        for encoding in ("cp1252", "cp437"):
            assert json.loads(printed(typed, encoding, monkeypatch)[1]) == expected


def test_bars_and_rules_of_a_pipe_on_windows_are_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    _, text = printed(PLANNED, "cp1252", monkeypatch)
    assert "?" not in text
    assert "-----" in text

"""ropewalk claim on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ropewalk.cli import BAD_DATA, BAD_USE, main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["claim", *arguments])
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out, said.err


def test_two_accuracies(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--accuracy", "0.86,0.85", "--n", "1000", "--both-right", "0.8")
    assert code == 0
    assert "0.171" in out
    code, out, _ = run(capsys, "--accuracy", "86%,85%", "--n", "1000", "--names", "ours,theirs", "--json")
    assert json.loads(out)["claims"][0]["a"] == "ours"


def test_a_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("model,accuracy,n\nours,0.912,10000\nbert,0.899,10000\nold,0.62,500\n")
    code, out, _ = run(capsys, str(path))
    assert code == 0
    assert "3 of 3: holds for every possible agreement" in out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], BAD_USE, "give either a table or --accuracy"),
        (["--accuracy", "0.86,0.85"], BAD_USE, "--n is missing"),
        (["--accuracy", "0.86", "--n", "10"], BAD_USE, '--accuracy is "0.86"'),
        (["--accuracy", "0.8,0.7", "--n", "10", "--names", "x,x"], BAD_USE, '--names is "x,x"'),
        (["t.csv", "--n", "10"], BAD_USE, "--n cannot be used with a table"),
        (["nowhere.csv"], BAD_DATA, "there is no file nowhere.csv"),
        (["--accuracy", "0.863,0.85", "--n", "40"], BAD_DATA, "no number of right answers out of 40"),
    ],
)
def test_bad_use(capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str) -> None:
    found, _, said = run(capsys, *arguments)
    assert found == code
    assert message in said

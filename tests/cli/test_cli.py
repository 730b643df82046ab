"""The command line as a person uses it, run in a process of its own where that matters."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["compare"], 3, "Missing argument"),
        (["compare", "a.csv", "--threshold", "high"], 3, "not a valid float"),
        (["compare", "a.csv", "--nonsense"], 3, "No such option"),
        (["nonsense"], 3, "No such command"),
        (["compare", "nowhere.csv"], 4, "nowhere.csv"),
        (["methods", "mcnemarr"], 3, 'Did you mean "mcnemar"'),
    ],
)
def test_bad_use_has_one_message_and_an_exit_code_of_three_or_more(run, arguments, code, message) -> None:
    got, out, err = run(*arguments)
    assert (got, out) == (code, "")
    assert err.startswith("error: ")
    assert message in err
    assert "Traceback" not in err


def test_help_needs_neither_scipy_nor_matplotlib_nor_duckdb(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom ropewalk.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'scipy', 'matplotlib', 'duckdb', 'pandas', 'rich', 'sklearn'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_an_error_is_folded_between_words_on_a_terminal(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    plain = run("compare", "a.csv", "b.csv", "--rope", "wide")[2]
    assert max(map(len, plain.splitlines())) > 60
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    folded = run("compare", "a.csv", "b.csv", "--rope", "wide")[2]
    assert max(map(len, folded.splitlines())) < 60
    assert folded.split() == plain.split()


@pytest.mark.parametrize(
    ("typed", "help_of"), [(("plan", "--nope"), "ropewalk plan"), (("nope",), "ropewalk")]
)
def test_bad_use_names_the_help_of_its_command(run, typed: tuple[str, ...], help_of: str) -> None:
    listed = "commands" if help_of == "ropewalk" else "options"
    assert f"Run `{help_of} --help` for the list of {listed}." in run(*typed)[2]

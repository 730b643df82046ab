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

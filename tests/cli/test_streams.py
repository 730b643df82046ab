"""Standard output and standard error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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

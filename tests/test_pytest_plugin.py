"""The fixture for pytest."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_fixture(tmp_path: Path) -> None:
    (tmp_path / "test_model.py").write_text(
        "def test_same(assert_not_worse):\n"
        "    assert assert_not_worse([1, 0] * 150, [1, 0] * 150, margin=0.01).name == 'pass'\n"
        "def test_worse(assert_not_worse):\n"
        "    assert_not_worse([1] * 100, [0] * 50 + [1] * 50, margin=0.01)\n"
        "def test_undecided(assert_not_worse):\n"
        "    assert_not_worse([1] * 9 + [0], [0] + [1] * 9, margin=0.01)\n"
        "def test_undecided_may_pass(assert_not_worse):\n"
        "    assert_not_worse([1] * 9 + [0], [0] + [1] * 9, margin=0.01, on_undecided='pass')\n"
        "def test_tasks(assert_not_worse):\n"
        "    a = {'x': [1, 0] * 20, 'y': [1, 0] * 20}\n"
        "    assert_not_worse(a, a, margin=0, margins={'x': 0.1}, must_not_regress=['y'])\n"
    )
    # Blocked under its installed name and named outright: the same whether or not it is installed.
    command = [sys.executable, "-m", "pytest", "-p", "no:ropewalk", "-p", "ropewalk.pytest_plugin", "-q"]
    command += ["--disable-plugin-autoload"]  # other people's take a second to import
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "2 failed, 3 passed" in done.stdout
    assert "fail: candidate is worse by 0.5 (probability 0.999)" in done.stdout
    assert "undecided: the data do not show" in done.stdout


def test_the_entry_point_is_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert hasattr(import_module(project["entry-points"]["pytest11"]["ropewalk"]), "assert_not_worse")

"""The list of methods and their cards."""

from __future__ import annotations

import subprocess
import sys

import pytest


def test_methods_lists_and_shows_cards(run) -> None:
    code, out, _ = run("methods")
    assert code == 0
    for name in ("mcnemar", "robust_t", "signed_rank", "wilcoxon", "corrected_t"):
        assert name in out
    code, out, _ = run("methods", "mcnemar")
    assert code == 0
    for part in ("Assumes", "Not for", "Reference", "Formula", "(Bayesian)", "(classical)"):
        assert part in out
    assert "Student with n - 1 degrees" in run("methods", "correlated_t")[1]


@pytest.mark.parametrize("arguments", [[], ["mcnemar"]])
def test_descriptions_that_python_has_removed(arguments: list[str]) -> None:
    command = [sys.executable, "-OO", "-m", "ropewalk", "methods", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (3, "")
    assert "Python runs with -OO" in done.stderr

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


def test_every_reference_of_a_card_is_an_item(run) -> None:
    """Folded like text, so that no line of one ends up inside another one."""
    _, out, _ = run("methods", "t")
    lines = out[out.index("References") :].split("Examples")[0].splitlines()[1:]
    items = " ".join(line.strip() for line in lines if line.strip())
    assert items == (
        "- Benavoli, Corani, Demšar & Zaffalon 2017, eq. 6 (jmlr.org/papers/v18/16-305.html). "
        "- Corani & Benavoli 2015, doi:10.1007/s10994-015-5486-z."
    )
    assert sum(line.startswith("  - ") for line in lines) == 2


@pytest.mark.parametrize("arguments", [[], ["mcnemar"]])
def test_descriptions_that_python_has_removed(arguments: list[str]) -> None:
    command = [sys.executable, "-OO", "-m", "ropewalk", "methods", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (3, "")
    assert "Python runs with -OO" in done.stderr

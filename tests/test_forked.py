"""Commands of tests: the same with and without a fork."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import forked

CALLS = {
    "an answer": (["compare", "scores.csv", "--rope", "0.01"], forked.MAIN),
    "an error": (["compare", "nothing.csv", "c.csv"], forked.MAIN),
    "another code": (["x", "y"], "import sys; print(sys.argv, sys.stdin.read()); sys.exit(7)"),
}


@pytest.mark.skipif(not forked.FORKS, reason="there is one way only here")
@pytest.mark.parametrize(("arguments", "code"), CALLS.values(), ids=CALLS)
def test_a_started_python_does_what_a_fork_does(
    arguments: list[str], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "\n".join(f"{i},{int(i % 10 > 1)},{int(i % 10 > 2)}" for i in range(200))
    (tmp_path / "scores.csv").write_text(f"id,a,b\n{rows}\n")
    env = {**os.environ, "COLUMNS": "80"}
    found = []
    for forks in (True, False):
        monkeypatch.setattr(forked, "FORKS", forks)
        done = forked.run(*arguments, cwd=tmp_path, env=env, code=code)
        found.append((done.returncode, done.stdout, done.stderr))
    assert found[0] == found[1]
    assert "".join(found[0][1:]).strip()

"""Names from a stranger's file on a real terminal: they are shown, and steer nothing."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tests import forked

pty = pytest.importorskip("pty", reason="there are no terminals to open here")

NAMES = """
[algorithms]
"red\\u001b[31m" = "sklearn.naive_bayes.GaussianNB"
"titled\\u001b]0;owned\\u0007" = { class = "sklearn.svm.SVC", C = -1 }
"good\\u009b2J" = "sklearn.dummy.DummyClassifier"
"""
ALONE = '[algorithms]\n"a\\u001b[31m" = "sklearn.naive_bayes.GaussianNB"\n'
EXPERIMENT = f"""
design = "2x2cv"
store = "results\\u001b[32m"
{NAMES}
[datasets]
"wine\\u001b[2J" = "wine"
"""


def on_a_terminal(folder: Path, *arguments: str) -> tuple[int, str]:
    """The exit code, and everything that reached the terminal."""
    ours, theirs = pty.openpty()
    seen = []

    def read() -> None:
        try:
            while part := os.read(ours, 65_536):
                seen.append(part)
        except OSError:  # Linux says so where the other side was closed
            pass

    reader = threading.Thread(target=read)
    reader.start()
    env = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "100"}
    done = forked.run(*arguments, cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    reader.join()
    os.close(ours)
    return done.returncode, b"".join(seen).decode(errors="replace")


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        (EXPERIMENT, ["--dry-run"], 0),
        (EXPERIMENT, ["--jobs", "1"], 0),
        (EXPERIMENT.replace(NAMES, ALONE), [], 3),
        (EXPERIMENT.replace(NAMES, ALONE.replace("sklearn.naive_bayes.GaussianNB", "os.system")), [], 3),
        (EXPERIMENT + '"\\u001b[31m" = "nothing.csv"\n', [], 4),
    ],
)
def test_no_name_steers_the_terminal(tmp_path: Path, text: str, options: list[str], code: int) -> None:
    (tmp_path / "e.toml").write_text(text)
    found, seen = on_a_terminal(tmp_path, "run", "e.toml", *options)
    assert found == code, seen
    for steering in ("\x1b[31m", "\x1b]0;", "\x1b[2J", "\x1b[32m", "\x9b", "\x07"):
        assert steering not in seen

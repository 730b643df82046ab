"""Platforms without the calls of POSIX: the same answers, with what Python has there."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from pathlib import Path

import pytest

from tests import forked

# Everything that is not ours is imported first: it may ask which platform this is.
WITHOUT = """
import os, select, signal, sys, types
import click, duckdb, matplotlib.backends.backend_agg, matplotlib.style, narwhals, numpy, scipy.interpolate
import rich.console, rich.progress, rich.table, scipy.special, threadpoolctl, sklearn.svm, cloudpickle

for name in ("chown", "fork", "forkpty", "geteuid", "getpgid", "getuid", "killpg", "setsid", "O_NOFOLLOW"):
    delattr(os, name)
for name in ("fchown", "getgid", "getpriority", "mkfifo", "nice", "sync", "sysconf", "statvfs", "wait3"):
    delattr(os, name)
for name in ("O_NONBLOCK", "set_blocking"):
    delattr(os, name)
del select.poll
for name in ("SIGHUP", "SIGKILL", "SIGPIPE", "SIGALRM", "setitimer"):
    delattr(signal, name)
for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios"):
    sys.modules[name] = None
locked = []
if PLATFORM == "win32":
    sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=lambda *given: locked.append(given))
else:
    sys.modules["msvcrt"] = None
threadpoolctl.sys = types.SimpleNamespace(**vars(sys))  # it asks every time
sys.platform = PLATFORM
from ropewalk.cli import main

sys.argv = ["ropewalk", *sys.argv[1:]]
try:
    main()
finally:
    assert bool(locked) == (PLATFORM == "win32"), locked
"""


def started(folder: Path, platform: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = f"import warnings; warnings.simplefilter('ignore')\nPLATFORM = {platform!r}\n{WITHOUT}"
    # Our own package is not imported yet: it may ask which platform this is.
    return forked.run(*arguments, cwd=folder, code=code if platform else forked.MAIN, package=not platform)


@pytest.mark.parametrize("platform", ["win32", "wasi"])
def test_a_comparison_and_its_files(tmp_path: Path, platform: str) -> None:
    """Oracle: the same command with everything that this platform has."""
    rows = "\n".join(f"{i},{int(i % 10 > 1)},{int(i % 10 > 2)}" for i in range(200))
    (tmp_path / "scores.csv").write_text(f"id,a,b\n{rows}\n")
    command = ["compare", "scores.csv", "--html", "r.html", "--markdown", "r.md", "--plots", "figs"]
    found = {}
    for where in ("", platform):
        done = started(tmp_path, where, *command)
        assert (done.returncode, done.stderr) == (0, "")
        files = ("r.html", "r.md", "figs/a-vs-b-posterior.png")
        found[where] = [done.stdout, *((tmp_path / name).read_bytes() for name in files)]
    assert found[platform] == found[""]
    assert not [p.name for p in tmp_path.iterdir() if p.name.endswith(".ropewalk-new")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("platform", ["win32", "wasi"])
def test_a_named_pipe_is_read_as_a_file_is(tmp_path: Path, platform: str) -> None:
    """Windows has named pipes, but no way to open one without waiting for its writer."""
    rows = "\n".join(f"{i},{int(i % 10 > 1)},{int(i % 10 > 2)}" for i in range(200))
    table = f"id,a,b\n{rows}\n"
    (tmp_path / "file.csv").write_text(table)
    os.mkfifo(tmp_path / "pipe.csv")
    writing = threading.Thread(target=(tmp_path / "pipe.csv").write_text, args=(table,), daemon=True)
    writing.start()
    piped = started(tmp_path, platform, "compare", "pipe.csv", "--json", "--markdown", "r.md")
    writing.join(timeout=5)
    assert (piped.returncode, piped.stderr) == (0, "")
    filed = json.loads(started(tmp_path, "", "compare", "file.csv", "--json").stdout)
    assert json.loads(piped.stdout)["comparisons"] == filed["comparisons"]


def test_an_experiment_locks_its_folder_as_windows_does(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text(
        'design = "2x2cv"\nstore = "out"\n[algorithms]\na = "sklearn.naive_bayes.GaussianNB"\n'
        'b = "sklearn.dummy.DummyClassifier"\n[datasets]\nwine = "wine"\n'
    )
    done = started(tmp_path, "win32", "run", "e.toml", "--jobs", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["schema"] == "ropewalk/1"
    assert (tmp_path / "out" / "results.parquet").exists()


def test_an_experiment_without_locks_is_refused(tmp_path: Path) -> None:
    """Two runs in one folder would write over each other."""
    (tmp_path / "e.toml").write_text(
        'design = "2x2cv"\nstore = "out"\n[algorithms]\na = "sklearn.naive_bayes.GaussianNB"\n'
        'b = "sklearn.dummy.DummyClassifier"\n[datasets]\nwine = "wine"\n'
    )
    done = started(tmp_path, "wasi", "run", "e.toml", "--jobs", "1")
    assert done.returncode == 3
    assert "this platform has no file locks" in done.stderr

"""Commands in processes of their own, without the second in which Python and the packages start.

A server without threads imports what the commands need, once, and forks itself for every command. The fork
is a process like any other: it has its own streams, working directory, environment and exit code, and Python
ends in it as it always does. What it has not is a start of its own: tests of imports, and of variables that
are read while a library is loaded (OMP_NUM_THREADS, PYTHONHASHSEED), have to start Python.

Outside Linux every command starts Python: Windows has no fork, and on macOS a process that has loaded the
system's frameworks may crash after one.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_SERVER = """
import gc, glob, json, os, socket, sys

import click, matplotlib.backends.backend_agg, matplotlib.style, narwhals, numpy, pyarrow.parquet
import rich.console, rich.progress, rich.table, scipy.interpolate, scipy.special, threadpoolctl, cloudpickle
import sklearn.datasets, sklearn.dummy, sklearn.model_selection, sklearn.naive_bayes, sklearn.svm
if PACKAGE:
    import ropewalk.cli, ropewalk.analysis, ropewalk.bayes, ropewalk.experiment, ropewalk.nhst, ropewalk.plot
    import ropewalk.report.html, ropewalk.report.json
gc.collect()
gc.freeze()  # or Python would search all of it for garbage where a fork ends, for half a second
from importlib.metadata import version
if int(version("duckdb").split(".")[0]) >= 2:  # before, it starts a thread where it is imported
    import duckdb  # which looks for what is left over when Python ends

threads = [open(name).read().strip() for name in glob.glob("/proc/self/task/*/comm")]
threads = [name for name in threads if not name.startswith("jemalloc")]  # it starts anew after a fork
assert len(threads) <= 1, f"a fork would lose {threads}"
calls = socket.socket(fileno=int(sys.argv[1]))
while True:
    data, streams, *_ = socket.recv_fds(calls, 1 << 20, 3)
    if not data:
        os._exit(0)
    if child := os.fork():
        for stream in streams:
            os.close(stream)
        calls.sendall(json.dumps(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
        continue
    call = json.loads(data)
    calls.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(call["cwd"])
    os.environ.clear()
    os.environ.update(call["env"])
    sys.argv = ["ropewalk", *call["arguments"]]
    sys.stdin = sys.__stdin__ = open(0)
    sys.stdout = sys.__stdout__ = open(1, "w")
    sys.stderr = sys.__stderr__ = open(2, "w", errors="backslashreplace", buffering=1)
    break
exec(call["code"])
"""
MAIN = "from ropewalk_cli import main; main()"
FORKS = sys.platform == "linux"


@cache
def _server(package: bool) -> socket.socket:
    """A server that has imported our package as well, or only what it needs; it ends with this process."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-c", f"PACKAGE = {package}\n{_SERVER}", str(theirs.fileno())]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    server = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=env, start_new_session=True)
    theirs.close()

    def end() -> None:
        ours.close()
        server.wait()

    atexit.register(end)
    return ours


def run(
    *arguments: str,
    cwd: Path | str | None = None,
    env: Mapping[str, str] | None = None,
    code: str = MAIN,
    stdin: int | None = None,
    stdout: int | None = None,
    stderr: int | None = None,
    package: bool = True,
) -> subprocess.CompletedProcess[str]:
    """Run `ropewalk` with these arguments, or another code, to its end; what goes nowhere else is kept."""
    whole = dict(os.environ if env is None else env)
    if not FORKS:
        command = [sys.executable, "-P", "-c", f"import sys; sys.argv[0] = 'ropewalk'\n{code}", *arguments]
        done = subprocess.run(
            command,
            cwd=cwd,
            env=whole,
            stdin=subprocess.DEVNULL if stdin is None else stdin,
            stdout=subprocess.PIPE if stdout is None else stdout,
            stderr=subprocess.PIPE if stderr is None else stderr,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        kept = [done.stdout or "", done.stderr or ""]
        return subprocess.CompletedProcess(["ropewalk", *arguments], done.returncode, *kept)
    call = {"arguments": arguments, "cwd": str(cwd or Path.cwd()), "env": whole, "code": code}
    server = _server(package)
    with Path(os.devnull).open() as nothing, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        streams = [
            nothing.fileno() if stdin is None else stdin,
            out.fileno() if stdout is None else stdout,
            err.fileno() if stderr is None else stderr,
        ]
        socket.send_fds(server, [json.dumps(call).encode()], streams)
        ended = json.loads(server.recv(64))
        for stream in (out, err):
            stream.seek(0)
        kept = [stream.read().decode(errors="replace") for stream in (out, err)]
    return subprocess.CompletedProcess(["ropewalk", *arguments], ended, *kept)

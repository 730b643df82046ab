"""Fits in a process of their own: one that takes too long, or takes the process down, is recorded."""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

from ropewalk.errors import RopewalkError
from ropewalk.experiment.fits import fit
from ropewalk.experiment.work import Fit, Work, record

_HEAD = 8
_local = threading.local()


def guarded(X: Any, y: Any, groups: Any, work: Work) -> Fit:
    """`fit`, but a fit that runs into its time limit or crashes does so without us."""
    import cloudpickle

    child = getattr(_local, "child", None)
    if child is None or child.poll() is not None:
        child = _local.child = _start()
    late = threading.Event()

    def stop() -> None:
        late.set()
        child.kill()

    clock = threading.Timer(work.timeout, stop) if work.timeout else None
    try:
        _send(child.stdin, cloudpickle.dumps((X, y, groups, work)))
        _receive(child.stdout)  # what it needs is imported, and the fit begins
        if clock:
            clock.start()
        found: Fit = pickle.loads(_receive(child.stdout))  # noqa: S301  # from our own child
    except (EOFError, OSError):
        code = child.wait()
        _local.child = None
        why = f"the process died with exit code {code}"
        if late.is_set():
            why = f"TimeoutError: no answer after {work.timeout:g} seconds"
        return record(work, error=why)
    finally:
        if clock:
            clock.cancel()
    return found


@lru_cache(maxsize=1)
def end_with_parent() -> None:
    """Let this process end when the one that started it is gone: nobody waits for its fits any more."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _start() -> subprocess.Popen[bytes]:
    # -P: a module that lies in the working directory, next to a stranger's file, is not imported.
    command = [sys.executable, "-P", "-c", "from ropewalk.experiment.guard import serve; serve()"]
    child = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p or str(Path.cwd()) for p in sys.path)},
    )
    atexit.register(child.kill)
    try:
        _receive(child.stdout)
    except EOFError:
        raise RopewalkError(
            f"a process for the fits could not be started: exit code {child.wait()}",
            hint="Its own message is above.",
        ) from None
    return child


def serve() -> None:
    """The child: do what comes in, until nothing comes any more."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what an algorithm prints must not be taken for an answer
    end_with_parent()
    _send(sink, b"here")
    while True:
        try:
            X, y, groups, work = pickle.loads(_receive(source))  # noqa: S301  # from our own parent
        except EOFError:
            return
        _send(sink, b"begins")
        _send(sink, pickle.dumps(fit(X, y, groups, work)))


def _send(stream: Any, content: bytes) -> None:
    stream.write(len(content).to_bytes(_HEAD, "big") + content)
    stream.flush()


def _receive(stream: Any) -> bytes:
    head = stream.read(_HEAD)
    if len(head) < _HEAD:
        raise EOFError
    length = int.from_bytes(head, "big")
    content: bytes = stream.read(length)
    if len(content) < length:
        raise EOFError
    return content

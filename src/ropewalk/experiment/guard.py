"""Fits in a process of their own: one that takes too long, or takes the process down, is recorded."""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from ropewalk.errors import OptionError, RopewalkError, short
from ropewalk.experiment.algorithms import Algorithm
from ropewalk.experiment.fits import fit
from ropewalk.experiment.work import Fit, Work, record

_HEAD = 8
_PR_SET_PDEATHSIG = 1  # of Linux: a signal for this process when the thread that started it has ended
_local = threading.local()


def guarded(X: Any, y: Any, groups: Any, work: Work) -> Fit:
    """`fit`, but a fit that runs into its time limit or crashes does so without us."""
    import cloudpickle

    try:
        packed = cloudpickle.dumps((X, y, groups, work))
    except Exception:
        check_can_be_sent(work.algorithm)
        raise
    child = getattr(_local, "child", None)
    if child is None or child.poll() is not None:
        child = _local.child = _start()
    clock = _Clock(child, work.timeout)
    try:
        _send(child.stdin, packed)
        _receive(child.stdout)  # what it needs is imported, and the fit begins
        clock.start()
        found: Fit = pickle.loads(_receive(child.stdout))  # noqa: S301  # from our own child
    except (EOFError, OSError):
        late = clock.stop()
        end(child)  # what it has started may still run
        _local.child = None
        why = f"the process died with exit code {child.wait()}"
        if late:
            why = f"TimeoutError: no answer after {work.timeout:g} seconds"
        return record(work, error=why)
    if clock.stop():  # the time was up while the answer came: the next fit gets another process
        child.wait()
        _local.child = None
    return found


def check_can_be_sent(algorithm: Algorithm) -> None:
    """Refuse an estimator that cannot be pickled, by name.

    Raises
    ------
    OptionError
        If another process cannot be given the estimator.
    """
    import cloudpickle

    try:
        cloudpickle.dumps(algorithm)
    except Exception as error:
        raise OptionError(
            f'algorithm "{short(algorithm.name)}" cannot be pickled, so no other process can fit it',
            where=[short(f"{type(error).__name__}: {error}", 200)],
            hint="Without a time limit, one fit at a time is made in this process: jobs=1 (--jobs 1).",
        ) from error


class _Clock:
    """Ends a child after some seconds; 0: never."""

    def __init__(self, child: subprocess.Popen[bytes], seconds: float) -> None:
        self._late = threading.Event()
        self._child = child
        self._timer = threading.Timer(seconds, self._stop_child) if seconds else None

    def _stop_child(self) -> None:
        self._late.set()
        end(self._child)

    def start(self) -> None:
        if self._timer:
            self._timer.start()

    def stop(self) -> bool:
        """Stop the clock; whether it has ended the child. From then on it does not."""
        if self._timer:
            self._timer.cancel()
            if self._timer.ident is not None:
                self._timer.join()
        return self._late.is_set()


def end(child: subprocess.Popen[bytes]) -> None:
    """End a child and every process that it has started."""
    if child.returncode is not None:  # it has been waited for, and its number may be another process's now
        return
    if sys.platform == "win32":
        command = ["taskkill", "/F", "/T", "/PID", str(child.pid)]
        subprocess.run(command, capture_output=True, check=False)
        return
    with suppress(ProcessLookupError, PermissionError):  # it has ended by itself
        os.killpg(child.pid, signal.SIGKILL)


@lru_cache(maxsize=1)
def end_with_parent(parent: int) -> None:
    """Let this process end when the one that started it is gone: nobody waits for its fits any more."""
    if sys.platform == "linux":  # also inside compiled code, where no thread of Python's gets a turn
        with suppress(ImportError, OSError, AttributeError):
            import ctypes

            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _start() -> subprocess.Popen[bytes]:
    # -P: a module that lies in the working directory, next to a stranger's file, is not imported.
    code = f"from ropewalk.experiment.guard import serve; serve({os.getpid()})"
    child = subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p or str(Path.cwd()) for p in sys.path)},
        start_new_session=sys.platform != "win32",  # so that it can be ended with all that it has started
    )
    atexit.register(end, child)
    try:
        _receive(child.stdout)
    except EOFError:
        raise RopewalkError(
            f"a process for the fits could not be started: exit code {child.wait()}",
            hint="Its own message is above.",
        ) from None
    return child


def serve(parent: int) -> None:
    """The child: do what comes in, until nothing comes any more."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what an algorithm prints must not be taken for an answer
    end_with_parent(parent)
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

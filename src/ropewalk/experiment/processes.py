"""Fits in processes of joblib's loky: one that takes too long, or takes its process down, is lost alone."""

from __future__ import annotations

import math
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing import current_process
from pathlib import Path
from typing import Any, TypeAlias

from numpy.typing import NDArray

from ropewalk.data.arrays import Strings
from ropewalk.errors import OptionError, RopewalkError, short
from ropewalk.experiment.algorithms import Algorithm
from ropewalk.experiment.fits import fit
from ropewalk.experiment.work import Fit, Work, message, record

_PR_SET_PDEATHSIG = 1  # Linux: signal this process when the thread that started it has ended
_OFTEN = 1.0  # seconds between two checks of a process that does not answer
_PATIENCE = 5.0  # seconds for loky to notice that a process is gone
_OPEN = 16  # data sets that a process keeps open: each holds files open
_ENV = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

Given: TypeAlias = "Path | tuple[Any, NDArray[Any], Strings | None]"
"""X, y and groups, or the file that `joblib.dump` has written them to."""


class Worker:
    """A process that makes fits one by one; after a crash or a timeout, the next fit gets a new process.

    It is a pool of one process. In a larger pool, the death of one process breaks the whole pool, so it is
    unknown which fit caused it, and no process can be ended without the others.
    """

    def __init__(self) -> None:
        self._pool: Any = None
        self._future: Any = None  # the last call
        self._processes: list[Any] = []
        self._known: set[str] = set()  # algorithms that the process has imported
        self._closed = False
        self._lock = threading.Lock()  # `close` is called by a different thread than `fit`

    def fit(self, given: Given, work: Work) -> Fit:
        """Run `fit` of `fits.py` in another process, isolated from timeouts and crashes."""
        import cloudpickle
        from joblib.externals.loky.process_executor import BrokenProcessPool, ShutdownExecutorError

        packed = cloudpickle.dumps((given, work))
        try:
            if work.timeout and work.algorithm.name not in self._known:
                self._answer(_unpacked, packed, math.inf)  # imports are done before the clock starts
                self._known.add(work.algorithm.name)
            found: Fit = self._answer(_fitted, packed, work.timeout or math.inf)
            return found
        except TimeoutError:
            why = f"TimeoutError: no answer after {work.timeout:g} seconds"
            lost = record(work, error=why, timed_out=True)
        except (BrokenProcessPool, ShutdownExecutorError):
            code = next((p.exitcode for p in self._processes), None)
            lost = record(work, error=f"the process died with exit code {code}")
        except RopewalkError:  # the process could not be started
            raise
        except Exception as error:  # noqa: BLE001  # it could not be unpacked there
            return record(work, error=message(error))
        self._end()
        return lost

    def _answer(self, function: Any, packed: bytes, seconds: float) -> Any:
        """Return the answer of the process, within this number of seconds.

        loky detects a dead process by a pipe that the process held open. Processes that it forked hold the
        pipe open too, so the process itself is checked as well.
        """
        from joblib.externals.loky.process_executor import BrokenProcessPool

        future, end = self._submit(function, packed), time.monotonic() + seconds
        while True:
            rest = end - time.monotonic()
            try:
                return future.result(max(0.0, min(rest, _OFTEN)))
            except TimeoutError:
                if rest <= _OFTEN:
                    raise
                if self._processes[0].exitcode is not None and not future.done():
                    raise BrokenProcessPool from None

    def close(self) -> None:
        """End the process and everything that it started; a running fit is lost."""
        with self._lock:
            self._closed = True
        self._end()

    def _submit(self, function: Any, *given: Any) -> Any:
        with self._lock:
            if self._closed:
                raise RopewalkError("the worker processes have been stopped")
            if self._pool is None:
                self._pool = _started()
            self._future = self._pool.submit(function, *given)
            self._processes = list(self._pool._processes.values())
            return self._future

    def _end(self) -> None:
        with self._lock:
            pool, self._pool = self._pool, None
            processes, self._known = self._processes, set()
        if pool is None:
            return
        if sys.platform != "win32":  # loky misses what was forked by a process that has ended
            for process in processes:
                with suppress(ProcessLookupError, PermissionError):  # it has already ended
                    os.killpg(process.pid, signal.SIGKILL)
            # When told to kill, loky fails on a call that it has not passed on yet, so wait for it first.
            wait([self._future], timeout=_PATIENCE)
        pool.shutdown(wait=True, kill_workers=not self._future.done())


def _started() -> Any:
    """Start a pool of one process and wait for its first answer."""
    from joblib.externals.loky.process_executor import BrokenProcessPool, ProcessPoolExecutor

    daemon = current_process().daemon
    current_process().daemon = False  # Dask's workers are daemons, which may not start processes
    try:
        pool = ProcessPoolExecutor(1, initializer=_begin, initargs=(os.getpid(),), env=_ENV)
        first = pool.submit(os.getpid)
        processes = list(pool._processes.values())
    finally:
        current_process().daemon = daemon
    try:
        first.result()
    except BrokenProcessPool:
        raise RopewalkError(
            f"a process for the fits could not be started: exit code {processes[0].exitcode}",
            hint="See its message above.",
        ) from None
    return pool


@contextmanager
def safe_path() -> Iterator[None]:
    """Keep started processes from importing modules from the working directory."""
    name = "PYTHONSAFEPATH"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def check_can_be_sent(algorithm: Algorithm) -> None:
    """Refuse an estimator that cannot be pickled, naming it.

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
            hint="Without a time limit, jobs=1 (--jobs 1) runs all fits in this process.",
        ) from error


# --- in the process itself ---------------------------------------------------------------------------------


def _begin(parent: int) -> None:
    """Before the first fit: start a process group, which is ended as a whole, and end with the parent."""
    if sys.platform != "win32":
        os.setsid()
    if sys.platform == "linux":  # even inside compiled code, where no Python thread can run
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


def _unpacked(packed: bytes) -> None:
    _contents(packed)


def _fitted(packed: bytes) -> Fit:
    (X, y, groups), work = _contents(packed)
    return fit(X, y, groups, work)


def _contents(packed: bytes) -> tuple[tuple[Any, Any, Any], Work]:
    given, work = pickle.loads(packed)  # noqa: S301  # from our own parent
    return _read(given) if isinstance(given, Path) else given, work


@lru_cache(maxsize=_OPEN)
def _read(path: Path) -> tuple[Any, Any, Any]:
    """Load a data set from a file; its arrays stay in the file, which all processes share."""
    import joblib

    X, y, groups = joblib.load(path, mmap_mode="r")
    return X, y, groups

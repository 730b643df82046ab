"""Every fit once: one after the other, in parallel on this machine, or on a Dask cluster."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeAlias

from ropewalk.errors import RopewalkError, short
from ropewalk.experiment.cluster import on_cluster
from ropewalk.experiment.datasets import Dataset
from ropewalk.experiment.fits import fit
from ropewalk.experiment.guard import check_can_be_sent, end_with_parent, guarded
from ropewalk.experiment.work import Fit, Work

Job: TypeAlias = tuple[Dataset, Work]

_TRIES = 3  # so often the rest is started again after the workers broke down


def run(todo: Sequence[Job], *, jobs: int, dask: str | None) -> Iterator[Fit]:
    """The fits as they come; none twice, whatever happens to the workers.

    Workers that break down (out of memory, a crash in compiled code) take the fits with them that they were
    at. The rest is started again, with each fit in a process of its own, so that the one to blame is known.
    """
    if not todo:
        return
    if dask is None and jobs == 1:
        for data, work in todo:
            yield _do(work)(data.X, data.y, data.groups, work)
        return
    for algorithm in {id(work.algorithm): work.algorithm for _, work in todo}.values():
        check_can_be_sent(algorithm)
    left = {work.identity: (data, work) for data, work in todo}
    for attempt in range(_TRIES):
        try:
            for found in _parallel(list(left.values()), jobs, dask, alone=attempt > 0):
                if left.pop(found.identity, None) is not None:
                    yield found
        except RopewalkError:
            raise
        except Exception as error:
            if attempt + 1 == _TRIES:
                raise RopewalkError(
                    f"the workers broke down {_TRIES} times: {type(error).__name__}: {short(error, 200)}",
                    hint="What was finished is kept. Is there enough memory for so many fits at a time?",
                ) from error
        if not left:
            return


def _do(work: Work, *, alone: bool = False) -> Callable[..., Fit]:
    return guarded if alone or work.timeout else fit


def _here(X: Any, y: Any, groups: Any, work: Work, *, alone: bool, parent: int) -> Fit:
    """A fit in a process of joblib's on this machine."""
    end_with_parent(parent)
    return _do(work, alone=alone)(X, y, groups, work)


def _parallel(todo: Sequence[Job], jobs: int, dask: str | None, *, alone: bool) -> Iterator[Fit]:
    if dask is not None:
        yield from on_cluster(todo, dask, partial(_do, alone=alone))
        return
    from joblib import Parallel, delayed, parallel_config

    with _safe_path(), parallel_config(backend="loky", n_jobs=jobs, inner_max_num_threads=1):
        # One by one, not in batches: a fit that is finished is recorded at once.
        parallel = Parallel(batch_size=1, return_as="generator_unordered", pre_dispatch="4*n_jobs")
        one = delayed(partial(_here, alone=alone, parent=os.getpid()))
        fits = parallel(one(data.X, data.y, data.groups, work) for data, work in todo)
        try:
            yield from _kept_open(fits)
        finally:
            with _given_up():
                fits.close()


def _kept_open(fits: Iterator[Fit]) -> Iterator[Fit]:
    """The same, but who stops early does not close them: that is done where it can be done quietly."""
    while (found := next(fits, None)) is not None:
        yield found


@contextmanager
def _given_up() -> Iterator[None]:
    """Around the end of workers whose fits nobody wants any more, such as after a full disk.

    joblib warns of fits that were not used, and a thread of loky's may miss one that was just taken back.
    """
    before = threading.excepthook

    def hook(caught: threading.ExceptHookArgs) -> None:
        if not (caught.thread is not None and caught.thread.name.startswith("ExecutorManagerThread")):
            before(caught)

    threading.excepthook = hook
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*tasks? .*", module="joblib", category=UserWarning)
            yield
    finally:
        threading.excepthook = before


@contextmanager
def _safe_path() -> Iterator[None]:
    """Keep the processes that joblib starts from importing what lies in the working directory."""
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

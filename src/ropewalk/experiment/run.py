"""Every fit once: one after the other, in parallel on this machine, or on a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeAlias

from ropewalk.errors import MissingExtraError, OptionError, RopewalkError, short
from ropewalk.experiment.datasets import Dataset
from ropewalk.experiment.fits import fit
from ropewalk.experiment.guard import end_with_parent, guarded
from ropewalk.experiment.work import Fit, Work

Job: TypeAlias = tuple[Dataset, Work]

_CONNECT = 10  # seconds to find the scheduler
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


def _here(X: Any, y: Any, groups: Any, work: Work, *, alone: bool) -> Fit:
    """A fit in a process of joblib's on this machine."""
    end_with_parent()
    return _do(work, alone=alone)(X, y, groups, work)


def _parallel(todo: Iterable[Job], jobs: int, dask: str | None, *, alone: bool) -> Iterator[Fit]:
    from joblib import Parallel, delayed

    with _backend(todo, jobs, dask):
        # One by one, not in batches: a fit that is finished is recorded at once. All of them are known to
        # Dask, which spreads them; here a few are sent ahead.
        parallel = Parallel(
            n_jobs=None if dask is None else -1,
            batch_size=1,
            return_as="generator_unordered",
            pre_dispatch="4*n_jobs",
        )
        one = delayed(partial(_here, alone=alone)) if dask is None else None
        yield from parallel(
            (one or delayed(_do(work, alone=alone)))(data.X, data.y, data.groups, work) for data, work in todo
        )


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


@contextmanager
def _backend(todo: Iterable[Job], jobs: int, dask: str | None) -> Iterator[None]:
    from joblib import parallel_config

    if dask is None:
        with _safe_path(), parallel_config(backend="loky", n_jobs=jobs, inner_max_num_threads=1):
            yield
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtraError("Dask is not installed", hint="pip install 'ropewalk[dask]'") from error
    try:
        client = Client(dask, timeout=_CONNECT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        raise OptionError(
            f"there is no Dask scheduler at {short(dask)}",
            where=[short(error, 100)],
            hint="Give its address, such as tcp://127.0.0.1:8786.",
        ) from None
    # On every worker, not on one: when that one goes, the others still have them.
    data = {id(part): part for d, _ in todo for part in (d.X, d.y, d.groups) if part is not None}
    try:
        with parallel_config(backend="dask", client=client, scatter=list(data.values())):
            yield
    finally:
        client.close()  # type: ignore[no-untyped-call]

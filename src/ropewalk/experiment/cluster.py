"""Fits on a Dask cluster: a few are sent ahead, the others when there is room."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from ropewalk.errors import RopewalkError, short
from ropewalk.experiment.datasets import Dataset
from ropewalk.experiment.fits import fit
from ropewalk.experiment.processes import Worker
from ropewalk.experiment.work import Fit, Work
from ropewalk.read.cluster import connected

_AHEAD = 4  # fits sent ahead for each thread of the cluster
_TRIES = 3  # attempts in all, including the first
_local = threading.local()


def on_cluster(todo: Sequence[tuple[Dataset, Work]], address: str) -> Iterator[Fit]:
    """Yield the fits of a cluster as they finish, each once, even if workers fail.

    Dask gives up when a fit has taken several workers down. The rest is started again, with each fit in a
    process of its own, so that the one to blame is known.

    Parameters
    ----------
    todo : sequence
        Data sets and what is to be done with them.
    address : str
        Of the scheduler.
    """
    left = {work.identity: (data, work) for data, work in todo}
    for attempt in range(_TRIES):
        try:
            for found in _submitted(list(left.values()), address, alone=attempt > 0):
                if left.pop(found.identity, None) is not None:
                    yield found
        except RopewalkError:
            raise
        except Exception as error:
            if attempt + 1 == _TRIES:
                raise RopewalkError(
                    f"the workers crashed {_TRIES} times: {type(error).__name__}: {short(error, 200)}",
                    hint="Finished fits are kept. Is there enough memory for this many fits at a time?",
                ) from error
        if not left:
            return


def _submitted(todo: Sequence[tuple[Dataset, Work]], address: str, *, alone: bool) -> Iterator[Fit]:
    with connected(address) as client:
        import distributed

        # Sent to every worker: if one fails, the others still have the data.
        parts = {id(p): p for d, _ in todo for p in (d.X, d.y, d.groups) if p is not None}
        sent = dict(zip(parts, client.scatter(list(parts.values()), broadcast=True), strict=True))
        left = iter(todo)

        def submitted(count: int) -> Iterator[Any]:
            for data, work in islice(left, count):
                given = [sent.get(id(p)) for p in (data.X, data.y, data.groups)]
                yield client.submit(_guarded if alone or work.timeout else fit, *given, work, pure=False)

        completed: Any = distributed.as_completed
        first = submitted(_AHEAD * max(1, sum(client.nthreads().values())))
        done = completed(list(first), loop=client.loop)
        for future in done:
            yield future.result()
            for further in submitted(1):
                done.add(further)


def _guarded(X: Any, y: Any, groups: Any, work: Work) -> Fit:
    """Run a fit in a process next to the cluster's worker, one process per thread."""
    if not hasattr(_local, "worker"):
        _local.worker = Worker()
    found: Fit = _local.worker.fit((X, y, groups), work)
    return found

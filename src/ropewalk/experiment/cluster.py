"""Fits on a Dask cluster: a few are sent ahead, the others when there is room."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from ropewalk.errors import MissingExtraError, OptionError, RopewalkError, short
from ropewalk.experiment.datasets import Dataset
from ropewalk.experiment.work import Fit, Work

CONNECT = 10.0  # seconds to find the scheduler, and a first worker
PATIENCE = 15.0  # seconds without any worker; a worker that is started again takes a few
_LOOK = 0.02  # seconds between two looks at what has come
_SELDOM = 1.0  # seconds between two looks at the workers
_AHEAD = 4  # fits that are sent ahead for each thread of the cluster


def on_cluster(
    todo: Sequence[tuple[Dataset, Work]], address: str, do: Callable[[Work], Callable[..., Fit]]
) -> Iterator[Fit]:
    """The fits of a cluster as they come.

    Parameters
    ----------
    todo : sequence
        Data sets and what is to be done with them.
    address : str
        Of the scheduler.
    do : callable
        The function that makes a fit.

    Raises
    ------
    OptionError
        If there is no scheduler at the address, or no worker at the beginning.
    RopewalkError
        If no worker is left on the way.
    """
    with _connected(address) as client:
        import distributed

        # On every worker, not on one: when that one goes, the others still have the data.
        parts = {id(p): p for d, _ in todo for p in (d.X, d.y, d.groups) if p is not None}
        sent = dict(zip(parts, client.scatter(list(parts.values()), broadcast=True), strict=True))
        left = iter(todo)

        def submitted(count: int) -> Iterator[Any]:
            for data, work in islice(left, count):
                given = [sent.get(id(p)) for p in (data.X, data.y, data.groups)]
                yield client.submit(do(work), *given, work, pure=False)

        completed: Any = distributed.as_completed
        done = completed(list(submitted(_AHEAD * max(1, sum(client.nthreads().values())))))
        watch = _Watch(client, address)
        while done.count():
            batch = done.next_batch(block=False)
            for future in batch:
                yield future.result()
                for further in submitted(1):
                    done.add(further)
            if not batch:
                watch.look()
                time.sleep(_LOOK)


class _Watch:
    """Looks every second whether the cluster still has a worker."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._looked = self._alive = time.monotonic()

    def look(self) -> None:
        now = time.monotonic()
        if now - self._looked < _SELDOM:
            return
        self._looked = now
        if self._client.nthreads():
            self._alive = now
        elif now - self._alive > PATIENCE:
            raise RopewalkError(
                f"no worker of the Dask cluster at {short(self._address)} is left",
                hint="What is finished is kept. Start workers, and the same command goes on.",
            )


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtraError("Dask is not installed", hint="pip install 'ropewalk[dask]'") from error
    try:
        client = Client(address, timeout=CONNECT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        raise OptionError(
            f"there is no Dask scheduler at {short(address)}",
            where=[short(error, 100)],
            hint="Give its address, such as tcp://127.0.0.1:8786.",
        ) from None
    try:
        _wait_for_a_worker(client, address)
        yield client
    finally:
        client.close()  # type: ignore[no-untyped-call]


def _wait_for_a_worker(client: Any, address: str) -> None:
    start = time.monotonic()
    while not client.nthreads():
        if time.monotonic() - start > CONNECT:
            raise OptionError(
                f"the Dask cluster at {short(address)} has no worker",
                hint=f"Start one: dask worker {short(address)}.",
            )
        time.sleep(0.2)

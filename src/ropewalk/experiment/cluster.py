"""Fits on a Dask cluster: a few are sent ahead, the others when there is room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from ropewalk.experiment.datasets import Dataset
from ropewalk.experiment.work import Fit, Work
from ropewalk.read.cluster import connected

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
    """
    with connected(address) as client:
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
        for future in done:
            yield future.result()
            for further in submitted(1):
                done.add(further)

"""Every fit once: one after the other, in parallel on this machine, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from ropewalk.disk import temporary_folder
from ropewalk.errors import OptionError
from ropewalk.experiment.cluster import on_cluster
from ropewalk.experiment.datasets import Dataset
from ropewalk.experiment.fits import fit
from ropewalk.experiment.processes import Worker, check_can_be_sent, safe_path
from ropewalk.experiment.work import Fit, Work

Job: TypeAlias = tuple[Dataset, Work]


def run(todo: Sequence[Job], *, jobs: int, dask: str | None) -> Generator[Fit, None, None]:
    """Yield each fit once, as it finishes; one that crashes its process is recorded as such.

    One fit at a time without a time limit is made in this process, any other in a process of its own.
    """
    if not todo:
        return
    if dask is None and jobs == 1 and not any(work.timeout for _, work in todo):
        for data, work in todo:
            yield fit(data.X, data.y, data.groups, work)
        return
    for algorithm in {id(work.algorithm): work.algorithm for _, work in todo}.values():
        check_can_be_sent(algorithm)
    yield from _in_processes(todo, jobs) if dask is None else on_cluster(todo, dask)


def _in_processes(todo: Sequence[Job], jobs: int) -> Iterator[Fit]:
    """Run the fits in several processes on this machine; a thread waits for each process."""
    workers = [Worker() for _ in range(min(jobs, len(todo)))]
    free: SimpleQueue[Worker] = SimpleQueue()
    for worker in workers:
        free.put(worker)

    def one(place: Path, work: Work) -> Fit:
        worker = free.get()
        try:
            return worker.fit(place, work)
        finally:
            free.put(worker)

    with safe_path(), temporary_folder() as folder, ThreadPoolExecutor(len(workers)) as threads:
        places = _written({id(data): data for data, _ in todo}, folder)
        left = iter(todo)

        def started(count: int) -> set[Future[Fit]]:
            return {threads.submit(one, places[id(data)], work) for data, work in islice(left, count)}

        try:
            running = started(2 * len(workers))  # the next fits are ready when a process becomes free
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running |= started(len(done))
                for future in done:
                    yield future.result()
        finally:  # even if the rest is no longer needed, such as after a full disk
            threads.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.close()


def _written(datasets: dict[int, Dataset], folder: Path) -> dict[int, Path]:
    """Write every data set to a file, so that processes share its rows instead of receiving them per fit."""
    import joblib

    places = {}
    for i, (key, data) in enumerate(datasets.items()):
        places[key] = folder / str(i)
        try:
            joblib.dump((data.X, data.y, data.groups), places[key])
        except OSError as error:
            raise OptionError(
                f"the data sets cannot be written to {folder}: {error.strerror}",
                hint="The worker processes read them there. Set TMPDIR to a folder with more room.",
            ) from error
    return places

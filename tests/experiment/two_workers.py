"""Not a test by itself: a Dask cluster of two worker processes, one of which is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import dask
import numpy as np
from distributed import LocalCluster
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from ropewalk.experiment import cross_validate


class Slow(GaussianNB):
    """Says in which process it was fitted, and how many threads it had."""

    def __init__(self, *, where: str = "") -> None:
        super().__init__()
        self.where = where

    def fit(self, X: Any, y: Any) -> Any:
        from threadpoolctl import threadpool_info

        time.sleep(0.03)
        threads = max([lib["num_threads"] for lib in threadpool_info()], default=1)
        with (Path(self.where) / "witness.txt").open("a") as file:
            file.write(f"{os.getpid()} {threads}\n")
        return super().fit(X, y)


def main(where: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    y = (X[:, 0] + rng.normal(size=400) > 0).astype(int)
    killed = []
    dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})  # packages are imported once
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]

        def progress(items: Iterable[Any], total: int) -> Iterator[Any]:
            for i, item in enumerate(items):
                if i == total // 3:
                    os.kill(pids[0], signal.SIGKILL)
                    killed.append(i)
                yield item

        exp = cross_validate(
            {"bayes": Slow(where=where), "most": DummyClassifier()},
            {"d": (X, y)},
            design="6x10cv",
            dask=cluster.scheduler_address,
            store=Path(where) / "results",
            progress=progress,
        )
    witness = [line.split() for line in (Path(where) / "witness.txt").read_text().splitlines()]
    sys.stdout.write(
        json.dumps(
            {
                "killed after": killed,
                "fits": sorted([f.model, f.repeat, f.fold, f.error] for f in exp.fits),
                "values": sorted([f.model, f.repeat, f.fold, f.values["accuracy"]] for f in exp.fits),
                "processes": len({pid for pid, _ in witness}),
                "threads": max(int(n) for _, n in witness),
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])

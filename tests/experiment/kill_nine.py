"""Not a test by itself: a run that is killed again and again, and what is left of it, as JSON.

Every run is a forked child. `finished.txt` gets a line for each fit, with the identity of the fit, after the
store has said that it is recorded: the witness of what was finished when the child was killed.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from ropewalk.experiment import store as stores
from ropewalk.experiment.cross_validate import carry_out, dataset
from ropewalk.experiment.setup import Algorithm, Setup


def setup(repeats: int) -> Setup:
    """Twenty fits for each repeat."""
    rng = np.random.default_rng(0)
    data = {f"d{i}": (rng.normal(size=(60, 3)), np.arange(60) % 2) for i in range(2)}
    return Setup(
        algorithms=(
            Algorithm(name="most", estimator=DummyClassifier()),
            Algorithm(name="tree", estimator=DecisionTreeClassifier(max_depth=2)),
        ),
        datasets=tuple(dataset(name, value) for name, value in data.items()),
        design=f"{repeats}x5cv",
        metrics=("accuracy",),
        keep=True,
    )


def child(folder: Path, witness: Path, repeats: int) -> None:
    stores._SOME = 10  # fold the journal often, so that many kills fall into it
    handle = os.open(witness, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    record = stores.Store.add

    def add(self: stores.Store, fit: Any) -> None:
        record(self, fit)
        os.write(handle, (json.dumps(fit.identity) + "\n").encode())

    stores.Store.add = add  # type: ignore[method-assign]
    carry_out(setup(repeats), store=folder)
    os._exit(0)


def lines(path: Path) -> list[str]:
    return path.read_bytes().decode().splitlines() if path.exists() else []


def main(where: str, kills: int, seed: int, repeats: int) -> None:
    folder, witness = Path(where) / "results", Path(where) / "finished.txt"
    random.seed(seed)
    seen: list[dict[str, int]] = []
    for _ in range(kills):
        before = len(lines(witness))
        pid = os.fork()
        if pid == 0:
            child(folder, witness, repeats)
        # Kill after so many more fits, and a moment: anywhere between two fits, inside one, in a write.
        target = before + random.randrange(0, 30)
        while len(lines(witness)) < target and os.waitpid(pid, os.WNOHANG)[0] == 0:
            time.sleep(0.0005)
        time.sleep(random.random() * 0.01)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        seen.append({"finished": len(lines(witness)), "before": before})
    finished = set(lines(witness))
    fits = list(stores.load(folder)[1].fits.values())
    kept = [json.dumps(f.identity) for f in fits]
    pid = os.fork()
    if pid == 0:
        child(folder, witness, repeats)
    os.waitpid(pid, 0)
    fits = list(stores.load(folder)[1].fits.values())
    sys.stdout.write(
        json.dumps(
            {
                "kills": seen,
                "lost": len(finished - set(kept)),
                "doubled": len(kept) - len(set(kept)),
                "made twice": len(lines(witness)) - len(set(lines(witness))),
                "all": len(fits),
                "values": sorted([*map(str, f.identity), repr(f.values["accuracy"])] for f in fits),
                "outputs": len(list((folder / "outputs").glob("*.npz"))),
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))

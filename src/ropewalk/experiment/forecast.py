"""How long an experiment will take: one fit of each kind, timed."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ropewalk.experiment.manifest import merged, read_manifest
from ropewalk.experiment.processes import Worker, check_can_be_sent, safe_path
from ropewalk.experiment.run import Job
from ropewalk.experiment.setup import Setup
from ropewalk.experiment.store import load
from ropewalk.experiment.work import Fit

_PATIENCE = 20.0  # seconds for all trial fits together


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The number of fits, how many are done, and the time that the others take one after the other.

    `failing` names the trial fits that failed, with their messages. If `at_least`, some trial fits did not
    end in time, so the true time is longer.
    """

    fits: int
    done: int
    seconds: float
    at_least: bool
    failing: tuple[str, ...]


def forecast(setup: Setup, folder: Path) -> Forecast:
    """Make the first fit of every algorithm on every data set, without recording it."""
    known = read_manifest(folder)
    found: list[Fit] = []
    if known is not None:
        merged(known, setup.manifest(), folder)  # raises an error for another experiment
        found = list(load(folder)[1].fits.values())
    done = {f.identity for f in found}
    timed = {(f.model, f.task): f.fit_seconds + f.predict_seconds for f in found}
    left: dict[tuple[str, str], int] = {}
    first: dict[tuple[str, str], Job] = {}
    for data, work in setup.work():
        cell = (work.algorithm.name, work.task)
        first.setdefault(cell, (data, work))
        left[cell] = left.get(cell, 0) + (work.identity not in done)
    start, failing, late = time.monotonic(), [], False
    with safe_path(), closing(Worker()) as worker:
        for cell, (data, work) in first.items():
            rest = _PATIENCE - (time.monotonic() - start)
            if cell in timed or not left[cell]:
                continue
            if rest < 0.1:
                late = True
                break
            check_can_be_sent(work.algorithm)
            trial = worker.fit((data.X, data.y, data.groups), replace(work, timeout=rest))
            late |= trial.timed_out
            timed[cell] = rest if trial.timed_out else trial.fit_seconds + trial.predict_seconds
            if trial.error and not trial.timed_out:
                failing.append(f"{cell[0]} on {cell[1]}: {trial.error}")
    usual = float(np.mean(list(timed.values()))) if timed else 0.0
    return Forecast(
        fits=setup.count,
        done=setup.count - sum(left.values()),
        seconds=sum(n * timed.get(cell, usual) for cell, n in left.items()),
        at_least=late,
        failing=tuple(failing),
    )

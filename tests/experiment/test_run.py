"""Many fits at a time, on this machine and on a cluster: every one once, and the same as one by one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from joblib.externals.loky.backend import resource_tracker
from sklearn.base import BaseEstimator
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from ropewalk.errors import OptionError, RopewalkError
from ropewalk.experiment import Experiment, cross_validate

MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier()}


def values(exp: Experiment) -> list[tuple[Any, ...]]:
    return sorted((f.model, f.repeat, f.fold, f.split_hash, f.values["accuracy"]) for f in exp.fits)


class Mortal(BaseEstimator):
    """Takes its process with it where row 0 is in the training set."""

    def fit(self, X: Any, y: Any) -> Mortal:
        if (X[:, 0] == 0).any():
            os.abort()
        return self

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X), dtype=int)


class Sleeper(Mortal):
    """Never ends."""

    def fit(self, X: Any, y: Any) -> Sleeper:
        time.sleep(600)
        return self


def test_two_at_a_time_give_what_one_gives(tmp_path: Path) -> None:
    data = {"wine": load_wine(return_X_y=True)}
    one = cross_validate(MODELS, data, design="2x5cv")
    two = cross_validate(MODELS, data, design="2x5cv", jobs=2, store=tmp_path)
    assert values(one) == values(two)


def test_a_fit_that_kills_its_worker_does_not_stop_the_others() -> None:
    """Oracle: with two folds row 0 trains in one of them, and only this fit is lost."""
    X = np.column_stack([np.arange(30.0), np.arange(30.0) % 7])
    exp = cross_validate(
        {"mortal": Mortal(), "bayes": GaussianNB()}, {"d": (X, np.arange(30) % 2)}, design="2cv", jobs=2
    )
    assert len(exp.fits) == 4
    errors = sorted(f.error for f in exp.fits if f.model == "mortal")
    assert errors == ["", "the process died with exit code -6"]
    assert not any(f.error for f in exp.fits if f.model == "bayes")


@pytest.mark.proof
def test_a_time_limit_holds_in_parallel_too() -> None:
    exp = cross_validate(
        {"stuck": Sleeper(), "bayes": GaussianNB()},
        {"wine": load_wine(return_X_y=True)},
        design="2cv",
        timeout=1.0,
        jobs=2,
    )
    assert {f.error for f in exp.fits if f.model == "stuck"} == {"TimeoutError: no answer after 1 seconds"}


def test_a_process_that_does_not_start_is_not_held_against_the_algorithm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resource_tracker.ensure_running()  # loky's other process, which is started in the same way
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(RopewalkError, match="a process for the fits could not be started: exit code 1"):
        cross_validate(MODELS, {"wine": load_wine(return_X_y=True)}, design="2cv", timeout=5)


@pytest.mark.parametrize("jobs", [0, -2, 1.5, True, "two"])
def test_jobs_have_to_be_a_number(jobs: Any) -> None:
    with pytest.raises(OptionError, match="jobs is"):
        cross_validate(MODELS, {"wine": load_wine(return_X_y=True)}, design="2cv", jobs=jobs)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc here to look for processes")
@pytest.mark.proof
def test_workers_end_when_the_run_is_killed(tmp_path: Path) -> None:
    """Oracle: the operating system's list of processes."""
    code = (
        "from sklearn.naive_bayes import GaussianNB\n"
        "from sklearn.datasets import load_wine\n"
        "from ropewalk.experiment import cross_validate\n"
        "import os\n"
        "class Telling(GaussianNB):\n"
        "    def fit(self, X, y):\n"
        f"        open({str(tmp_path)!r} + '/' + str(os.getpid()), 'w').close()\n"
        "        return super().fit(X, y)\n"
        "cross_validate({'a': Telling()}, {'w': load_wine(return_X_y=True)}, design='5000x0.9', jobs=2)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    for _ in range(15_000):  # five minutes: on a busy machine packages take long to import
        workers = [int(p.name) for p in tmp_path.iterdir()]
        if len(workers) == 2:
            break
        time.sleep(0.02)
    assert len(workers) == 2
    child.kill()
    child.wait()
    for _ in range(3_000):
        alive = [pid for pid in workers if Path(f"/proc/{pid}/cmdline").exists() and _is_python(pid)]
        if not alive:
            break
        time.sleep(0.02)
    assert not alive


def _is_python(pid: int) -> bool:
    """Not a zombie, and not another process that got the number."""
    try:
        return b"loky" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False

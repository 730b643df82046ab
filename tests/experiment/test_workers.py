"""Processes that fit: what they start ends with them, what they print stays out, and none is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from ropewalk.errors import OptionError
from ropewalk.experiment import cross_validate
from tests import forked

WINE = {"wine": load_wine(return_X_y=True)}
LINUX = pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc here")


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until_gone(pids: list[int], seconds: float = 20.0) -> list[int]:
    end = time.monotonic() + seconds
    while (left := [p for p in pids if alive(p)]) and time.monotonic() < end:
        time.sleep(0.05)
    return left


class Forking(GaussianNB):
    """Starts a process that holds every open file, and waits for it."""

    def __init__(self, *, where: str = "") -> None:
        super().__init__()
        self.where = where

    def fit(self, X: Any, y: Any) -> Any:
        pid = os.fork()
        if pid == 0:
            time.sleep(300)
            os._exit(0)
        (Path(self.where) / str(pid)).touch()
        os.waitpid(pid, 0)
        return super().fit(X, y)


@LINUX
@pytest.mark.proof
def test_a_time_limit_ends_a_fit_that_forked(tmp_path: Path) -> None:
    """Before, the run waited for the process that the fit had started: here for five minutes."""
    start = time.monotonic()
    exp = cross_validate({"f": Forking(where=str(tmp_path))}, WINE, design="2cv", timeout=1.0)
    assert time.monotonic() - start < 250  # what the fit has started takes 300
    assert {f.error for f in exp.fits} == {"TimeoutError: no answer after 1 seconds"}
    assert until_gone([int(p.name) for p in tmp_path.iterdir()]) == []


class Close(GaussianNB):
    """Ends about when its time is up, or long after."""

    def __init__(self, *, seconds: float = 0.9) -> None:
        super().__init__()
        self.seconds = seconds

    def fit(self, X: Any, y: Any) -> Any:
        time.sleep(self.seconds + 0.1 * (time.monotonic_ns() % 2))
        return super().fit(X, y)


@pytest.mark.parametrize("seconds", [0.9, pytest.param(30.0, marks=pytest.mark.proof)])
@pytest.mark.proof
def test_a_fit_that_ends_at_its_limit_is_not_blamed_on_the_next(seconds: float) -> None:
    """Whether the close ones make it or not, those after them in the same place are whole."""
    models = {"close": Close(seconds=seconds), "m": DummyClassifier()}
    exp = cross_validate(models, WINE, design="2cv", timeout=1.0)
    assert [f.error for f in exp.fits if f.model == "m"] == [""] * 2
    late = {"", "TimeoutError: no answer after 1 seconds"}
    assert {f.error for f in exp.fits if f.model == "close"} <= late


class Leaving(GaussianNB):
    """Starts a process that outlives its parent, and takes its own process down."""

    def __init__(self, *, where: str = "") -> None:
        super().__init__()
        self.where = where

    def fit(self, X: Any, y: Any) -> Any:
        pid = os.fork()
        if pid == 0:
            time.sleep(300)
            os._exit(0)
        (Path(self.where) / str(pid)).touch()
        os.abort()


@LINUX
def test_what_a_crashed_fit_has_started_ends_with_it(tmp_path: Path) -> None:
    exp = cross_validate({"f": Leaving(where=str(tmp_path))}, WINE, design="2cv", timeout=60.0)
    assert {f.error for f in exp.fits} == {"the process died with exit code -6"}
    assert until_gone([int(p.name) for p in tmp_path.iterdir()]) == []


@LINUX
@pytest.mark.proof
def test_a_run_that_is_given_up_ends_its_fits_at_once(tmp_path: Path) -> None:
    """As after a full disk: whoever records the fits raises, while others are under way."""

    def progress(items: Any, total: int) -> Any:
        yield next(iter(items))
        raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        cross_validate(
            {"m": DummyClassifier(), "f": Forking(where=str(tmp_path))},
            WINE,
            design="2cv",
            jobs=2,
            progress=progress,
        )
    assert time.monotonic() - start < 250  # what the fit has started takes 300
    assert until_gone([int(p.name) for p in tmp_path.iterdir()]) == []


class Lambda(GaussianNB):
    """Cannot be pickled."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()

    def __sklearn_clone__(self) -> Lambda:
        return Lambda()

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {}


@pytest.mark.parametrize("options", [{"jobs": 2}, {"timeout": 30.0}])
def test_an_estimator_that_cannot_be_pickled_is_named(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match='algorithm "shut" cannot be pickled') as caught:
        cross_validate({"b": GaussianNB(), "shut": Lambda()}, WINE, design="2cv", **options)
    assert "lock" in str(caught.value)
    assert len(cross_validate({"shut": Lambda()}, WINE, design="2cv").fits) == 2


TALKATIVE = """
design = "2x2cv"
[algorithms]
bayes = "sklearn.naive_bayes.GaussianNB"
svm = { class = "sklearn.svm.SVC", verbose = true, probability = true }
boost = { class = "sklearn.ensemble.GradientBoostingClassifier", verbose = 2, n_estimators = 3 }
[datasets]
wine = "wine"
"""


@pytest.mark.parametrize("options", [["--jobs", "1"], ["--jobs", "2"], ["--jobs", "1", "--timeout", "60"]])
def test_what_estimators_print_stays_out_of_the_document(tmp_path: Path, options: list[str]) -> None:
    """LibSVM prints with C's printf, gradient boosting with Python's print."""
    (tmp_path / "e.toml").write_text(TALKATIVE)
    done = forked.run("run", "e.toml", "--json", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["schema"] == "ropewalk/1"
    assert "[LibSVM]" in done.stderr
    assert "Train Loss" in done.stderr


HOLDING = """
import os, sys, time
from pathlib import Path
from sklearn.naive_bayes import GaussianNB
from sklearn.datasets import load_wine
from ropewalk.experiment import cross_validate
import ctypes
class Holding(GaussianNB):
    def fit(self, X, y):
        (Path({where!r}) / str(os.getpid())).touch()
        (Path({where!r}) / str(os.getppid())).touch()
        ctypes.PyDLL(None).sleep(300)  # compiled code that does not let Python's threads run
        return self
cross_validate({{"a": Holding()}}, {{"w": load_wine(return_X_y=True)}}, design="9cv", {options})
"""


@LINUX
@pytest.mark.parametrize(
    "options",
    ["jobs=2, timeout=200", *(pytest.param(x, marks=pytest.mark.proof) for x in ("jobs=2", "timeout=200"))],
)
def test_no_worker_is_left_when_the_run_is_killed(tmp_path: Path, options: str) -> None:
    code = HOLDING.format(where=str(tmp_path), options=options)
    child = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    wanted = 2 if options == "timeout=200" else 3  # the run itself is one of them
    end = time.monotonic() + 280
    while len(list(tmp_path.iterdir())) < wanted and time.monotonic() < end:
        time.sleep(0.05)
    seen = [int(p.name) for p in tmp_path.iterdir()]
    assert len(seen) >= wanted
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert until_gone(seen) == []


def test_a_cluster_without_workers_is_a_message_after_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(import_module("ropewalk.read.cluster"), "CONNECT", 1.0)
    with distributed.LocalCluster(
        n_workers=0, processes=False, dashboard_address=":0", silence_logs=50
    ) as cluster:
        start = time.monotonic()
        with pytest.raises(OptionError, match="has no worker"):
            cross_validate({"b": GaussianNB()}, WINE, design="2cv", dask=cluster.scheduler_address)
        assert time.monotonic() - start < 30


@pytest.mark.proof
def test_a_time_limit_holds_on_a_cluster(tmp_path: Path) -> None:
    """Workers of Dask are daemons, which may not start processes; a fit with a time limit needs one."""
    pytest.importorskip("distributed")
    code = """
import time
from distributed import LocalCluster
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB
from ropewalk.experiment import cross_validate
class Stuck(GaussianNB):
    def fit(self, X, y):
        time.sleep(600)
if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster:
        exp = cross_validate({"s": Stuck(), "b": GaussianNB()}, {"w": load_wine(return_X_y=True)},
                             design="2cv", dask=cluster.scheduler_address, timeout=2.0)
    print(sorted((f.model, f.error) for f in exp.fits))
"""
    (tmp_path / "go.py").write_text(code)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "go.py")], capture_output=True, text=True, timeout=900
    )
    late = "TimeoutError: no answer after 2 seconds"
    assert done.stdout == f"{[('b', ''), ('b', ''), ('s', late), ('s', late)]}\n", done.stderr


@pytest.mark.proof
def test_a_cluster_that_loses_its_last_worker_is_a_message_after_seconds(tmp_path: Path) -> None:
    """A real cluster, whose only worker is retired when the first fit has come; what came is kept."""
    pytest.importorskip("distributed")
    code = f"""
from importlib import import_module
c = import_module('ropewalk.read.cluster')
from distributed import LocalCluster
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB
from ropewalk.experiment import Experiment, cross_validate
from ropewalk.errors import RopewalkError
import time
c.PATIENCE = 2.0
class Slow(GaussianNB):
    def fit(self, X, y):
        time.sleep(0.05)
        return super().fit(X, y)
if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster:
        def progress(items, total):
            for i, item in enumerate(items):
                if i == 3:
                    cluster.scale(0)
                yield item
        try:
            cross_validate({{"b": Slow()}}, {{"w": load_wine(return_X_y=True)}}, design="50x2cv",
                           dask=cluster.scheduler_address, store={str(tmp_path / "r")!r}, progress=progress)
        except RopewalkError as error:
            print(error)
    print(len(Experiment.load({str(tmp_path / "r")!r}).fits) >= 3)
"""
    (tmp_path / "go.py").write_text(code)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "go.py")], capture_output=True, text=True, timeout=900
    )
    # With the worker the data that it held are gone: Dask may say so first, and then none is found again.
    assert "no worker" in done.stdout, done.stderr
    assert done.stdout.endswith("True\n")

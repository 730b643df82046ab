"""Fits on a Dask cluster."""

from __future__ import annotations

import json
import re
import shlex
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from ropewalk.errors import OptionError
from ropewalk.experiment import cross_validate

MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier()}


HERE = Path(__file__).parent


def test_two_dask_workers_one_killed_in_the_middle(tmp_path: Path) -> None:
    """A real cluster of two processes; oracle: a run without it."""
    pytest.importorskip("distributed")
    command = [sys.executable, str(HERE / "two_workers.py"), str(tmp_path)]
    out = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert out.returncode == 0, out.stderr
    found = json.loads(out.stdout)
    assert found["killed after"] == [40]
    assert found["fits"] == sorted(
        [m, r, k, ""] for m in ("bayes", "most") for r in range(6) for k in range(10)
    )
    assert found["processes"] >= 2
    assert found["threads"] == 1
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    y = (X[:, 0] + rng.normal(size=400) > 0).astype(int)
    alone = cross_validate({"bayes": GaussianNB()}, {"d": (X, y)}, design="6x10cv")
    expected = sorted([f.model, f.repeat, f.fold, f.values["accuracy"]] for f in alone.fits)
    assert [v for v in found["values"] if v[0] == "bayes"] == expected


@pytest.mark.proof
def test_the_commands_on_the_page(tmp_path: Path) -> None:
    """docs/experiment.md: a scheduler, a worker and a run, as typed; oracle: a run without them."""
    pytest.importorskip("distributed")
    page = (HERE.parents[1] / "docs" / "experiment.md").read_text(encoding="utf-8")
    block = next(
        body for body in re.findall(r"^```shell\n(.*?)^```$", page, re.M | re.S) if "dask worker" in body
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    (tmp_path / "experiment.toml").write_text(
        'design = "2x2cv"\n[algorithms]\na = "sklearn.naive_bayes.GaussianNB"\n'
        'b = "sklearn.tree.DecisionTreeClassifier"\n[datasets]\nwine = "wine"\n'
    )
    scheduler, worker, run = (
        shlex.split(line.replace("HOST:8786", address), comments=True) for line in block.splitlines()
    )
    assert (scheduler, worker[:2], run[:2]) == (
        ["dask", "scheduler"],
        ["dask", "worker"],
        ["ropewalk", "run"],
    )
    port = ["--host", "127.0.0.1", "--port", address.split(":")[1], "--dashboard-address", ":0"]
    programs = Path(sys.executable).parent
    started = []
    try:
        for command in ([*scheduler, *port], [*worker, "--dashboard-address", ":0"]):
            started.append(
                subprocess.Popen(
                    [programs / command[0], *command[1:]], cwd=tmp_path, stderr=subprocess.DEVNULL
                )
            )
        there = subprocess.run(
            [programs / run[0], *run[1:], "--json"], cwd=tmp_path, capture_output=True, text=True, timeout=120
        )
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(20)
    assert there.returncode == 0, there.stderr
    here = subprocess.run(
        [programs / "ropewalk", *run[1:3], "--jobs", "1", "--store", "here", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert json.loads(there.stdout)["comparisons"] == json.loads(here.stdout)["comparisons"]


def test_no_scheduler_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("ropewalk.read.cluster"), "CONNECT", 0.5)
    with pytest.raises(OptionError, match=r"no Dask scheduler responds at tcp://127\.0\.0\.1:1") as caught:
        cross_validate(MODELS, {"wine": load_wine(return_X_y=True)}, design="2cv", dask="tcp://127.0.0.1:1")
    assert "tcp://127.0.0.1:8786" in caught.value.hint

"""Fits on a Dask cluster."""

from __future__ import annotations

import json
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
    out = subprocess.run(command, capture_output=True, text=True, timeout=240)
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


def test_no_scheduler_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("ropewalk.read.cluster"), "CONNECT", 0.5)
    with pytest.raises(OptionError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1") as caught:
        cross_validate(MODELS, {"wine": load_wine(return_X_y=True)}, design="2cv", dask="tcp://127.0.0.1:1")
    assert "tcp://127.0.0.1:8786" in caught.value.hint

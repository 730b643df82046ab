"""Results on disk: whatever happens, a finished fit is there once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ropewalk.errors import OptionError, ReadError
from ropewalk.experiment import Experiment
from ropewalk.experiment import store as stores
from ropewalk.experiment.journal import line
from tests.experiment.stored import made

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("kills", "least", "repeats"),
    [(3, 1, 6), pytest.param(20, 5, 20, marks=pytest.mark.proof)],
    ids=["three", "twenty"],
)
def test_kills_lose_and_double_nothing(tmp_path: Path, kills: int, least: int, repeats: int) -> None:
    """A run is killed with signal 9 at so many random moments, then left to end.

    Oracle: a witness file that has every fit that the store said it had recorded, and a run in one go.
    """
    command = [sys.executable, str(HERE / "kill_nine.py"), str(tmp_path), str(kills), "5", str(repeats)]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=env, timeout=900)
    found, fits = json.loads(out.stdout), 20 * repeats
    in_the_middle = [k for k in found["kills"] if k["before"] < k["finished"] < fits]
    assert len(found["kills"]) == kills
    assert len(in_the_middle) >= least, "the kills came before or after the work"
    assert found["lost"] == 0
    assert found["doubled"] == 0
    # A kill between the store and the witness leaves a fit without a witness; never one with two.
    assert found["made twice"] == 0
    assert found["all"] == fits
    assert found["outputs"] == fits
    sys.path.insert(0, str(HERE))
    try:
        from kill_nine import setup
    finally:
        sys.path.remove(str(HERE))
    from ropewalk.experiment.cross_validate import carry_out

    whole = carry_out(setup(repeats), store=None)
    expected = sorted([*map(str, f.identity), repr(f.values["accuracy"])] for f in whole.fits)
    assert found["values"] == expected


def test_a_second_run_makes_no_fit_again(tmp_path: Path, recorder: Any, rows: tuple[Any, Any]) -> None:
    for _ in range(2):
        made(
            tmp_path, models={"a": recorder(), "b": recorder(2.0)}, datasets={"d": rows}, metrics=["accuracy"]
        )
    assert len(recorder.seen) == 12


def test_loaded_results_are_those_that_were_made(tmp_path: Path) -> None:
    exp, again = made(tmp_path), Experiment.load(tmp_path)
    assert sorted(map(repr, exp.fits)) == sorted(map(repr, again.fits))
    assert np.array_equal(exp.scores().tasks[0].values, again.scores().tasks[0].values)


def test_failed_fits_are_tried_again_when_asked(tmp_path: Path) -> None:
    exp = made(tmp_path)
    failed = [replace(f, error="out of luck", values=dict.fromkeys(f.values, np.nan)) for f in exp.fits[:4]]
    (tmp_path / "journal.jsonl").write_bytes(b"".join(map(line, failed)))
    assert len(made(tmp_path).missing("accuracy")) == 4
    assert not made(tmp_path, retry_failed=True).missing("accuracy")
    assert not Experiment.load(tmp_path).missing("accuracy")


def test_two_runs_cannot_write_to_one_folder(tmp_path: Path) -> None:
    manifest = {"metrics": ["accuracy"]}
    with (
        stores.Store(tmp_path, manifest),
        pytest.raises(OptionError, match="another run is writing to"),
        stores.Store(tmp_path, manifest),
    ):
        pass


def test_a_folder_without_an_experiment_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="does not contain an experiment"):
        Experiment.load(tmp_path)
    (tmp_path / "results.parquet").write_bytes(b"PAR1")
    with pytest.raises(ReadError, match=r"has results, but no experiment.json"):
        made(tmp_path)
    (tmp_path / "experiment.json").write_text("{")
    with pytest.raises(ReadError, match="cannot be read"):
        made(tmp_path)
    (tmp_path / "experiment.json").write_text("{}")
    with pytest.raises(ReadError, match="is not an experiment of this version"):
        made(tmp_path)


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match="results cannot be written to"):
        made(tmp_path / "file" / "inside")

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
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from ropewalk.errors import OptionError, ReadError
from ropewalk.experiment import Experiment, cross_validate
from ropewalk.experiment import store as stores
from ropewalk.experiment.journal import line

HERE = Path(__file__).parent


def made(folder: Path | None, **changed: Any) -> Experiment:
    options: dict[str, Any] = {
        "models": {"bayes": GaussianNB(), "most": DummyClassifier()},
        "datasets": {"wine": load_wine(return_X_y=True)},
        "design": "2x3cv",
        "metrics": ["accuracy", "log_loss"],
        "store": folder,
    }
    options |= changed
    return cross_validate(options.pop("models"), options.pop("datasets"), **options)


@pytest.mark.parametrize(
    ("kills", "least"), [(6, 2), pytest.param(20, 5, marks=pytest.mark.proof)], ids=["six", "twenty"]
)
def test_kills_lose_and_double_nothing(tmp_path: Path, kills: int, least: int) -> None:
    """A run is killed with signal 9 at so many random moments, then left to end.

    Oracle: a witness file that has every fit that the store said it had recorded, and a run in one go.
    """
    command = [sys.executable, str(HERE / "kill_nine.py"), str(tmp_path), str(kills), "5"]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=env, timeout=240)
    found = json.loads(out.stdout)
    in_the_middle = [k for k in found["kills"] if k["before"] < k["finished"] < 400]
    assert len(found["kills"]) == kills
    assert len(in_the_middle) >= least, "the kills came before or after the work"
    assert found["lost"] == 0
    assert found["doubled"] == 0
    # A kill between the store and the witness leaves a fit without a witness; never one with two.
    assert found["made twice"] == 0
    assert found["all"] == 400
    assert found["outputs"] == 400
    sys.path.insert(0, str(HERE))
    try:
        from kill_nine import setup
    finally:
        sys.path.remove(str(HERE))
    from ropewalk.experiment.cross_validate import carry_out

    whole = carry_out(setup(), store=None)
    expected = sorted([*map(str, f.identity), repr(f.values["accuracy"])] for f in whole.fits)
    assert found["values"] == expected


def test_a_second_run_makes_no_fit_again(tmp_path: Path, recorder: Any, rows: tuple[Any, Any]) -> None:
    for _ in range(2):
        made(
            tmp_path, models={"a": recorder(), "b": recorder(2.0)}, datasets={"d": rows}, metrics=["accuracy"]
        )
    assert len(recorder.seen) == 12


def test_results_are_parquet_that_anybody_can_read(tmp_path: Path) -> None:
    import duckdb

    exp = made(tmp_path)
    with duckdb.connect() as connection:
        found = connection.read_parquet(str(tmp_path / "results.parquet"))
        rows = found.select("model, task, repeat, fold, accuracy, split_hash").fetchall()
    assert (tmp_path / "journal.jsonl").read_bytes() == b""
    assert sorted(rows) == sorted(
        (f.model, f.task, f.repeat, f.fold, f.values["accuracy"], f.split_hash) for f in exp.fits
    )


def test_loaded_results_are_those_that_were_made(tmp_path: Path) -> None:
    exp, again = made(tmp_path), Experiment.load(tmp_path)
    assert sorted(map(repr, exp.fits)) == sorted(map(repr, again.fits))
    assert np.array_equal(exp.scores().tasks[0].values, again.scores().tasks[0].values)


def test_a_line_that_was_cut_off_is_no_finished_fit(tmp_path: Path) -> None:
    exp = made(tmp_path)
    lines = [line(f) for f in exp.fits]
    (tmp_path / "results.parquet").unlink()
    (tmp_path / "journal.jsonl").write_bytes(b"".join(lines[:5]) + lines[5][:40])
    assert len(Experiment.load(tmp_path).fits) == 5
    assert len(made(tmp_path).fits) == 12


def test_a_fit_in_the_journal_and_in_the_parquet_file_counts_once(tmp_path: Path) -> None:
    """As after a kill between the two steps of folding."""
    exp = made(tmp_path)
    (tmp_path / "journal.jsonl").write_bytes(b"".join(map(line, exp.fits)))
    assert len(Experiment.load(tmp_path).fits) == 12
    assert len(made(tmp_path).fits) == 12


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        (
            {"models": {"bayes": DummyClassifier(), "most": DummyClassifier()}},
            "estimator is sklearn.dummy.DummyClassifier, and was sklearn.naive_bayes.GaussianNB",
        ),
        ({"design": "2x4cv"}, "design is 2x4cv, and was 2x3cv"),
        ({"seed": 1}, "seed is 1, and was 0"),
        ({"metrics": ["accuracy"]}, "metrics is"),
        ({"stratified": False}, "stratified is False"),
        ({"keep_predictions": True}, "keep is True, and was False"),
        ({"calibrate": "platt"}, "calibrate is platt, and was auto"),
        (
            {"models": {"bayes": GaussianNB(var_smoothing=1e-3), "most": DummyClassifier()}},
            'algorithm "bayes" is another one than before: var_smoothing is 0.001, and was 1e-09',
        ),
        (
            {"datasets": {"wine": (load_wine().data + 1, load_wine().target)}},
            'data set "wine" is another one than before',
        ),
    ],
)
def test_another_experiment_is_never_mixed_in(
    tmp_path: Path, changed: dict[str, Any], difference: str
) -> None:
    made(tmp_path)
    before = (tmp_path / "results.parquet").read_bytes()
    with pytest.raises(OptionError, match="holds the results of another experiment") as caught:
        made(tmp_path, **changed)
    assert difference in str(caught.value)
    assert "never mixed" in caught.value.hint
    assert (tmp_path / "results.parquet").read_bytes() == before


def test_further_algorithms_and_data_sets_may_be_added(tmp_path: Path) -> None:
    made(tmp_path)
    more = {"bayes": GaussianNB(), "most": DummyClassifier(), "knn": KNeighborsClassifier()}
    exp = made(tmp_path, models=more)
    assert len(exp.fits) == 18
    exp.scores()  # the splits are the same
    assert len(made(tmp_path).fits) == 12
    assert len(Experiment.load(tmp_path).fits) == 18


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
    with pytest.raises(ReadError, match="holds no experiment"):
        Experiment.load(tmp_path)
    (tmp_path / "results.parquet").write_bytes(b"PAR1")
    with pytest.raises(ReadError, match=r"has results, but no experiment.json"):
        made(tmp_path)
    (tmp_path / "experiment.json").write_text("{")
    with pytest.raises(ReadError, match="cannot be read"):
        made(tmp_path)
    (tmp_path / "experiment.json").write_text("{}")
    with pytest.raises(ReadError, match="is no experiment of this version"):
        made(tmp_path)


def test_results_that_are_no_parquet_are_an_error(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / "results.parquet").write_bytes(b"PAR1 nonsense PAR1")
    with pytest.raises(ReadError, match=r"results.parquet cannot be read as results"):
        made(tmp_path)


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match="results cannot be written to"):
        made(tmp_path / "file" / "inside")


def test_names_are_no_part_of_a_path(tmp_path: Path) -> None:
    name = "../../etc/passwd\0x"
    exp = made(tmp_path / "r", datasets={name: load_wine(return_X_y=True)}, keep_predictions=True)
    assert exp.predictions(name, kind="labels").scores().tasks[0].values.shape == (178, 2)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r"]


def test_outputs_with_pickled_objects_are_not_loaded(tmp_path: Path) -> None:
    exp = made(tmp_path, keep_predictions=True)
    for path in (tmp_path / "outputs").glob("*.npz"):
        np.savez(path, rows=np.array([{"an": "object"}], dtype=object))
    with pytest.raises(ReadError, match=r"the outputs .* cannot be read"):
        Experiment.load(tmp_path).predictions()
    assert exp.folder == tmp_path


def test_a_store_of_an_earlier_version_is_read_but_not_continued(tmp_path: Path) -> None:
    """Its splits were others: fits of both must not stand side by side."""
    made(tmp_path)
    path = tmp_path / "experiment.json"
    path.write_text(path.read_text().replace("ropewalk-experiment/2", "ropewalk-experiment/1"))
    before = path.read_bytes(), (tmp_path / "results.parquet").read_bytes()
    for options in ({}, {"repair": True}, {"retry_failed": True}):
        with pytest.raises(OptionError, match="was written by an earlier version of ropewalk") as caught:
            made(tmp_path, **options)
        assert "--store DIR" in caught.value.hint
        assert "Experiment.load(folder).compare()" in caught.value.hint
    assert (path.read_bytes(), (tmp_path / "results.parquet").read_bytes()) == before
    old = Experiment.load(tmp_path)
    assert len(old.fits) == 12
    assert "recorded by an earlier version of ropewalk" in old.scores().audit.notes
    assert old.compare(rope=0.01).comparisons[0].verdict.name == "better"

"""A stranger's folder: nothing in it is run, neither by the command nor by the processes that it starts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import joblib
import numpy as np
import pytest

from ropewalk.errors import OptionError, ReadError, RopewalkError, RopewalkWarning
from ropewalk.experiment import Experiment
from ropewalk.experiment.estimators import build, check_parameters
from ropewalk.experiment.file import read_experiment
from ropewalk.experiment.store import Store
from ropewalk.read.database import database
from tests import forked
from tests.experiment.stored import made

EXPERIMENT = """
design = "2x2cv"
[algorithms]
bayes = "sklearn.naive_bayes.GaussianNB"
tree = "sklearn.tree.DecisionTreeClassifier"
[datasets]
wine = "wine"
"""
# What the children import first, and what they import later.
MODULES = ("pickle", "threading", "numpy", "joblib", "sklearn", "sitecustomize", "ropewalk", "cloudpickle")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an experiment, and next to it modules that leave a trace when they are imported."""
    place = tmp_path / "stranger"
    place.mkdir()
    (place / "e.toml").write_text(EXPERIMENT)
    for name in MODULES:
        (place / f"{name}.py").write_text(f"open('{tmp_path}/{name}', 'w').close()\nraise SystemExit(1)\n")
    return place


@pytest.mark.parametrize(
    "options",
    [
        ["--timeout", "60", "--jobs", "2"],
        pytest.param(["--dry-run"], marks=pytest.mark.proof),
        pytest.param(["--jobs", "2"], marks=pytest.mark.proof),
        pytest.param(["--timeout", "60", "--jobs", "1"], marks=pytest.mark.proof),
    ],
)
def test_modules_in_the_working_directory_are_not_imported(
    folder: Path, tmp_path: Path, options: list[str]
) -> None:
    command = [sys.executable, "-P", "-c", "from ropewalk_cli import main; main()", "run", "e.toml", *options]
    env = {k: v for k, v in os.environ.items() if k != "PYTHONSAFEPATH"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=env, timeout=600)
    assert done.returncode == 0, done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["stranger"]


class Trap:
    """Leaves a trace where it is unpickled."""

    def __init__(self, trace: str) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (self.trace,)


NESTED = """
design = "2cv"
[algorithms]
bayes = "sklearn.naive_bayes.GaussianNB"
[algorithms.search]
class = "sklearn.model_selection.GridSearchCV"
cv = 2
estimator = { class = "sklearn.pipeline.Pipeline", steps = [["s", "passthrough"]] }
param_grid = { memory = ["cache"] }
[datasets]
wine = "wine"
"""


@pytest.mark.parametrize(
    "spec",
    [
        {"class": "sklearn.model_selection.GridSearchCV", "param_grid": {"memory": ["cache"]}},
        {"class": "sklearn.model_selection.GridSearchCV", "param_grid": [{"pipeline__memory": ["cache"]}]},
        {
            "class": "sklearn.model_selection.RandomizedSearchCV",
            "param_distributions": [[{"a": {"b": [{"memory": 1}]}}]],
        },
    ],
)
def test_a_cache_cannot_be_named_in_a_table_within_a_table(spec: dict[str, object]) -> None:
    spec["estimator"] = {"class": "sklearn.naive_bayes.GaussianNB"}
    for given in (spec, ["sklearn.preprocessing.StandardScaler", spec]):
        with pytest.raises(OptionError, match=r'memory" cannot be set in a file'):
            build(given)
    with pytest.raises(OptionError, match=r'memory" cannot be set in a file'):
        check_parameters({"estimator__param_grid": [spec]})


def test_a_shipped_cache_is_not_unpickled(tmp_path: Path) -> None:
    """The whole way, with a cache that leaves a trace; oracle: the file is there where it is unpickled."""
    trace = tmp_path / "trace"
    joblib.dump(Trap(str(trace)), tmp_path / "trap.pkl")
    joblib.load(tmp_path / "trap.pkl")
    assert trace.exists()
    trace.rmdir()
    place = tmp_path / "stranger"
    (place / "cache" / "joblib").mkdir(parents=True)
    (place / "e.toml").write_text(NESTED)
    for where in ("sklearn", "sklearn/pipeline", "sklearn/pipeline/_fit_transform_one"):
        (place / "cache" / "joblib" / where).mkdir(exist_ok=True)
        joblib.dump(Trap(str(trace)), place / "cache" / "joblib" / where / "output.pkl")
    done = forked.run("run", "e.toml", cwd=place)
    assert done.returncode == 3
    assert '"memory" cannot be set in a file' in done.stderr
    assert not trace.exists()


@pytest.mark.parametrize("store", ["../mine", "/mine", "results/../../mine", "link", "link/deeper", ""])
def test_an_experiment_file_writes_to_its_own_folder_only(tmp_path: Path, store: str) -> None:
    """The whole way; oracle: the folder of the user is as it was, names and bytes."""
    mine, place = tmp_path / "mine", tmp_path / "stranger"
    mine.mkdir()
    place.mkdir()
    (mine / "results.parquet.new").write_text("mine")
    (place / ("link" if store else "e-results")).symlink_to(mine)
    named = f'store = "{tmp_path / "mine" if store == "/mine" else store}"' if store else ""
    (place / "e.toml").write_text(named + EXPERIMENT)
    done = forked.run("run", "e.toml", cwd=place)
    assert done.returncode == 3
    assert "outside the folder of the experiment file" in done.stderr
    assert "--store DIR" in done.stderr
    assert [(p.name, p.read_text()) for p in mine.iterdir()] == [("results.parquet.new", "mine")]
    assert read_experiment(place / "e.toml", store=mine).store == mine


@pytest.mark.parametrize("store", ["a\\u0000b", "round", "a" * 5000])
def test_a_store_that_is_no_path(tmp_path: Path, store: str) -> None:
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "e.toml").write_text(f'store = "{store}"' + EXPERIMENT)
    with (
        pytest.raises(OptionError, match=r"not the path of a folder|is a symbolic link|cannot be written"),
        Store(read_experiment(tmp_path / "e.toml").store, {"metrics": ["accuracy"]}),
    ):
        pass


@pytest.mark.parametrize("name", ["lock", "journal.jsonl", "experiment.json", "results.parquet", "outputs"])
def test_links_in_a_folder_of_results_are_not_followed(tmp_path: Path, name: str) -> None:
    """A journal is cut where its last whole line ends: behind a link that would be a file of the user."""
    mine, folder = tmp_path / "mine", tmp_path / "results"
    folder.mkdir()
    if name == "outputs":
        mine.mkdir()
    else:
        mine.write_text("no line of a journal")
    (folder / name).symlink_to(mine)
    with (
        pytest.raises(OptionError, match=rf"{name} in .*results is a symbolic link"),
        Store(folder, {"metrics": ["accuracy"]}),
    ):
        pass
    assert mine.is_dir() or mine.read_text() == "no line of a journal"
    assert list(folder.iterdir()) == [folder / name]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this platform")
def test_a_pipe_in_a_folder_of_results_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "journal.jsonl")
    with (
        pytest.raises(OptionError, match=r"journal.jsonl in .* is not a regular file"),
        Store(tmp_path, {"metrics": ["accuracy"]}),
    ):
        pass


def changed(folder: Path, where: Sequence[str], value: object) -> None:
    """Put a value into a manifest; None leaves the entry out."""
    manifest = json.loads((folder / "experiment.json").read_text())
    inside = manifest
    for key in where[:-1]:
        inside = inside[key]
    inside[where[-1]] = value
    if value is None:
        del inside[where[-1]]
    (folder / "experiment.json").write_text(json.dumps(manifest))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    made(folder, keep_predictions=True)
    return folder


@pytest.fixture
def results(recorded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(recorded, tmp_path / "results")


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (["algorithms"], 5),
        (["algorithms"], ["bayes"]),
        (["algorithms", "bayes"], 5),
        (["algorithms", "bayes", "digest"], None),
        (["algorithms", "bayes", "digest"], 5),
        (["algorithms", "bayes", "made of"], [1]),
        (["datasets"], "wine"),
        (["datasets", "wine", "classes"], 5),
        (["datasets", "wine", "classes"], [0, 1]),
        (["design"], 5),
        (["stratified"], "yes"),
        (["schema"], ["ropewalk-experiment/2"]),
        (["metrics"], {"accuracy": 1}),
    ],
)
def test_a_manifest_of_other_kinds_of_values_is_refused(
    results: Path, where: list[str], value: object
) -> None:
    changed(results, where, value)
    for use in (Experiment.load, lambda folder: made(folder, keep_predictions=True)):
        with pytest.raises(ReadError, match=r"experiment.json is not an experiment"):
            use(results)


@pytest.mark.parametrize("key", ["design", "stratified", "algorithms", "datasets"])
def test_a_manifest_that_says_too_little_is_refused(results: Path, key: str) -> None:
    changed(results, [key], None)
    with pytest.raises(ReadError, match=f"experiment.json lacks '{key}'"):
        Experiment.load(results)


@pytest.mark.parametrize("made_of", ["{", "[" * 50_000, '"\x1b[31m"'])
def test_what_a_manifest_says_of_an_algorithm_may_be_anything(results: Path, made_of: str) -> None:
    changed(results, ["algorithms", "bayes", "digest"], "another")
    changed(results, ["algorithms", "bayes", "made of"], made_of)
    with pytest.raises(OptionError, match=r"holds the results of another experiment") as caught:
        made(results, keep_predictions=True)
    assert "\x1b" not in str(caught.value)


def outputs_of(results: Path) -> Path:
    return min((results / "outputs").iterdir())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this platform")
def test_a_pipe_among_the_predictions_is_not_waited_for(results: Path) -> None:
    path = outputs_of(results)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ReadError, match=r"it is not a file"):
        Experiment.load(results).predictions()
    with pytest.warns(RopewalkWarning, match=r"predictions of 1 fits are missing or damaged"):
        made(results, keep_predictions=True)
    assert path.is_file()


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device that never ends")
def test_a_link_to_a_device_among_the_predictions_is_not_read(results: Path) -> None:
    """zipfile would look for the end of the device, and fill the memory."""
    path = outputs_of(results)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(ReadError, match=r"it is not a file"):
        Experiment.load(results).predictions()
    with pytest.warns(RopewalkWarning, match=r"predictions of 1 fits are missing or damaged"):
        made(results, keep_predictions=True)
    assert Path("/dev/zero").is_char_device()


def test_predictions_that_unpack_to_more_are_not_unpacked(results: Path) -> None:
    path = outputs_of(results)
    with np.load(path) as file:
        names = list(file)
    np.savez_compressed(path, **dict.fromkeys(names, np.zeros(1_000_000)))
    with pytest.raises(ReadError, match=r"it unpacks to more bytes than it states"):
        Experiment.load(results).predictions()
    with pytest.warns(RopewalkWarning, match=r"predictions of 1 fits are missing or damaged"):
        made(results, keep_predictions=True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this platform")
def test_a_pipe_in_place_of_the_results_is_not_waited_for(results: Path) -> None:
    (results / "results.parquet").unlink()
    os.mkfifo(results / "results.parquet")
    with pytest.raises(ReadError, match=r"results.parquet cannot be read"):
        Experiment.load(results)


@pytest.mark.parametrize(
    "rows",
    [
        "select * from old, range(500_000)",  # 12 × 500,000 rows
        "select * replace (repeat('x', 1_000_000) as warning) from old, range(250)",
    ],
)
def test_results_that_unpack_to_gigabytes_are_refused(results: Path, rows: str) -> None:
    path = results / "results.parquet"
    with database() as connection:
        connection.read_parquet(str(path)).create("old")
        connection.sql(rows).write_parquet(str(path))
    assert path.stat().st_size < 20_000_000
    with pytest.raises(ReadError, match=r"results.parquet cannot be read") as caught:
        Experiment.load(results)
    assert "unpacks to far more bytes" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('x = { folder = "\\u0000" }', "cannot be read: "),
        (f'x = {{ sklearn = "diabetes", above = {"9" * 400} }}', "above is 9999"),
        ('x = { sklearn = "diabetes", above = nan }', "above is nan"),
        ('x = { sklearn = "diabetes", above = -inf }', "above is -inf"),
    ],
)
def test_odd_values_in_an_experiment_file(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "e.toml"
    path.write_text(EXPERIMENT.replace('wine = "wine"', content))
    with pytest.raises(RopewalkError) as caught:
        read_experiment(path)
    assert message in str(caught.value)

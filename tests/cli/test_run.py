"""ropewalk run: from a file to a report."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

from ropewalk.cli import main
from ropewalk.experiment import Experiment

EXPERIMENT = """
design = "2x5cv"
metrics = ["accuracy", "log_loss"]

[algorithms]
bayes = "sklearn.naive_bayes.GaussianNB"
svm = ["sklearn.preprocessing.StandardScaler", "sklearn.svm.SVC"]

[datasets]
wine = "wine"
iris = { sklearn = "iris", classes = [1, 2] }

[compare]
rope = 0.01
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("e.toml").write_text(EXPERIMENT)
    return "e.toml"


def run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["run", *arguments])
    assert (stop.value.code or 0) == code
    out = capsys.readouterr()
    return out.out, out.err


def test_one_command_trains_records_and_compares(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(capsys, file, "--jobs", "1", "--html", "r.html", "--markdown", "r.md")
    assert "40 fits: 2 algorithms on 2 data sets, 10 splits each (2x5cv); results in e-results" in err
    assert "(correlation 0.2)" in out
    assert "the same splits for every algorithm (20 split hashes)" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 80
    assert len(Experiment.load("e-results").fits) == 40
    assert Path("r.html").stat().st_size > 10_000
    assert "ropewalk run e.toml --jobs 1" in Path("r.md").read_text()


def test_the_second_time_nothing_is_fitted(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    first, _ = run(capsys, file, "--jobs", "1", "--json")
    before = Path("e-results/results.parquet").stat().st_mtime_ns
    second, _ = run(capsys, file, "--jobs", "1", "--json")
    assert first == second
    assert Path("e-results/results.parquet").stat().st_mtime_ns == before
    found = json.loads(first)
    assert found["comparisons"][0]["rope"]["high"] == 0.01
    other, _ = run(capsys, file, "--jobs", "1", "--json", "--metric", "log_loss", "--rope", "0.1sd")
    assert json.loads(other)["comparisons"][0]["rope"]["source"].startswith("0.1 sd")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every trial fit is made, however busy the machine is."""
    monkeypatch.setattr(import_module("ropewalk.experiment.forecast"), "_PATIENCE", 3_600.0)


@pytest.mark.usefixtures("patient")
def test_a_dry_run_says_how_many_and_writes_nothing(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, file, "--dry-run", "--jobs", "1")
    assert out.startswith("40 fits: 2 algorithms on 2 data sets, 10 splits each (2x5cv)\n")
    assert re.search(r"\nabout \d+ seconds? with 1 at a time\n", out)
    assert not Path("e-results").exists()
    run(capsys, file, "--jobs", "1", "--json")
    out, _ = run(capsys, file, "--dry-run")
    assert "40 of them are already in e-results" in out


@pytest.mark.usefixtures("patient")
def test_a_dry_run_says_what_will_fail(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(file).write_text(EXPERIMENT.replace('"sklearn.svm.SVC"', '{ class = "sklearn.svm.SVC", C = -1 }'))
    out, _ = run(capsys, file, "--dry-run")
    assert "will fail: svm on wine: InvalidParameterError: The 'C' parameter" in out


def test_what_failed_is_told_and_the_rest_compared(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    bad = 'broken = { class = "sklearn.svm.SVC", C = -1 }\n\n[datasets]'
    Path(file).write_text(EXPERIMENT.replace("[datasets]", bad))
    out, err = run(capsys, file, "--jobs", "1")
    text = " ".join(err.split())
    assert "warning: missing: broken on wine, 10 splits (repeat.fold 0.0, 0.1, 0.2, 0.3, …)" in text
    assert "InvalidParameterError" in text
    assert "whether bayes or svm is better" in " ".join(out.split())


@pytest.mark.proof
def test_several_methods_are_several_reports(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(
        capsys, file, "--jobs", "1", "--method", "auto", "--method", "signed_rank", "--markdown", "r.md"
    )
    assert "--- Method signed_rank ---" in out
    assert "hierarchical" in Path("r.md").read_text()
    assert "signed-rank" in Path("r-signed_rank.md").read_text()
    _, err = run(capsys, file, "--json", "--method", "auto", "--method", "sign", code=3)
    assert "--json prints a single document" in err


def test_seeds_get_their_table_and_their_picture(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = EXPERIMENT.replace("2x5cv", "4seeds").replace(
        '["sklearn.preprocessing.StandardScaler", "sklearn.svm.SVC"]',
        '{ class = "sklearn.tree.DecisionTreeClassifier", max_features = 1 }',
    )
    Path(file).write_text(text.replace('iris = { sklearn = "iris", classes = [1, 2] }', ""))
    out, _ = run(capsys, file, "--jobs", "1", "--plots", "pictures")
    assert "one score per training run" in out
    assert 'no random_state, so every seed gives the same result: "bayes"' in " ".join(out.split())
    assert Path("pictures/seeds.png").read_bytes().startswith(b"\x89PNG")


def test_a_time_limit_may_be_given(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, err = run(capsys, file, "--timeout", "-1", code=3)
    assert "timeout is -1" in err


def test_one_algorithm_has_nothing_to_be_compared_with(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(file).write_text("\n".join(line for line in EXPERIMENT.splitlines() if not line.startswith("svm")))
    _, err = run(capsys, file, "--jobs", "1", code=3)
    assert "there is only one algorithm" in err
    assert "20 fits are recorded in e-results" in err


@pytest.mark.parametrize(
    ("old", "new", "message", "code"),
    [
        ("design", "desing", 'error: there is no key "desing"', 3),
        ("sklearn.svm.SVC", "subprocess.Popen", '"subprocess.Popen" is not in "sklearn"', 3),
        ('"wine"\n', '"nothing.csv"\n', "there is no file nothing.csv", 4),
        ("rope = 0.01", "rope = 'wide'", "wide", 3),
    ],
)
def test_a_mistake_is_one_message(
    file: str, capsys: pytest.CaptureFixture[str], old: str, new: str, message: str, code: int
) -> None:
    Path(file).write_text(EXPERIMENT.replace(old, new))
    out, err = run(capsys, file, "--jobs", "1", code=code)
    assert message in err
    assert "Traceback" not in err
    assert out == ""


@pytest.mark.proof
def test_a_run_that_was_killed_goes_on(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A real process, killed with signal 9; oracle: the results of a run in one go."""
    Path(file).write_text(EXPERIMENT.replace("2x5cv", "10x5cv").replace(', "log_loss"', ""))
    command = [sys.executable, "-c", "from ropewalk.cli import main; main()", "run", file, "--jobs", "1"]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    journal = Path("e-results/journal.jsonl")
    for _ in range(4_000):
        if journal.exists() and journal.stat().st_size > 3_000:
            break
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    stopped = {f.identity: f for f in Experiment.load("e-results").fits}
    assert 5 < len(stopped) < 200
    run(capsys, file, "--jobs", "1", "--json")
    ended = {f.identity: f for f in Experiment.load("e-results").fits}
    assert len(ended) == 200
    assert all(repr(ended[key]) == repr(fit) for key, fit in stopped.items())
    run(capsys, file, "--jobs", "1", "--json", "--store", "in-one-go")
    whole = {f.identity: repr(f.values) for f in Experiment.load("in-one-go").fits}
    assert whole == {key: repr(fit.values) for key, fit in ended.items()}

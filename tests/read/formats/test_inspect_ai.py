"""inspect_ai: logs built field by field, as .json and as .eval, then one thing put wrong at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ropewalk import compare
from ropewalk.errors import DataError, PairingError, ReadError, RopewalkError
from ropewalk.read import read
from tests.read.formats.inspect_logs import (
    WRITERS,
    Log,
    N,
    half,
    log,
    score,
    scores,
    write,
)


@pytest.mark.parametrize("how", WRITERS)
def test_each_container(how: str, logs: dict[str, Log], tmp_path: Path) -> None:
    s = scores(write(logs, tmp_path, how))
    assert s.models == ("lab/good", "lab/poor")
    assert s.metric == "match"
    assert s.higher_is_better
    found = dict(zip(s.tasks[0].units, s.tasks[0].values.tolist(), strict=True))
    assert found == {f"q{i}": [score("good", i), score("poor", i)] for i in range(N)}
    assert f"trivia: {N} of {N} paired" in s.audit.notes
    unfinished = [w for w in s.audit.warnings if "did not finish (status: started)" in w]
    assert len(unfinished) == (0 if how in ("json", "eval") else 2)
    assert all(i.sha256 for i in s.audit.inputs)


def test_epochs_are_repeats_of_a_unit(logs: dict[str, Log], tmp_path: Path) -> None:
    s = scores(write({m: log(m, epochs=3) for m in logs}, tmp_path))
    assert s.audit.paired == 3 * N
    assert s.tasks[0].clusters is not None
    assert len(set(s.tasks[0].clusters)) == N
    assert compare(s).comparisons[0].n == N  # questions, not answers


def test_a_field_of_the_metadata_is_a_cluster(logs: dict[str, Log], tmp_path: Path) -> None:
    write(logs, tmp_path)
    for name in ("story", "metadata.story"):
        s = scores(tmp_path, cluster=name)
        assert s.tasks[0].clusters is not None
        assert set(s.tasks[0].clusters) == {f"s{k}" for k in range(N // 3)}
    with pytest.raises(DataError, match="no column `plot`"):
        read(tmp_path, cluster="plot")


@pytest.mark.parametrize(
    ("value", "number"),
    [("C", 1), ("I", 0), ("P", 0.5), ("N", 0), (True, 1), (3, 3), ("yes", 1), ("0.25", 0.25)],
)
def test_values(value: Any, number: float, logs: dict[str, Log], tmp_path: Path) -> None:
    logs["good"]["samples"][4]["scores"]["match"]["value"] = value
    s = scores(write(logs, tmp_path))
    assert dict(zip(s.tasks[0].units, s.tasks[0].values[:, 0], strict=True))["q4"] == number


def test_scorers_of_several_values_and_of_none(logs: dict[str, Log], tmp_path: Path) -> None:
    for content in logs.values():
        for i, s in enumerate(content["samples"]):
            s["scores"] = {
                "rubric": {"value": {"style": i, "facts": i / 10}},
                "ranking": {"value": [1, 2]},
                "verdict": {"value": "perhaps"},
            }
    s = scores(write(logs, tmp_path), score="rubric/facts")
    assert sorted(s.tasks[0].values[:, 0]) == [i / 10 for i in range(N)]
    assert "skipped: ranking of trivia (a list for a sample)" in s.audit.notes
    assert "skipped: verdict of trivia (no number for a sample)" in s.audit.notes


def test_the_latest_log_counts(logs: dict[str, Log], tmp_path: Path) -> None:
    old = log("good", created="2024-01-01T00:00:00")
    for s in old["samples"]:
        s["scores"]["match"]["value"] = "I"
    s = scores(write({**logs, "a": old}, tmp_path))
    assert s.tasks[0].values[:, 0].sum() == sum(score("good", i) for i in range(N))
    assert any("1 older file of the same model and task not read" in n for n in s.audit.notes)


def test_two_settings_of_one_model(tmp_path: Path) -> None:
    s = scores(write({"terse": log("good"), "verbose": log("good")}, tmp_path))
    assert s.models == ("lab/good (terse)", "lab/good (verbose)")


def shuffled(logs: dict[str, Log]) -> None:
    for i, s in enumerate(logs["poor"]["samples"]):
        s["id"] = f"q{(i * 5 + 3) % N}"


def other_target(logs: dict[str, Log]) -> None:
    logs["poor"]["samples"][3]["target"] = ["a", "b"]


def twice(logs: dict[str, Log]) -> None:
    logs["poor"]["samples"].append(logs["poor"]["samples"][3])


def no_id(logs: dict[str, Log]) -> None:
    del logs["poor"]["samples"][3]["id"]


def no_samples(logs: dict[str, Log]) -> None:
    logs["poor"]["samples"] = []


def no_model(logs: dict[str, Log]) -> None:
    logs["poor"]["eval"]["model"] = 7


def other_scorer(logs: dict[str, Log]) -> None:
    for s in logs["poor"]["samples"]:
        s["scores"] = {"includes": s["scores"]["match"]}


def only_lists(logs: dict[str, Log]) -> None:
    for s in logs["poor"]["samples"]:
        s["scores"]["match"]["value"] = [1]


def no_scores(logs: dict[str, Log]) -> None:
    for s in logs["poor"]["samples"]:
        s["scores"] = None


def is_nan(logs: dict[str, Log]) -> None:
    logs["poor"]["samples"][3]["scores"]["match"]["value"] = float("nan")


ERRORS: dict[str, tuple[Callable[[dict[str, Log]], None], type[RopewalkError], str]] = {
    "shuffled ids": (shuffled, PairingError, "differ in the target of"),
    "another target under one id": (other_target, PairingError, "differ in the target of 1 unit"),
    "a sample twice": (twice, PairingError, 'the sample "q3" occurs twice in epoch 1'),
    "a sample without an id": (no_id, ReadError, "a sample has no id"),
    "no samples": (no_samples, ReadError, "has no samples to pair"),
    "no model": (no_model, ReadError, "does not say which model and task"),
    "another scorer": (other_scorer, PairingError, "the models share no task and metric"),
    "only lists": (only_lists, ReadError, "no metric with one number per example"),
    "no scores": (no_scores, ReadError, "poor.json has no scores"),
    "NaN": (is_nan, DataError, "no finite number"),
}


@pytest.mark.parametrize("case", ERRORS)
def test_misalignment_that_is_refused(case: str, logs: dict[str, Log], tmp_path: Path) -> None:
    plant, error, message = ERRORS[case]
    plant(logs)
    with pytest.raises(error, match=message):
        read(write(logs, tmp_path))


def two_epochs(logs: dict[str, Log]) -> None:
    logs["good"] = log("good", epochs=2)


def errors(logs: dict[str, Log]) -> None:
    logs["poor"]["samples"][3] |= {"scores": None, "error": {"message": "time limit"}}


def other_input(logs: dict[str, Log]) -> None:
    logs["poor"]["samples"][3]["input"] = "question 3, rephrased?"


HANDLED: dict[str, tuple[Callable[[dict[str, Log]], None], int, str]] = {
    "a run that was cancelled": (
        half,
        N // 2,
        "trivia, lab/poor: the run did not finish (status: cancelled)",
    ),
    "a sample that failed": (errors, N - 1, "trivia, lab/poor: 1 sample has no score"),
    "another input": (other_input, N, f'trivia: {N} of {N} paired; input differs for "lab/poor"'),
}


@pytest.mark.parametrize("case", HANDLED)
def test_misalignment_that_is_handled_and_said(case: str, logs: dict[str, Log], tmp_path: Path) -> None:
    plant, paired, said = HANDLED[case]
    plant(logs)
    s = scores(write(logs, tmp_path))
    assert s.audit.paired == paired
    assert any(said in line for line in s.audit.warnings), s.audit
    ids = [u.split("/")[0] for u in s.tasks[0].units]
    assert s.tasks[0].values.tolist() == [[score(m, int(i[1:])) for m in logs] for i in ids]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04 header.json and no more", "cannot be read as a zip archive"),
        (b'{"version": 2, "status": "success", "eval": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"version": 2, "status": "success", "eval": {', "not valid JSON"),
    ],
)
def test_broken_files(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.eval").write_bytes(content)
    with pytest.raises(ReadError, match=message):
        read(tmp_path / "x.eval")


def test_a_run_that_failed_before_anything_was_scored(logs: dict[str, Log], tmp_path: Path) -> None:
    logs["good"]["status"] = "error"
    for s in logs["good"]["samples"]:
        s["scores"] = {}
    write(logs, tmp_path, "json")
    with pytest.raises(ReadError, match="the run ended with the status error, and no sample has a score"):
        read(tmp_path)


def test_two_epochs_against_one_are_averaged(logs: dict[str, Log], tmp_path: Path) -> None:
    two_epochs(logs)
    write(logs, tmp_path)
    data = read(tmp_path)
    assert data.audit.paired == N
    assert any("attempts at the same item were averaged" in note for note in data.audit.notes)

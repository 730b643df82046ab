"""inspect_ai: logs built field by field, as .json and as .eval, then one thing put wrong at a time."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ropewalk import compare
from ropewalk.data import Scores
from ropewalk.errors import DataError, MissingExtraError, PairingError, ReadError, RopewalkError
from ropewalk.read import read
from ropewalk.read.formats import archive

N = 12
Log = dict[str, Any]


def score(model: str, i: int, epoch: int = 1) -> float:
    return float((i * 7 + epoch * (3 if model == "good" else 5)) % 4 > (0 if model == "good" else 1))


def sample(model: str, i: int, epoch: int = 1) -> dict[str, Any]:
    value = "C" if score(model, i, epoch) else "I"
    return {
        "id": f"q{i}",
        "epoch": epoch,
        "input": f"question {i}?",
        "target": f"answer {i}",
        "metadata": {"story": f"s{i // 3}", "tags": ["x"]},
        "scores": {"match": {"value": value, "answer": "..."}},
    }


def log(model: str, *, epochs: int = 1, task: str = "trivia", created: str = "2025-01-01T00:00:00") -> Log:
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "task": task,
            "model": f"lab/{model}",
            "created": created,
            "dataset": {"name": "trivia", "samples": N},
            "config": {"epochs": epochs},
        },
        "results": {"scores": [{"name": "match", "scorer": "match"}]},
        "samples": [sample(model, i, e) for e in range(1, epochs + 1) for i in range(N)],
    }


def write_json(log: Log, path: Path) -> None:
    path.with_suffix(".json").write_text(json.dumps(log, indent=2))


def write_eval(log: Log, path: Path, samples: str = "summaries.json") -> None:
    header = {k: v for k, v in log.items() if k != "samples"}
    with zipfile.ZipFile(path.with_suffix(".eval"), "w", zipfile.ZIP_DEFLATED) as file:
        start = {"version": 2, "eval": log["eval"], "plan": {}}
        file.writestr("_journal/start.json", json.dumps(start))
        for s in log["samples"]:
            file.writestr(f"samples/{s['id']}_epoch_{s['epoch']}.json", json.dumps(s))
        if samples == "summaries.json":
            file.writestr("summaries.json", json.dumps(log["samples"]))
            file.writestr("header.json", json.dumps(header))
        if samples == "journal":
            half = len(log["samples"]) // 2
            file.writestr("_journal/summaries/1.json", json.dumps(log["samples"][:half]))
            file.writestr("_journal/summaries/2.json", json.dumps(log["samples"][half:]))


WRITERS: dict[str, Callable[[Log, Path], None]] = {
    "json": write_json,
    "eval": write_eval,
    "eval of a run that broke off": lambda log, path: write_eval(log, path, "journal"),
    "eval with samples alone": lambda log, path: write_eval(log, path, "samples"),
}


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


@pytest.fixture
def logs() -> dict[str, Log]:
    return {m: log(m) for m in ("good", "poor")}


def write(logs: dict[str, Log], folder: Path, how: str = "json") -> Path:
    for name, content in logs.items():
        WRITERS[how](content, folder / name)
    return folder


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


# --- planted misalignments -------------------------------------------------------------------------------


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
    "a sample twice": (twice, PairingError, 'the sample "q3" comes twice in epoch 1'),
    "a sample without an id": (no_id, ReadError, "a sample has no id"),
    "no samples": (no_samples, ReadError, "has no samples to pair"),
    "no model": (no_model, ReadError, "does not say which model and task"),
    "another scorer": (other_scorer, PairingError, "the models share no task and metric"),
    "only lists": (only_lists, ReadError, "no scorer with one number per sample"),
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


def half(logs: dict[str, Log]) -> None:
    logs["poor"]["status"] = "cancelled"
    logs["poor"]["samples"] = logs["poor"]["samples"][: N // 2]


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


# --- files of strangers ----------------------------------------------------------------------------------


def test_a_zip_bomb_is_not_unpacked(logs: dict[str, Log], tmp_path: Path) -> None:
    write(logs, tmp_path, "eval")
    with zipfile.ZipFile(tmp_path / "good.eval", "a", zipfile.ZIP_DEFLATED) as file:
        file.writestr("summaries2.json", b"")
    with zipfile.ZipFile(tmp_path / "poor.eval", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", json.dumps(logs["poor"] | {"samples": None}))
        file.writestr("summaries.json", b"[" + b" " * 50_000_000 + b"]")
    with pytest.raises(ReadError, match=r"summaries\.json unpacks to more than"):
        read(tmp_path)


def test_all_members_together_are_bounded(
    logs: dict[str, Log], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(logs, tmp_path, "eval with samples alone")
    monkeypatch.setattr(archive, "_MOST_BYTES", 1500)
    with pytest.raises(ReadError, match="unpacks to more than"):
        read(tmp_path)


def test_members_are_bounded_in_number(
    logs: dict[str, Log], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(logs, tmp_path, "eval")
    monkeypatch.setattr(archive, "_MOST_MEMBERS", 10)
    with pytest.raises(ReadError, match="has more than 10 members"):
        read(tmp_path)


def test_members_with_paths_are_not_written(logs: dict[str, Log], tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    write(logs, folder, "eval")
    with zipfile.ZipFile(folder / "good.eval", "a") as file:
        file.writestr("../../escaped.json", "{}")
    before = sorted(tmp_path.rglob("*"))
    scores(folder)
    assert sorted(tmp_path.rglob("*")) == before


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


def test_a_zip_without_a_header(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.eval", "w") as file:
        file.writestr("readme", "nothing")
    with pytest.raises(ReadError, match=r"it has no header\.json"):
        read(tmp_path / "x.eval")


def test_a_run_that_failed_before_anything_was_scored(logs: dict[str, Log], tmp_path: Path) -> None:
    logs["good"]["status"] = "error"
    for s in logs["good"]["samples"]:
        s["scores"] = {}
    write(logs, tmp_path, "json")
    with pytest.raises(ReadError, match="the run ended with the status error, and no sample has a score"):
        read(tmp_path)


# --- zstd ------------------------------------------------------------------------------------------------


def write_zstd(logs: dict[str, Log], folder: Path) -> None:
    """As inspect_ai itself packs its logs."""
    zstd_zip = pytest.importorskip("backports.zstd.zipfile", reason="backports.zstd is not installed")
    for name, content in logs.items():
        with zstd_zip.ZipFile(folder / f"{name}.eval", "w", zstd_zip.ZIP_ZSTANDARD) as file:
            file.writestr("header.json", json.dumps(content | {"samples": None}))
            file.writestr("summaries.json", json.dumps(content["samples"]))


def test_zstd_is_read(logs: dict[str, Log], tmp_path: Path) -> None:
    write_zstd(logs, tmp_path)
    s = scores(tmp_path)
    assert s.audit.paired == N
    assert s.tasks[0].values.tolist() == [[score("good", i), score("poor", i)] for i in range(N)]


def test_without_zstd_the_extra_is_named(
    logs: dict[str, Log], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_zstd(logs, tmp_path)
    monkeypatch.setattr(archive, "_zstd", lambda: None)
    with pytest.raises(
        MissingExtraError, match="packed with zstd, which this Python cannot unpack"
    ) as caught:
        read(tmp_path)
    assert "pip install backports.zstd" in caught.value.hint


def test_where_there_is_no_zstd_module(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    assert archive._zstd() is None


def test_a_zstd_bomb_is_not_unpacked(logs: dict[str, Log], tmp_path: Path) -> None:
    # A gigabyte of blanks is 33 kB of zstd. No more than was allowed may ever be in memory.
    zstd_zip = pytest.importorskip("backports.zstd.zipfile", reason="backports.zstd is not installed")
    with zstd_zip.ZipFile(tmp_path / "good.eval", "w", zstd_zip.ZIP_ZSTANDARD) as file:
        file.writestr("header.json", json.dumps(logs["good"] | {"samples": None}))
        with file.open("summaries.json", "w") as stream:
            for _ in range(64):
                stream.write(b" " * (1 << 24))
    assert (tmp_path / "good.eval").stat().st_size < 200_000
    tracemalloc.start()
    with pytest.raises(ReadError, match=r"summaries\.json unpacks to more than"):
        read(tmp_path / "good.eval")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 << 20


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda z, data: data + z.compress(b" "), "bad CRC-32"),
        (lambda z, data: data[:-3], "a member ends before its data do"),
        (lambda z, data: b"no zstd", "cannot be read as a zip archive"),
        (lambda z, data: z.compress(b"") * 101, "a member has more than 100 frames"),
    ],
    ids=["more than was packed", "cut short", "something else", "frames without end"],
)
def test_zstd_that_is_broken(
    change: Callable[[Any, bytes], bytes], message: str, logs: dict[str, Log], tmp_path: Path
) -> None:
    zstd = pytest.importorskip("backports.zstd", reason="backports.zstd is not installed")
    data = json.dumps(logs["good"] | {"samples": None}).encode()
    packed = change(zstd, zstd.compress(data))
    with zipfile.ZipFile(tmp_path / "good.eval", "w") as file:
        file.writestr("header.json", packed)
        info = file.getinfo("header.json")
        info.compress_type, info.CRC = 93, zlib.crc32(data)
    with pytest.raises(ReadError, match=message):
        read(tmp_path / "good.eval")


def test_frames_one_after_another_are_one_member(logs: dict[str, Log], tmp_path: Path) -> None:
    zstd = pytest.importorskip("backports.zstd", reason="backports.zstd is not installed")
    data = json.dumps(logs["good"]).encode()
    assert archive._unpacked(zstd.compress(data[:50]) + zstd.compress(data[50:]), len(data), "x") == data


def test_other_ways_of_packing_are_refused(logs: dict[str, Log], tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "good.eval", "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("header.json", json.dumps(logs["good"]))
    with pytest.raises(ReadError, match=r"header\.json is packed by method 12"):
        read(tmp_path / "good.eval")


def test_a_small_archive_of_empty_lists_is_refused(tmp_path: Path) -> None:
    """0.5 MB that unpack to 85 MB and would be 2 GB of lists, in a process that may have 1.5 GB."""
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr(
            "header.json", json.dumps({"eval": {"task": "t", "model": "m"}, "status": "success"})
        )
        noise = json.dumps(random.Random(0).randbytes(350_000).hex()).encode()  # else the ratio gives it away
        archive.writestr("summaries.json", b"[" + b"[]," * (27 << 20) + noise + b"]")
    assert path.stat().st_size < 700_000
    limit = 1_500_000_000
    code = (
        f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))\n"
        f"import ropewalk as rw; rw.read([{str(path)!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "would take too much memory" in done.stderr
    assert "MemoryError" not in done.stderr


def test_two_epochs_against_one_are_averaged(logs: dict[str, Log], tmp_path: Path) -> None:
    two_epochs(logs)
    write(logs, tmp_path)
    data = read(tmp_path)
    assert data.audit.paired == N
    assert any("attempts at the same item were averaged" in note for note in data.audit.notes)

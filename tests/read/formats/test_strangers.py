"""Files of every format with one value exchanged at random: an answer or our own error, never another."""

from __future__ import annotations

import copy
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ropewalk.data import Scores
from ropewalk.errors import RopewalkError
from ropewalk.read import read
from tests.read.archives import zstd_zipfile

TIMES = 60
JUNK: list[Any] = [
    None,
    True,
    -1,
    10**400,
    float("nan"),
    float("inf"),
    "",
    "x",
    "\ud800",
    [],
    [[1]],
    {},
    {"": None},
]

Files = dict[str, Any]  # path -> document, or list of lines


def lm_eval() -> Files:
    files: Files = {}
    for m in "ab":
        row = {
            "doc": {"q": 1},
            "target": "1",
            "arguments": [["p"]],
            "resps": [],
            "filtered_resps": [],
            "filter": "none",
        }
        more = {"metrics": ["acc"], "doc_hash": "h", "prompt_hash": "p", "target_hash": "t", "acc": 1.0}
        files[f"{m}/samples_t_d.jsonl"] = [{"doc_id": i, **row, **more} for i in range(3)]
        told = {"model_name": m, "n-shot": {"t": 1}, "n-samples": {"t": {"effective": 3}}}
        ways = {"higher_is_better": {"t": {"acc": True}}, "group_subtasks": {"g": ["t"]}}
        files[f"{m}/results_d.json"] = {"results": {"t": {}}, **told, **ways}
    return files


def inspect_ai() -> Files:
    def sample(i: int) -> dict[str, Any]:
        scores = {"match": {"value": "C"}, "r": {"value": {"k": 1}}}
        return {"id": i, "epoch": 1, "input": "q", "target": "t", "metadata": {"s": 1}, "scores": scores}

    return {
        f"{m}.json": {
            "version": 2,
            "status": "success",
            "eval": {"task": "t", "model": m, "created": "d"},
            "samples": [sample(i) for i in range(3)],
        }
        for m in "ab"
    }


def helm() -> Files:
    files: Files = {}
    for m in "ab":
        stat = {"name": {"name": "f1_score", "split": "test"}, "count": 1, "sum": 1, "mean": 1}
        rows = [{"instance_id": f"i{i}", "train_trial_index": 0, "stats": [stat]} for i in range(3)]
        files[f"{m}/per_instance_stats.json"] = rows
        files[f"{m}/run_spec.json"] = {"name": "t:model=x", "adapter_spec": {"model": m}}
    return files


def openai_evals() -> Files:
    def event(i: int) -> dict[str, Any]:
        return {"sample_id": str(i), "type": "match", "data": {"correct": i > 0, "expected": "e"}}

    return {
        f"{m}.jsonl": [
            {"spec": {"completion_fns": [m], "eval_name": "t"}},
            *map(event, range(3)),
            {"final_report": {}},
        ]
        for m in "ab"
    }


def mlflow() -> Files:
    table = {"columns": ["inputs", "targets", "f1/v1/score"], "data": [[f"q{i}", "t", 0.5] for i in range(3)]}
    return {f"{m}/eval_results_table.json": table for m in "ab"}


def sklearn() -> Files:
    cut = {"train": [[0, 1], [2, 3], [0, 3]], "test": [[2, 3], [0, 1], [1, 2]]}
    times = {"fit_time": [1.0] * 3, "score_time": [1.0] * 3}
    return {f"{m}.json": {**times, "indices": cut, "test_accuracy": [0.5, 0.6, 0.7]} for m in "ab"}


def search() -> Files:
    splits = {f"split{k}_test_score": [0.5, 0.6] for k in range(3)}
    return {
        "s.json": {
            "mean_fit_time": [1, 1],
            "mean_score_time": [1, 1],
            "params": [{"C": 1}, {"C": 2}],
            **splits,
        }
    }


def mteb() -> Files:
    scores = {"test": [{"main_score": 0.5, "hf_subset": "default"}]}
    return {
        f"{m}/{t}.json": {"dataset_revision": "r", "task_name": t, "mteb_version": "1", "scores": scores}
        for m in "ab"
        for t in "xyz"
    }


def every_eval_ever() -> Files:
    def row(m: str, i: int) -> dict[str, Any]:
        names = {"evaluation_id": "e", "model_id": m, "evaluation_name": "t", "sample_id": str(i)}
        return {**names, "sample_hash": "h", "evaluation": {"score": 0.5, "is_correct": True}}

    return {f"{m}.jsonl": [row(m, i) for i in range(3)] for m in "ab"}


def promptfoo() -> Files:
    def row(m: str, i: int) -> dict[str, Any]:
        who = {"provider": {"id": m, "label": m}, "prompt": {"label": "p"}, "promptIdx": 0, "testIdx": i}
        case = {"vars": {"q": i}, "testCase": {"vars": {"q": i}, "assert": [{"type": "equals"}]}}
        return {**who, **case, "success": True, "score": 1, "namedScores": {"k": 1}, "failureReason": 0}

    return {
        f"{m}.json": {"evalId": "e", "results": {"version": 3, "results": [row(m, i) for i in range(3)]}}
        for m in "ab"
    }


def deepeval() -> Files:
    def case(i: int) -> dict[str, Any]:
        metric = {"name": "k", "score": 1.0, "success": True, "error": None}
        return {
            "name": "n",
            "input": f"q{i}",
            "expectedOutput": "e",
            "success": True,
            "metricsData": [metric],
        }

    return {f"{m}.json": {"testCases": [case(i) for i in range(3)]} for m in "ab"}


def swe_bench() -> Files:
    counts = {"total_instances": 3, "resolved_instances": 1, "completed_ids": ["x", "y", "z"]}
    lists = {"resolved_ids": ["x"], "unresolved_ids": ["y", "z"], "incomplete_ids": []}
    return {f"{m}.json": {**counts, **lists} for m in "ab"}


FORMATS: list[Callable[[], Files]] = [
    promptfoo,
    deepeval,
    swe_bench,
    lm_eval,
    inspect_ai,
    helm,
    openai_evals,
    mlflow,
    sklearn,
    search,
    mteb,
    every_eval_ever,
]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with each of its keys."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield value, key
        yield from places(inner)


def write(files: Files, root: Path) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = content if name.endswith(".jsonl") else [content]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return root


def refused(root: Path) -> bool:
    """Whether it is refused with an error of ours; any other error is a failure of the test."""
    try:
        read(root)
    except RopewalkError:
        return True
    return False


@pytest.mark.parametrize("make", FORMATS)
@pytest.mark.few(5)
def test_one_value_exchanged(make: Callable[[], Files], tmp_path: Path) -> None:
    assert isinstance(read(write(make(), tmp_path / "whole")), Scores)
    rng = random.Random(0)
    times = 0
    for k in range(TIMES):
        files = copy.deepcopy(make())
        spots = [spot for content in files.values() for spot in places(content)]
        where, key = rng.choice(spots)
        if rng.random() < 0.2 and isinstance(where, dict):
            del where[key]
        else:
            where[key] = rng.choice(JUNK)
        times += refused(write(files, tmp_path / str(k)))
    assert 0 < times < TIMES


@pytest.mark.parametrize("make", FORMATS)
def test_cut_off_anywhere(make: Callable[[], Files], tmp_path: Path) -> None:
    rng = random.Random(0)
    for k in range(TIMES // 3):
        root = write(make(), tmp_path / str(k))
        path = rng.choice(sorted(p for p in root.rglob("*") if p.is_file()))
        content = path.read_bytes()
        path.write_bytes(content[: rng.randrange(len(content))])
        refused(root)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, 93], ids=["deflate", "zstd"])
def test_an_archive_with_any_byte_exchanged(method: int, tmp_path: Path) -> None:
    writer: Any = zipfile
    if method == 93:
        writer = zstd_zipfile()
    whole = inspect_ai()
    for name, content in whole.items():
        with writer.ZipFile((tmp_path / name).with_suffix(".eval"), "w", method) as file:
            file.writestr("header.json", json.dumps({**content, "samples": None}))
            file.writestr("summaries.json", json.dumps(content["samples"]))
    good = (tmp_path / "a.eval").read_bytes()
    rng = random.Random(0)
    for _ in range(150):
        bad = bytearray(good)
        bad[rng.randrange(len(bad))] = rng.randrange(256)
        (tmp_path / "a.eval").write_bytes(bytes(bad))
        refused(tmp_path)

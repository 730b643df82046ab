"""--metric picks what a log or a table holds."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.errors import OptionError


@pytest.fixture
def logs(command) -> list[str]:
    """Two logs of lm-evaluation-harness, with two metrics."""
    rng = np.random.default_rng(0)
    paths = []
    for model in ("one", "two"):
        folder = Path(model)
        folder.mkdir()
        path = folder / "samples_arc_2025-01-01T00-00-00.jsonl"
        rows = [
            {
                "doc_id": i, "doc": {"q": i}, "target": "a", "arguments": [], "resps": [],
                "filtered_resps": [],
                "filter": "none", "metrics": ["acc", "acc_norm"], "doc_hash": str(i), "prompt_hash": str(i),
                "target_hash": str(i), "acc": float(rng.integers(0, 2)),
                "acc_norm": float(rng.integers(0, 2)),
            }
            for i in range(60)
        ]  # fmt: skip
        path.write_text("\n".join(map(json.dumps, rows)) + "\n")
        paths.append(model)
    return paths


@pytest.mark.parametrize("metric", ["acc", "acc_norm"])
def test_what_a_log_holds(command, logs, metric: str) -> None:
    code, out, err = command("compare", *logs, "--metric", metric, "--json")
    assert code == 0, err
    same = rw.compare(logs, score=metric)
    assert json.loads(out)["comparisons"][0]["probability"]["better"] == same.comparisons[0].verdict.better
    assert rw.compare(logs, metric=metric).metric == same.metric
    assert command("gate", *logs, "--metric", metric, "--margin", "0.2")[0] in (0, 1, 2)


def test_what_a_log_does_not_hold(logs) -> None:
    with pytest.raises(OptionError, match='none of them is called "zork"') as error:
        rw.compare(logs, metric="zork")
    assert "acc" in error.value.hint


def test_what_a_table_holds(write) -> None:
    rng = np.random.default_rng(0)
    rows = [(m, i, *rng.uniform(size=2)) for m in "ab" for i in range(30)]
    path = write("t.csv", "model,id,f1,seconds", rows)
    assert rw.compare(path, metric="f1").metric == "f1"
    report = rw.compare(path, metric="seconds")
    assert (report.metric, report.higher_is_better) == ("seconds", False)
    with pytest.raises(OptionError, match='none of them is called "auroc"'):
        rw.compare(path, metric="auroc")
    long = [(m, i, k, rng.uniform()) for m in "ab" for i in range(30) for k in ("f1", "bleu")]
    assert rw.compare(write("l.csv", "model,id,metric,value", long), metric="bleu").metric == "bleu"


def test_of_predictions_it_is_computed(write) -> None:
    rng = np.random.default_rng(0)
    rows = [(i, i % 2, *rng.integers(0, 2, 2)) for i in range(40)]
    path = write("p.csv", "id,truth,svm,forest", rows)
    assert rw.compare(path, metric="f1").metric == "F1"
    with pytest.raises(OptionError, match='there is no metric "zork"'):
        rw.compare(path, metric="zork")
    with pytest.raises(OptionError, match="statistics"):
        rw.compare(path, metric="bleu")


def test_scores_in_memory_have_no_metrics_to_pick() -> None:
    with pytest.raises(OptionError, match="the data are already scores"):
        rw.compare({"a": [1.0, 2.0, 3.0], "b": [2.0, 1.0, 3.0]}, metric="f1")

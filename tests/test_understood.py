"""ropewalk check: what was understood, without comparing."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw


def test_two_files_of_predictions(command, write) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 60)
    a = write("a.csv", "id,truth,prediction", [(i, t, t) for i, t in enumerate(truth)])
    b = write("b.csv", "id,prediction", [(i, t) for i, t in enumerate(truth) if i >= 3])
    code, out, _ = command("check", a, b)
    assert code == 0
    flat = " ".join(out.split())
    for said in (
        'Predictions (labels) of 2 models: "a", "b"',
        "57 examples paired; 3 left out (only in a.csv)",
        "truth: `truth`",
        "metric accuracy",
        "direction higher is better",
        "scale right or wrong",
        "method Bayesian McNemar test, because each example is right or wrong (mcnemar)",
        "gate would refuse: 3 of 60 units (5%) lack a result from one of the models",
    ):
        assert said in flat
    assert flat.startswith("warning: 3 of 60 units (5%) were left out")


def test_what_it_says_is_what_compare_does(command, write) -> None:
    rng = np.random.default_rng(0)
    rows = [(m, t, k, f"{rng.uniform(0.7, 0.9):.4f}") for m in "ab" for t in "xyz" for k in range(5)]
    path = write("t.csv", "model,task,fold,accuracy", rows)
    code, out, _ = command("check", path, "--json")
    assert code == 0
    found = json.loads(out)
    report = rw.compare(path)
    assert found["schema"] == "ropewalk-check/1"
    assert found["method"] == report.overall[0].method
    assert found["tasks"] == ["x", "y", "z"]
    assert (found["unit"], found["scale"]) == ("fold", "fractions, 0 to 1")
    assert found["audit"]["paired"] == report.audit.paired
    assert found["gate_would_refuse"] == ""
    opening = rw.check(path).to_text().split("\n\n")[1]
    assert opening in report.to_text()  # the same block opens the report


def test_it_asks_where_compare_asks(command, write) -> None:
    path = write("t.csv", "id,svm,forest,text_length", [(i, 1, 0, 90 + i) for i in range(30)])
    assert command("check", path)[0] == 4
    assert command("check", path, "--model", "svm", "--model", "forest")[0] == 0


def test_scores_counts_metrics_and_unknown_directions(write) -> None:
    rng = np.random.default_rng(0)
    found = rw.check({"a": rng.normal(size=33), "b": rng.normal(size=33)})
    assert "assumed" in found.direction
    assert "not clear" in found.gate
    assert found.audit.cautions
    counts = rw.check(write("c.csv", "n00,n01,n10,n11", [(10, 20, 5, 65)]))
    assert (counts.holds, counts.method) == ("Counts", "mcnemar")
    path = write("p.csv", "id,truth,svm,forest", [(i, i % 2, *rng.integers(0, 2, 2)) for i in range(40)])
    assert rw.check(path, metric="f1").method == "bootstrap"
    clustered = write("k.csv", "id,doc,a,b", [(i, i // 5, *rng.integers(0, 2, 2)) for i in range(40)])
    assert rw.check(clustered, cluster="doc").clusters == 8
    in_place = rw.read(clustered, cluster="doc", in_place=True)  # as large files are read
    assert rw.check(in_place).clusters == 8


@pytest.mark.parametrize("missing", ["drop", "worst"])
def test_missing(write, missing: str) -> None:
    a = write("a.csv", "id,accuracy", [(i, 0.5 + i / 100) for i in range(20)])
    b = write("b.csv", "id,accuracy", [(i, 0.5 + i / 90) for i in range(10)])
    found = rw.check([a, b], missing=missing)
    assert (found.audit.paired, found.gate) == ({"drop": 10, "worst": 20}[missing], "")


def test_many_tasks_are_counted_once() -> None:
    scores = {m: list(np.linspace(0.5, 0.9, 30) + d) for m, d in (("a", 0.0), ("b", 0.01))}
    frame = pd.DataFrame({"task": [f"t{i}" for i in range(30)], **scores})
    text = rw.check(frame, higher_is_better=True).to_text()
    assert "30 tasks paired;" in text
    assert "unit       task\n" in text
    assert text.count("(30 in all)") == 1
    assert "30: " not in text

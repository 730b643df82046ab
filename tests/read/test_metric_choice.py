"""Which metric of several, and which way is better."""

from __future__ import annotations

import pytest

from ropewalk.data import SEVERAL
from ropewalk.errors import ColumnError
from ropewalk.read import read
from tests.read.formats.harness import (
    N,
    Out,
    right,
    row,
    samples,
    scores,
    two_filters,
    values,
)


def test_a_filter_or_metric_can_be_asked_for(out: Out) -> None:
    two_filters(out)
    out.write()
    assert scores(out.root, score="exact_match").metric == "exact_match,strict-match"
    s = scores(out.root, score="exact_match,flexible-extract")
    assert values(s, "org/good") == [1.0] * N
    with pytest.raises(ColumnError, match="the logs have no metric `accuracy`"):
        read(out.root, score="accuracy")


def test_right_or_wrong_under_several_names_is_accuracy(out: Out) -> None:
    out.write()
    Out(root=out.root, rows={m: samples(m, task="arc", metric="acc") for m in out.rows}, results={}).write(
        "arc"
    )
    s = scores(out.root)
    assert [t.name for t in s.tasks] == ["arc", "gsm8k"]
    assert s.metric == "accuracy"
    assert s.audit.paired == 2 * N


def test_metrics_on_several_scales_point_upward(out: Out) -> None:
    out.write()
    rows = {m: [row(i, task="wiki", ter=2.0 + right(m, i)) for i in range(N)] for m in out.rows}
    Out(root=out.root, rows=rows, results={}).write("wiki")
    s = scores(out.root)
    assert s.metric == SEVERAL
    assert values(s, "org/good", task=1) == [-2.0 - right("good", i) for i in range(N)]


def test_direction_is_that_of_the_results_file(out: Out) -> None:
    for model in out.rows:
        out.rows[model] = samples(model, metric="oddity")
        out.results[model]["higher_is_better"] = {"gsm8k": {"oddity": False}}
    s = scores(out.write())
    assert not s.higher_is_better
    assert "lower is better (as the log says of `oddity`)" in s.audit.notes


def test_unknown_direction_on_several_scales_is_a_question(out: Out) -> None:
    out.write()
    rows = {m: [row(i, task="wiki", oddity=2.0 * i) for i in range(N)] for m in out.rows}
    Out(root=out.root, rows=rows, results={}).write("wiki")
    with pytest.raises(
        ColumnError, match="neither the log nor the name `oddity` says whether higher is better"
    ):
        read(out.root)

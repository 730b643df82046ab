"""Right and wrong answers over tasks, on the accuracy scale."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.data import Audit, Counts, TaskCounts
from ropewalk.errors import MethodError


def test_right_and_wrong_answers_are_compared_on_the_accuracy_scale(languages: Counts) -> None:
    (c,) = rw.compare(languages).overall
    assert (c.method, c.rope.high, c.rope.source) == ("hierarchical_accuracy", 0.01, "one percentage point")
    assert (c.asks, c.unit, c.n) == ("average", "task", 11)
    fitted = c.evidence.fitted
    assert c.verdict.better == float(fitted.mean_advantage.sf(0.01))
    assert c.verdict.worse == pytest.approx(float(fitted.mean_advantage.cdf(-0.01)), abs=1e-12)
    content = json.loads(rw.compare(languages, rope=0.05).to_json())["overall"][0]
    assert (content["asks"], content["method"]) == ("average", "hierarchical_accuracy")
    assert content["next_task"]["mean"]["better"] == pytest.approx(float(fitted.next.sf(0.05)), abs=1e-9)
    these = content["these_tasks"]
    assert these["better"] + these["equivalent"] + these["worse"] == pytest.approx(1.0)
    assert these["mean"] == pytest.approx(np.mean([fitted.task(i).mean for i in range(11)]), abs=1e-3)
    with pytest.raises(MethodError, match="works on phi, and the ROPE was given in accuracy"):
        rw.compare(languages, rope=0.05, method="hierarchical_mcnemar")


def test_the_same_answers_on_every_task_are_not_certain_to_be_equivalent() -> None:
    rows = tuple(TaskCounts(name=f"t{i}", n00=5, n01=0, n10=0, n11=15) for i in range(3))
    report = rw.compare(Counts(a="A", b="B", tasks=rows, audit=Audit(paired=60)))
    (c,) = report.overall
    assert (c.method, c.verdict.name) == ("hierarchical_accuracy", "undecided")
    assert c.verdict.equivalent < 0.5
    assert any(
        w.startswith("same answers: A and B have the same score on all 60 examples") for w in c.warnings
    )
    assert "the rate of disagreement has a proper prior" in report.to_text().replace(
        "\n                       ", " "
    )

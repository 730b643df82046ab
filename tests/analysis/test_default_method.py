"""Which method compares many tasks by default."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.errors import ColumnError, OptionError


def test_one_task_has_no_method_over_tasks() -> None:
    data = {"A": [0.5, 0.6, 0.7], "B": [0.4, 0.6, 0.6]}
    for method in ("hierarchical_t", "poisson_binomial"):
        with pytest.raises(OptionError, match="needs several tasks, but there is only one"):
            rw.compare(data, method=method)


def test_metrics_that_differ_by_task_take_the_poisson_binomial_test(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = ["model,task,metric,fold,score"]
    for i in range(12):
        metric, sign = ("accuracy", 1) if i % 2 else ("rmse", -1)
        for fold in range(10):
            base = rng.uniform(0.4, 0.6)
            rows += [
                f"new,t{i},{metric},{fold},{base + sign * 0.05:.4f}",
                f"old,t{i},{metric},{fold},{base + rng.normal(0, 0.01):.4f}",
            ]
    (tmp_path / "r.csv").write_text("\n".join(rows) + "\n")
    report = rw.compare(tmp_path / "r.csv")
    (c,) = report.overall
    assert (c.method, c.verdict.name) == ("poisson_binomial", "better")
    assert "the metric differs from task to task" in c.why
    assert {k.verdict.name for k in report.comparisons} == {"better"}
    assert rw.compare(tmp_path / "r.csv", method="hierarchical_t").overall[0].method == "hierarchical_t"
    assert rw.compare(tmp_path / "r.csv", score="rmse").overall[0].method == "hierarchical_t"
    (tmp_path / "r.csv").write_text("\n".join(rows).replace("rmse", "zork") + "\n")
    with pytest.raises(ColumnError, match="`zork` does not say whether higher is better"):
        rw.compare(tmp_path / "r.csv")

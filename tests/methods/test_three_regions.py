"""The warning of the signed-rank test on a few tasks."""

from __future__ import annotations

import pandas as pd
import pytest

import ropewalk as rw


@pytest.mark.parametrize(
    ("differences", "warned"),
    [
        ([0.001, -0.002, 0.0, 0.001], True),
        ([0.001, -0.002, 0.0, 0.001, 0.002], True),
        ([0.001, -0.002, 0.0, 0.001, 0.002, -0.001], True),
        ([0.001, -0.002, 0.0, 0.001, 0.002, -0.001, 0.0, 0.002, -0.002, 0.001], True),
        ([0.001, -0.002, 0.0, 0.001, 0.002, -0.001, 0.0, 0.002, -0.002, 0.001, 0.0], False),
    ],
)
def test_few_tasks_that_look_equivalent(differences: list[float], warned: bool) -> None:
    # calibration/verdict_edges.py has what 2 to 10 tasks are called, wrongly. The warning is given once.
    n = len(differences)
    frame = pd.DataFrame(
        {
            "task": [f"t{i}" for i in range(n)] * 2,
            "model": ["a"] * n + ["b"] * n,
            "accuracy": [0.8 + d for d in differences] + [0.8] * n,
        }
    )
    report = rw.compare(frame, rope=0.01, method="signed_rank")
    (c,) = report.overall or report.comparisons
    assert (
        sum("calls models that differ by slightly more than the ROPE equivalent" in w for w in c.warnings)
        == warned
    )

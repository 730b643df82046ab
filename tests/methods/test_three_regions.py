"""The warning of the signed-rank test on a few tasks, and plans without the differences of single units."""

from __future__ import annotations

from pathlib import Path

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
    assert sum("if they differ by slightly more than the ROPE" in w for w in c.warnings) == warned


TIMES = "instance,fast,slow\na,12.5,640.0\nb,31.0,>3600\nc,>3600,>3600\nd,8.1,44.9\ne,95.2,1210.5\nf,3.9,88\n"


@pytest.mark.parametrize("method", ["sign", "signed_rank"])
def test_nothing_is_resampled_from_runs_that_hit_their_limit(tmp_path: Path, method: str) -> None:
    """Before, NumPy's error about an empty population was shown as a fault of ropewalk."""
    (tmp_path / "times.csv").write_text(TIMES)
    how = {"higher_is_better": False, "rope": 10, "method": method}
    report = rw.compare(tmp_path / "times.csv", **how)
    assert report.comparisons[0].verdict.name == "undecided"
    assert "ropewalk plan" not in report.to_text()
    (pair,) = rw.plan(tmp_path / "times.csv", **how).pairs
    assert pair.directions == ()
    assert pair.notes == (
        "the differences of single examples are not known, so further ones cannot be resampled from them",
    )


def test_nothing_is_resampled_from_rows_that_stay_where_they_are(tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": range(30), "a": [(7 * i % 30) / 30 for i in range(30)], "b": 0.5})
    frame.to_parquet(tmp_path / "s.parquet")
    how = {"higher_is_better": True, "rope": 0.1, "method": "signed_rank"}
    (here,) = rw.plan(tmp_path / "s.parquet", **how).pairs
    assert len(here.directions) == 1
    (there,) = rw.plan(tmp_path / "s.parquet", in_place=True, **how).pairs
    assert there.directions == ()
    assert "are not known" in there.notes[0]

"""Units that one model lacks: left out with a warning, refused, or counted as wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Audit, Dropped, Predictions, Scores, Summed
from ropewalk.data.coverage import covered
from ropewalk.errors import CellError, DataError, OptionError


def test_a_candidate_that_crashes_on_half_of_the_inputs_does_not_ship(command, sides) -> None:
    files = sides("accuracy", lacks=range(100))
    code, out, err = command("gate", *files, "--margin", "0.01")
    assert (code, out) == (3, "")
    assert err.startswith("error: 100 of 200 units (50%) lack a result from one of the models")
    assert "100 only in old.csv" in err
    assert "--missing drop" in err
    assert "--missing worst" in err
    assert command("gate", *files, "--margin", "0.01", "--missing", "drop")[0] == 0
    code, out, _ = command("gate", *files, "--margin", "0.01", "--missing", "worst")
    assert code != 0
    assert "200 units paired" in out


def test_a_gate_refuses_a_single_one(command, sides) -> None:
    assert command("gate", *sides("accuracy", lacks=range(1)), "--margin", "0.01")[0] == 3


def test_a_comparison_warns_above_one_percent_and_refuses_above_twenty(command, sides) -> None:
    def cautions(lost: int) -> tuple[str, ...]:
        return rw.compare(list(sides("accuracy", lacks=range(lost)))).audit.cautions

    assert cautions(2) == ()
    assert cautions(3)[0].startswith("3 of 200 units (2%) were left out because a model lacks them")
    assert cautions(40)
    with pytest.raises(DataError, match=r"41 of 200 units \(20%\) lack a result from at least one model"):
        cautions(41)
    files = list(sides("accuracy", lacks=range(100)))
    report = rw.compare(files, missing="drop")
    assert report.audit.paired == 100
    assert report.audit.cautions  # it was asked for, and is said all the same
    code, out, _ = command("compare", *files, "--missing", "drop")
    assert code == 0
    assert "100 of 200 units (50%) were left out" in " ".join(out.split()[:30])
    with pytest.raises(DataError):
        rw.plan(files)


def test_counted_as_wrong(write) -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 60)
    a = write("a.csv", "id,truth,prediction", [(i, t, t) for i, t in enumerate(truth)])
    b = write("b.csv", "id,prediction", [(i, t) for i, t in enumerate(truth) if i >= 15])
    data = rw.read([a, b], missing="worst")
    assert isinstance(data, Predictions)
    assert data.scores().task().values.mean(axis=0).tolist() == [1.0, 0.75]
    assert "missing: 15 units of b counted as wrong" in data.audit.notes
    report = rw.compare([a, b], missing="worst")
    assert report.audit.paired == 60
    assert report.comparisons[0].verdict.name == "better"


@pytest.mark.parametrize(
    ("name", "worst"), [("accuracy", 0.0), ("error_rate", 1.0), ("mcc", -1.0)]
)  # fmt: skip
def test_the_worst_score_follows_the_metric(write, name: str, worst: float) -> None:
    a = write("a.csv", f"id,{name}", [(i, 0.3 + i / 100) for i in range(20)])
    b = write("b.csv", f"id,{name}", [(i, 0.3 + i / 90) for i in range(19)])
    data = rw.read([a, b], missing="worst")
    assert isinstance(data, Scores)
    assert data.task().values[-1, 1] == worst


def test_in_percent_the_worst_error_is_a_hundred(write) -> None:
    a = write("a.csv", "id,error", [(i, 30 + i) for i in range(20)])
    b = write("b.csv", "id,error", [(i, 31 + i) for i in range(19)])
    assert rw.read([a, b], missing="worst").task().values[-1, 1] == 100.0


def test_without_a_worst_value_it_is_an_error(write) -> None:
    a = write("a.csv", "id,seconds", [(i, i + 1) for i in range(20)])
    b = write("b.csv", "id,seconds", [(i, i + 2) for i in range(15)])
    with pytest.raises(OptionError, match="have no worst value"):
        rw.read([a, b], missing="worst")


def test_units_that_the_baseline_lacks_never_help_the_candidate(command, sides) -> None:
    new, old = (
        str(Path(path).rename(f"{side}.csv"))
        for path, side in zip(sides("accuracy", up=-0.09, lacks=range(100)), ("b", "a"), strict=True)
    )  # the baseline is the file that lacks units
    code, out, _ = command("gate", old, new, "--margin", "0.01", "--missing", "worst")
    assert code == 0, out
    assert "100 units paired" in out


def test_empty_cells_are_an_error_unless_somebody_says_what_they_mean(write) -> None:
    rows = [(i, i % 2, "" if i < 10 else 1) for i in range(40)]
    path = write("wide.csv", "id,svm,forest", rows)
    with pytest.raises(CellError, match="10 cells of column `forest`"):
        rw.compare(path)
    assert rw.compare(path, missing="drop").audit.paired == 30
    data = rw.read(path, missing="worst")
    assert isinstance(data, Scores)
    assert data.task().values[:10, 1].tolist() == [0.0] * 10
    without_ids = write("rows.csv", "svm,forest", [row[1:] for row in rows])
    assert rw.compare(without_ids, missing="drop").audit.paired == 30


def test_what_was_left_out_by_design_is_not_missing() -> None:
    audit = Audit(paired=10, dropped=(Dropped(reason="used to calibrate", units=90, unpaired=False),))
    assert covered(audit, None) == audit


def test_an_option_that_is_neither() -> None:
    with pytest.raises(OptionError, match="missing is 'ignore'"):
        rw.compare({"a": [1, 0], "b": [0, 1]}, missing="ignore")
    with pytest.raises(OptionError, match="missing is 'ignore'"):
        rw.read({"a": [1, 0], "b": [0, 1]}, missing="ignore")


def lacking(design: str) -> dict[str, pd.DataFrame]:
    """Files of two models, or one wide file, in which each model lacks some units."""
    r = np.random.default_rng(4)
    n = 60
    ids, tasks = np.arange(n), np.where(np.arange(n) < 40, "x", "y")
    a, b = r.random(n).round(3), r.random(n).round(3)
    gone = {"old": ids % 7 == 3, "new": ids % 5 == 1}
    if design == "wide":
        return {"t": pd.DataFrame({"id": ids, "a": np.where(gone["old"] & ~gone["new"], np.nan, a), "b": b})}
    found = {}
    for name, x in (("old", a), ("new", b)):
        frame = pd.DataFrame({"id": ids, "task": tasks, "error_rate": x})
        if design == "right or wrong":
            frame = frame.assign(correct=(x < 0.6).astype(int)).drop(columns="error_rate")
        if design == "predictions":
            truth = np.where(ids % 3, "yes", "no")
            said = np.where(x < 0.7, truth, "no")
            frame = frame.assign(truth=truth, prediction=said).drop(columns="error_rate")
        if design == "a task that one lacks":
            gone["new"] = gone["new"] | (tasks == "y")
        has_all = design == "predictions" and name == "old"  # the truth of what the other lacks
        found[name] = frame if has_all else frame[~gone[name]]
    return found


@pytest.mark.parametrize(
    "design", ["scores", "right or wrong", "predictions", "wide", "a task that one lacks"]
)
@pytest.mark.few(2)
def test_units_that_a_model_lacks_count_as_wrong_in_place_as_in_memory(tmp_path: Path, design: str) -> None:
    for name, frame in lacking(design).items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    paths = sorted(tmp_path.glob("*.csv"))
    options: dict[str, Any] = {"missing": "worst", "higher_is_better": True if design == "wide" else None}
    here = rw.read(paths, in_place=True, **options)
    there = rw.read(paths, in_place=False, **options)
    there = there.scores() if isinstance(there, rw.Predictions) else there
    assert isinstance(here, Summed)
    assert here.audit.paired == there.audit.paired
    told = [n for n in here.audit.notes if n.startswith("missing: ")]
    assert told
    assert sorted(told) == sorted(n for n in there.audit.notes if n.startswith("missing: "))
    first, second = here.models
    for task in there.tasks:
        own = next(t for t in here.tasks if t.name == task.name)
        mine, other = here.sums(first, second, own), there.sums(first, second, task.name)
        assert (mine.n, mine.mean, mine.m2) == pytest.approx((other.n, other.mean, other.m2))


def test_in_place_without_a_worst_value_it_is_an_error_too(tmp_path: Path) -> None:
    for name, frame in lacking("scores").items():
        frame.rename(columns={"error_rate": "seconds"}).to_csv(tmp_path / f"{name}.csv", index=False)
    with pytest.raises(OptionError, match="have no worst value"):
        rw.read(sorted(tmp_path.glob("*.csv")), in_place=True, missing="worst")

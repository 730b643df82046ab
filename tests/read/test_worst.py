"""Units that a model lacks are counted as wrong: the worst score, and a wrong label."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data.arrays import strings
from ropewalk.errors import OptionError
from ropewalk.read.worst import fill_predictions, fill_scores

LACKS = {"b": np.array([False, True])}


@pytest.mark.parametrize(
    ("metric", "higher", "worst"), [("accuracy", True, 0.0), ("mcc", True, -1.0), ("error_rate", False, 1.0)]
)
def test_the_worst_score_of_a_metric(metric: str, higher: bool, worst: float) -> None:
    values = np.array([[0.5, 0.6], [0.7, 0.8]])
    assert fill_scores(values, "ab", LACKS, metric, higher=higher) == [
        f"missing: 1 units of b counted as {worst:g}"
    ]
    assert values.tolist() == [[0.5, 0.6], [0.7, worst]]
    assert fill_scores(values, "ab", {}, metric, higher=higher) == []


def test_without_a_worst_score_it_is_refused() -> None:
    with pytest.raises(OptionError, match="have no worst value"):
        fill_scores(np.array([[50.0, 600.0], [7.0, 8.0]]), "ab", LACKS, "seconds", higher=False)
    with pytest.raises(OptionError, match="predictions that are numbers"):
        fill_predictions({"b": np.zeros(2)}, LACKS, np.zeros(2), "numbers", ())


def test_a_wrong_answer_is_another_class_for_certain() -> None:
    truth = strings("xy")
    labels = {"b": strings("xy")}
    fill_predictions(labels, {"b": np.array([True, True])}, truth, "labels", ("x", "y", "z"))
    assert labels["b"].tolist() == ["y", "x"]
    p = {"b": np.full((2, 3), 1 / 3)}
    fill_predictions(p, LACKS, truth, "probabilities", ("x", "y", "z"))
    assert p["b"][1].tolist() == [1, 0, 0]


def test_in_place_as_in_memory(tmp_path) -> None:
    paths = []
    for name, ids in (("a", range(40)), ("b", range(5, 40))):
        frame = pd.DataFrame({"id": ids, "accuracy": [(i % 10) / 10 for i in ids]})
        paths.append(tmp_path / f"{name}.csv")
        frame.to_csv(paths[-1], index=False)
    there, memory = (rw.read(paths, missing="worst", in_place=where) for where in (True, False))
    assert there.sums("a", "b", there.tasks[0]).mean == pytest.approx(memory.differences("a", "b").mean())
    assert "missing: 5 units of b counted as 0" in there.audit.notes
    assert "missing: 5 units of b counted as 0" in memory.audit.notes


TASKS = pd.DataFrame(
    {
        "id": [*range(40), *range(40)],
        "task": ["easy"] * 40 + ["hard"] * 40,
        "correct": [1 if i % 5 else 0 for i in range(80)],
    }
)


@pytest.fixture
def without_hard(tmp_path: Path) -> list[Path]:
    """A baseline that is right on 80% of two tasks, and a candidate that was right on all of the easy one."""
    paths = [tmp_path / f"{side}.csv" for side in ("first", "second")]
    TASKS.to_csv(paths[0], index=False)
    TASKS[:40].assign(correct=1).to_csv(paths[1], index=False)
    return paths


@pytest.mark.parametrize("in_place", [False, True])
def test_a_whole_task_that_a_model_lacks_is_wrong_too(without_hard: list[Path], in_place: bool) -> None:
    data = rw.read(without_hard, missing="worst", in_place=in_place)
    assert [t.name for t in data.tasks] == ["easy", "hard"]
    assert data.audit.paired == 80
    assert "missing: 40 units of second counted as 0" in data.audit.notes
    # By hand: right on all of the easy task and on none of the hard one, against 80% of both.
    (found,) = rw.compare(data, question="these").overall
    assert found.estimate.mean == pytest.approx(0.3, abs=0.05)
    left = rw.read(without_hard, missing="drop", in_place=in_place)
    assert [t.name for t in left.tasks] != ["easy", "hard"]


def test_a_task_with_empty_cells_in_a_wide_table_is_wrong_too(tmp_path: Path) -> None:
    wide = TASKS.rename(columns={"correct": "a"}).assign(b=1.0, c=TASKS["correct"])
    wide.loc[wide["task"] == "hard", "b"] = np.nan
    wide.to_csv(tmp_path / "wide.csv", index=False)
    data = rw.read(tmp_path / "wide.csv", missing="worst", model=["a", "b", "c"])
    hard = dict(zip(data.models, data.tasks[1].values.T, strict=True))
    assert hard["b"].tolist() == [0.0] * 40
    assert np.array_equal(hard["a"], TASKS["correct"][40:])

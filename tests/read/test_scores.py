"""Blocks of scores are paired, and what was understood of them is said."""

from __future__ import annotations

import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import DataError
from ropewalk.read.scores import maybe_a_truth, metric_name

LONG = pd.DataFrame(
    [(m, i, 0.5 + 0.1 * i + 0.05 * k) for k, m in enumerate(("svm", "tree")) for i in range(3)],
    columns=["model", "id", "accuracy"],
)


@pytest.mark.parametrize(
    ("column", "right", "name"),
    [
        ("correct", True, "accuracy"),
        ("is_correct", False, "is_correct"),
        ("test_score", True, "score"),
        ("f1", False, "f1"),
    ],
)
def test_what_scores_are_called(column: str, right: bool, name: str) -> None:
    assert metric_name(column, right_or_wrong=right) == name


def test_models_meet_by_their_ids_in_any_order() -> None:
    data = rw.read(LONG.sample(frac=1, random_state=1))
    assert isinstance(data, rw.Scores)
    assert (data.metric, data.higher_is_better, data.audit.paired) == ("accuracy", True, 3)
    assert data.differences("tree", "svm") == pytest.approx([0.05] * 3)


def test_several_units_are_needed() -> None:
    with pytest.raises(DataError, match='there is one unit only: "0"'):
        rw.read(LONG[LONG.id == 0])


def test_whole_numbers_in_all_columns_may_be_a_truth(tmp_path) -> None:
    (tmp_path / "t.csv").write_text("id,a,b,c\n1,3,4,5\n2,5,5,6\n3,4,6,6\n")
    data = rw.read(tmp_path / "t.csv", higher_is_better=True)
    assert maybe_a_truth("abc") in data.audit.cautions

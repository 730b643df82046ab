"""The range of scores: by bounds that were given, by the metric's name, or by the scores themselves."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.data import Audit, Design, Scores, TaskScores
from ropewalk.data.ranges import Range, known_range, reach_of, score_ranges
from ropewalk.errors import OptionError

UNIT = np.array([0.2, 0.9])
PERCENT = np.array([20.0, 90.0])
OTHER = np.array([-3.0, 250.0])


@pytest.mark.parametrize(
    ("metric", "values", "ends"),
    [
        ("accuracy", UNIT, (0.0, 1.0)),
        ("Top-1 accuracy", PERCENT, (0.0, 100.0)),
        ("accuracy", OTHER, None),
        ("brier", UNIT, (0.0, 2.0)),
        ("mcc", np.array([-0.5, 0.5]), (-1.0, 1.0)),
        ("kappa", OTHER, None),
        ("rmse", UNIT, None),
        ("log_loss", UNIT, None),
        ("zork", UNIT, (0.0, 1.0)),
        ("zork", PERCENT, None),
    ],
)
def test_the_range_by_name_and_scores(
    metric: str, values: np.ndarray, ends: tuple[float, float] | None
) -> None:
    found = known_range(metric, values)
    assert (found and (found.low, found.high)) == ends
    assert found is None or found.guessed is (metric == "zork")


def test_the_reach_is_that_of_the_range_or_of_the_scores() -> None:
    assert reach_of("accuracy", PERCENT) == 100
    assert reach_of("rmse", OTHER) == 253
    assert reach_of("rmse", np.array([-4.0, -4.0])) == 4
    assert Range(low=-1, high=1).reach == 2
    assert Range(low=0, high=0.5).words == "0 to 0.5"


def test_given_bounds_hold_on_every_task() -> None:
    tasks = tuple(
        TaskScores(
            name=name, units=np.array(["1", "2"], dtype=object), values=np.array([[0.1, x], [0.3, 0.4]])
        )
        for name, x in (("s", 0.2), ("t", 7.5))
    )
    data = Scores(
        models=("a", "b"),
        tasks=tasks,
        metric="zork",
        higher_is_better=True,
        design=Design(unit="example"),
        audit=Audit(paired=4),
    )
    assert score_ranges(data, "zork", (0, 10)) == dict.fromkeys("st", Range(low=0, high=10))
    with pytest.raises(OptionError, match=r'a score is 7\.5 on task "t", outside the bounds 0 to 5'):
        score_ranges(data, "zork", (0, 5))

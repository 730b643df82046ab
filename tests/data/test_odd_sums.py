"""What sums show of rows that stay where they are; the same as the rows themselves where they are read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Summed
from ropewalk.errors import DataError

N = 300
EASY = np.random.default_rng(4).uniform(0.2, 0.7, N)
BETTER = EASY + np.random.default_rng(5).uniform(0.05, 0.1, N)


def compare(folder: Path, metric: str, old: Any, new: Any, **options: Any) -> rw.Report:
    """A comparison of two files whose rows stay on the disk."""
    paths = [folder / "old.csv", folder / "new.csv"]
    for path, x in zip(paths, (old, new), strict=True):
        pd.DataFrame({"id": range(N), "task": np.repeat(["x", "y", "z"], N // 3), metric: x}).to_csv(
            path, index=False
        )

    def read(*sources: Any, **how: Any) -> Any:
        data = rw.read(*sources, **how)
        assert isinstance(data, Summed)
        return data

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["ropewalk.compare"], "read", read)
        return rw.compare(paths, in_place=True, **options)


@pytest.mark.parametrize("metric", ["accuracy", "score", "quux"])
def test_percent_next_to_fractions(metric: str, tmp_path: Path) -> None:
    said = "the scores of new are in percent and those of old are fractions"
    with pytest.raises(DataError, match=said) as problem:
        compare(tmp_path, metric, EASY, 100 * BETTER)
    assert 'Divide the scores of "new" by 100.' in problem.value.hint
    compare(tmp_path, metric, 100 * EASY, 100 * BETTER, higher_is_better=True)
    compare(tmp_path, "seconds", EASY, 100 * BETTER)  # which have no range


def test_marks_among_fractions(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the scores of new are larger than 1 and those of old are fractions"):
        compare(tmp_path, "f1", EASY, np.where(np.arange(N) % 9, BETTER, 99))
    compare(tmp_path, "num_correct", EASY, BETTER + 2)


def test_what_cannot_be_below_zero(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"the mean `rmse` of new is -0.5.., and it cannot be below 0"):
        compare(tmp_path, "rmse", -EASY, -BETTER)
    compare(tmp_path, "rmse", -EASY, -BETTER, higher_is_better=True)
    with pytest.raises(DataError, match="the mean `accuracy` of new is -0"):
        compare(tmp_path, "accuracy", EASY, BETTER - 1)
    compare(tmp_path, "mcc", EASY, BETTER - 1)


def test_units_and_models_that_are_turned_round(tmp_path: Path) -> None:
    (said,) = (c for c in compare(tmp_path, "latency", 1000 * EASY, BETTER).audit.cautions if "several" in c)
    assert said.endswith("several hundred times those of new on average: are they in the same unit?")
    (said,) = compare(tmp_path, "score", EASY, 1 - BETTER).audit.cautions
    assert said.startswith("old is good where new is bad, and bad where it is good (correlation -0.9")
    assert compare(tmp_path, "score", EASY, BETTER).audit.cautions == ()

"""Calibration and thresholds that are learned from other rows, and what cannot be asked together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import OptionError

N = 400
U = np.random.default_rng(0).normal(size=(N, 3))
TRUTH = (U[:, 0] > 0).astype(int)
FRAME = pd.DataFrame(
    {
        "id": range(N),
        "truth": TRUTH,
        "part": np.where(np.arange(N) % 2, "test", "fit"),
        **{m: 1 / (1 + np.exp(-3 * (U[:, 0] + 0.5 * U[:, k]))) for k, m in ((1, "a"), (2, "b"))},
    }
)


def report(**options: Any) -> rw.Report:
    return rw.compare(FRAME, truth="truth", model=["a", "b"], **options)


def test_a_calibration_says_what_it_was_before() -> None:
    found = report(calibrate="platt", loss="log", rope=0.05)
    (check,) = [k for k in found.comparisons[0].checks if k.kind == "calibration"]
    before = report(loss="log", rope=0.05).comparisons[0].verdict
    assert check.text.startswith(before.name)
    assert len(found.probabilities) == 2  # before and after, for the reliability diagram


def test_the_costs_choose_the_threshold_and_are_the_loss() -> None:
    found = report(cost_fp=1.0, cost_fn=5.0, held_out=("part", "fit"))
    assert found.comparisons[0].n == N // 2
    means = {m.name: m.mean for m in found.models}
    assert max(means.values()) < 1  # a mean cost, and no accuracy: at most that of saying no all the time


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"calibrate": "platt", "fpr": 0.1}, "both a calibration and a threshold"),
        ({"held_out": ("part", "fit")}, "rows are held out, but nothing is fitted"),
    ],
)
def test_what_cannot_be_meant(options: dict[str, Any], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        report(**options)

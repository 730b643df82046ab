"""The warning that rare large differences may not have occurred. Oracle: the chance that none occurred."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ropewalk as rw
from ropewalk.results import Check


def warned(mean: float, sd: float, n: int, *, rope: float = 0.02, reach: float = 1.0) -> Check | None:
    d = mean + sd * stats.zscore(np.random.default_rng(n).normal(size=n), ddof=1)
    b = np.full(n, 0.5)
    table = pd.DataFrame({"id": range(n), "a": reach * (b + d), "b": reach * b})
    long = table.melt("id", var_name="model", value_name="f1")
    c = rw.compare(long, rope=reach * rope, score="f1").comparisons[0]
    found = [check for check in c.checks if check.name == "rare differences"]
    assert len(found) <= 1
    assert not found or not found[0].ok
    return found[0] if found else None


def test_what_did_not_occur_may_turn_a_verdict_round() -> None:
    # Scores of 0.9 that the candidate loses on one example in 45 are as far apart as the ROPE; t says
    # "equivalent" whenever none of these is among 20 examples, in 0.978^20 = 64% of data sets.
    check = warned(0.0, 0.02, 20)
    assert check is not None
    assert check.numbers == pytest.approx({"share": 0.02, "unseen": 0.98**20})
    assert "one example in 50 differed by 1, as far as scores can, and 20 examples contain none" in check.text
    assert "with probability 0.67" in check.text


@pytest.mark.parametrize(
    ("mean", "share"), [(0.07, 0.05 / 1.07), (-0.07, 0.05 / 1.07), (0.005, 0.015 / 0.995)]
)
def test_by_the_shortest_way_to_another_verdict(mean: float, share: float) -> None:
    least = int(np.floor(np.log(0.05) / np.log(1 - share)))  # 0.05 is the chance of a wrong verdict
    check = warned(mean, 0.012, least)
    assert check is not None
    assert check.numbers["share"] == pytest.approx(share, rel=1e-9)
    assert check.numbers["unseen"] == pytest.approx((1 - share) ** least)
    assert warned(mean, 0.012, least + 1) is None


def test_no_warning_without_a_verdict_or_a_range() -> None:
    assert warned(0.0, 0.2, 20) is None  # undecided
    assert warned(0.07, 0.2, 300) is None  # better, and 300 examples would have shown it
    assert warned(0.07, 0.02, 20) is not None
    percent = warned(0.07, 0.02, 20, reach=100.0)
    assert percent is not None
    assert "differed by 100," in percent.text
    b = np.linspace(3.0, 5.0, 20)  # no known range
    c = rw.compare(
        {"a": b + 0.5 + 0.1 * np.sin(40 * b), "b": b}, rope=0.1, higher_is_better=True
    ).comparisons[0]
    assert c.verdict.name == "better"
    assert not [check for check in c.checks if check.name == "rare differences"]

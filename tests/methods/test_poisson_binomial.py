"""The Poisson-binomial test as a method: how tasks enter it, its ROPE, and no plan."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta

import ropewalk as rw
from ropewalk.methods import method_of
from ropewalk.results.formatting import rope_text


@pytest.fixture
def table() -> tuple[pd.DataFrame, list[float]]:
    """Six tasks, and the probability of the t posterior of each that A is better."""
    rng = np.random.default_rng(0)
    rows, each = [], []
    for t in range(6):
        d = rng.normal(0.3, 1, 20)
        each.append(float(rw.bayes.t(d).sf(0.0)))
        rows += [(m, f"t{t}", i, x) for m, xs in (("A", d), ("B", np.zeros(20))) for i, x in enumerate(xs)]
    frame = pd.DataFrame(rows, columns=["model", "task", "id", "score"])
    return frame, each


def test_five_points_around_half_of_the_tasks(table: tuple[pd.DataFrame, list[float]]) -> None:
    """Oracle: every pattern of wins, its probability, and the Beta(1 + wins, 1 + losses) of each."""
    frame, each = table
    better = within = 0.0
    for won in product([False, True], repeat=6):
        weight = float(np.prod([p if w else 1 - p for p, w in zip(each, won, strict=True)]))
        share = beta(1 + sum(won), 7 - sum(won))
        better += weight * share.sf(0.55)
        within += weight * (share.cdf(0.55) - share.cdf(0.45))
    (c,) = rw.compare(frame, method="poisson_binomial").overall
    assert (c.verdict.better, c.verdict.equivalent) == pytest.approx((better, within), abs=1e-9)
    assert rope_text(c) == "±0.05 in the share of tasks won (default: five percentage points)"
    other = {row.times: row.p.better for row in c.sensitivity.ropes}
    (wide,) = rw.compare(frame, method="poisson_binomial", rope=0.1).overall
    assert other[2.0] == pytest.approx(wide.verdict.better, abs=1e-9)


def test_tasks_enter_by_how_probably_a_is_better(table: tuple[pd.DataFrame, list[float]]) -> None:
    """Oracle: `bayes.poisson_binomial` on the probabilities of the t posteriors of the tasks."""
    frame, each = table
    (c,) = rw.compare(frame, method="poisson_binomial", rope=0).overall
    assert c.verdict.better == pytest.approx(rw.bayes.poisson_binomial(each), abs=1e-9)
    assert method_of(c).directions(c).designs == ()
    assert "hdi" not in rw.plot.kinds(c)

"""The sign test as a method: counts of units, the default for ranks, and the draws of a page."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.methods import method_of
from ropewalk.methods.method import Budget


def test_ranks_have_no_size() -> None:
    rng = np.random.default_rng(0)
    ranks = np.array([rng.permutation([1, 2]) for _ in range(12)])
    table = pd.DataFrame({"task": [f"t{i}" for i in range(12)], "A": ranks[:, 0], "B": ranks[:, 1]})
    (c,) = rw.compare(rw.read(table.melt("task", var_name="model", value_name="rank"))).overall
    assert (c.method, c.rope.origin) == ("sign", "none")


def test_the_regions_of_a_page_are_those_of_the_test() -> None:
    """Oracle: the test itself at each ROPE; draws are Dirichlet, with its mean."""
    rng = np.random.default_rng(0)
    (c,) = rw.compare({"A": rng.normal(0.3, 1, 40), "B": np.zeros(40)}, method="sign", rope=0.1).comparisons
    low, high = np.array([-0.1, -0.3]), np.array([0.1, 0.3])
    curve = method_of(c).region_curve(c, low, high, seed=0, budget=Budget(left=1e9, least=1e9))
    assert curve is not None
    assert curve.table is not None
    for k in range(2):
        alone = rw.bayes.sign(c.evidence.d, (low[k], high[k]))  # type: ignore[union-attr]
        assert curve.table[:, k] == pytest.approx([alone.most_probable.better, alone.most_probable.worse])
        drawn = curve.points(k, 4_000).mean(axis=0)
        assert drawn == pytest.approx([alone.mean.better, alone.mean.equivalent, alone.mean.worse], abs=0.01)

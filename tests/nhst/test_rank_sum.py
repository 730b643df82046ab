"""The Wilcoxon rank-sum test against SciPy and all choices of the units."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from ropewalk.nhst import rank_sum

SCORES = st.lists(st.integers(0, 6), min_size=1, max_size=6)


@given(SCORES, SCORES)
def test_exact_over_all_choices(a, b):
    both = np.array(a + b)
    sums = []
    for chosen in combinations(range(both.size), len(a)):
        rest = np.delete(both, chosen)
        x = both[list(chosen)]
        sums.append(np.sum(x[:, None] > rest) + 0.5 * np.sum(x[:, None] == rest))
    u = np.array(sums)
    here = rank_sum(a, b)
    tails = min(np.mean(u <= here.statistic + 1e-9), np.mean(u >= here.statistic - 1e-9))
    assert here.p_value == pytest.approx(min(1, 2 * tails), abs=1e-12)
    assert here.exact


def test_exact_against_scipy():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.5, 1, 18), rng.normal(0, 1, 25)
    theirs = mannwhitneyu(a, b, method="exact")
    assert rank_sum(a, b).statistic == theirs.statistic
    assert rank_sum(a, b).p_value == pytest.approx(theirs.pvalue, rel=1e-10)


@pytest.mark.parametrize("levels", [5, 10**6])
def test_normal_with_ties_against_scipy(levels):
    rng = np.random.default_rng(levels)
    a, b = rng.integers(0, levels, 60), rng.integers(0, levels, 45)
    theirs = mannwhitneyu(a, b, method="asymptotic", use_continuity=False)
    ours = rank_sum(a, b)
    assert not ours.exact
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-10)
    assert ours.superiority == pytest.approx(theirs.statistic / (60 * 45))


def test_all_equal():
    assert rank_sum([1, 1, 1], [1, 1]).p_value == 1.0
    assert rank_sum([1.0] * 40, [1.0] * 40).p_value == 1.0

"""Critical difference diagrams: groups, bars and lanes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from ropewalk import plot
from ropewalk.plot.critical_difference import groups, lanes
from tests.plot.boards import clear, names_of


def cliques(ranks: np.ndarray, cd: float) -> set[frozenset[int]]:
    """By going through all sets: every pair is closer than cd, and no model could be added."""
    k = len(ranks)
    sets = [
        frozenset(chosen)
        for size in range(2, k + 1)
        for chosen in itertools.combinations(range(k), size)
        if all(abs(ranks[i] - ranks[j]) < cd for i, j in itertools.combinations(chosen, 2))
    ]
    return {one for one in sets if not any(one < other for other in sets)}


def test_groups_against_all_sets_of_models() -> None:
    """Oracle: brute force over all subsets; ranks with halves, so that ties and exact distances happen."""
    random = np.random.default_rng(0)
    for _ in range(60):
        ranks = np.sort(random.integers(2, 17, random.integers(2, 9)) / 2)
        for cd in (0.25, 0.5, 1.0, 2.5, 20.0):
            found = groups(ranks, cd)
            sets = [frozenset(range(first, last + 1)) for first, last in found]
            assert len(set(sets)) == len(sets)
            assert set(sets) == cliques(ranks, cd), (ranks, cd)


def test_groups_are_those_of_the_nemenyi_test() -> None:
    from ropewalk.nhst import nemenyi

    result = nemenyi(np.random.default_rng(1).random((25, 12)) + np.linspace(0, 0.5, 12))
    order = np.argsort(result.average_ranks, kind="stable")
    found = groups(result.average_ranks[order], result.critical_difference)
    several = [group for group in result.groups if len(group) > 1]
    assert [tuple(order[first : last + 1]) for first, last in found] == several


def test_demsars_example(texts: Any) -> None:
    """Demšar 2006, sec. 3.2.2 and Fig. 1(a): four variants of C4.5 on 14 data sets (Table 6).

    CD is 1.25 at 5 %, more than any difference, and 1.12 at 10 %: C4.5 is worse than C4.5+m and C4.5+m+cf,
    and C4.5+cf belongs to either group.
    """
    names, ranks = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"], np.array([3.143, 2.000, 2.893, 1.964])
    assert groups(np.sort(ranks), 1.25) == [(0, 3)]
    assert groups(np.sort(ranks), 1.12) == [(0, 2), (2, 3)]
    figure = plot.critical_difference(names, ranks, 1.12, alpha=0.1)
    found = texts(figure)
    assert "C4.5+m+cf ranks best; 1 of 3 others significantly worse" in found
    assert any("critical difference 1.12 at alpha 0.1" in text for text in found)
    assert any("observed mean ranks" in text for text in found)
    at = {t.get_text(): t.xy for t in figure.axes[0].texts}
    # As in the figure: C4.5 over C4.5+cf on the left, C4.5+m+cf over C4.5+m on the right.
    left, right = ("C4.5  3.14", "C4.5+cf  2.89"), ("1.96  C4.5+m+cf", "2.00  C4.5+m")
    for upper, lower in (left, right):
        assert at[upper][0] == at[lower][0]
        assert at[upper][1] > at[lower][1]
    assert at[left[0]][0] < at["3"][0] < at["2"][0] < at[right[0]][0]


@pytest.mark.parametrize("k", [6, 40])
def test_the_bars_are_the_groups(k: int) -> None:
    """Oracle: the ends of the thick lines, turned back into ranks with the axis that is drawn."""
    ranks = np.sort(np.random.default_rng(k).uniform(1.2, k - 0.2, k))
    cd = 0.3 * k
    figure = plot.critical_difference(names_of(k, "short"), ranks, cd)
    lines = figure.axes[0].lines
    thick = max(line.get_linewidth() for line in lines)
    bars = sorted(sorted(line.get_xdata()) for line in lines if line.get_linewidth() == thick)
    expected = [(ranks[first], ranks[last]) for first, last in groups(ranks, cd)]
    if k == 6:  # in points, the best on the right, and a little longer than the group
        low, high = np.floor(ranks[0]), np.ceil(ranks[-1])
        axis = next(line for line in lines if np.ptp(line.get_ydata()) == 0).get_xdata()
        unit = (max(axis) - min(axis)) / (high - low)
        bars = sorted(
            (low + (max(axis) - (b - 2.8)) / unit, low + (max(axis) - (a + 2.8)) / unit) for a, b in bars
        )
    np.testing.assert_allclose(bars, sorted(expected), atol=1e-9)


def test_bars_in_one_lane_do_not_touch() -> None:
    random = np.random.default_rng(0)
    for _ in range(50):
        spans = sorted(tuple(np.sort(random.integers(0, 30, 2))) for _ in range(12))
        found = lanes(spans)
        for (one, i), (other, j) in itertools.combinations(zip(spans, found, strict=True), 2):
            assert i != j or one[1] < other[0] or other[1] < one[0]
        # No more lanes than spans that share a point.
        assert max(found) + 1 == max(sum(a <= x <= b for a, b in spans) for x in range(31))


@pytest.mark.parametrize("k", [4, 40])
def test_ranks_that_are_all_the_same_and_a_difference_longer_than_the_axis(k: int, texts: Any) -> None:
    figure = plot.critical_difference(names_of(k, "short"), np.full(k, (k + 1) / 2), 3.0 * k)
    clear(figure)
    found = texts(figure)
    assert f"CD {3 * k}, longer than the axis" in found
    assert "model 00 ranks best; no other model is significantly worse" in found

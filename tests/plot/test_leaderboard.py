"""Leaderboards: the title, the band around the best, and the axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ropewalk import plot
from tests.plot.boards import LONG, NAN, board, clear


@pytest.mark.parametrize(
    ("members", "title"),
    [
        ([], "None of 5 models is practically the best"),
        ([0], "m0 is practically the best of 5 models"),
        ([0, 2], "m0 or m2 is practically the best of 5 models"),
        ([0, 1, 2], "m0, m1 or m2 is practically the best of 5 models"),
        ([0, 1, 2, 3], "m0 or one of 3 others is practically the best of 5 models"),
        ([0, 1, 2, 3, 4], "Any of 5 models may be the best"),
    ],
)
def test_the_title_of_a_leaderboard(members: list[int], title: str, texts: Any) -> None:
    mean, p = np.linspace(0.9, 0.8, 5), np.full(5, 0.5)
    chosen = np.isin(np.arange(5), members)
    names = [f"m{i}" for i in range(5)]
    figure = plot.leaderboard(names, mean, mean - 0.02, mean + 0.02, p, p, chosen, 0.01, metric="acc")
    assert title in texts(figure)


@pytest.mark.parametrize(
    ("rope", "is_higher", "band", "first"),
    [
        (0.02, True, (0.83, 0.87), "b"),
        ([-0.01, 0.03], True, (0.84, 0.88), "b"),
        ((-0.01, 0.03), False, (0.72, 0.76), "c"),  # an advantage of 0.03 is a loss that is 0.03 less
        (0, True, (0.85, 0.85), "b"),
    ],
)
def test_the_band_lies_around_the_best(rope: Any, is_higher: bool, band: Any, first: str, texts: Any) -> None:
    figure = board(rope=rope, higher_is_better=is_higher)
    clear(figure)
    patch = figure.axes[0].patches[0]
    assert (patch.get_x(), patch.get_x() + patch.get_width()) == pytest.approx(band)
    found = texts(figure)
    assert next(text for text in found if text in ("a", "b", "c")) == first
    assert ("better →" if is_higher else "worse →") in found
    assert any("ROPE" in text and "around" in text for text in found) == (rope != 0)


def test_a_leaderboard_prints_probabilities_where_there_is_room(texts: Any) -> None:
    found = texts(board(p_best=[NAN, 0.9, 0.0]))
    assert {"P(best)", "P(tied)", "0.97", "–"} <= set(found)
    narrow = texts(board(names=[LONG.format(i) for i in "abc"], style="paper"))
    assert "P(tied)" in narrow
    assert "P(best)" not in narrow
    assert "bars: 90% intervals · P(best): probability of being the best" in " ".join(texts(board(level=0.9)))


def test_a_model_far_away_does_not_widen_the_axis(texts: Any) -> None:
    far = board(mean=[0.80, 0.85, -7.0], low=[0.78, 0.83, -7.1], high=[0.82, 0.87, -6.9])
    low, high = far.axes[0].get_xlim()
    assert low > 0
    assert high < 1.2
    assert "← −7" in texts(far)
    clear(far)
    cut = board(low=[0.78, 0.83, -7.0])  # only its interval: an arrow at the end of the axis
    assert "<" in [line.get_marker() for line in cut.axes[0].lines if len(line.get_xdata())]
    assert cut.axes[0].get_xlim()[0] > 0


def test_a_leaderboard_of_models_that_are_all_the_same() -> None:
    same = [0.5, 0.5, 0.5]
    clear(board(mean=same, low=same, high=same, rope=0))


def test_a_model_without_a_mean_stands_last(texts: Any) -> None:
    found = texts(board(mean=[0.8, NAN, 0.75]))
    assert [text for text in found if text in ("a", "b", "c")] == ["a", "c", "b"]
    assert "no mean" in found

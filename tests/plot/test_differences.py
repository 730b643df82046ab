"""The picture of the differences themselves."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import plot
from ropewalk.plot.differences import bins


def test_the_bars_hold_every_difference(case, drawn):
    comparison = case("undecided")
    bars = drawn("undecided", "differences").axes[0].containers[0]
    assert sum(bar.get_height() for bar in bars) == comparison.n == 200


def test_the_regions_are_counted_and_the_rope_is_closed(scored, texts):
    comparison = scored([-0.02, -0.01, 0.0, 0.01, 0.03, 0.04, 0.05], rope=0.01, method="t")
    words = texts(plot.differences(comparison))
    assert "1 example" in words
    assert words.count("3 examples") == 2  # two of them on the edges of the ROPE


def test_the_unit_gives_way_to_the_numbers_where_there_is_no_room(case, texts):
    comparison = case("equivalent")
    screen, paper = (texts(plot.differences(comparison, style=s)) for s in ("screen", "paper"))
    better = str(np.sum(comparison.evidence.d > 0.01))
    assert f"{better} examples" in screen
    assert f"{better} examples" not in paper
    assert better in paper


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("percent", "forest is ahead of svm by 1.9 on average"),
        ("worse", "svm is ahead of forest by 0.05 on average"),
        ("identical scores", "forest and svm have the same mean"),
    ],
)
def test_the_title_states_the_mean(drawn, texts, name, title):
    assert title in texts(drawn(name, "differences"))


def test_mean_zero_and_rope_are_lines(case, drawn, texts):
    comparison = case("percent")
    figure = drawn("percent", "differences")
    upright = {line.get_xdata()[0] for line in figure.axes[0].lines if np.ptp(line.get_xdata()) == 0}
    assert {comparison.evidence.d.mean(), 0, -1.0, 1.0} <= upright
    assert "mean +1.9" in texts(figure)


def test_what_lies_far_outside_is_counted_and_not_drawn(scored, texts):
    d = np.append(np.random.default_rng(0).normal(0, 0.01, 996), [5.0, 6.0, -9.0, 7.0])
    figure = plot.differences(scored(d, rope=0.01, method="t"))
    assert any("4 beyond the ends of the axis" in text for text in texts(figure))
    low, high = figure.axes[0].get_xlim()
    assert high - low < 0.2


@pytest.mark.parametrize("n", [2, 10, 300, 100_000])
def test_bins_cover_the_data_with_zero_in_the_middle_of_one(n):
    d = np.random.default_rng(n).normal(0.3, 1.0, n)
    edges = bins(d)
    step = edges[1] - edges[0]
    assert np.diff(edges) == pytest.approx(step)
    assert (edges / step - 0.5) == pytest.approx(np.round(edges / step - 0.5))
    if n <= 300:  # of very many some lie far outside
        assert edges[0] <= d.min() <= d.max() <= edges[-1]
    assert 8 <= edges.size - 1 <= 62
    assert bins(-d) == pytest.approx(-edges[::-1])  # the mirror image for B against A


@pytest.mark.parametrize("d", [[0.02] * 10, [0.0] * 5, [1e9, 1e9 + 1e-7], [-3.0, -3.0]])
def test_one_value_is_one_bar(d):
    heights, _ = np.histogram(d, bins(np.array(d)))
    assert heights.max() == len(d)

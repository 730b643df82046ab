"""Plots in the user's own axes: inside the figure."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from ropewalk import plot
from tests.plot.own_axes import CASES, finished, words


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_no_word_is_cut_off_in_a_figure_of_the_usual_size(case, name, kind):
    """Neither in one subplot nor in four, and the words of one do not run into those of the next."""
    for rows, size in ((1, (6.4, 4.8)), (2, (14, 11))):
        figure = Figure(figsize=size)
        axes = figure.subplots(rows, rows, squeeze=False)
        for ax in axes.flat:
            plot.draw(case(name), kind, ax=ax)
        finished(figure)
        boxes = [[text.get_window_extent() for text in words(ax)] for ax in axes.flat]
        for one in boxes:
            assert min(box.x0 for box in one) >= figure.bbox.x0
            assert min(box.y0 for box in one) >= figure.bbox.y0
            assert max(box.y1 for box in one) <= figure.bbox.y1
        for upper, lower in zip(boxes[:2], boxes[2:], strict=False):
            assert min(box.y0 for box in upper) >= max(box.y1 for box in lower)


def test_a_layout_of_the_user_is_left_alone(case):
    figure = Figure(layout="constrained")
    ax = figure.subplots()
    plot.draw(case("undecided"), ax=ax)
    finished(figure)
    assert all(text.get_window_extent().y1 <= figure.bbox.y1 for text in words(figure))
    moved = Figure().subplots()
    moved.set_position((0.1, 0.3, 0.8, 0.4))
    plot.draw(case("undecided"), ax=moved)
    assert moved.get_position().bounds == pytest.approx((0.1, 0.3, 0.8, 0.4))


def test_tight_layout_still_works_afterwards(case):
    figure = Figure()
    ax = figure.subplots()
    plot.draw(case("undecided"), ax=ax)
    figure.tight_layout(pad=3)
    finished(figure)
    assert all(text.get_window_extent().y1 <= figure.bbox.y1 for text in words(figure))

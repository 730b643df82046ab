"""Plots in the user's own axes: readable on a dark background, and inside the figure."""

from __future__ import annotations

from io import BytesIO

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb, to_rgba
from matplotlib.figure import Figure
from matplotlib.text import Text

from ropewalk import plot
from ropewalk.plot.dark import counterparts, is_dark
from ropewalk.plot.style import BAND, DATA, EQUIVALENT, HAIR, INK, MODELS, PAPER, QUIET

CASES = [
    *[("undecided", kind) for kind in ("posterior", "differences", "qq", "hdi", "sensitivity")],
    *[("tasks on phi", kind) for kind in ("forest", "simplex", "tasks", "next_task", "hyper")],
    ("sign", "posterior"),
]
FACES = ["#000000", "#111111", "#1e1e1e", "#002b36", "#282a36"]


def luminance(colour: object) -> float:
    rgb = np.array(to_rgb(colour))
    return float(
        np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]
    )


def contrast(one: object, other: object) -> float:
    """WCAG 2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def finished(figure: Figure) -> None:
    """Lay the figure out as saving does."""
    figure.savefig(BytesIO(), format="png")


def words(figure: Figure) -> list[Text]:
    return [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]


@pytest.mark.parametrize("face", FACES)
def test_letters_have_enough_contrast_on_a_dark_background(face):
    assert is_dark(to_rgba(face))
    table = counterparts(face)
    for ink in (INK, QUIET, *[tint.ink for tint in (*MODELS, EQUIVALENT, DATA)]):
        assert contrast(table[ink], face) >= 4.5
        assert contrast(table[ink], table[PAPER]) >= 4.5
    for area in (BAND, *[tint.fill for tint in (*MODELS, EQUIVALENT)]):
        assert contrast(table[INK], table[area]) >= 4.5


def test_the_counterpart_of_a_counterpart_is_the_color_itself():
    table = counterparts("#000000")
    for tint in (*MODELS, EQUIVALENT, DATA):
        assert (table[tint.fill], table[tint.ink]) == (tint.ink, tint.fill)
    assert (table[INK], table[BAND]) == (BAND, INK)


@pytest.mark.parametrize("face", ["#ffffff", "#e5e5e5", "#fdf6e3"])
def test_light_backgrounds_are_not_dark(face):
    assert not is_dark(to_rgba(face))
    assert not is_dark((0.0, 0.0, 0.0, 0.0))  # nothing is known about a transparent one


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_every_word_is_readable_on_black(case, name, kind):
    with plt.style.context("dark_background"):
        figure = Figure(figsize=(7, 5))
        plot.draw(case(name), kind, ax=figure.subplots())
        finished(figure)
        assert words(figure)
        for text in words(figure):
            assert contrast(text.get_color(), "#000000") >= 4.5, text.get_text()
        spines = [spine for spine in figure.axes[0].spines.values() if spine.get_visible()]
        assert HAIR not in {to_hex(spine.get_edgecolor()) for spine in spines}


def test_black_axes_on_a_white_figure(case):
    """Words around the axes stay dark, those inside them are light."""
    figure = Figure(figsize=(7, 5), facecolor="white")
    ax = figure.subplots()
    ax.set_facecolor("black")
    plot.draw(case("undecided"), ax=ax)
    finished(figure)
    inside = [text for text in words(figure) if "HDI" in text.get_text()]
    assert len(inside) == 1
    for text in words(figure):
        face = "#000000" if text in inside else "#ffffff"
        assert contrast(text.get_color(), face) >= 4.5, text.get_text()


def test_what_the_user_drew_keeps_its_color(case):
    with plt.style.context("dark_background"):
        figure = Figure()
        ax = figure.subplots()
        (line,) = ax.plot([0, 0], [0, 1], color=INK)
        plot.draw(case("undecided"), ax=ax)
    assert line.get_color() == INK


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

"""Plots in the user's own axes on a dark background: readable."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb, to_rgba
from matplotlib.figure import Figure

from ropewalk import plot
from ropewalk.plot.dark import counterparts, is_dark
from ropewalk.plot.style import BAND, DATA, EQUIVALENT, HAIR, INK, MODELS, PAPER, QUIET
from tests.plot.own_axes import CASES, finished, words

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

"""Figures display themselves in a notebook: Jupyter, VS Code and Colab ask the same `_repr_png_`."""

from __future__ import annotations

import pytest

import ropewalk as rw
from ropewalk.plot import render

PNG = b"\x89PNG\r\n\x1a\n"
DATA = {"forest": [1, 1, 0, 1, 1, 1, 1, 0], "svm": [0, 1, 0, 1, 1, 0, 1, 1]}


@pytest.mark.parametrize("kind", ["posterior", "differences", "hdi", "sensitivity"])
def test_a_figure_is_the_picture_that_would_be_saved(kind: str) -> None:
    figure = rw.compare(DATA).comparisons[0].plot(kind)
    shown = figure._repr_png_()
    assert shown.startswith(PNG)
    assert shown == render(figure, ".png")


def test_so_are_the_figures_of_a_plan() -> None:
    assert rw.plan(accuracy=(0.87, 0.85), disagreement=0.1, draws=200).plot()._repr_png_().startswith(PNG)

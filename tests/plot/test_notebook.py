"""Figures display themselves in a notebook: Jupyter, VS Code and Colab ask the same `_repr_png_`."""

from __future__ import annotations

import base64

import pytest

import ropewalk as rw
from ropewalk.plot import render

PNG = b"\x89PNG\r\n\x1a\n"
DATA = {"forest": [1, 1, 0, 1, 1, 1, 1, 0], "svm": [0, 1, 0, 1, 1, 0, 1, 1]}
CELL = f"""
import ropewalk as rw
report = rw.compare({DATA!r})
report.comparisons[0].plot()
"""


@pytest.mark.parametrize("kind", ["posterior", "differences", "hdi", "sensitivity"])
def test_a_figure_is_the_picture_that_would_be_saved(kind: str) -> None:
    figure = rw.compare(DATA).comparisons[0].plot(kind)
    shown = figure._repr_png_()
    assert shown.startswith(PNG)
    assert shown == render(figure, ".png")


def test_so_are_the_figures_of_a_plan() -> None:
    assert rw.plan(accuracy=(0.87, 0.85), disagreement=0.1, draws=200).plot()._repr_png_().startswith(PNG)


@pytest.mark.parametrize("first", ["", "%matplotlib inline", "import matplotlib.pyplot"])
def test_a_notebook_shows_a_figure_once(first: str) -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient and ipykernel run notebooks")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    cells = [nbformat.v4.new_code_cell(first), nbformat.v4.new_code_cell(CELL)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [output for output in notebook.cells[1].outputs if "image/png" in output.get("data", {})]
    assert len(shown) == 1
    assert base64.b64decode(shown[0]["data"]["image/png"]).startswith(PNG)

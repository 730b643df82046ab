"""A figure in a notebook."""

from __future__ import annotations

import base64

import pytest

PNG = b"\x89PNG\r\n\x1a\n"
DATA = {"forest": [1, 1, 0, 1, 1, 1, 1, 0], "svm": [0, 1, 0, 1, 1, 0, 1, 1]}


CELL = f"""
import ropewalk as rw
report = rw.compare({DATA!r})
report.comparisons[0].plot()
"""


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

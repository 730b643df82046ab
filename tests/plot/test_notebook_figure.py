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


def shown(*sources: str) -> list[list[bytes]]:
    """The pictures below each cell of a notebook."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient and ipykernel run notebooks")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return [
        [
            base64.b64decode(out["data"]["image/png"])
            for out in cell.outputs
            if "image/png" in out.get("data", {})
        ]
        for cell in notebook.cells
    ]


def once(pictures: list[bytes]) -> bool:
    return len(pictures) == 1 and pictures[0].startswith(PNG)


@pytest.mark.proof
def test_a_notebook_shows_a_figure_once() -> None:
    """Before anything is set up, once pyplot is imported, and once figures are inline."""
    found = shown(CELL, "import matplotlib.pyplot", CELL, "%matplotlib inline", CELL)
    assert [len(pictures) for pictures in found] == [1, 0, 1, 0, 1]
    assert all(map(once, found[::2]))


@pytest.mark.proof
@pytest.mark.parametrize("first", ["%matplotlib inline", "import matplotlib.pyplot"])
def test_a_notebook_shows_a_figure_once_whatever_was_first(first: str) -> None:
    assert once(shown(first, CELL)[1])

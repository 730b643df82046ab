"""A figure that a notebook displays without any setup, such as `%matplotlib inline`."""

from __future__ import annotations

from matplotlib.figure import Figure


class NotebookFigure(Figure):
    """A figure with the display methods that Jupyter, VS Code and Colab call."""

    def _repr_png_(self) -> bytes:
        from ropewalk.plot import render

        return render(self, ".png")

"""A figure in the look of the package's own pictures, saved so that it changes only with its data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ropewalk.plot.style import HAIR, INK, LOOKS, QUIET, settings


@contextmanager
def canvas(path: Path, *, rows: int = 1, columns: int = 1, size: tuple[float, float]) -> Iterator[Any]:
    """Axes, rows x columns, drawn on inside the `with` and written at its end."""
    look = LOOKS["screen"]
    with settings():
        from matplotlib.figure import Figure

        figure = Figure(figsize=size, dpi=look.dpi, layout="constrained")
        axes = figure.subplots(rows, columns, squeeze=False)
        for ax in axes.flat:
            ax.spines[["top", "right"]].set_visible(False)
            ax.spines[["left", "bottom"]].set_color(HAIR)
            ax.tick_params(colors=QUIET, labelsize=look.small)
            ax.xaxis.label.set(color=INK, fontsize=look.small)
            ax.yaxis.label.set(color=INK, fontsize=look.small)
            ax.title.set(color=INK, fontsize=look.text)
        yield axes
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Software": None})

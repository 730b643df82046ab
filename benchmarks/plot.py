"""The curves of cost against size, one panel for each kind of size, on log-log axes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from harness import Curve

_UNITS = ("rows", "tasks", "models", "pairs")
_COLOURS = ("#0b6e99", "#c2570c")
_MARKS = ("o", "s")


def draw(curves: Sequence[Curve], path: Path) -> None:
    """Write the picture."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    units = [unit for unit in _UNITS if any(c.unit == unit for c in curves)]
    figure, axes = plt.subplots(
        1, len(units), figsize=(3.4 * len(units), 3.6), layout="constrained", squeeze=False
    )
    for ax, unit in zip(axes[0], units, strict=True):
        own = [c for c in curves if c.unit == unit]
        for found, colour, mark in zip(own, _COLOURS, _MARKS, strict=False):
            label = f"{found.label}: {unit}$^{{{found.exponent:.2f}}}$"
            ax.loglog(found.sizes, found.seconds, mark, color=colour, label=_folded(label))
            half = len(found.sizes) // 2
            x = np.array(found.sizes[half:], dtype=float)
            level = np.mean(np.log(found.seconds[half:]) - found.exponent * np.log(x))
            ax.loglog(x, np.exp(level) * x**found.exponent, color=colour, lw=1)
        times = [t for c in own for t in c.seconds]
        ax.set(xlabel=unit, ylim=(min(times) / 3, max(times) * 40))  # room for the names above the curves
        ax.legend(fontsize=7, loc="upper left", frameon=False)
        ax.grid(alpha=0.25)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0][0].set_ylabel("seconds")
    # Without the date the file changes only where a figure does.
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def _folded(label: str, width: int = 38) -> str:
    head, _, tail = label.rpartition(": ")
    return f"{head}:\n{tail}" if len(label) > width else label

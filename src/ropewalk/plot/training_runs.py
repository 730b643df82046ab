"""Every training run of every model as a point: the distribution over seeds, with its mean and interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.decide import SeedSummary, seed_summary
from ropewalk.plot import captions, fonts, several_models
from ropewalk.plot.frame import frame
from ropewalk.plot.style import DATA, HAIR, INK, PAPER, look

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROW = 2.6  # distance between models, in heights of a letter
_BAND = 0.28  # vertical spread of the points of a model, in rows


def seeds(
    scores: Mapping[str, ArrayLike], *, metric: str, higher_is_better: bool = True, style: str = "screen"
) -> Figure:
    """Draw the score of each seed, a row of points for each model, the best mean on top.

    The bar is the t interval of the mean over seeds. The best seed is a point like the others.

    >>> figure = seeds({"svm": [0.91, 0.92, 0.9], "net": [0.88, 0.95, 0.93]}, metric="accuracy")
    >>> len(figure.axes)
    1
    """
    found = {name: seed_summary(x, higher_is_better=higher_is_better) for name, x in scores.items()}
    names = several_models.named(found)
    sign = -1 if higher_is_better else 1
    order = sorted(range(len(names)), key=lambda i: sign * list(found.values())[i].mean)[
        : several_models.MOST
    ]
    sizes = look(style)
    room = several_models.NAMES * sizes.width * 72
    called = [fonts.shorten(names[i], room, sizes.text) for i in order]
    left = max(fonts.width(name, sizes.text) for name in called) + 8
    arrays = [np.asarray(x, dtype=np.float64) for x in scores.values()]
    ends = [edge for s in found.values() for edge in s.interval(0.95)]
    low, high = min(*(x.min() for x in arrays), *ends), max(*(x.max() for x in arrays), *ends)
    wide = (high - low) or 0.1 * abs(high) or 0.1
    with frame(None, style, left=left) as page:
        page.height = _ROW * sizes.text * max(len(order), 2)
        page.ax.set_xlim(low - 0.04 * wide, high + 0.04 * wide)
        page.ax.set_ylim(len(order) - 0.5, -0.5)
        for row, i in enumerate(order):
            summary, x = list(found.values())[i], np.sort(arrays[i])
            start, end = summary.interval(0.95)
            page.ax.plot([start, end], [row, row], color=INK, lw=page.look.line, zorder=4)
            page.ax.plot([summary.mean] * 2, [row - 0.2, row + 0.2], color=INK, lw=page.look.line, zorder=4)
            height = row + _BAND * (np.arange(x.size) % 3 - 1)  # equal scores are placed next to each other
            page.ax.scatter(x, height, s=16, color=DATA.fill, edgecolor=DATA.ink, lw=0.6, zorder=3)
            page.ax.axhline(row, color=HAIR, lw=0.4, alpha=0.5, zorder=0.5)
        page.ax.set_yticks(range(len(order)), called)
        page.ax.tick_params(axis="y", length=0)
        page.ax.set_facecolor(PAPER)
        page.ticks(signed=False)
        better, worse = ("better →", "← worse") if higher_is_better else ("worse →", "← better")
        page.ends(worse, captions.name(metric), better)
        page.title(_title(names, list(found.values()), order))
        counts = sorted({s.seeds for s in found.values()})
        how_many = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        page.small_print(
            f"point: one training run ({how_many} per model) · bar: mean and 95% t interval over runs"
        )
    return page.figure


def _title(names: list[str], summaries: list[SeedSummary], order: list[int]) -> str:
    first, second = order[0], order[1]
    a, b = summaries[first], summaries[second]
    overlap = min(a.best, a.worst) <= max(b.best, b.worst) and min(b.best, b.worst) <= max(a.best, a.worst)
    how = "their runs overlap" if overlap else "their runs do not overlap"
    return f"{names[first]} is ahead of {names[second]} on average; {how}"

"""The data behind the answer: the difference on each unit, or how often each model was right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.decide import in_scores
from ropewalk.plot import captions, fonts
from ropewalk.plot.frame import Frame, frame, round_numbers, tick_labels, turned
from ropewalk.plot.outcomes import outcomes
from ropewalk.plot.regions import axis, header, left_to_right, rope
from ropewalk.plot.style import DATA, HAIR, INK, PAPER, look
from ropewalk.posterior.base import Floats
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.results.comparison import Comparison

_HEAD = 1.3  # height of the axes relative to the tallest bar, with room to label the mean


def differences(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw a histogram of the differences, or for right and wrong answers the four counts.

    Parameters
    ----------
    comparison : Comparison
        What to draw.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into. By default the plot has a figure of its own.
    style : {"screen", "paper"}, default "screen"
        "paper" has the width of a column and no title.

    Returns
    -------
    Figure
        The matplotlib figure.

    Examples
    --------
    >>> import ropewalk as rw
    >>> scores = {"a": [0.5, 0.71, 0.62, 0.9, 0.8], "b": [0.4, 0.65, 0.6, 0.82, 0.79]}
    >>> report = rw.compare(scores, rope=0.01)
    >>> figure = rw.plot.differences(report.comparisons[0], style="paper")
    >>> len(figure.axes)
    1
    """
    evidence = comparison.evidence
    if not hasattr(evidence, "d"):
        return outcomes(comparison, ax=ax, style=style)
    if comparison.rope.scale != "score":  # a ROPE on phi has no meaning for a difference
        comparison = replace(comparison, rope=in_scores(0.0, 0.0, "not on this axis"))
    d = evidence.d
    edges = bins(d)
    heights, _ = np.histogram(d, edges)
    top = _HEAD * int(heights.max())
    counts = round_numbers(0, top / _HEAD * 1.02, 4)
    counts = counts[counts == np.round(counts)]
    labels = tick_labels(counts, signed=False)
    sizes = look(style)
    left = max(fonts.width(label, sizes.text) for label in labels) + 4 + turned(sizes)
    mean = evidence.advantage
    with frame(ax, style, left=left) as page:
        low, high = min(edges[0], mean), max(edges[-1], mean)
        axis(page, comparison, low, high, captions.advantage(comparison))
        page.ax.set_ylim(0, top)
        rope(page, comparison)
        for count in counts[1:]:
            page.ax.axhline(count, color=HAIR, lw=0.4, alpha=0.5, zorder=0.5)
        page.ax.bar(
            edges[:-1],
            heights,
            np.diff(edges),
            align="edge",
            color=DATA.fill,
            edgecolor=PAPER,
            lw=0.5,
            zorder=1,
        )
        page.ax.set_yticks(counts, labels)
        page.ax.tick_params(axis="y", length=0)
        page.ax.axvline(0, color=INK, lw=0.8, ls=(0, (4, 3)), zorder=3)
        page.beside(f"number of {comparison.unit}s")
        _mean(page, mean)
        three = left_to_right(comparison)
        inside = [int(np.sum((d > k.low) & (d < k.high))) for k in three]
        inside[1] = d.size - inside[0] - inside[2]  # edges belong to the ROPE
        header(page, three, _numbers(page, inside, comparison.unit))
        page.title(_title(comparison, mean))
        outside = int(np.sum((d < edges[0]) | (d > edges[-1])))
        beyond = f" · {outside:,} beyond the ends of the axis" if outside else ""
        page.small_print(captions.small_print(comparison) + beyond)
    return page.figure


def bins(d: Floats) -> Floats:
    """Return the edges of the bars; one bar is centered at 0, so that it holds all ties.

    About 2 n^(1/3) bars (the Rice rule) over all differences, except those far outside.
    """
    low, high = np.quantile(d, [0.005, 0.995])
    far = 0.5 * (high - low) or np.inf
    low, high = max(float(d.min()), low - far), min(float(d.max()), high + far)
    count = int(np.clip(np.ceil(2 * np.cbrt(d.size)), 8, 60))
    step = (high - low) / count
    if step <= 1e-12 * abs(high):  # one value only, up to rounding
        step = 0.05 * abs(high) or 0.05
    middles = np.arange(np.floor(low / step - 0.5), np.ceil(high / step - 0.5) + 1)
    return np.asarray((middles + 0.5) * step)


def _mean(page: Frame, mean: float) -> None:
    """Draw a line at the mean, labeled above the bars on the side that has room."""
    size = page.look.small
    text = f"mean {formatting.amount(mean)}"
    page.ax.axvline(mean, ymax=1 - 6 / page.height, color=INK, lw=page.look.line, zorder=4)
    wide = fonts.width(text, size) + 8
    # The label is on the side away from zero and the ROPE, whose lines would cross it.
    right = page.x(mean) + wide < page.width and (mean >= 0 or page.x(mean) < wide)
    x = page.x(mean) + (4 if right else -4)
    page.write(text, x, -8, size=size, start="top", ha="left" if right else "right")


def _numbers(page: Frame, counts: list[int], unit: str) -> list[str]:
    """Return the counts, with their unit if there is room."""
    full, size = [formatting.counted(count, unit) for count in counts], page.look.number
    wide = sum(fonts.width(text, size, "bold") for text in full) + 2 * page.look.gap
    return full if wide <= page.width else [f"{count:,}" for count in counts]


def _title(comparison: Comparison, mean: float) -> str:
    a, b = captions.name(comparison.a), captions.name(comparison.b)
    if mean == 0:
        return f"{a} and {b} have the same mean"
    ahead, behind = (a, b) if mean > 0 else (b, a)
    return f"{ahead} is ahead of {behind} by {formatting.amount(abs(mean), signed=False)} on average"

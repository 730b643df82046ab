"""Highest-density intervals of many sizes against the ROPE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropewalk.errors import MethodError
from ropewalk.plot import captions, fonts
from ropewalk.plot.frame import frame, turned
from ropewalk.plot.regions import axis, header, left_to_right, rope
from ropewalk.plot.style import INK, look
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.results.comparison import Comparison

LEVELS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)  # Benavoli et al. 2017, figure 5


def hdi(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the HDI at levels from 50% to 99%, each in the colors of the regions that it reaches into.

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

    Raises
    ------
    MethodError
        If the method has no posterior of one number.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]}, rope=0.1)
    >>> figure = rw.plot.hdi(report.comparisons[0], style="paper")
    >>> len(figure.axes)
    1
    """
    if hasattr(comparison.posterior, "most_probable"):
        raise MethodError(
            f"{comparison.method} has no posterior of one number, so there is no interval to draw",
            hint='Draw "posterior": it shows the three shares with their intervals.',
        )
    one = comparison.posterior
    intervals = [one.hdi(level) for level in LEVELS]
    names = [f"{100 * level:.0f}%" for level in LEVELS]
    sizes = look(style)
    left = max(fonts.width(name, sizes.text) for name in names) + 8 + turned(sizes)
    with frame(ax, style, left=left) as page:
        lows, highs = zip(*intervals, strict=True)
        axis(page, comparison, min(lows), max(highs), captions.measured(comparison))
        page.ax.set_ylim(len(LEVELS) - 0.4, -0.8)  # the shortest on top
        rope(page, comparison)
        three = left_to_right(comparison)
        for row, (low, high) in enumerate(intervals):
            for region in three:
                start, end = max(low, region.low), min(high, region.high)
                if start < end:
                    page.ax.barh(row, end - start, left=start, height=0.4, color=region.tint.fill, zorder=2)
            page.ax.vlines((low, high), row - 0.2, row + 0.2, color=INK, lw=page.look.line, zorder=4)
        page.ax.set_yticks(range(len(LEVELS)), names)
        page.ax.tick_params(axis="y", length=0)
        page.beside("probability inside")
        header(page, three, [region.number for region in three])
        page.title(_title(comparison, *one.hdi(0.95)))
        page.small_print(captions.small_print(comparison) + " · highest-density intervals (HDI)")
    return page.figure


def _title(comparison: Comparison, low: float, high: float) -> str:
    """Return where the 95% interval lies."""
    left, middle, right = left_to_right(comparison)
    point = comparison.rope.is_point
    rope = formatting.amount(middle.low, signed=False) if point else "the ROPE"
    if middle.low <= low and high <= middle.high:
        where = f"is {'exactly' if point else 'inside'} {rope}"
    elif high < middle.low:
        where = f"is entirely beyond {rope}: {left.who}"
    elif low > middle.high:
        where = f"is entirely beyond {rope}: {right.who}"
    elif low < middle.low and high > middle.high:
        where = f"reaches beyond {rope} on both sides"
    else:
        where = "crosses an edge of the ROPE"
    return f"The 95% HDI {where}"

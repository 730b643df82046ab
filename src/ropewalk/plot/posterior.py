"""The posterior as a smooth shape, with the three regions in three colors."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from ropewalk.plot import captions, fonts
from ropewalk.plot.frame import Frame, frame
from ropewalk.plot.regions import axis, header, left_to_right, rope
from ropewalk.plot.shares import shares
from ropewalk.plot.style import INK, QUIET
from ropewalk.posterior import Posterior
from ropewalk.results import formatting
from ropewalk.results.evidence import Hierarchy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.posterior import Regions
    from ropewalk.results.comparison import Comparison

_SHAPE = 0.9  # height of the peak as a share of the height
_BAR, _LINES = 5.0, 10.0  # how far below the shape the HDI lies and the edges of the ROPE end, in points


def posterior(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the posterior, the ROPE, the probability of each region and the 95% HDI.

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

    Notes
    -----
    A posterior over the three regions themselves (`sign`, `signed_rank`) is drawn as three shares, and so is
    a hierarchy of tasks, whose verdict is about the region that is the most probable on the next task.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]}, rope=0.1)
    >>> figure = rw.plot.posterior(report.comparisons[0], style="paper")
    >>> len(figure.axes)
    1
    """
    one = comparison.posterior
    if hasattr(one, "most_probable"):
        return shares(comparison, cast("Regions", one), ax=ax, style=style)
    if comparison.asks == "likeliest" and isinstance(comparison.evidence, Hierarchy):
        return shares(comparison, comparison.evidence.next_task, ax=ax, style=style)
    return density(comparison, captions.finding(comparison), ax=ax, style=style)


def density(comparison: Comparison, title: str, *, ax: Axes | None, style: str, note: str = "") -> Figure:
    """Draw a posterior of one number in three colors, with the probabilities of the verdict."""
    one = cast("Posterior", comparison.posterior)
    with frame(ax, style) as page:
        interval = one.hdi(0.95)
        shown = reach(one, *interval)
        axis(page, comparison, *shown, captions.measured(comparison))
        foot = _LINES + 2 + 1.9 * page.look.small  # space under the shape for the HDI and its label
        shape = _SHAPE * (page.height - foot)
        page.ax.set_ylim(-foot / shape, (page.height - foot) / shape)  # the peak has height 1
        rope(page, comparison, foot - _LINES)
        _shape(page, comparison, one, shown)
        _interval(page, comparison, interval, one.mean, -_BAR / shape)
        three = left_to_right(comparison)
        header(page, three, [region.number for region in three])
        page.title(title)
        page.small_print(captions.small_print(comparison) + note)
    return page.figure


def reach(one: Posterior, low: float, high: float) -> tuple[float, float]:
    """Return the range to show: nearly all of the posterior, but with heavy tails at most twice the HDI."""
    far = 0.5 * (high - low)
    least, most = (float(q) for q in one.quantile([0.0005, 0.9995]))
    return max(least, low - far), min(most, high + far)


def _shape(page: Frame, comparison: Comparison, one: Posterior, shown: tuple[float, float]) -> None:
    ax, r = page.ax, comparison.rope
    # The posterior may be much narrower than the axis, so it gets as many points of its own.
    x = np.concatenate([np.linspace(*ax.get_xlim(), 401), np.linspace(*shown, 401), [r.low, r.high]])
    x = np.unique(x)
    y = one.pdf(x)
    y = np.minimum(y, np.max(y[np.isfinite(y)]))
    y = y / y.max()
    for region in left_to_right(comparison):
        inside = (x >= region.low) & (x <= region.high)
        ax.fill_between(x[inside], y[inside], color=region.tint.fill, lw=0, zorder=1)
        ax.plot(x[inside], y[inside], color=region.tint.ink, lw=page.look.line, zorder=2)


def _interval(
    page: Frame, comparison: Comparison, interval: tuple[float, float], mean: float, y: float
) -> None:
    """Draw the HDI as a thin bar with a dot at the mean, and its ends as text below."""
    low, high = interval
    line = page.look.line
    page.ax.plot([low, high], [y, y], color=INK, lw=2 * line, solid_capstyle="butt", zorder=4)
    page.ax.plot([mean], [y], "o", color=INK, ms=4 * line, mew=0, zorder=4)
    ends = formatting.span(low, high, signed=comparison.rope.scale == "score")
    _note(page, f"95% HDI {ends}", 0.5 * (low + high))


def _note(page: Frame, text: str, x: float) -> None:
    """Write small text under the shape, below x or as near to it as it fits."""
    size = page.look.small
    half = fonts.width(text, size) / 2
    at = min(max(page.x(x), half), page.width - half)
    page.write(text, at, 0.4 * size, size=size, ha="center", va="bottom", color=QUIET)

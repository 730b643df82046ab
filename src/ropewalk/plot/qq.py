"""Q-Q plot: whether the differences look normal, as a t-test assumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropewalk.errors import MethodError
from ropewalk.plot import captions, fonts
from ropewalk.plot.frame import frame, round_numbers, tick_labels
from ropewalk.plot.style import BAND, DATA, HAIR, look
from ropewalk.posterior.normal_order import band, line, points
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.results.comparison import Comparison

_MOST = 1_000  # most points drawn; more cannot be distinguished


def qq(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the sorted differences against normal quantiles, with the line and the band of a normal sample.

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
        If the answers are right or wrong, or the differences do not vary.

    Examples
    --------
    >>> import ropewalk as rw
    >>> scores = {"a": [0.5, 0.71, 0.62, 0.9, 0.8], "b": [0.4, 0.65, 0.6, 0.82, 0.79]}
    >>> report = rw.compare(scores, rope=0.01)
    >>> figure = rw.plot.qq(report.comparisons[0], style="paper")
    >>> len(figure.axes)
    1
    """
    evidence = comparison.evidence
    if not hasattr(evidence, "d"):
        raise MethodError(
            "a Q-Q plot needs real-valued differences, and these are right/wrong outcomes",
            hint='Draw "differences" for the counts of right and wrong answers.',
        )
    theory, sample = points(evidence.d)
    mean, sd = line(sample)
    if sample[0] == sample[-1]:
        raise MethodError(
            f"a Q-Q plot needs differences that vary, and all {sample.size:,} are {formatting.amount(mean)}",
            hint='Draw "posterior" or "differences".',
        )
    low, high = band(sample.size)
    # Points are thinned evenly along the axis, which keeps all of the important ones at the ends.
    shown = np.unique(np.searchsorted(theory, np.linspace(theory[0], theory[-1], _MOST)))
    theory, sample, low, high = (v[shown] for v in (theory, sample, low, high))
    least, most = min(sample[0], mean + sd * low[0]), max(sample[-1], mean + sd * high[-1])
    white = 0.06 * (most - least)
    at = round_numbers(least - white, most + white, 6)
    labels = tick_labels(at, signed=True)
    left = max(fonts.width(label, look(style).text) for label in labels) + 8
    with frame(ax, style, left=left) as page:
        page.ax.set_xlim(1.06 * theory[0], 1.06 * theory[-1])
        page.ax.set_ylim(least - white, most + white)
        page.ax.fill_between(theory, mean + sd * low, mean + sd * high, color=BAND, lw=0)
        ends = np.array(page.ax.get_xlim())
        page.ax.plot(ends, mean + sd * ends, color=HAIR, lw=page.look.line)
        page.ax.plot(theory, sample, "o", color=DATA.ink, ms=2.6 * page.look.line, mew=0, alpha=0.8)
        page.ax.set_yticks(at, labels)
        page.ax.spines["left"].set(visible=True, color=HAIR, linewidth=0.8)
        page.ticks(signed=True)
        page.ends("", "normal quantiles", "")
        a, b = captions.name(comparison.a), captions.name(comparison.b)
        sides = f"↑\N{NO-BREAK SPACE}{a} better, ↓\N{NO-BREAK SPACE}{b} better"
        text = f"{captions.advantage(comparison)}, one point per {comparison.unit}: {sides}"
        lines = fonts.wrap(text, page.left + page.width, page.look.text)
        y = 0.6 * page.look.gap
        note = page.write("\n".join(lines), -left, y, size=page.look.text, start="top", va="bottom")
        page.above = y + page.tall(note)
        page.title(_title(comparison))
        page.small_print(captions.small_print(comparison) + " · band: 95% of normal samples, pointwise")
    return page.figure


def _title(comparison: Comparison) -> str:
    """Return the result of the check of the differences, without its numbers."""
    for check in comparison.checks:
        if check.kind == "normality":
            not_normal = f"The differences are not normal: {check.brief}"
            return "The differences look normal" if check.ok else not_normal
    a, b = captions.name(comparison.a), captions.name(comparison.b)
    return f"Differences of {a} and {b} against normal quantiles"

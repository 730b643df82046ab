"""Forest plot: each task alone and in the joint model, and all tasks together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.plot import captions, fonts
from ropewalk.plot.frame import Frame, frame
from ropewalk.plot.regions import axis, header, left_to_right, rope
from ropewalk.plot.style import BAND, HAIR, INK, PAPER, Look, look
from ropewalk.plot.task_estimates import Task, hierarchy, next_posterior, ranked, tasks
from ropewalk.posterior.base import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.results.comparison import Comparison

_MOST = 200  # most tasks drawn
_TALLEST = 72  # most height of the rows of tasks, in heights of a letter: it fits a page
_NEXT = "the next task"
_NAMES = 0.34  # most width of the names of tasks, in widths of the figure


def forest(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw a row for each task, the best for A on top, and below them what they say together.

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
        If there is no hierarchical model of tasks.

    Notes
    -----
    The thin line is the estimate from the task alone with its 95% interval. The thick line, in the colors of
    the regions that it reaches into, is the posterior in the hierarchical model, which borrows from the other
    tasks. If rows are too close for all names, only every second, third, ... task is named. If there are more
    than 200 tasks, 200 are drawn, spread evenly from the best to the worst.

    Examples
    --------
    >>> import ropewalk as rw
    >>> a = {"x": [1, 1, 0, 1, 1, 0, 1], "y": [1, 0, 1, 1, 0, 1, 1]}
    >>> b = {"x": [0, 1, 0, 1, 0, 1, 1], "y": [1, 0, 0, 1, 1, 0, 1]}
    >>> report = rw.compare({"a": a, "b": b}, model=["a", "b"], method="hierarchical_mcnemar")
    >>> figure = rw.plot.forest(report.overall[0], style="paper")
    >>> len(figure.axes)
    1
    """
    evidence = hierarchy(comparison, "forest")
    order = ranked(evidence)
    if len(order) > _MOST:
        order = [order[i] for i in np.linspace(0, len(order) - 1, _MOST).round().astype(int)]
    rows, sums, sizes = tasks(evidence, order), _together(comparison), look(style)
    names = [_fit(name, sizes) for name, _ in rows] + [_fit(row.name, sizes) for row in sums]
    left = max(fonts.width(name, sizes.small) for name in names) + 8
    with frame(ax, style, left=left) as page:
        foot = 0.5 * sizes.gap + len(sums) * 2.2 * sizes.small
        if page.own:
            page.height = _height(len(rows), sizes) + foot
        foot = min(foot, 0.4 * page.height)
        axis(page, comparison, *_ends(rows, sums), captions.measured(comparison, task_by_task=True))
        page.ax.set_ylim(0, page.height)  # the vertical axis is in points
        rope(page, comparison)
        top = page.height - _strip(sizes)
        pitch = (top - foot) / len(rows)
        y = np.asarray(top - pitch * (np.arange(len(rows)) + 0.5), dtype=np.float64)
        _rows(page, comparison, [one for _, one in rows], y, pitch)
        below = foot - 0.5 * sizes.gap
        page.ax.axhline(below, color=HAIR, lw=0.6, zorder=1)
        at = below * (1 - (np.arange(len(sums)) + 0.5) / len(sums))
        for row, height in zip(sums, at, strict=True):
            draw = _bar if row.is_next else _diamond
            draw(page, row.mean, [row.low, row.high], height)
        step = int(np.ceil(1.15 * sizes.small / pitch))
        named = [*range(0, len(rows), step), *range(len(rows), len(names))]
        for i in named:
            height = [*y, *at][i]
            page.write(
                names[i], -6, height, size=sizes.small, start="inside", ha="right", va="center_baseline"
            )
        three = left_to_right(comparison)
        header(page, three, [region.number for region in three])
        page.title(captions.finding(comparison))
        page.small_print(_small_print(comparison, len(rows), step))
    return page.figure


def _fit(name: str, sizes: Look) -> str:
    return fonts.shorten(name, _NAMES * sizes.width * 72, sizes.small)


def _strip(sizes: Look) -> float:
    """Return the height of the header strip."""
    return 3 * sizes.line + 2


def _height(n: int, sizes: Look) -> float:
    """Return the height of other plots, or more for many tasks, up to the height of a page."""
    pitch = np.clip(sizes.height * 72 / n, 1.4 * sizes.small, 3 * sizes.small)
    return float(min(n * pitch, _TALLEST * sizes.small)) + _strip(sizes)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sum:
    """A row under the tasks: the mean over them, or the next one, with its 95% interval."""

    name: str
    is_next: bool
    mean: float
    low: float
    high: float


def _together(comparison: Comparison) -> list[_Sum]:
    """Return the rows under the tasks."""
    e = comparison.estimate
    if comparison.asks == "next":
        return [_Sum(name=_NEXT, is_next=True, mean=e.mean, low=e.low, high=e.high)]
    one = next_posterior(comparison)
    low, high = one.interval(0.95)
    name = "mean over these tasks" if comparison.asks == "these" else "mean over tasks"
    return [
        _Sum(name=name, is_next=False, mean=e.mean, low=e.low, high=e.high),
        _Sum(name=_NEXT, is_next=True, mean=one.mean, low=low, high=high),
    ]


def _ends(rows: Sequence[tuple[str, Task]], sums: Sequence[_Sum]) -> tuple[float, float]:
    """Return ends of the axis that hold the model's estimates, and single-task ones not too far out."""
    tops = [(one.low, one.high) for _, one in rows] + [(one.own[0], one.own[0]) for _, one in rows]
    tops += [(row.low, row.high) for row in sums if not row.is_next or len(sums) == 1]
    low, high = min(start for start, _ in tops), max(end for _, end in tops)
    thin = [one.own[1:] for _, one in rows] + [(row.low, row.high) for row in sums]
    least, most = min(start for start, _ in thin), max(end for _, end in thin)
    far = 0.15 * (high - low)
    return min(low, max(least, low - far)), max(high, min(most, high + far))


def _rows(page: Frame, comparison: Comparison, rows: Sequence[Task], y: Floats, pitch: float) -> None:
    """Draw the tasks: estimates from the task alone thin and gray, those of the model thick and in color."""
    ax, line = page.ax, page.look.line
    start, end = ax.get_xlim()
    ax.hlines(y, start, end, color=BAND, lw=min(0.8, 0.2 * pitch), zorder=0)  # from a name to its row
    own = np.array([one.own for one in rows])
    ax.hlines(y, own[:, 1], own[:, 2], color=HAIR, lw=min(0.6 * line, 0.3 * pitch), zorder=1.5)
    _cut(page, own[:, 1], own[:, 2], y, HAIR, min(2.5 * line, 0.6 * pitch))
    thick = min(0.42 * pitch, 4 * line)
    low, high = np.array([one.low for one in rows]), np.array([one.high for one in rows])
    for region in left_to_right(comparison):
        first, last = np.maximum(low, region.low), np.minimum(high, region.high)
        there = first < last
        ax.hlines(y[there], first[there], last[there], color=region.tint.fill, lw=thick, zorder=2)
    ax.plot(own[:, 0], y, "o", color=PAPER, mec=HAIR, ms=min(2.6 * line, 0.5 * pitch), mew=0.6, zorder=3)
    ax.plot([one.mean for one in rows], y, "o", color=INK, ms=min(2.6 * line, 0.5 * pitch), mew=0, zorder=4)


def _cut(page: Frame, low: Floats, high: Floats, y: Floats, color: str, size: float) -> None:
    """Draw arrow heads where an interval continues beyond the axis."""
    start, end = page.ax.get_xlim()
    for edge, cut, marker in ((start, low < start, "<"), (end, high > end, ">")):
        if cut.any():
            at = np.full(int(cut.sum()), edge)
            page.ax.plot(at, y[cut], marker, color=color, ms=size, mew=0, clip_on=False, zorder=4)


def _diamond(page: Frame, mean: float, interval: Sequence[float], y: float) -> None:
    """Draw a diamond from one end of the interval to the other, highest at the mean."""
    (low, high), half = interval, 0.6 * page.look.small
    page.ax.fill([low, mean, high, mean], [y, y + half, y, y - half], color=INK, lw=0, zorder=4)


def _bar(page: Frame, mean: float, interval: Sequence[float], y: float) -> None:
    """Draw the interval as in the plot "posterior"."""
    line = page.look.line
    page.ax.plot(interval, [y, y], color=INK, lw=2 * line, solid_capstyle="butt", zorder=4)
    page.ax.plot([mean], [y], "o", color=INK, ms=4 * line, mew=0, zorder=4)
    low, high = np.array(interval)[:, None]
    _cut(page, low, high, np.array([y]), INK, 5 * line)


def _small_print(comparison: Comparison, drawn: int, step: int) -> str:
    parts = [captions.small_print(comparison)]
    if drawn < comparison.n:
        parts.append(f"{drawn} of them shown, spread evenly from best to worst")
    if step > 1:
        parts.append(f"every {({2: '2nd', 3: '3rd'}).get(step, f'{step}th')} task named")
    parts += [
        f"numbers: {captions.NUMBERS[comparison.asks or 'average']}",
        "dot and bar: estimate from all tasks together",
        "circle and line: estimate from the task alone",
        "95% intervals",
    ]
    return " · ".join(parts)

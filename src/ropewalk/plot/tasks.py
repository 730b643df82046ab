"""All tasks side by side: the posterior of each as a small shape on the same axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from ropewalk.plot import captions, fonts, task_estimates
from ropewalk.plot.frame import Frame, frame, round_numbers, tick_labels
from ropewalk.plot.regions import Region, header, left_to_right, spread
from ropewalk.plot.style import BAND, HAIR, Look
from ropewalk.posterior.base import Floats
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.results.comparison import Comparison

_MOST = 60  # most tasks drawn
_SHAPE = (3.2, 8.0)  # height of a shape in letters: with many tasks, with few
_NARROWEST = 7.2  # width of a cell in letters


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Cells in rows and columns; all sizes in points."""

    columns: int
    rows: int
    width: float
    top: float  # space for the header strip
    head: float  # space for the name above a shape
    shape: float
    gap: float

    @classmethod
    def of(cls, n: int, wide: float, look: Look) -> Cells:
        """Use as many columns as fit, then the fewest that give the same number of rows."""
        most = max(int((wide + look.gap) / (_NARROWEST * look.small + look.gap)), 1)
        rows = -(-n // most)
        columns = max(-(-n // rows), min(most, 3))
        width = (wide - (columns - 1) * look.gap) / columns
        shape = np.clip(0.8 * look.height * 72 / rows / look.small, *_SHAPE) * look.small
        return cls(
            columns=columns,
            rows=rows,
            width=width,
            top=3 * look.line + 0.5 * look.gap,
            head=1.4 * look.small,
            shape=float(shape),
            gap=look.gap,
        )

    def fitted(self, tall: float) -> Cells:
        """The same cells in axes of another height."""
        return replace(self, shape=max((tall - self.top) / self.rows - self.head - self.between, 1.0))

    @property
    def between(self) -> float:
        """Return the distance between two rows."""
        return 0.6 * self.gap

    @property
    def pitch(self) -> float:
        return self.head + self.shape + self.between

    @property
    def height(self) -> float:
        return self.top + self.rows * self.pitch

    def corner(self, i: int) -> tuple[float, float]:
        """Return the left and top of cell i, from the upper left."""
        row, column = divmod(i, self.columns)
        return column * (self.width + self.gap), self.top + row * self.pitch


def tasks(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the posterior of each task in the hierarchical model, in the direction of the axis.

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
    The areas are in the colors of the regions, and the outline and the name in that of the most probable
    one. If there are more than 60 tasks, the 30 best and the 30 worst are drawn.

    Examples
    --------
    >>> import ropewalk as rw
    >>> a = {"x": [1, 1, 0, 1, 1, 0, 1], "y": [1, 0, 1, 1, 0, 1, 1]}
    >>> b = {"x": [0, 1, 0, 1, 0, 1, 1], "y": [1, 0, 0, 1, 1, 0, 1]}
    >>> report = rw.compare({"a": a, "b": b}, model=["a", "b"], method="hierarchical_mcnemar")
    >>> figure = rw.plot.tasks(report.overall[0], style="paper")
    >>> len(figure.axes)
    1
    """
    evidence = task_estimates.hierarchy(comparison, "tasks")
    order = task_estimates.ranked(evidence)
    if left_to_right(comparison)[0].name == "worse":  # in the direction of the axis
        order = order[::-1]
    if len(order) > _MOST:
        order = order[: _MOST // 2] + order[-_MOST // 2 :]
    found = task_estimates.tasks(evidence, order)
    three = left_to_right(comparison)
    with frame(ax, style) as page:
        grid = Cells.of(len(found), page.width, page.look)
        if page.own:
            page.height = grid.height
        else:
            grid = grid.fitted(page.height)
        page.ax.set_xlim(0, page.width)  # both axes are in points
        page.ax.set_ylim(page.height, 0)  # counted from the top
        page.ax.set_xticks([])
        page.ax.spines["bottom"].set_visible(False)
        ends = _ends(comparison, [one for _, one in found])
        signed = comparison.rope.scale == "score"
        shapes = _Shapes()
        for i, (name, one) in enumerate(found):
            _cell(page, grid, i, name, one, three, ends, shapes, signed=signed)
        shapes.draw(page)
        _axes(page, grid, len(found), ends, signed=signed)
        left, _, right = three
        page.ends(
            f"←\N{NO-BREAK SPACE}{left.who}",
            captions.measured(comparison, task_by_task=True),
            f"{right.who}\N{NO-BREAK SPACE}→",
        )
        _header(page, three)
        page.title(captions.finding(comparison))
        page.small_print(_small_print(comparison, len(found)))
    return page.figure


def _ends(comparison: Comparison, found: Sequence[task_estimates.Task]) -> tuple[float, float]:
    """Return ends that hold most tasks, the ROPE and "no difference"; a few far outside do not widen them."""
    r, none = comparison.rope, comparison.rope.centre
    lows, highs = np.array([one.low for one in found]), np.array([one.high for one in found])
    low, high = min(np.quantile(lows, 0.1), r.low, none), max(np.quantile(highs, 0.9), r.high, none)
    far = 0.4 * (high - low)
    low, high = max(low - far, min(lows.min(), low)), min(high + far, max(highs.max(), high))
    white = 0.08 * (high - low)
    low, high = low - white, high + white
    return (float(low), float(high)) if r.scale == "score" else (max(float(low), 0.0), min(float(high), 1.0))


@dataclass(frozen=True, slots=True)
class _Shapes:
    """The shapes of all cells, drawn together: drawing 54 cells one by one took five times as long."""

    areas: dict[str, list[Floats]] = field(default_factory=dict)  # keyed by color
    edges: list[Floats] = field(default_factory=list)
    outlines: list[tuple[Floats, str]] = field(default_factory=list)
    floors: list[Floats] = field(default_factory=list)

    def fill(self, color: str, x: Floats, y: Floats, base: float) -> None:
        """Add the area between a line and its floor, if it is not empty."""
        if not len(x):
            return
        corners = np.column_stack([np.concatenate([x, x[::-1]]), np.concatenate([y, np.full(len(x), base)])])
        self.areas.setdefault(color, []).append(corners)

    def draw(self, page: Frame) -> None:
        from matplotlib.collections import LineCollection, PolyCollection

        def lines(found: Sequence[Floats], **look: Any) -> None:
            page.ax.add_collection(LineCollection(found, **look), autolim=False)

        for color, found in self.areas.items():
            area = PolyCollection(found, facecolor=color, lw=0, zorder=0 if color == BAND else 1)
            page.ax.add_collection(area, autolim=False)
        lines(self.edges, color=HAIR, lw=0.5, zorder=0.5)
        curves = [points for points, _ in self.outlines]
        inks = [ink for _, ink in self.outlines]
        lines(
            curves, colors=inks, lw=0.7 * page.look.line, joinstyle="round", capstyle="projecting", zorder=2
        )
        lines(self.floors, color=HAIR, lw=0.6, zorder=3, capstyle="butt")


def _cell(
    page: Frame,
    grid: Cells,
    i: int,
    name: str,
    one: task_estimates.Task,
    three: Sequence[Region],
    ends: tuple[float, float],
    shapes: _Shapes,
    *,
    signed: bool,
) -> None:
    """Draw the name of a task, and below it the shape over the ROPE."""
    small = page.look.small
    left, top = grid.corner(i)
    base, peak = top + grid.head + grid.shape, top + grid.head
    region, middle = one.dominant(three), three[1]

    def across(values: Floats) -> Floats:
        return np.asarray(left + grid.width * (values - ends[0]) / (ends[1] - ends[0]))

    band = across(np.clip([middle.low, middle.high], *ends))
    shapes.fill(BAND, band, np.full(2, peak), base)
    shapes.edges.extend(np.array([(x, peak), (x, base)]) for x in band)
    shapes.floors.append(np.array([(left, base), (left + grid.width, base)]))
    shown = fonts.shorten(name, grid.width, small)
    page.write(shown, left, page.height - top, size=small, start="inside", color=region.tint.ink)
    if not ends[0] <= one.mean <= ends[1]:
        _outside(page, grid, i, one.mean, region, is_left=one.mean < ends[0], signed=signed)
        return
    seen = one.x[one.density > 0.003]
    x = np.unique(
        np.clip(
            np.concatenate([seen, [middle.low, middle.high]]), max(ends[0], seen[0]), min(ends[1], seen[-1])
        )
    )
    y = base - grid.shape * np.interp(x, one.x, one.density)
    for part in three:
        inside = (x >= part.low) & (x <= part.high)
        shapes.fill(part.tint.fill, across(x[inside]), y[inside], base)
    shapes.outlines.append((np.column_stack([across(x), y]), region.tint.ink))


def _outside(
    page: Frame, grid: Cells, i: int, mean: float, region: Region, *, is_left: bool, signed: bool
) -> None:
    """Draw a task far from the others as an arrow and its mean."""
    small, number = page.look.small, formatting.amount(mean, signed=signed)
    left, top = grid.corner(i)
    page.write(
        f"←\N{NO-BREAK SPACE}{number}" if is_left else f"{number}\N{NO-BREAK SPACE}→",
        left if is_left else left + grid.width,
        page.height - top - grid.head - grid.shape + 0.4 * small,
        size=small,
        start="inside",
        ha="left" if is_left else "right",
        va="bottom",
        color=region.tint.ink,
    )


def _axes(page: Frame, grid: Cells, n: int, ends: tuple[float, float], *, signed: bool) -> None:
    """Draw a few numbers under the last cell of every column."""
    small = page.look.small
    marks = _marks(grid.width, small, ends, signed=signed)
    for i in range(max(n - grid.columns, 0), n):
        left, top = grid.corner(i)
        y = top + grid.head + grid.shape
        for x, middle, label in marks:
            page.ax.plot([left + x] * 2, [y, y + 2], color=HAIR, lw=0.6, clip_on=False)
            page.write(label, left + middle, page.height - y - 3, size=small, start="inside", ha="center")
    page.below = 3 + 1.2 * small - grid.between


def _marks(
    wide: float, size: float, ends: tuple[float, float], *, signed: bool
) -> list[tuple[float, float, str]]:
    """Return as many round numbers as fit on an axis of this width: places of tick and label, and the label.

    A label may be shifted by half its width to stay within the axis.
    """
    low, high = ends
    best: list[tuple[float, float, str]] = []
    for most, step in product((4, 3, 2), (1, 2, 3)):
        at = round_numbers(low, high, most)
        labels = tick_labels(at, signed=signed)[::step]
        x = [float(v) for v in wide * (at[::step] - low) / (high - low)]
        widths = [fonts.width(label, size) for label in labels]
        placed = spread(x, widths, wide, 0.5 * size)
        moved = [abs(p - v) / w for p, v, w in zip(placed, x, widths, strict=True)]
        fits = placed[0] >= widths[0] / 2 and max(moved) <= 0.5
        if fits and len(x) > len(best):
            best = list(zip(x, placed, labels, strict=True))
    return best


def _header(page: Frame, three: Sequence[Region]) -> None:
    """Draw the probabilities of the verdict above a strip divided in proportion to them."""
    edges = page.width * np.concatenate([[0.0], np.cumsum([r.probability for r in three])])
    strips = [replace(r, low=edges[i], high=edges[i + 1]) for i, r in enumerate(three)]
    header(page, strips, [r.number for r in three])


def _small_print(comparison: Comparison, drawn: int) -> str:
    parts = [captions.small_print(comparison)]
    if drawn < comparison.n:
        parts.append(
            f"the {drawn // 2} best and the {drawn // 2} worst, {comparison.n - drawn} more between them"
        )
    numbers = captions.NUMBERS[comparison.asks or "average"]
    parts += ["estimates from all tasks together", f"numbers: {numbers}"]
    return " · ".join(parts)

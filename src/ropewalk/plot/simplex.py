"""The probabilities of the three regions as a point in a triangle, and where that point may lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ropewalk.errors import MethodError
from ropewalk.plot import captions, fonts
from ropewalk.plot.contours import SAID, levels, shades
from ropewalk.plot.frame import Frame, frame
from ropewalk.plot.regions import Region, left_to_right, spread
from ropewalk.plot.style import HAIR, INK
from ropewalk.plot.triangle import binned, lattice, smoothed
from ropewalk.posterior.base import Floats
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.posterior import Regions
    from ropewalk.results.comparison import Comparison

_COLUMNS = ("better", "equivalent", "worse")  # columns of the draws
_DRAWS = 20_000
_CELLS = 60  # small triangles along a side
_SIDE = 0.72  # the side of the triangle in widths of the axes


def simplex(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the posterior of (better, equivalent, worse) in barycentric coordinates.

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
        If the posterior is not about the three regions.

    Notes
    -----
    A point is three probabilities for the next task (or the next unit); in a corner one of them is 1. Thin
    lines separate the areas in which one region is the most probable; how much of the posterior lies in each
    is written in bold at its corner (Benavoli et al. 2017, figures 11 to 13). The cross is the mean of the
    posterior, whose three probabilities are written at the corners as well.

    Examples
    --------
    >>> import ropewalk as rw
    >>> scores = {"a": [0.5, 0.71, 0.62, 0.9, 0.8], "b": [0.4, 0.65, 0.6, 0.82, 0.79]}
    >>> report = rw.compare(scores, rope=0.01, method="sign")
    >>> figure = rw.plot.simplex(report.comparisons[0], style="paper")
    >>> len(figure.axes)
    1
    """
    theta = _theta(comparison)
    three = left_to_right(comparison)
    draws = theta.sample(_DRAWS, 0)[:, [_COLUMNS.index(region.name) for region in three]]
    mean, most = ([getattr(p, r.name) for r in three] for p in (theta.mean, theta.most_probable))
    with frame(ax, style) as page:
        side = min(_SIDE * page.width, page.height * 2 / np.sqrt(3))
        if page.own:
            side = _SIDE * page.width
            page.height = side * np.sqrt(3) / 2
        left = (page.width - side) / 2
        # Left, middle and right region: the middle one is the corner on top. Both axes are in points.
        corners = np.array([[left, 0.0], [page.width / 2, side * np.sqrt(3) / 2], [left + side, 0.0]])
        page.ax.set_xlim(0, page.width)
        page.ax.set_ylim(0, page.height)
        page.ax.set_xticks([])
        page.ax.spines["bottom"].set_visible(False)
        _shape(page, corners, three, draws)
        _lines(page, corners)
        x, y = mean @ corners
        page.ax.plot([x], [y], "+", color=INK, ms=8 * page.look.line, mew=page.look.line, zorder=4)
        _labels(page, corners, three, most, mean, comparison.verdict.decided_by.least)
        page.title(_title(comparison, three, most))
        page.small_print(_small_print(comparison))
    return page.figure


def _theta(comparison: Comparison) -> Regions:
    """Return draws of the three probabilities from their posterior."""
    theta = getattr(comparison.evidence, "next_task", None)
    if theta is None and hasattr(comparison.posterior, "most_probable"):
        theta = comparison.posterior
    if theta is None:
        raise MethodError(
            f"{comparison.method} has no posterior of the three probabilities: there is no triangle to draw",
            hint='Draw "posterior"; hierarchical_t, hierarchical_mcnemar, signed_rank and sign have one.',
        )
    return cast("Regions", theta)


def _shape(page: Frame, corners: Floats, three: Sequence[Region], draws: Floats) -> None:
    """Draw the density in three shades of the color of the most probable region at each point."""
    from matplotlib.patches import Polygon
    from matplotlib.tri import Triangulation

    nodes, cells = lattice(_CELLS)
    at = nodes / _CELLS @ corners
    area = np.bincount(cells.ravel(), minlength=len(nodes)).astype(float)  # area of the cells around a node
    distinct = len(np.unique(draws[:, 0]))  # draws from a quadrature repeat its few nodes
    density = smoothed(binned(draws, _CELLS), at, area, distinct=distinct)
    heights = levels(density, area)
    middle = corners.mean(axis=0)
    mesh = Triangulation(at[:, 0], at[:, 1], cells)
    for i, region in enumerate(three):
        one, other = (0.5 * (corners[i] + corners[(i + k) % 3]) for k in (1, 2))
        kite = Polygon([corners[i], one, middle, other], transform=page.ax.transData)
        filled = page.ax.tricontourf(
            mesh,
            density,
            levels=[*heights, np.inf],
            colors=shades(region.tint.fill, heights.size),
            zorder=1,
        )
        filled.set_clip_path(kite)


def _lines(page: Frame, corners: Floats) -> None:
    """Draw the triangle, and lines from its center to the middles of its sides that separate the areas."""
    middle = corners.mean(axis=0)
    around = np.concatenate([corners, corners[:1]])
    page.ax.plot(*around.T, color=HAIR, lw=0.8, zorder=3, clip_on=False, solid_joinstyle="miter")
    for i in range(3):
        half = 0.5 * (corners[i] + corners[(i + 1) % 3])
        page.ax.plot(*np.stack([middle, half]).T, color=HAIR, lw=0.8, zorder=3)


def _labels(
    page: Frame,
    corners: Floats,
    three: Sequence[Region],
    most: Sequence[float],
    mean: Sequence[float],
    least: float | None,
) -> None:
    """Label each corner with the outcome, its probability to be the likeliest, and its mean probability."""
    small, large, gap = page.look.small, page.look.number, page.look.gap
    numbers = formatting.three_shares(most, least)
    labels = [
        [
            line
            for part in (r.who, r.by, f"mean (cross) {p}")
            if part
            for line in fonts.wrap(part, (page.width - gap) / 2, small)
        ]
        for r, p in zip(three, formatting.three_shares(mean), strict=True)
    ]
    wide = [
        max(fonts.width(number, large, "bold"), *(fonts.width(line, small) for line in caption))
        for number, caption in zip(numbers, labels, strict=True)
    ]
    top = 4 + len(labels[1]) * 1.25 * small
    peak = float(corners[1, 1]) / page.height  # the axes may be higher than the triangle
    ink, x = three[1].tint.ink, corners[1, 0]
    page.write("\n".join(labels[1]), x, top, size=small, start=peak, ha="center", color=ink)
    bold: dict[str, Any] = {"size": large, "ha": "center", "weight": "bold"}
    note = page.write(numbers[1], x, top + 2, start=peak, va="bottom", color=ink, **bold)
    page.above = top + 2 + page.tall(note)
    below = 5 + 1.25 * large
    left, right = spread([corners[0, 0], corners[2, 0]], [wide[0], wide[2]], page.width, gap)
    for i, x in ((0, left), (2, right)):
        ink = three[i].tint.ink
        page.write(numbers[i], x, -5, color=ink, **bold)
        note = page.write("\n".join(labels[i]), x, -below, size=small, ha="center", color=ink)
        page.below = max(page.below, below + page.tall(note))


def _title(comparison: Comparison, three: Sequence[Region], most: Sequence[float]) -> str:
    """Return the verdict if it is about the most probable region, otherwise that region."""
    v = comparison.verdict
    if list(most) == [getattr(v, region.name) for region in three]:
        return captions.finding(comparison)
    best = int(np.argmax(most))
    number = formatting.three_shares(most, v.decided_by.least)[best]
    return f"Most probable outcome on the next {comparison.unit}: {three[best].who} ({number})"


def _small_print(comparison: Comparison) -> str:
    parts = [
        captions.small_print(comparison),
        f"each point: the three probabilities on the next {comparison.unit}",
        SAID,
        "bold: probability that this outcome is the most probable one",
        "cross: mean of the posterior",
    ]
    return " · ".join(parts)

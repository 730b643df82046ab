"""A posterior over the three regions: the share of the units in each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropewalk.plot import captions, fonts
from ropewalk.plot.frame import Frame, frame
from ropewalk.plot.regions import Region, regions
from ropewalk.plot.style import HAIR, INK, QUIET
from ropewalk.posterior import Draws, Regions
from ropewalk.posterior.base import Floats
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.results.comparison import Comparison

_DRAWS = 4_000
_FOOT = 7.0  # space for the HDI under a shape, in points


def shares(
    comparison: Comparison, theta: Regions, *, ax: Axes | None = None, style: str = "screen"
) -> Figure:
    """Draw the share of units on which A is better, equivalent, worse: one density below the other.

    The number next to a shape is the probability that this share is the largest of the three.
    """
    means = theta.mean.better, theta.mean.equivalent, theta.mean.worse
    rows = list(zip(regions(comparison), theta.sample(_DRAWS, 0).T, means, strict=True))
    with frame(ax, style) as page:
        size, gap = page.look.small, page.look.gap
        room = page.width - fonts.width(">0.99", page.look.number, "bold") - gap
        labels = [fonts.wrap(_label(region, mean, comparison.unit), room, size) for region, _, mean in rows]
        heads = [max(1.3 * size * len(label), 1.2 * page.look.number) + 4 for label in labels]
        shape = (page.height - 2 * gap - sum(heads)) / 3
        if page.own:  # a shape keeps its height, however long the names are
            shape = page.height / 4.5
            page.height = 3 * shape + 2 * gap + sum(heads)
        _axis(page, comparison.unit)
        top = 0.0
        for (region, values, mean), label, head in zip(rows, labels, heads, strict=True):
            page.write(
                "\n".join(label), 0, page.height - top, size=size, start="inside", color=region.tint.ink
            )
            page.write(
                region.number,
                page.width,
                page.height - top,
                size=page.look.number,
                start="inside",
                ha="right",
                color=region.tint.ink,
                weight="bold",
            )
            _ridge(page, region, values, mean, page.height - top - head - shape, shape)
            top += head + shape + gap
        caption = "probability that this share is the largest"
        note = page.write(
            caption, page.width, 6, size=page.look.small, start="top", ha="right", va="bottom", color=QUIET
        )
        page.above = 6 + page.tall(note)
        page.title(captions.finding(comparison))
        page.small_print(captions.small_print(comparison) + " · bar: 95% HDI, dot: mean")
    return page.figure


def _label(region: Region, mean: float, unit: str) -> str:
    by = f" ({region.by})" if region.name == "equivalent" else f" {region.by}"
    by = by if region.by else ""
    return f"{region.who}{by}: {formatting.percent(mean)} of {unit}s"


def _axis(page: Frame, unit: str) -> None:
    at = [0.0, 0.25, 0.5, 0.75, 1.0]
    page.ax.set_xlim(0, 1)
    page.ax.set_ylim(0, page.height)  # the vertical axis is in points
    page.ticks(signed=False)
    ticks = page.ax.set_xticks(at, [formatting.percent(x) for x in at])
    ticks[0].label1.set_horizontalalignment("left")  # stay inside the figure
    ticks[-1].label1.set_horizontalalignment("right")
    page.ends("", f"share of {unit}s", "")


def _ridge(page: Frame, region: Region, values: Floats, mean: float, bottom: float, tall: float) -> None:
    """Draw the density of one share on its own line, above a bar for its HDI."""
    draws, ax = Draws.of(values), page.ax
    line = bottom + _FOOT
    peak = bottom + tall
    ax.axhline(line, color=HAIR, lw=0.6, zorder=1)
    if draws.sd == 0:
        ax.plot([mean, mean], [line, peak], color=region.tint.ink, lw=2 * page.look.line, clip_on=False)
        return
    x, density = _smooth(draws)
    y = line + (peak - line) * density / density.max()
    ax.fill_between(x, line, y, color=region.tint.fill, lw=0)
    ax.plot(x, y, color=region.tint.ink, lw=0.8 * page.look.line)
    hdi, bar = draws.hdi(0.95), [bottom + 0.3 * _FOOT] * 2
    ax.plot(hdi, bar, color=INK, lw=1.6 * page.look.line, solid_capstyle="butt", clip_on=False)
    ax.plot([mean], bar[:1], "o", color=INK, ms=3.5 * page.look.line, mew=0, clip_on=False)


def _smooth(draws: Draws) -> tuple[Floats, Floats]:
    """Kernel density on [0, 1]; mass beyond an end is reflected.

    A few thousand draws leave ripples: a second kernel of a fifth of the standard deviation removes them
    and widens the shape by two percent.
    """
    x = np.linspace(-1, 2, 1501)
    step = x[1] - x[0]
    z = np.arange(-250, 251) * step / (0.2 * draws.sd)
    kernel = np.exp(-0.5 * z**2)
    y = np.convolve(draws.pdf(x), kernel / kernel.sum(), mode="same")
    return x[500:1001], y[500:1001] + y[500::-1] + y[:999:-1]

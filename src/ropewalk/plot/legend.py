"""A legend above a plot, and the hatching of missing cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ropewalk.plot import fonts
from ropewalk.plot.frame import Frame
from ropewalk.plot.style import HAIR, PAPER

if TYPE_CHECKING:
    from matplotlib.patches import Patch


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """An entry of a legend: a sign and its meaning."""

    text: str
    colour: Any = PAPER
    kind: Literal["box", "hatched", "dot", "circle"] = "box"


def legend(page: Frame, signs: Sequence[Sign]) -> None:
    """Write what the colors mean, above everything that is above the axes so far."""
    size, gap, room = page.look.small, page.look.gap, page.left + page.width
    lines: list[list[tuple[float, Sign]]] = [[]]
    x = 0.0
    for sign in signs:
        wide = 1.5 * size + fonts.width(sign.text, size)
        if x + wide > room and lines[-1]:
            lines.append([])
            x = 0.0
        lines[-1].append((x, sign))
        x += wide + gap
    y = page.above + 0.7 * gap
    for line in reversed(lines):
        for x, sign in line:
            _sign(page, sign, x - page.left, y)
            page.write(sign.text, x - page.left + 1.5 * size, y, size=size, start="top", va="bottom")
        y += 1.4 * size
    page.above = y


def _sign(page: Frame, sign: Sign, x: float, y: float) -> None:
    """Draw a sign x points right and y points up from the upper left corner of the axes."""
    from matplotlib.patches import Rectangle

    side, up = page.look.small, y + 0.1 * page.look.small
    low, high = page.ax.get_xlim()
    unit = (high - low) / page.width
    bottom, top = page.ax.get_ylim()
    down = (bottom - top) / page.height
    left, right = low + unit * x, low + unit * (x + side)
    floor, roof = top - down * up, top - down * (up + side)
    if sign.kind == "hatched":
        page.ax.add_patch(hatched([[(left, floor), (right, floor), (right, roof), (left, roof)]]))
    elif sign.kind == "box":
        page.ax.add_patch(
            Rectangle(
                (left, floor), right - left, roof - floor, fc=sign.colour, ec=HAIR, lw=0.3, clip_on=False
            )
        )
    else:
        fill = sign.colour if sign.kind == "dot" else PAPER
        page.ax.plot(
            [(left + right) / 2],
            [(floor + roof) / 2],
            "o",
            ms=0.6 * side,
            mfc=fill,
            mec=sign.colour,
            mew=0.8,
            clip_on=False,
        )


def hatched(polygons: Sequence[Sequence[tuple[float, float]]]) -> Patch:
    """Return hatched polygons; all need the same number of corners."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    path = Path.make_compound_path_from_polys(np.array(polygons))
    return PathPatch(path, facecolor=PAPER, edgecolor=HAIR, hatch="//////", lw=0.3, zorder=1.5, clip_on=False)

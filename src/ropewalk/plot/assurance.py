"""The chance of each verdict against how much is added: the assurance curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropewalk.errors import OptionError
from ropewalk.methods import title_of
from ropewalk.plot import captions, fonts
from ropewalk.plot.frame import Frame, frame, turned
from ropewalk.plot.style import BAND, EQUIVALENT, HAIR, INK, PAPER, QUIET, Tint, look, tints
from ropewalk.posterior.base import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.plan.result import Direction, PairPlan

_CHANCES = (0.0, 0.25, 0.5, 0.75, 1.0)


def assurance(plan: PairPlan, *, direction: int = 0, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the stacked chances of better, equivalent and worse; the rest is undecided."""
    if not plan.directions:
        raise OptionError("there is no curve to draw", hint="A plan that is decided already has none.")
    d = plan.best if direction == 0 and plan.best is not None else plan.directions[direction]
    labels = [f"{chance:g}" for chance in _CHANCES]
    sizes = look(style)
    left = max(fonts.width(label, sizes.text) for label in labels) + 8 + turned(sizes)
    with frame(ax, style, left=left) as page:
        x = np.log10(d.curve.more)
        if x.size == 1:  # a single number is drawn as a band across the plot
            x = x + np.array([-0.01, 0.01])
        page.ax.set_xlim(x[0], x[-1])
        page.ax.set_ylim(0, 1)
        _bands(page, d, x, tints((0, 1) if plan.leads_a else (1, 0)))
        page.ax.axhline(d.chance, color=INK, lw=0.8, ls=(0, (4, 3)), zorder=4)
        _needed(page, d)
        page.ax.set_yticks(_CHANCES, labels)
        page.ax.tick_params(axis="y", length=0)
        page.beside("chance of a verdict")
        _ticks(page)
        page.ends("", f"{'more ' if d.n else ''}{d.unit}s", "")
        _names(page, plan)
        page.title(plan.sentence.removesuffix("."))
        page.small_print(_small_print(plan, d))
    return page.figure


def _bands(page: Frame, d: Direction, x: Floats, colours: tuple[Tint, Tint]) -> None:
    """Draw better at the bottom, then equivalent, then worse; the pale rest is undecided."""
    below, (of_a, of_b) = np.zeros(x.size), colours
    page.ax.axhspan(0, 1, color=BAND, lw=0, zorder=0)
    for chance, tint in (
        (d.curve.better, of_a),
        (d.curve.equivalent, EQUIVALENT),
        (d.curve.worse, of_b),
    ):
        top = below + (np.repeat(chance, 2) if d.curve.more.size == 1 else chance)
        page.ax.fill_between(x, below, top, color=tint.fill, lw=0, zorder=1)
        page.ax.plot(x, top, color=PAPER, lw=0.6, zorder=2)
        below = top
    page.ax.plot(x, below, color=INK, lw=page.look.line, zorder=3)


def _needed(page: Frame, d: Direction) -> None:
    """Mark where the chance asked for is reached, with the number next to it."""
    at = d.needed
    if at is None:
        return
    x = float(np.log10(at))
    page.ax.plot([x, x], [0, d.chance], color=INK, lw=0.8, ls=(0, (4, 3)), zorder=4)
    page.ax.plot([x], [d.chance], "o", color=INK, ms=3.4 * page.look.line, zorder=5)
    text, size = f"{at:,}", page.look.text
    before = page.x(x) > fonts.width(text, size) + 10
    page.write(
        text,
        page.x(x) + (-6 if before else 6),
        d.chance * page.height + 4,
        size=size,
        start="inside",
        ha="right" if before else "left",
        va="bottom",
        weight="bold",
    )


def _ticks(page: Frame) -> None:
    """Ticks at powers of ten; if there are few, also at two and five times these."""
    low, high = page.ax.get_xlim()
    for parts in ((1, 2, 5), (1, 3), (1,)):
        at = [
            k * 10.0**e
            for e in range(int(np.floor(low)), int(np.ceil(high)) + 1)
            for k in parts
            if low <= np.log10(k * 10.0**e) <= high and k * 10.0**e >= 1
        ]
        labels = [f"{v:,.0f}" for v in at]
        size = page.look.text
        if sum(fonts.width(label, size) + 1.5 * size for label in labels) <= page.width:
            break
    page.ax.set_xticks(np.log10(at), labels)
    page.below = 6 + 1.2 * size


def _names(page: Frame, plan: PairPlan) -> None:
    """Write above the axes which chance each color shows."""
    size, gap = page.look.text, page.look.gap
    a, b = captions.name(plan.a), captions.name(plan.b)
    of_a, of_b = tints((0, 1) if plan.leads_a else (1, 0))
    parts = [
        (f"{a} better", of_a.ink, of_a.fill),
        ("equivalent", EQUIVALENT.ink, EQUIVALENT.fill),
        (f"{b} better", of_b.ink, of_b.fill),
        ("undecided", QUIET, HAIR),
    ]
    rows: list[list[tuple[float, str, str, str]]] = [[]]
    x, y, line, square = 0.0, 0.5 * gap, 1.35 * size, fonts.width("■ ", size)
    for text, ink, fill in parts:
        wide = square + fonts.width(text, size)
        if x > 0 and x + wide > page.width:
            rows.append([])
            x = 0.0
        rows[-1].append((x, text, ink, fill))
        x += wide + 1.2 * gap
    for k, row in enumerate(reversed(rows)):
        for at, text, ink, fill in row:
            up = y + k * line
            mark = "□" if fill == HAIR else "■"
            page.write(mark, at, up, size=size, start="top", va="bottom", color=fill)
            page.write(text, at + square, up, size=size, start="top", va="bottom", color=ink)
    page.above = y + len(rows) * line


def _small_print(plan: PairPlan, d: Direction) -> str:
    there = f"{d.n:,} {d.unit}s so far · " if d.n else ""
    draws = f"{d.curve.draws:,} simulated futures, ±{float(d.curve.error.max()):.3f}"
    return (
        f"{there}chance of each verdict by the {title_of(plan.method)}, ROPE {plan.rope.in_scores} · "
        f"dashed: chance {d.chance:g} · {draws}"
    )

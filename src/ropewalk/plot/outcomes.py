"""Right and wrong: how often both models, one of them, or none was right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropewalk.plot import captions, fonts
from ropewalk.plot.frame import frame
from ropewalk.plot.style import EQUIVALENT, Tint, tints
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.outcomes import Outcomes
    from ropewalk.results.comparison import Comparison

_BAR = 9.0  # the height of a bar, in points


def outcomes(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the four counts as labeled bars; the two kinds of disagreement are in color."""
    o: Outcomes = comparison.evidence  # type: ignore[assignment]  # the caller has looked
    a, b = captions.name(comparison.a), captions.name(comparison.b)
    of_a, of_b = tints(comparison.colours)
    rows = [
        ("both right", o.n11, EQUIVALENT),
        (f"only {a} right", o.n10, of_a),
        (f"only {b} right", o.n01, of_b),
        ("both wrong", o.n00, EQUIVALENT),
    ]
    with frame(ax, style) as page:
        size, gap = page.look.text, page.look.gap
        labels = [fonts.wrap(label, page.width, size) for label, _, _ in rows]
        heads = [1.3 * size * len(label) + 3 for label in labels]
        step = _BAR + gap
        if page.own:
            page.height = sum(heads) + 4 * step - gap
        counts = [_count(n, o.n) for _, n, _ in rows]
        room = page.width - max(fonts.width(text, size, "bold") for text in counts) - gap
        most = max(n for _, n, _ in rows)
        page.ax.set_xlim(0, page.width)  # both axes are in points
        page.ax.set_ylim(0, page.height)
        page.ax.set_xticks([])
        page.ax.spines["bottom"].set_visible(False)
        top = 0.0
        tint: Tint
        for (_, n, tint), label, head, count in zip(rows, labels, heads, counts, strict=True):
            page.write("\n".join(label), 0, page.height - top, size=size, start="inside", color=tint.ink)
            top += head
            wide = max(room * n / most, 0.8)  # a zero count is drawn as a line
            page.ax.barh(page.height - top - _BAR / 2, wide, height=_BAR, color=tint.fill)
            page.write(
                count,
                wide + 5,
                page.height - top - _BAR / 2,
                size=size,
                start="inside",
                va="center_baseline",
                color=tint.ink,
                weight="bold",
            )
            top += step
        page.below = 0.5 * gap
        page.title(_title(comparison, o))
        page.small_print(captions.small_print(comparison))
    return page.figure


def _count(n: int, total: int) -> str:
    return f"{n:,}  ({formatting.percent(n / total, 1)})"


def _title(comparison: Comparison, o: Outcomes) -> str:
    a, b = captions.name(comparison.a), captions.name(comparison.b)
    if o.n10 + o.n01 == 0:
        return captions.finding(comparison)
    first, second = ((a, o.n10), (b, o.n01)) if o.n10 >= o.n01 else ((b, o.n01), (a, o.n10))
    on = formatting.counted(first[1], comparison.unit)
    return f"{first[0]} alone is right on {on}, {second[0]} alone on {second[1]:,}"

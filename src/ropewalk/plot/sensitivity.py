"""The probability of each verdict against the width of the ROPE, with flips and the effect of the prior."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.cubic import monotone
from ropewalk.errors import MethodError
from ropewalk.plot import captions, fonts
from ropewalk.plot.frame import Frame, frame, turned
from ropewalk.plot.legend import Sign, legend
from ropewalk.plot.regions import Region, regions
from ropewalk.plot.style import HAIR, INK, look
from ropewalk.posterior.base import Floats
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.results.comparison import Comparison

_CHANCES = (0.0, 0.25, 0.5, 0.75, 1.0)
_WIDEST = (4.0, 8.0, 16.0)  # multiples of the ROPE: as many as it takes to become equivalent
_POINTS = 161
_FEW = 25  # number of points if each needs a quadrature
_BAR = 0.006  # distance of the bars of the priors, as a share of the axis


def sensitivity(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the probabilities of better, equivalent and worse against the half width of the ROPE.

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
        If the method has no ROPE to vary.

    Notes
    -----
    The dashed line is the threshold, with a dot wherever a probability crosses it and the verdict changes.
    The vertical line is the ROPE that was used; on it is a bar for each probability, from its lowest to its
    highest value under the priors of `comparison.sensitivity`.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]}, rope=0.1)
    >>> figure = rw.plot.sensitivity(report.comparisons[0], style="paper")
    >>> len(figure.axes)
    1
    """
    times, p = _curves(comparison)
    top = float(times[-1])
    threshold = comparison.verdict.decided_by.least
    labels = [f"{chance:g}" for chance in _CHANCES]
    sizes = look(style)
    left = max(fonts.width(label, sizes.text) for label in labels) + 8 + turned(sizes)
    with frame(ax, style, left=left) as page:
        half = _half(comparison)
        page.ax.set_xlim(0.0, top * half)
        page.ax.set_ylim(0.0, 1.0)
        three = regions(comparison)
        for region, row in zip(three, p, strict=True):
            page.ax.plot(
                half * times, row, color=region.tint.ink, lw=1.3 * page.look.line, zorder=3, clip_on=False
            )
        page.ax.axvline(half, color=HAIR, lw=0.8, zorder=2)
        _priors(page, comparison, three)
        found = [] if threshold is None else _flips(page, half * times, p, threshold)
        page.ax.set_yticks(_CHANCES, labels)
        page.ax.tick_params(axis="y", length=0)
        page.beside("probability")
        page.ticks(signed=False)
        page.ends("", _measures(comparison), "")
        page.above = 4
        legend(page, [Sign(text=_name(page, region), colour=region.tint.ink, kind="dot") for region in three])
        page.title(_finding(comparison, found))
        page.small_print(_small_print(comparison, threshold))
    return page.figure


def _widest(comparison: Comparison) -> float:
    """Largest width to draw, in multiples of the ROPE: until it is equivalent, if that is within reach."""
    p = comparison.at_ropes(_WIDEST)
    if p is None:
        raise MethodError(
            'the plot "sensitivity" needs a ROPE that can be varied, and this comparison has none',
            hint='Give a ROPE with a width, rope= (--rope), or draw "posterior".',
        )
    least = comparison.verdict.decided_by.least or 0.95
    reached = np.flatnonzero(p[1] >= least)
    return _WIDEST[int(reached[0])] if reached.size else _WIDEST[-1]


@lru_cache(maxsize=64)  # drawn for screen and for paper
def _curves(comparison: Comparison) -> tuple[Floats, Floats]:
    """Multiples of the ROPE and the three probabilities, interpolated between a few if each takes long."""
    top = _widest(comparison)
    times = np.linspace(0.0, top, _POINTS)
    dear = hasattr(comparison.evidence, "next_task")
    at = np.linspace(0.0, top, _FEW) if dear else times
    p = comparison.at_ropes(at)
    assert p is not None  # `_widest` checked this
    if not dear:
        return times, p
    return times, monotone(at, p)(times)


def _flips(page: Frame, x: Floats, p: Floats, threshold: float) -> list[float]:
    """Draw the threshold, and a dot wherever a probability crosses it."""
    page.ax.axhline(threshold, color=INK, lw=0.8, ls=(0, (4, 3)), zorder=2)
    found = []
    for row in p:
        over = row >= threshold
        for i in np.flatnonzero(over[1:] != over[:-1]):
            part = (threshold - row[i]) / (row[i + 1] - row[i])
            found.append(float(x[i] + part * (x[i + 1] - x[i])))
    page.ax.plot(found, [threshold] * len(found), "o", color=INK, ms=3.4 * page.look.line, zorder=5)
    return sorted(found)


def _priors(page: Frame, comparison: Comparison, three: tuple[Region, ...]) -> None:
    """Draw the range of each probability over the priors next to the line of the ROPE."""
    rows = comparison.sensitivity.priors
    if len(rows) < 2:
        return
    low, high = page.ax.get_xlim()
    for k, region in enumerate(three):
        values = [getattr(row.p, region.name) for row in rows]
        x = _half(comparison) + (k - 1) * _BAR * (high - low)
        page.ax.plot(
            [x, x],
            [min(values), max(values)],
            color=region.tint.ink,
            lw=2.6 * page.look.line,
            solid_capstyle="butt",
            zorder=4,
            clip_on=False,
        )


def _half(comparison: Comparison) -> float:
    """Half the width of the ROPE on its own scale; the wider of two unequal sides."""
    r = comparison.rope
    return max(r.high - r.centre, r.centre - r.low)


def _measures(comparison: Comparison) -> str:
    side = "half width" if _is_even(comparison) else "wider side"
    around = {"phi": "around phi = 0.5", "share": "around half of the tasks"}
    where = around.get(comparison.rope.scale, f"in {captions.name(comparison.metric)}")
    return f"{side} of the ROPE {where}"


def _is_even(comparison: Comparison) -> bool:
    r = comparison.rope
    return abs(r.low + r.high - 2 * r.centre) < 1e-9 * (r.high - r.low)


def _name(page: Frame, region: Region) -> str:
    """Return the name of the better model, shortened to a line of the legend."""
    size = page.look.small
    if region.name == "equivalent":
        return "practically equivalent"
    room = page.left + page.width - 1.5 * size - fonts.width(" better", size)
    return f"{fonts.shorten(region.model, room, size)} better"


def _finding(comparison: Comparison, found: list[float]) -> str:
    """Return the widths nearest to the ROPE at which the verdict changes."""
    verdict = formatting.verdict_text(comparison)
    verdict = verdict if comparison.winner else verdict.capitalize()
    where = captions.about(comparison)
    if not found:
        return f"{verdict} with every ROPE shown{where}"
    half, both = _half(comparison), "±" if _is_even(comparison) else ""
    below = [f"from {both}{formatting.amount(x, signed=False)}" for x in found if x <= half]
    above = [f"up to {both}{formatting.amount(x, signed=False)}" for x in found if x > half]
    ends = [*below[-1:], *above[:1]]
    return f"{verdict} with a ROPE {' '.join(ends)}{'' if above else ' on'}{where}"


def _small_print(comparison: Comparison, threshold: float | None) -> str:
    parts = [captions.small_print(comparison), f"vertical line: {captions.rope(comparison)}"]
    if threshold is not None:
        parts.append(f"dashed: threshold {threshold:.15g}")
    names = [row.name for row in comparison.sensitivity.priors]
    if len(names) > 1:
        parts.append(f"bars: range over {len(names)} priors ({', '.join(map(captions.name, names))})")
    return " · ".join(parts)

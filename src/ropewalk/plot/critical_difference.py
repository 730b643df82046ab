"""Critical-difference diagram: mean ranks, and which of them do not differ significantly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import CellError, OptionError
from ropewalk.plot import fonts, several_models
from ropewalk.plot.frame import Frame, frame, round_numbers, tick_labels
from ropewalk.plot.style import BAND, HAIR, INK, QUIET, look
from ropewalk.posterior.base import Floats
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CLASSICAL = 20  # most models with names on both sides
_SIDE = 0.3  # most width of the names of one side, in widths of the figure
_LANE = 3.5  # from one bar to the next, in widths of a line
_ROW = 1.4  # from one name to the next, in heights of a letter


def critical_difference(
    names: Sequence[object], mean_ranks: ArrayLike, cd: float, *, alpha: float = 0.05, style: str = "screen"
) -> Figure:
    """Draw the mean ranks of models, with bars that join those that differ by less than `cd`.

    Parameters
    ----------
    names : sequence
        Names of the models.
    mean_ranks : array_like
        Mean rank of each model; 1 is best.
    cd : float
        Critical difference, as `ropewalk.nhst.nemenyi` gives it.
    alpha : float, default 0.05
        Level of the test, for the text.
    style : {"screen", "paper"}, default "screen"
        "paper" has the width of a column and no title.

    Returns
    -------
    Figure
        The matplotlib figure.

    Raises
    ------
    CellError
        If a rank is below 1 or missing.
    OptionError
        If `cd` or `alpha` makes no sense.

    Notes
    -----
    Up to 20 models it is the diagram of Demšar (2006): the best on the right, names on both sides. More
    models have a row each, the best on top; then a bar starts at the best model of a group and ends at the
    mean rank of its last one. If there are more than 100, only the first 100 are drawn.

    References
    ----------
    Demšar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, 1-30.

    Examples
    --------
    >>> import ropewalk as rw
    >>> figure = rw.plot.critical_difference(["a", "b", "c"], [1.2, 1.9, 2.9], 1.05)
    >>> len(figure.axes)
    1
    """
    known = several_models.named(names)
    ranks = several_models.numbers(mean_ranks, (len(known),), "the array of mean ranks")
    if not (ranks >= 1).all():
        bad = int(np.flatnonzero(~(ranks >= 1))[0])
        raise CellError(
            f'the mean rank of "{known[bad]}" is {ranks[bad]:g}',
            hint="Ranks start at 1, and none may be missing.",
        )
    if not 0 < cd < np.inf:
        raise OptionError(f"the critical difference is {cd}", hint="Give a number above 0.")
    if not 0 < alpha < 1:
        raise OptionError(f"alpha is {alpha}", hint="Give a probability between 0 and 1, such as 0.05.")
    order = np.argsort(ranks, kind="stable")[: several_models.MOST]
    best = ranks[order]
    shown = [known[i] for i in order]
    draw = _sides if len(known) <= _CLASSICAL else _rows
    return draw(
        shown, best, cd, style, _title(shown[0], ranks, cd), _small_print(alpha, cd, len(best), len(known))
    )


def groups(ranks: Floats, cd: float) -> list[tuple[int, int]]:
    """First and last of the longest runs of sorted ranks within less than cd, without nested runs."""
    found: list[tuple[int, int]] = []
    for first in range(len(ranks)):
        last = int(np.sum(ranks - ranks[first] < cd)) - 1
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


def lanes(spans: Sequence[tuple[float, float]]) -> list[int]:
    """For each span, from left to right, return the first lane in which it touches no other span.

    >>> lanes([(0, 2), (1, 4), (3, 5)])
    [0, 1, 0]
    """
    ends: list[float] = []
    found = []
    for start, end in spans:
        lane = next((i for i, taken in enumerate(ends) if taken < start), len(ends))
        ends[lane : lane + 1] = [end]
        found.append(lane)
    return found


def _scale(ranks: Floats) -> tuple[float, float]:
    """Return whole ranks that enclose all mean ranks."""
    low, high = float(np.floor(ranks[0])), float(np.ceil(ranks[-1]))
    return (low, high) if low < high else (max(low - 1, 0.0), high + 1)


def _sides(
    names: Sequence[str], ranks: Floats, cd: float, style: str, title: str, small_print: str
) -> Figure:
    """Draw the axis on top, the better half of the names on the right, the others on the left."""
    size = look(style).small
    half = -(-len(names) // 2)
    room = _SIDE * look(style).width * 72
    numbers = [f"{rank:.2f}" for rank in ranks]
    short = several_models.fitted(names, room - several_models.widest(numbers, size), size)
    texts = [f"{number}  {name}" for number, name in zip(numbers[:half], short[:half], strict=True)]
    texts += [f"{name}  {number}" for number, name in zip(numbers[half:], short[half:], strict=True)]
    with frame(None, style) as page:
        line = page.look.line
        ends = (
            several_models.widest(texts[half:], size) + 14,
            page.width - several_models.widest(texts[:half], size) - 14,
        )
        low, high = _scale(ranks)

        def across(rank: Floats) -> Floats:
            """Return a position on the axis, with the best rank on the right."""
            return np.asarray(ends[1] - (rank - low) / (high - low) * (ends[1] - ends[0]))

        axis = 3.9 * size + 6
        at = across(ranks)
        joined = groups(ranks, cd)
        spans = [
            (float(at[last]) - 2 * line, float(at[first]) + 2 * line) for first, last in reversed(joined)
        ]
        lane = lanes(spans)
        first_row = axis + _LANE * line * (max(lane, default=-1) + 2) + 0.8 * size
        y = first_row + _ROW * size * np.array(
            [i if i < half else len(names) - 1 - i for i in range(len(names))]
        )
        page.height = first_row + _ROW * size * (half - 0.5)
        several_models.in_points(page)
        _axis(page, across, (low, high), axis)
        _measure(page, ends[0], cd * (ends[1] - ends[0]) / (high - low), 1.5 * size, cd)
        for i, (x, down, text) in enumerate(zip(at, y, texts, strict=True)):
            is_right = i < half
            edge = ends[1] + 8 if is_right else ends[0] - 8
            page.ax.plot(
                [x, x, edge], [axis, down, down], color=HAIR, lw=0.6 * line, zorder=1, solid_joinstyle="miter"
            )
            page.write(
                text,
                edge + 4 if is_right else edge - 4,
                page.height - down,
                size=size,
                start="inside",
                ha="left" if is_right else "right",
                va="center_baseline",
            )
        for (start, end), i in zip(spans, lane, strict=True):
            down = axis + _LANE * line * (i + 1)
            page.ax.plot([start, end], [down, down], color=INK, lw=2 * line, zorder=3, solid_capstyle="butt")
        page.title(title)
        page.small_print(small_print)
    return page.figure


def _axis(page: Frame, across: Callable[[Floats], Floats], scale: tuple[float, float], y: float) -> None:
    """Draw a line with its numbers above it."""
    size = page.look.small
    ends = across(np.array(scale))
    page.ax.plot(ends, [y, y], color=INK, lw=0.7 * page.look.line, zorder=2)
    room = abs(float(ends[0] - ends[1]))
    for most in (10, 7, 5, 4, 3, 2):
        at = round_numbers(*scale, most)
        at = at[at == np.round(at)]  # whole ranks
        labels = tick_labels(at, signed=False)
        if sum(fonts.width(label, size) + size for label in labels) <= room:
            break
    for x, label in zip(across(at), labels, strict=True):
        page.ax.plot([x, x], [y - 3, y], color=INK, lw=0.7 * page.look.line, zorder=2)
        page.write(label, float(x), page.height - y + 5, size=size, start="inside", ha="center", va="bottom")


def _measure(page: Frame, start: float, wide: float, y: float, cd: float) -> None:
    """Draw the critical difference as a line, `wide` points long if it fits, at height y."""
    end = start + min(wide, page.width - start)
    low, high = page.ax.get_xlim()
    left, right = (low + (high - low) * x / page.width for x in (start, end))
    line = 0.7 * page.look.line
    for across, down in (
        ([left, right], [y, y]),
        ([left, left], [y - 3, y + 3]),
        ([right, right], [y - 3, y + 3]),
    ):
        page.ax.plot(across, down, color=INK, lw=line, clip_on=False, zorder=3)
    text = f"CD {formatting.amount(cd, signed=False)}" + (
        ", longer than the axis" if end < start + wide else ""
    )
    page.write(text, start, page.height - y + 4, size=page.look.small, start="inside", va="bottom")


def _rows(names: Sequence[str], ranks: Floats, cd: float, style: str, title: str, small_print: str) -> Figure:
    """Draw a row for each model, the best on top."""
    sizes = look(style)
    shown = several_models.fitted(names, several_models.NAMES * sizes.width * 72, sizes.small)
    numbers = [f"{rank:.2f}" for rank in ranks]
    beside = several_models.widest(numbers, sizes.small) + 8
    with frame(None, style, left=several_models.widest(shown, sizes.small) + 8 + beside) as page:
        line, pitch = page.look.line, several_models.pitch(len(names), sizes)
        page.height = pitch * len(names)
        low, high = _scale(ranks)
        white = 0.02 * (high - low)
        page.ax.set_xlim(low - white, high + white)
        page.ax.set_ylim(page.height, 0)  # in points, counted from the top
        y = pitch * (np.arange(len(names)) + 0.5)
        page.ax.hlines(y, low - white, high + white, color=BAND, lw=0.8, zorder=0)
        for first, last in groups(ranks, cd):
            page.ax.plot(
                ranks[[first, last]],
                y[[first, first]],
                color=INK,
                lw=1.5 * line,
                zorder=2,
                solid_capstyle="butt",
            )
            page.ax.plot(ranks[[last, last]], y[[first, last]], color=HAIR, lw=0.5 * line, zorder=1)
        page.ax.plot(ranks, y, "o", color=INK, ms=3 * line, mew=0, zorder=3)
        page.ticks(signed=False)
        page.ends("←\N{NO-BREAK SPACE}better", "observed mean rank", "worse\N{NO-BREAK SPACE}→")
        several_models.column(page, numbers, -6, pitch, colours=[QUIET] * len(numbers))
        several_models.column(page, shown, -6 - beside, pitch)
        _measure(page, page.x(low), cd * page.width / (high - low + 2 * white), -6.0, cd)
        page.above = 10 + 1.2 * sizes.small
        page.title(title)
        page.small_print(small_print)
    return page.figure


def _title(best: str, ranks: Floats, cd: float) -> str:
    others = len(ranks) - 1
    apart = int(np.sum(ranks - ranks.min() >= cd))
    if not apart:
        return f"{best} ranks best; no other model is significantly worse"
    who = f"{apart:,} of {formatting.counted(others, 'other')}"
    return f"{best} ranks best; {who} significantly worse"


def _small_print(alpha: float, cd: float, drawn: int, k: int) -> str:
    parts = [
        f"critical difference {formatting.amount(cd, signed=False)} at alpha {alpha:g}",
        "bars join models whose observed mean ranks differ by less",
        *several_models.cut_note(drawn, k, "model"),
    ]
    return " · ".join(parts)

"""Leaderboard: models best first with their intervals, and the set that holds a practically best one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import CellError, MethodError, OptionError
from ropewalk.plot import captions, several_models
from ropewalk.plot.frame import Frame, frame
from ropewalk.plot.legend import Sign, legend
from ropewalk.plot.style import BAND, HAIR, INK, PAPER, QUIET, Look, look
from ropewalk.posterior.base import Floats
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FAR = 6.0  # in typical distances from the best model: models farther away do not widen the axis
_WORDS = 0.62  # most width of names and probabilities, in widths of the figure


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ModelRows:
    """The models that are drawn, best first."""

    names: list[str]
    mean: Floats
    low: Floats
    high: Floats
    p_best: Floats
    p_within: Floats
    in_set: NDArray[np.bool_]
    band: tuple[float, float]
    inks: list[str]


def leaderboard(
    names: Sequence[object],
    mean: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    p_best: ArrayLike,
    p_within: ArrayLike,
    in_set: ArrayLike,
    rope: float | Sequence[float],
    *,
    metric: str,
    higher_is_better: bool = True,
    level: float = 0.95,
    about: str = "",
    style: str = "screen",
) -> Figure:
    """Draw a row for each model, the best on top: its interval, and the ROPE around the best one as a band.

    Parameters
    ----------
    names : sequence
        Names of the models.
    mean, low, high : array_like
        Mean of each model, and the ends of its interval.
    p_best, p_within : array_like
        Probability that each model is the best, and that it is within the ROPE of the best.
    in_set : array_like of bool
        Whether each model is one of the practically best.
    rope : float or (float, float)
        Half width of the ROPE, or its two edges.
    metric : str
        What was measured.
    higher_is_better : bool, default True
        Whether a higher score is better.
    level : float, default 0.95
        Probability inside the intervals.
    about : str, default ""
        What the plot is about, for the title.
    style : {"screen", "paper"}, default "screen"
        "paper" has the width of a column and no title.

    Returns
    -------
    Figure
        The matplotlib figure.

    Raises
    ------
    OptionError
        If the level or the ROPE makes no sense.
    CellError
        If an interval does not contain its mean, or `in_set` is neither true nor false somewhere.

    Notes
    -----
    Models have the colors of their places in `names`. Any number may be nan; a model without a mean stands
    last. If there are more than 100 models, only the first 100 are drawn. A model far from the others does
    not widen the axis: an arrow with its mean points at it.

    Examples
    --------
    >>> import ropewalk as rw
    >>> figure = rw.plot.leaderboard(["svm", "forest"], [0.84, 0.86], [0.82, 0.84], [0.86, 0.88], [0.1, 0.9],
    ...                              [0.3, 1.0], [False, True], 0.01, metric="accuracy")
    >>> len(figure.axes[0].texts) > 4
    True
    """
    known = several_models.named(names)
    shape = (len(known),)
    middle, start, end = (
        several_models.numbers(values, shape, f"the array `{name}`")
        for name, values in (("mean", mean), ("low", low), ("high", high))
    )
    first, close = (
        several_models.probabilities(values, shape, f"the array `{name}`")
        for name, values in (("p_best", p_best), ("p_within", p_within))
    )
    chosen = several_models.numbers(in_set, shape, "the array `in_set`")
    _check(known, middle, start, end, chosen)
    if not 0 < level < 1:
        raise OptionError(f"the level is {level}", hint="Give a probability between 0 and 1, such as 0.95.")
    order = np.argsort(-middle if higher_is_better else middle, kind="stable")  # nan last
    members = [known[i] for i in order if chosen[i] == 1]
    best, order = float(middle[order[0]]), order[: several_models.MOST]
    rows = _ModelRows(
        names=[known[i] for i in order],
        mean=middle[order],
        low=np.where(np.isnan(middle), np.nan, start)[order],
        high=np.where(np.isnan(middle), np.nan, end)[order],
        p_best=first[order],
        p_within=close[order],
        in_set=chosen[order] == 1,
        band=_band(best, rope, is_higher=higher_is_better),
        inks=[several_models.tint(int(i)).ink for i in order],
    )
    shown, columns, left = _words(rows, look(style))
    with frame(None, style, left=left) as page:
        page.height = len(order) * several_models.pitch(len(order), page.look)
        page.ax.set_xlim(*_ends(rows))
        page.ax.set_ylim(page.height, 0)  # in points, counted from the top
        _draw(page, rows)
        page.ticks(signed=False)
        better, worse = "better\N{NO-BREAK SPACE}→", "←\N{NO-BREAK SPACE}worse"
        if not higher_is_better:
            better, worse = "worse\N{NO-BREAK SPACE}→", "←\N{NO-BREAK SPACE}better"
        page.ends(worse, captions.name(metric), better)
        _write(page, shown, columns, rows.inks)
        legend(page, _legend(rows, rope))
        page.title(_title(members, len(known)) + (f" ({about})" if about else ""))
        bars = f"bars: {formatting.percent(level)} intervals"
        page.small_print(
            " · ".join([bars, *_key(columns), *several_models.cut_note(len(order), len(known), "model")])
        )
    return page.figure


def _check(names: Sequence[str], mean: Floats, low: Floats, high: Floats, chosen: Floats) -> None:
    if np.isnan(mean).all():
        raise MethodError("no model has a mean", hint="Give the mean of at least one model.")
    turned = np.flatnonzero(low > high)
    if turned.size:
        raise CellError(
            f'the interval of "{names[turned[0]]}" ends before it starts',
            hint="Are low and high swapped?",
        )
    if not np.isin(chosen, (0, 1)).all():
        raise CellError(
            "the array `in_set` has values that are neither true nor false", hint="Give booleans."
        )


def _ends_of(rope: float | Sequence[float]) -> tuple[float, float]:
    """Return the two ends of the ROPE, from a half-width or a pair."""
    ends = np.ravel(rope)
    low, high = (-ends[0], ends[0]) if ends.size == 1 else (ends[0], ends[-1])
    if ends.size > 2 or not -np.inf < low <= high < np.inf:
        raise OptionError(
            f"the ROPE is {rope}", hint="Give a number from 0 up, or two numbers, the smaller one first."
        )
    return float(low), float(high)


def _band(best: float, rope: float | Sequence[float], *, is_higher: bool) -> tuple[float, float]:
    """Draw the band of means that are practically equivalent to the best model."""
    low, high = _ends_of(rope)
    return (best + low, best + high) if is_higher else (best - high, best - low)


def _words(rows: _ModelRows, sizes: Look) -> tuple[list[str], dict[str, list[str]], float]:
    """Return the names, the columns of probabilities that fit next to them, and the total width."""
    names = several_models.fitted(rows.names, several_models.NAMES * sizes.width * 72, sizes.small)
    columns = {"P(best)": _column(rows.p_best), "P(tied)": _column(rows.p_within)}
    for keys in (["P(best)", "P(tied)"], ["P(tied)"], []):
        kept = {key: columns[key] for key in keys}
        left = (
            several_models.widest(names, sizes.small) + 8 + sum(_wide(key, kept[key], sizes) for key in keys)
        )
        if left <= _WORDS * sizes.width * 72:
            break
    return names, kept, left


def _column(p: Floats) -> list[str]:
    return ["–" if np.isnan(x) else formatting.share(float(x)) for x in p]


def _wide(head: str, texts: Sequence[str], sizes: Look) -> float:
    return several_models.widest([head, *texts], sizes.small) + 0.7 * sizes.gap


def _ends(rows: _ModelRows) -> tuple[float, float]:
    """Return ends that hold most models, the best one and the band; a few far outside do not widen them."""
    there = ~np.isnan(rows.mean)
    low, high = np.fmin(rows.low, rows.mean)[there], np.fmax(rows.high, rows.mean)[there]
    best = rows.mean[0]
    far = _FAR * max(np.median(np.abs(rows.mean[there] - best)), np.median(high - low) / 2)
    start = min(max(low.min(), best - far), low[0], rows.band[0])
    end = max(min(high.max(), best + far), high[0], rows.band[1])
    white = 0.04 * (end - start) or max(abs(end), 1.0) * 0.01  # all means are equal and there is no ROPE
    return start - white, end + white


def _draw(page: Frame, rows: _ModelRows) -> None:
    ax, n = page.ax, len(rows.names)
    start, end = ax.get_xlim()
    pitch, line = page.height / n, page.look.line
    y = pitch * (np.arange(n) + 0.5)
    ax.axvspan(*rows.band, color=BAND, lw=0, zorder=0)
    for edge in rows.band:
        ax.axvline(edge, color=HAIR, lw=0.8, zorder=0.5)
    ax.hlines(y, start, end, color=BAND, lw=min(0.8, 0.2 * pitch), zorder=0)  # from a name to its row
    size = min(3.6 * line, 0.55 * pitch)
    ax.hlines(y, rows.low, rows.high, colors=rows.inks, lw=1.3 * line, zorder=2)
    fills = [ink if chosen else PAPER for ink, chosen in zip(rows.inks, rows.in_set, strict=True)]
    dots: dict[str, Any] = {"linewidths": 0.7 * line, "zorder": 3}
    ax.scatter(rows.mean, y, size**2, c=fills, edgecolors=rows.inks, **dots)
    seen = (rows.mean >= start) & (rows.mean <= end)
    for edge, cut, marker in ((start, rows.low < start, "<"), (end, rows.high > end, ">")):
        for row in np.flatnonzero(seen & cut):
            ax.plot(edge, y[row], marker, color=rows.inks[row], ms=size, mew=0, clip_on=False, zorder=3)
    for i, x in enumerate(rows.mean):
        if np.isnan(x):
            _note(page, "no mean", 2, y[i], ha="left")
        elif not start <= x <= end:
            is_left, number = x < start, formatting.amount(float(x), signed=False)
            text = f"←\N{NO-BREAK SPACE}{number}" if is_left else f"{number}\N{NO-BREAK SPACE}→"
            _note(page, text, 2 if is_left else page.width - 2, y[i], ha="left" if is_left else "right")


def _note(page: Frame, text: str, x: float, y: float, *, ha: str) -> None:
    page.write(
        text,
        x,
        page.height - y,
        size=page.look.small,
        start="inside",
        ha=ha,
        va="center_baseline",
        color=QUIET,
    )


def _write(page: Frame, names: Sequence[str], columns: dict[str, list[str]], inks: Sequence[str]) -> None:
    """Write the names on the left, and the columns with their heads between names and axis."""
    size, pitch = page.look.small, page.height / len(names)
    x = -6.0
    for head, texts in reversed(columns.items()):
        page.write(head, x, 4, size=size, start="top", ha="right", va="bottom", color=QUIET)
        several_models.column(page, texts, x, pitch)
        x -= _wide(head, texts, page.look)
    several_models.column(page, names, x, pitch, colours=inks)
    if columns:
        page.above = 4 + 1.2 * size


def _legend(rows: _ModelRows, rope: float | Sequence[float]) -> list[Sign]:
    low, high = _ends_of(rope)
    if low == high == 0:
        around = []
    else:
        wide = f"±{formatting.amount(high, signed=False)}" if low == -high else formatting.span(low, high)
        around = [Sign(text=f"ROPE {wide} around the best mean", colour=BAND)]
    signs = [Sign(text="practically best", colour=INK, kind="dot")] if rows.in_set.any() else []
    if not rows.in_set.all():
        signs.append(Sign(text="other", colour=INK, kind="circle"))
    return signs + around


def _title(members: Sequence[str], k: int) -> str:
    if not members:
        return f"None of {k:,} models is practically the best"
    if len(members) == k:
        return f"Any of {k:,} models may be the best"
    if len(members) == 1:
        return f"{members[0]} is practically the best of {k:,} models"
    # The set contains a model within the ROPE of the best, and the best itself may be another.
    if len(members) <= 3:
        return f"{', '.join(members[:-1])} or {members[-1]} is practically the best of {k:,} models"
    return f"{members[0]} or one of {len(members) - 1} others is practically the best of {k:,} models"


def _key(columns: dict[str, list[str]]) -> list[str]:
    meaning = {
        "P(best)": "P(best): probability of being the best",
        "P(tied)": "P(tied): of being within the ROPE of the best",
    }
    return [meaning[key] for key in columns]

"""Reliability diagram: how often a class came true, against the probability that a model gave it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropewalk.errors import OptionError, did_you_mean, listed, short
from ropewalk.metrics.reliability_bins import Bins, binned
from ropewalk.plot import captions, fonts
from ropewalk.plot.frame import Frame, frame
from ropewalk.plot.style import DATA, HAIR, INK, PAPER, look
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.data import Predictions

_SHAPE = 0.55  # height over width


def reliability(
    predictions: Predictions,
    model: str,
    *,
    after: Predictions | None = None,
    label: str | None = None,
    bins: int = 10,
    ax: Axes | None = None,
    style: str = "screen",
) -> Figure:
    """Draw how often a class occurred against its predicted probability, also after calibration.

    Parameters
    ----------
    predictions : Predictions
        Probabilities.
    model : str
        The model.
    after : Predictions, optional
        The same after calibration, drawn as well.
    label : str, optional
        The class. By default the positive one of two.
    bins : int, default 10
        Number of bins of equal width, from 2 to 20.
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
    OptionError
        If there is no such model or class, or if the predictions are not probabilities: decision scores can
        be drawn once calibrated.

    Notes
    -----
    The number of examples in each bin stands above the axes. The bars are Jeffreys' 95% intervals, quantiles
    of Beta(k + 1/2, n - k + 1/2) for k of n examples (Brown, Cai & DasGupta 2001).

    References
    ----------
    Brown, Cai & DasGupta (2001), Interval estimation for a binomial proportion, Statistical Science 16,
    101-133, doi:10.1214/ss/1009213286.

    Examples
    --------
    >>> import numpy as np
    >>> import ropewalk as rw
    >>> p = np.linspace(0.05, 0.95, 20)
    >>> said, y = np.column_stack([1 - p, p]), np.array(list("00010110010111101111"), object)
    >>> units = np.array([str(i) for i in range(20)], object)
    >>> data = rw.Predictions(models=("svm", "tree"), units=units, truth=y, classes=("0", "1"),
    ...                       outputs={"svm": said, "tree": said}, kind="probabilities",
    ...                       audit=rw.Audit(paired=20))
    >>> figure = rw.plot.reliability(data, "svm", after=data.calibrated("platt"))
    >>> len(figure.axes)
    1
    """
    if isinstance(bins, bool) or not isinstance(bins, int) or not 2 <= bins <= 20:
        raise OptionError(f"bins is {bins}", hint="Give a whole number from 2 to 20.")
    label = _label(predictions, label)
    given = {"examples": predictions} if after is None else {"before": predictions, "after": after}
    series = {name: _bins(source, model, label, bins) for name, source in given.items()}
    sizes = look(style)
    left = max(fonts.width(text, sizes.text) for text in ("0.8", *series)) + 8
    with frame(ax, style, left=left) as page:
        if page.own:
            page.height = _SHAPE * page.width
        _axes(page)
        for name, found in series.items():
            _points(page, found, hollow=name == "before")
        page.ticks(signed=False)
        page.ends("", f"probability of {_quoted(label)} that {captions.name(model)} gives", "")
        for name, found in reversed(series.items()):
            _counts(page, name, found, left)
        lines = fonts.wrap(
            f"↑\N{NO-BREAK SPACE}how often {_quoted(label)} was true", left + page.width, sizes.text
        )
        y = page.above + 0.6 * page.look.gap
        note = page.write("\n".join(lines), -left, y, size=sizes.text, start="top", va="bottom")
        page.above = y + page.tall(note)
        page.title(_title(model, series))
        page.small_print(_small_print(predictions, after))
    return page.figure


def _label(predictions: Predictions, label: str | None) -> str:
    if predictions.kind != "probabilities":
        raise OptionError(
            f"a reliability diagram needs probabilities, and these are {predictions.kind}",
            hint='Decision scores become probabilities with calibrated("platt").',
        )
    if label is None:
        if len(predictions.classes) != 2:
            raise OptionError(
                f"there are {len(predictions.classes)} classes and none was named",
                hint=f"Name one of {listed(predictions.classes)}: label=CLASS.",
            )
        return predictions.classes[1]
    if label not in predictions.classes:
        raise OptionError(
            f'there is no class "{short(label)}"', hint=did_you_mean(label, predictions.classes)
        )
    return label


def _bins(predictions: Predictions, model: str, label: str, bins: int) -> Bins:
    if predictions.kind != "probabilities" or label not in predictions.classes:
        raise OptionError(
            f'the predictions after calibration are not probabilities of "{short(label)}"',
            hint='Give what calibrated("platt") returns.',
        )
    if model not in predictions.models:
        raise OptionError(f'there is no model "{short(model)}"', hint=did_you_mean(model, predictions.models))
    predictions = predictions.of_model(model)
    p = predictions.outputs[model][:, predictions.classes.index(label)].astype(np.float64)
    return binned(p, np.asarray(predictions.truth == label, dtype=np.bool_), bins)


def _axes(page: Frame) -> None:
    """Draw both axes from 0 to 1 with a small margin, and the line of perfect calibration."""
    page.ax.set_xlim(-0.02, 1.02)
    page.ax.set_ylim(-0.03, 1.03)
    at = np.arange(6) / 5
    page.ax.set_yticks(at, [f"{x:g}" for x in at])
    page.ax.spines["left"].set(visible=True, color=HAIR, linewidth=0.8)
    page.ax.plot([0, 1], [0, 1], color=HAIR, lw=0.8, ls=(0, (4, 3)), zorder=1)


def _points(page: Frame, found: Bins, *, hollow: bool) -> None:
    color, line = (DATA.ink, 0.8 * page.look.line) if hollow else (INK, page.look.line)
    page.ax.vlines(found.said, found.low, found.high, color=color, lw=line, alpha=0.7, zorder=2)
    page.ax.plot(
        found.said,
        found.came,
        "o",
        ms=4 * page.look.line,
        mfc=PAPER if hollow else color,
        mec=color,
        mew=line,
        zorder=3,
    )


def _counts(page: Frame, name: str, found: Bins, left: float) -> None:
    """Write above the axes the number of examples in each bin, or the total if a bin has no room."""
    size, y = page.look.small, page.above + 0.4 * page.look.small
    color = DATA.ink if name == "before" else INK
    room = page.width / 1.04 / found.n.size - 3
    texts = [f"{n:,}" for n in found.n]
    if _wide(texts, size) > room:
        texts = [compact(int(n)) for n in found.n]
    if _wide(texts, size) > room:
        texts = [f"{found.n.sum():,} in all"]
    sign = {"before": "○", "after": "●"}.get(name, "")
    page.write(f"{sign} {name}".strip(), -left, y, size=size, start="top", va="bottom", color=color)
    for i, text in enumerate(texts):
        x = page.x((i + 0.5) / len(texts))
        page.write(text, x, y, size=size, start="top", ha="center", va="bottom", color=color)
    page.above = y + 1.25 * size


def _wide(texts: list[str], size: float) -> float:
    return max(fonts.width(text, size) for text in texts)


def compact(n: int) -> str:
    """A count in at most four letters.

    >>> compact(999), compact(1_234), compact(56_789), compact(1_500_000)
    ('999', '1.2k', '57k', '1.5M')
    """
    for power, unit in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if n >= 0.9995 * power:
            x = n / power
            return f"{x:.1f}{unit}" if x < 9.95 else f"{x:.0f}{unit}"
    return str(n)


def _quoted(label: str) -> str:
    return f"“{captions.name(label)}”"


def _title(model: str, series: dict[str, Bins]) -> str:
    first, *rest = (found.error for found in series.values())
    name = captions.name(model)
    if not rest:
        return f"{name}: probabilities off by {first:.3f} on average"
    return f"{name}: off by {first:.3f} before calibration, by {rest[0]:.3f} after"


def _small_print(predictions: Predictions, after: Predictions | None) -> str:
    parts = [formatting.counted(len(predictions.units), "example")]
    if after is not None and len(after.units) != len(predictions.units):
        parts[0] += f", {len(after.units):,} after calibration"
    bars = "bars: 95% intervals (Jeffreys)"
    if predictions.clusters is not None:
        bars += ", too narrow where examples of a cluster are alike"
    return " · ".join([*parts, bars])

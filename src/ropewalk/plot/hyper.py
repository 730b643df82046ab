"""The distribution of phi over tasks: the posterior of its two parameters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, logit

from ropewalk.errors import MethodError
from ropewalk.plot import captions, fonts
from ropewalk.plot.contours import SAID, levels, shades
from ropewalk.plot.frame import frame, round_numbers, tick_labels
from ropewalk.plot.regions import left_to_right, rope
from ropewalk.plot.style import DATA, HAIR, INK, look
from ropewalk.posterior.base import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.bayes import HierarchicalMcNemar
    from ropewalk.results.comparison import Comparison

_POINTS = 201  # grid points on each axis
_HIGH = 1.3  # height of the axes relative to other plots


def hyper(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the posterior of (a, b), phi ~ Beta(a, b) on each task, as filled contours.

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
        If the method is not hierarchical_mcnemar.

    Notes
    -----
    The axes are logit(a/(a+b)), where the tasks lie on average, and log(a+b), how much they are alike
    (Williams 2026, figure 4a, has a and b themselves, which are nearly one line). The ROPE is that of phi.

    Examples
    --------
    >>> import ropewalk as rw
    >>> a = {"x": [1, 1, 0, 1, 1, 0, 1], "y": [1, 0, 1, 1, 0, 1, 1]}
    >>> b = {"x": [0, 1, 0, 1, 0, 1, 1], "y": [1, 0, 0, 1, 1, 0, 1]}
    >>> report = rw.compare({"a": a, "b": b}, model=["a", "b"], method="hierarchical_mcnemar")
    >>> figure = rw.plot.hyper(report.overall[0], style="paper")
    >>> len(figure.axes)
    1
    """
    fitted = getattr(comparison.evidence, "fitted", None)
    if fitted is None or not hasattr(fitted, "log_posterior"):
        raise MethodError(
            f'the plot "hyper" shows a and b of hierarchical_mcnemar, and this is {comparison.method}',
            hint='Draw "simplex" or "posterior".',
        )
    x, y, density = surface(fitted)
    heights = levels(density, np.ones(density.shape))
    inside = density >= 0.5 * heights[0]  # with a margin around the outermost contour
    across, along = x[inside.any(axis=0)], y[inside.any(axis=1)]
    at = round_numbers(along[0], along[-1], 6)
    labels = tick_labels(at, signed=False)
    left = max(fonts.width(label, look(style).text) for label in labels) + 8
    with frame(ax, style, left=left) as page:
        if page.own:
            page.height *= _HIGH
        r = comparison.rope
        on_logit = replace(comparison, rope=replace(r, low=float(logit(r.low)), high=float(logit(r.high))))
        low, high = min(across[0], on_logit.rope.low), max(across[-1], on_logit.rope.high)
        white = 0.06 * (high - low)
        page.ax.set_xlim(low - white, high + white)
        page.ax.set_ylim(along[0], along[-1])
        page.ticks(signed=True)
        begin, _, end = left_to_right(comparison)
        page.ends(
            f"←\N{NO-BREAK SPACE}{begin.who}",
            "logit(a/(a+b)), mean of phi over tasks",
            f"{end.who}\N{NO-BREAK SPACE}→",
        )
        rope(page, on_logit)
        page.ax.contourf(
            x, y, density, levels=[*heights, np.inf], colors=shades(DATA.fill, heights.size), zorder=1
        )
        page.ax.contour(x, y, density, levels=heights, colors=DATA.ink, linewidths=0.5 * page.look.line)
        page.ax.axvline(0, color=INK, lw=0.8, ls=(0, (4, 3)), zorder=3)
        row, column = np.unravel_index(np.argmax(density), density.shape)
        page.ax.plot(
            [x[column]], [y[row]], "+", color=INK, ms=8 * page.look.line, mew=page.look.line, zorder=4
        )
        page.ax.set_yticks(at, labels)
        page.ax.spines["left"].set(visible=True, color=HAIR, linewidth=0.8)
        text = "log(a+b): ↑ tasks more alike, ↓ more different"
        lines = fonts.wrap(text, page.left + page.width, page.look.text)
        gap = 0.6 * page.look.gap
        note = page.write("\n".join(lines), -left, gap, size=page.look.text, start="top", va="bottom")
        page.above = gap + page.tall(note)
        page.title(_title(float(expit(x[column])), float(np.exp(y[row]))))
        page.small_print(f"{captions.small_print(comparison)} · {SAID} · cross: mode · band: ROPE")
    return page.figure


def surface(fitted: HierarchicalMcNemar) -> tuple[Floats, Floats, Floats]:
    """Return x, y and the density over (y, x), on a finer grid than that of the model; its peak is 1."""
    from scipy.interpolate import RectBivariateSpline

    x = np.linspace(fitted.logit_mean[0], fitted.logit_mean[-1], _POINTS)
    y = np.linspace(fitted.log_size[0], fitted.log_size[-1], _POINTS)
    log_density = RectBivariateSpline(fitted.log_size, fitted.logit_mean, fitted.log_posterior)(y, x)
    return x, y, np.asarray(np.exp(log_density - log_density.max()))


def _title(mean: float, size: float) -> str:
    """Return the mode as text: mean and standard deviation of Beta(a, b)."""
    spread = float(np.sqrt(mean * (1 - mean) / (size + 1)))
    digits = max(2, int(np.ceil(-np.log10(spread))))
    return f"phi is about {mean:.{digits}f} ± {spread:.{digits}f} over tasks"

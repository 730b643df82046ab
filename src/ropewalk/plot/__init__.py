"""Comparison -> matplotlib figure: one plot, one file, one public function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ropewalk.arithmetic import usual_arithmetic
from ropewalk.errors import OptionError, did_you_mean, short
from ropewalk.methods.method import plots_of
from ropewalk.plot.captions import caption
from ropewalk.plot.critical_difference import critical_difference
from ropewalk.plot.differences import differences
from ropewalk.plot.forest import forest
from ropewalk.plot.hdi import hdi
from ropewalk.plot.hyper import hyper
from ropewalk.plot.leaderboard import leaderboard
from ropewalk.plot.next_task import next_task
from ropewalk.plot.posterior import posterior
from ropewalk.plot.qq import qq
from ropewalk.plot.ranks import ranks
from ropewalk.plot.reliability import reliability
from ropewalk.plot.sensitivity import sensitivity
from ropewalk.plot.simplex import simplex
from ropewalk.plot.style import settings
from ropewalk.plot.task_matrix import task_matrix
from ropewalk.plot.tasks import tasks
from ropewalk.plot.verdict_matrix import verdict_matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.results.comparison import Comparison

__all__ = [
    "KINDS",
    "caption",
    "critical_difference",
    "differences",
    "draw",
    "forest",
    "hdi",
    "hyper",
    "kinds",
    "leaderboard",
    "next_task",
    "posterior",
    "qq",
    "ranks",
    "reliability",
    "render",
    "sensitivity",
    "simplex",
    "task_matrix",
    "tasks",
    "verdict_matrix",
]

KINDS = {
    "posterior": posterior,
    "differences": differences,
    "qq": qq,
    "hdi": hdi,
    "forest": forest,
    "simplex": simplex,
    "tasks": tasks,
    "next_task": next_task,
    "hyper": hyper,
    "sensitivity": sensitivity,
}

# What each plot shows, for the caption of a figure.
SHOWS = {
    "posterior": "Posterior of the advantage of {a} over {b}",
    "differences": "Differences of {a} and {b} on each {unit}",
    "qq": "Differences of {a} and {b} against normal quantiles",
    "hdi": "Highest-density intervals of the advantage of {a} over {b} at levels from 50% to 99%",
    "forest": "Advantage of {a} over {b} on each task and over all tasks",
    "simplex": "Posterior of the three regions for {a} against {b}",
    "tasks": "Posterior of the advantage of {a} over {b} on each task",
    "next_task": "Predicted advantage of {a} over {b} on the next task",
    "hyper": "Posterior of the population of tasks for {a} against {b}",
    "sensitivity": "Probabilities for {a} against {b} by the width of the ROPE",
}


def __dir__() -> list[str]:
    return sorted(__all__)


# How a plot is saved: without dates and versions, so that the same plot gives the same bytes.
_SAVED: dict[str, dict[str, Any]] = {
    "png": {"backend": "module://ropewalk.plot.png"},
    "svg": {"metadata": {"Date": None, "Creator": None}},
    "pdf": {"metadata": {"CreationDate": None}},
}


@usual_arithmetic
def draw(
    comparison: Comparison, kind: str = "posterior", *, ax: Axes | None = None, style: str = "screen"
) -> Figure:
    """Draw a plot of a comparison by its name.

    Parameters
    ----------
    comparison : Comparison
        What to draw.
    kind : str, default "posterior"
        Name of the plot; `kinds(comparison)` lists those that apply.
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
        If there is no such plot or style.
    MethodError
        If the plot does not apply to this comparison.

    Notes
    -----
    Every comparison has "posterior" and "differences"; those with a ROPE "sensitivity"; those of one number
    "hdi"; those of scores "qq"; those of the three regions (signed_rank, sign, hierarchical models)
    "simplex"; those of many tasks in a hierarchical model "forest", "tasks", "next_task", and "hyper" for
    hierarchical_mcnemar.

    In axes of your own with a dark background, the colors are those for a dark background. If the figure has
    no layout and the usual margins, `tight_layout` makes room for the texts around the axes.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]})
    >>> figure = rw.plot.draw(report.comparisons[0], "posterior", style="paper")
    >>> b"<svg" in rw.plot.render(figure, ".svg")
    True
    """
    if kind not in KINDS:
        raise OptionError(f'there is no plot "{short(kind)}"', hint=did_you_mean(kind, KINDS))
    return KINDS[kind](comparison, ax=ax, style=style)


def kinds(comparison: Comparison) -> list[str]:
    """Names of the plots that are worth drawing of a comparison, the one that says most first.

    Parameters
    ----------
    comparison : Comparison
        What to draw.

    Returns
    -------
    list of str
        Names for `draw`.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]})
    >>> rw.plot.kinds(report.comparisons[0])
    ['posterior', 'differences', 'hdi', 'sensitivity']
    """
    varied = ["sensitivity"] if comparison.at_ropes([1.0]) is not None else []
    return [*plots_of(comparison), *varied]


@usual_arithmetic
def render(figure: Figure, suffix: str) -> bytes:
    """Render a figure as the bytes of a file; the same figure gives the same bytes.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure.
    suffix : {".png", ".svg", ".pdf"}
        Form of the file.

    Returns
    -------
    bytes
        Content of the file. PDF embeds TrueType fonts, and SVG keeps text as text.

    Raises
    ------
    OptionError
        If the suffix is none of these.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]})
    >>> rw.plot.render(report.plot(), ".png")[1:4]
    b'PNG'
    """
    from io import BytesIO

    form = suffix.lower().removeprefix(".")
    if form not in _SAVED:
        raise OptionError(f'a plot cannot be written as "{short(suffix)}"', hint=did_you_mean(form, _SAVED))
    file = BytesIO()
    with settings():
        figure.savefig(file, format=form, **_SAVED[form])
    return file.getvalue()

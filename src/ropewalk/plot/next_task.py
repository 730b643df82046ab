"""The prediction for the next task."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ropewalk.plot import captions
from ropewalk.plot.posterior import density
from ropewalk.plot.task_estimates import hierarchy, next_posterior
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.results.comparison import Comparison


def next_task(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the predictive distribution of the next task, with the probability of each region.

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
        If there is no hierarchical model of tasks.

    Notes
    -----
    This is the reading `mean` of the three probabilities (Williams 2026, figure 4b). The other reading, how
    probable it is that a region is the most probable one, is in the plot "simplex".

    Examples
    --------
    >>> import ropewalk as rw
    >>> a = {"x": [1, 1, 0, 1, 1, 0, 1], "y": [1, 0, 1, 1, 0, 1, 1]}
    >>> b = {"x": [0, 1, 0, 1, 0, 1, 1], "y": [1, 0, 0, 1, 1, 0, 1]}
    >>> report = rw.compare({"a": a, "b": b}, model=["a", "b"], method="hierarchical_mcnemar")
    >>> figure = rw.plot.next_task(report.overall[0], style="paper")
    >>> len(figure.axes)
    1
    """
    p = hierarchy(comparison, "next_task").next_task.mean
    verdict = replace(comparison.verdict, better=p.better, equivalent=p.equivalent, worse=p.worse)
    a, b = captions.name(comparison.a), captions.name(comparison.b)
    three = zip((p.better, p.equivalent, p.worse), formatting.shares(verdict), strict=True)
    said = zip(three, (f"{a} better", "equivalent", f"{b} better"), strict=True)
    first, second, _ = sorted(said, key=lambda pair: -pair[0][0])
    likeliest, runner_up = (f"{text} {number}" for (_, number), text in (first, second))
    title = f"Next task: {likeliest}, {runner_up}"
    note = " · numbers: probabilities of the next task, averaged over the posterior"
    comparison = replace(comparison, posterior=next_posterior(comparison), verdict=verdict, asks="next")
    return density(comparison, title, ax=ax, style=style, note=note)

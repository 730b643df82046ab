"""What to expect on the next task."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from ropewalk.plot import captions
from ropewalk.plot.posterior import density
from ropewalk.plot.task_estimates import hierarchy
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.bayes import HierarchicalAccuracy
    from ropewalk.results.comparison import Comparison


def next_task(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the predictive distribution of the next task, with the probability that it falls into each region.

    This is the reading `mean` of the three probabilities (Williams 2026, figure 4b); the other reading, how
    probable it is that a region is the most probable one, is in the picture "simplex".
    """
    evidence = hierarchy(comparison, "next_task")
    p = evidence.next_task.mean
    verdict = replace(comparison.verdict, better=p.better, equivalent=p.equivalent, worse=p.worse)
    a, b = captions.name(comparison.a), captions.name(comparison.b)
    three = [(p.better, f"{a} better"), (p.equivalent, "equivalent"), (p.worse, f"{b} better")]
    first, second, _ = sorted(three, key=lambda pair: -pair[0])
    likeliest, runner_up = (f"{text} {formatting.probability(p)}" for p, text in (first, second))
    title = f"next task: {likeliest}, {runner_up}"
    note = " · numbers: probabilities of the next task, averaged over the posterior"
    if evidence.asks == "average":  # the posterior is that of the mean over tasks
        fitted = cast("HierarchicalAccuracy", evidence.fitted)
        comparison = replace(comparison, posterior=fitted.next, evidence=replace(evidence, asks="next"))
    return density(replace(comparison, verdict=verdict), title, ax=ax, style=style, note=note)

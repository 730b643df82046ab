"""What to expect on the next task."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ropewalk.plot import words
from ropewalk.plot.each import hierarchy
from ropewalk.plot.posterior import density

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.report.comparison import Comparison


def next_task(comparison: Comparison, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the predictive distribution of the next task, with the probability that it falls into each region.

    This is the reading `mean` of the three probabilities (Williams 2026, figure 4b); the other reading, how
    probable it is that a region is the most probable one, is in the picture "simplex".
    """
    p = hierarchy(comparison, "next_task").next_task.mean
    verdict = replace(comparison.verdict, better=p.better, equivalent=p.equivalent, worse=p.worse)
    a, b = words.name(comparison.a), words.name(comparison.b)
    three = [(p.better, f"{a} better"), (p.equivalent, "equivalent"), (p.worse, f"{b} better")]
    first, second, _ = sorted(three, key=lambda pair: -pair[0])
    title = f"next task: {first[1]} {words.probability(first[0])}, {second[1]} {words.probability(second[0])}"
    note = " · numbers: probabilities of the next task, averaged over the posterior"
    return density(replace(comparison, verdict=verdict), title, ax=ax, style=style, note=note)

"""Each task of a hierarchical model: its separate estimate, and the one that uses the other tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import numpy as np
from scipy.special import expit, logit

from ropewalk.errors import MethodError
from ropewalk.methods import method_of, title_of
from ropewalk.plot import captions
from ropewalk.plot.regions import Region
from ropewalk.posterior import AdvantagePosterior, Posterior
from ropewalk.posterior.base import Floats

if TYPE_CHECKING:
    from ropewalk.bayes import HierarchicalAccuracy, HierarchicalMcNemar, HierarchicalT
    from ropewalk.methods.hierarchy import HierarchicalMethod
    from ropewalk.results.comparison import Comparison
    from ropewalk.results.evidence import Hierarchy

# Points of a task's density: sinh concentrates them at the peak, and they reach 74 standard deviations.
_FAR = np.linspace(-5.0, 5.0, 301)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """The density at `x` (its peak is 1), the cumulative probability, the mean and the central 95% interval.

    `own` has the mean and the interval of the task alone, without the others.
    """

    x: Floats
    density: Floats
    below: Floats
    mean: float
    low: float
    high: float
    own: tuple[float, float, float]

    def probabilities(self, three: Sequence[Region]) -> list[float]:
        """Return the probabilities of three regions from left to right."""
        left, right = np.interp([three[1].low, three[1].high], self.x, self.below)
        return [float(left), float(right - left), float(1 - right)]

    def dominant(self, three: Sequence[Region]) -> Region:
        """Return the index of the most probable of three regions from left to right."""
        return three[int(np.argmax(self.probabilities(three)))]


def hierarchy(comparison: Comparison, kind: str) -> Hierarchy:
    """Return the evidence of a hierarchical model, which these plots need."""
    if not hasattr(comparison.evidence, "fitted"):
        over = (
            f"over tasks by the {title_of(comparison.method)}" if comparison.unit == "task" else "on one task"
        )
        raise MethodError(
            f'the plot "{kind}" needs a hierarchical model of many tasks, and this comparison is {over}',
            hint='Draw "posterior" or "differences".',
        )
    return cast("Hierarchy", comparison.evidence)


def next_posterior(comparison: Comparison) -> Posterior:
    """Return the posterior of the next task, on the scale of the method."""
    method = cast("HierarchicalMethod", method_of(comparison))
    return method.next_of(cast("Hierarchy", comparison.evidence).fitted)


def ranked(evidence: Hierarchy) -> list[int]:
    """Return the tasks in the order of their separate estimates, the best for A first."""
    own = np.array([evidence.fitted.own(i)[0] for i in range(len(evidence.names))])
    return [int(i) for i in np.argsort(own if _on_phi(evidence.fitted) else -own, kind="stable")]


def _on_phi(fitted: object) -> bool:
    """Whether a task is described by phi, the share of A's mistakes: smaller is better for A."""
    return hasattr(fitted, "phi_next")


def tasks(evidence: Hierarchy, chosen: Sequence[int]) -> list[tuple[str, Task]]:
    """Return the chosen tasks with their names, the best for A first."""
    sign = -1 if _on_phi(evidence.fitted) else 1
    found = [(captions.name(evidence.names[i]), task(evidence.fitted, i)) for i in chosen]
    return sorted(found, key=lambda pair: -sign * pair[1].mean)


@lru_cache(maxsize=512)  # several plots show the same tasks
def task(fitted: HierarchicalT | HierarchicalMcNemar | HierarchicalAccuracy, i: int) -> Task:
    """Return task i of a fitted model."""
    one = fitted.task(i)
    if isinstance(one, AdvantagePosterior):
        return _tabulated(one, fitted.own(i))
    mean, sd = one.mean, one.sd
    if _on_phi(fitted):
        # On the logit scale even a density that is infinite at 0 or 1 is smooth; it is not evaluated at 1.
        step = sd / (mean * (1 - mean))
        z = logit(mean) + step * np.sinh(_FAR)
        x = np.minimum(expit(z), 1 - 2.0**-53)
        slope = expit(z) * expit(-z) * step * np.cosh(_FAR)
    else:
        x, slope = mean + sd * np.sinh(_FAR), sd * np.cosh(_FAR)
    density = one.pdf(x)
    mass = density * slope  # for a smooth density without ends the trapezoidal rule suffices
    below = np.concatenate([[0.0], np.cumsum(mass[1:] + mass[:-1])])
    before, after = float(one.cdf(x[0])), float(one.sf(x[-1]))
    below = before + (1 - before - after) * below / below[-1]
    peak = np.max(density[(below > 0.005) & (below < 0.995)])  # some densities have no maximum
    low, high = np.interp([0.025, 0.975], below, x)
    return Task(
        x=x,
        density=np.minimum(density / peak, 1.0),
        below=below,
        mean=mean,
        low=float(low),
        high=float(high),
        own=fitted.own(i),
    )


def _tabulated(one: AdvantagePosterior, own: tuple[float, float, float]) -> Task:
    """Return a task on the accuracy scale, whose posterior is already tabulated."""
    x, density, below = one.curve
    peak = np.max(density[(below > 0.005) & (below < 0.995)])
    low, high = one.interval(0.95)
    shown = np.minimum(density / peak, 1.0)
    return Task(x=x, density=shown, below=below, mean=one.mean, low=low, high=high, own=own)

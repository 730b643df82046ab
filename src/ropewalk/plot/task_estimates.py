"""Each task of a hierarchical model: what it says by itself, and with the other tasks in mind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import numpy as np
from scipy.special import betaincinv, expit, logit, stdtrit

from ropewalk.bayes import HierarchicalMcNemar, HierarchicalT
from ropewalk.errors import MethodError
from ropewalk.plot import captions
from ropewalk.plot.regions import Region
from ropewalk.posterior.base import Floats

if TYPE_CHECKING:
    from ropewalk.results.comparison import Comparison, Hierarchy

# Points of a task's density: sinh puts them where it is high, and they reach 74 standard deviations far.
_FAR = np.linspace(-5.0, 5.0, 301)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """The density at `x` (its peak is 1) and how much lies below; the mean and the central 95 % interval.

    `own` are the mean and the interval that the task has by itself, without the others.
    """

    x: Floats
    density: Floats
    below: Floats
    mean: float
    low: float
    high: float
    own: tuple[float, float, float]

    def probabilities(self, three: Sequence[Region]) -> list[float]:
        """Of three regions from left to right."""
        left, right = np.interp([three[1].low, three[1].high], self.x, self.below)
        return [float(left), float(right - left), float(1 - right)]

    def dominant(self, three: Sequence[Region]) -> Region:
        """The most probable of three regions from left to right."""
        return three[int(np.argmax(self.probabilities(three)))]


def hierarchy(comparison: Comparison, kind: str) -> Hierarchy:
    """The evidence of a hierarchical model, which a picture of this kind needs."""
    if not hasattr(comparison.evidence, "fitted"):
        over = f"over tasks by {comparison.method}" if comparison.unit == "task" else "on one task"
        raise MethodError(
            f'the picture "{kind}" needs a hierarchical model of many tasks, and this comparison is {over}',
            hint='Draw "posterior" or "differences".',
        )
    return cast("Hierarchy", comparison.evidence)


def ranked(evidence: Hierarchy) -> list[int]:
    """The tasks by what they say by themselves, the best for A first."""
    fitted = evidence.fitted
    if isinstance(fitted, HierarchicalMcNemar):  # phi is the share of A's mistakes
        return [int(i) for i in np.argsort((fitted.n01 + 1) / (fitted.n01 + fitted.n10 + 2), kind="stable")]
    return [int(i) for i in np.argsort(-fitted.tasks.loc, kind="stable")]


def tasks(evidence: Hierarchy, chosen: Sequence[int]) -> list[tuple[str, Task]]:
    """The chosen tasks with their names, the best for A first."""
    sign = -1 if isinstance(evidence.fitted, HierarchicalMcNemar) else 1
    found = [(captions.name(evidence.names[i]), task(evidence.fitted, i)) for i in chosen]
    return sorted(found, key=lambda pair: -sign * pair[1].mean)


def counts(found: Sequence[tuple[str, Task]], three: Sequence[Region], order: Sequence[Region]) -> list[int]:
    """On how many tasks each of the regions, three from left to right, is the most probable one."""
    most = [one.dominant(three).name for _, one in found]
    return [most.count(region.name) for region in order]


@lru_cache(maxsize=512)  # several pictures show the same tasks
def task(fitted: HierarchicalT | HierarchicalMcNemar, i: int) -> Task:
    """Task i of a fitted model."""
    one = fitted.task(i)
    mean, sd = one.mean, one.sd
    if isinstance(fitted, HierarchicalMcNemar):
        # On the logit even a density that is infinite at 0 or 1 is smooth; at 1 itself it cannot be asked.
        step = sd / (mean * (1 - mean))
        z = logit(mean) + step * np.sinh(_FAR)
        x = np.minimum(expit(z), 1 - 2.0**-53)
        slope = expit(z) * expit(-z) * step * np.cosh(_FAR)
        own = _own_share(fitted.n01[i], fitted.n10[i])
    else:
        x, slope = mean + sd * np.sinh(_FAR), sd * np.cosh(_FAR)
        own = _own_mean(fitted, i)
    density = one.pdf(x)
    mass = density * slope  # smooth and without ends: the trapezoidal rule is as good as any
    below = np.concatenate([[0.0], np.cumsum(mass[1:] + mass[:-1])])
    before, after = float(one.cdf(x[0])), float(one.sf(x[-1]))
    below = before + (1 - before - after) * below / below[-1]
    peak = np.max(density[(below > 0.005) & (below < 0.995)])  # there are densities without a highest point
    low, high = np.interp([0.025, 0.975], below, x)
    return Task(
        x=x,
        density=np.minimum(density / peak, 1.0),
        below=below,
        mean=mean,
        low=float(low),
        high=float(high),
        own=own,
    )


def _own_mean(fitted: HierarchicalT, i: int) -> tuple[float, float, float]:
    """The task's likelihood of its own mean is a Student."""
    t = fitted.tasks
    middle, half = fitted.unit * t.loc[i], -fitted.unit * t.scale[i] * stdtrit(t.df[i], 0.025)
    return float(middle), float(middle - half), float(middle + half)


def _own_share(n01: float, n10: float) -> tuple[float, float, float]:
    """McNemar with a flat prior: Beta(n01 + 1, n10 + 1)."""
    a, b = n01 + 1, n10 + 1
    low, high = betaincinv(a, b, [0.025, 0.975])
    return float(a / (a + b)), float(low), float(high)

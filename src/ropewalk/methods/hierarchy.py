"""What the hierarchical models share: a population of tasks, of which the next one is to be foretold."""

from __future__ import annotations

from typing import cast

from ropewalk import bayes
from ropewalk.methods.method import Method
from ropewalk.methods.pair import TaskPairs
from ropewalk.posterior import WeightedRegions
from ropewalk.results.comparison import Asks, Check, Comparison, Hierarchy

MORE_TASKS = "a further task is taken to be as large, and as noisy, as one of those at hand"


class HierarchicalMethod(Method):
    """A model of the tasks' own advantages, and of the population that they come from."""

    one_task = False
    many_tasks = True
    grows_by = "tasks"

    def plots(self, c: Comparison) -> list[str]:
        return ["forest", "simplex", "tasks", "next_task"]


def evidence_of(c: Comparison) -> Hierarchy:
    return cast("Hierarchy", c.evidence)


def hierarchy(
    over: TaskPairs,
    regions: WeightedRegions,
    fitted: bayes.HierarchicalT | bayes.HierarchicalMcNemar | bayes.HierarchicalAccuracy,
    asks: Asks,
) -> Hierarchy:
    """Each task, with what the model says of the next one."""
    e = over.evidence
    return Hierarchy(
        names=e.names,
        n=e.n,
        d=e.d,
        mean_a=e.mean_a,
        mean_b=e.mean_b,
        next_task=regions,
        fitted=fitted,
        asks=asks,
    )


def integrated(error: float) -> Check:
    return Check(
        name="integrated, not sampled",
        kind="numerical error",
        ok=error < 1e-3,
        text=f"the probabilities are good to about {error:.0e}",
        numbers={"error": error},
    )

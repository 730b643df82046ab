"""The row over all tasks: of one task that task's; the mean of several; of many also their population's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data import SEVERAL
from ropewalk.gate.claims import claims
from ropewalk.gate.decision import Row

if TYPE_CHECKING:
    from ropewalk.gate.policy import Policy
    from ropewalk.posterior import Draws, Posterior
    from ropewalk.results import Comparison, Report

_FEW = 5  # fewer tasks say too little about the population that they come from
_DRAWS = 40_000


def overall(report: Report, policy: Policy, *, same: bool, rng: int) -> Row | None:
    """None where the tasks have different metrics, over which there is no mean."""
    if report.metric == SEVERAL:
        return None
    p = policy.probability
    if report.overall:
        (c,), margin = report.overall, policy.margin
        both, what, n, unit = _over_tasks(report, c, p, same, rng)
    else:
        (c,) = report.comparisons
        both, what, n, unit, margin = claims(c, same=same), c.why, c.n, c.unit, policy.margin_of(c.task)
    return Row.of(
        None,
        both,
        advantage=c.advantage,
        margin=margin,
        passes_from=p,
        fails_from=p,
        required=True,
        n=n,
        unit=unit,
        what=what,
    )


def _over_tasks(
    report: Report, c: Comparison, p: float, same: bool, rng: int
) -> tuple[tuple[Posterior, Posterior], str, int, str]:
    """The posteriors of both claims, what they are of, and what more of would decide: how many there are.

    Two things are uncertain about a mean over tasks: what each task would show with more examples, and how
    other tasks would do. The first is the mean of the tasks' own posteriors; the second, from five tasks on,
    the t-test on the tasks' means, in which every task counts alike. (Weights by precision would not do:
    where the candidate loses more answers, more of them differ, and such a task would weigh less.) Each claim
    is read from the one that goes further against it.
    """
    if not report.comparisons:  # one number a task
        return claims(c), "mean over the tasks: Bayesian t-test", c.n, "task"
    tasks = report.comparisons
    each = [claims(task, share=1 / len(tasks), same=same) for task in tasks]
    lower, upper = (_mean(side, rng) for side in zip(*each, strict=True))
    n, unit = sum(task.n for task in tasks), tasks[0].unit
    sampled = f"±{lower.error(0.05):.1g}, seed {rng}"  # one standard error where a decision turns
    if len(tasks) < _FEW:
        few = f"mean over these {len(tasks)} tasks, too few to speak of others ({sampled})"
        return (lower, upper), few, n, unit
    from ropewalk.bayes import t

    population = t([task.advantage for task in tasks])
    what = (
        f"mean over the tasks, the more careful of two: these {len(tasks)} ({sampled}), and their population"
    )
    wider = float(population.quantile(1 - p)) < float(lower.quantile(1 - p))
    both = (
        population if wider else lower,
        population if population.quantile(p) > upper.quantile(p) else upper,
    )
    return (both, what, len(tasks), "task") if wider else (both, what, n, unit)


def _mean(posteriors: tuple[Posterior, ...], rng: int) -> Draws:
    """Of independent posteriors. Each has a stream of its own, the same for both claims."""
    from ropewalk.posterior import Draws

    draws = [p.sample(_DRAWS, np.random.default_rng([rng, k])) for k, p in enumerate(posteriors)]
    return Draws.of(np.mean(draws, axis=0))

"""The row over all tasks: the mean over these tasks, and with many tasks also over their population."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from ropewalk.data import SEVERAL
from ropewalk.data.ranges import Range
from ropewalk.errors import OptionError
from ropewalk.gate.claims import (
    GateClaims,
    bounded_differences,
    claims_on,
    is_bounded,
    nothing,
    on_bounded,
    on_counts,
    varied,
)
from ropewalk.gate.decision import Row
from ropewalk.outcomes import Outcomes
from ropewalk.posterior.unvaried import FINE
from ropewalk.sums import LEAST_VARIED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ropewalk.gate.claims import NotWorse, Worse
    from ropewalk.gate.policy import Policy
    from ropewalk.posterior import Draws, Posterior
    from ropewalk.results import Comparison, Report

FEWEST = 5  # with fewer tasks, their population is not estimated
_DRAWS = 40_000

Ranges = Mapping[str | None, Range | None]


def overall(report: Report, policy: Policy, ranges: Ranges, *, same: bool, rng: int) -> Row | None:
    """Return the row over all tasks; None if their metrics differ, so that there is no mean."""
    if report.metric == SEVERAL:
        return None
    p, tasks = policy.probability, report.comparisons
    (c,) = report.overall or tasks
    if policy.question is not None:
        _check_question(policy.question, report)
    if not tasks:  # one score per task
        found, n, unit, margin = claims_on(c, None, same=same), c.n, "task", policy.margin
    elif report.overall:
        found, n, unit = _over_tasks(tasks, ranges, policy, same, rng)
        margin = policy.margin
    else:
        found, n, unit = claims_on(c, ranges.get(c.task), same=same), c.n, c.unit
        margin = policy.margin_of(c.task)
    return Row.of(
        None,
        found,
        advantage=c.advantage,
        margin=margin,
        passes_from=p,
        fails_from=p,
        required=True,
        n=n,
        unit=unit,
    )


def _over_tasks(
    tasks: Sequence[Comparison], ranges: Ranges, policy: Policy, same: bool, rng: int
) -> tuple[GateClaims, int, str]:
    """Return the claims on the mean over the tasks, and the number of units (tasks or examples) to increase.

    A mean over tasks has two sources of uncertainty: what each task would show with more examples, and how
    other tasks would do. The second, with at least five tasks, uses the t-test on task means, in which every
    task counts equally. (Weights by precision would be biased: if the candidate loses more answers, more of
    them differ, and such a task would weigh less.) If the policy asks about one of the two, that one
    counts; otherwise each claim uses the less favorable one.
    """
    n, unit = sum(task.n for task in tasks), tasks[0].unit
    if same:
        return claims_on(tasks[0], None, same=True), n, unit
    means = np.array([task.advantage for task in tasks])
    if policy.question == "average":
        hardly = means.std(ddof=1) <= FINE * _reach(tasks, ranges)
        few = FEWEST - (1 if hardly else varied(means))
        alike = (
            "the models differ by the same amount on every task, which says nothing about other tasks; at "
            f"least {FEWEST} tasks that vary are needed"
        )
        return (nothing(alike, few) if few > 0 else of_population(means)), len(tasks), "task"
    these = _these(tasks, ranges, rng)
    if policy.question == "these":
        return these, n, unit
    if len(tasks) < FEWEST:
        return replace(these, what=f"{these.what}; too few tasks to generalize to others"), n, unit
    found, of_tasks = or_population(these, means, policy.probability)
    return (found, len(tasks), "task") if of_tasks else (found, n, unit)


def asks(report: Report, policy: Policy) -> str | None:
    """What the row over all tasks is about: "these" tasks, the "average" over similar tasks, or both."""
    if not report.overall or report.metric == SEVERAL:
        return None
    if not report.comparisons:
        return "average"
    if policy.question is not None:
        return policy.question
    return "these" if len(report.comparisons) < FEWEST else "these and average"


def _check_question(question: str, report: Report) -> None:
    """Raise an error for a question that these data cannot answer; a gate never answers a different one."""
    tasks = len(report.comparisons)
    if not report.overall:
        raise OptionError(
            f'the question "{question}" is about several tasks, but there is only one',
            hint="Omit the question (--question).",
        )
    if question == "these" and not tasks:
        raise OptionError(
            "one number per task does not show how precisely these tasks were measured",
            hint="Ask about the average (--question average), or give scores of individual examples.",
        )
    if question == "average" and 0 < tasks < FEWEST:
        raise OptionError(
            f"{tasks} tasks are too few to generalize to tasks like these; at least {FEWEST}",
            hint="Ask about these tasks (--question these), or omit the question.",
        )


def of_population(means: NDArray[np.float64]) -> GateClaims:
    """Return the claims on the mean over tasks like these."""
    from ropewalk.bayes import t

    found = t(means)
    what = f"mean over tasks like these, by a t-test on the {means.size} means"
    return GateClaims(not_worse=found, worse=found, what=what)


def or_population(these: GateClaims, means: NDArray[np.float64], p: float) -> tuple[GateClaims, bool]:
    """Return the more cautious claims of these tasks and their population, and whether it is the latter."""
    population = of_population(means)
    if these.refused:
        return (these, False) if varied(means) < LEAST_VARIED else (population, True)
    wider = float(population.not_worse.quantile(1 - p)) < float(these.not_worse.quantile(1 - p))
    higher = float(population.worse.quantile(p)) > float(these.worse.quantile(p))
    both = replace(
        these,
        not_worse=population.not_worse if wider else these.not_worse,
        worse=population.worse if higher else these.worse,
        what=f"{these.what}; or mean over tasks like these, whichever is more conservative",
        grown=None if wider else these.grown,
    )
    return both, wider


def _reach(tasks: Sequence[Comparison], ranges: Ranges) -> float:
    """The largest possible difference on a task; that of the means which were seen if it is not known."""
    known = ranges.get(tasks[0].task)
    if known is not None or isinstance(tasks[0].evidence, Outcomes):
        return 1.0 if known is None else known.reach
    return float(np.ptp([[task.evidence.mean_a, task.evidence.mean_b] for task in tasks]))


def _these(tasks: Sequence[Comparison], ranges: Ranges, rng: int) -> GateClaims:
    """Return the claims on the mean over exactly these tasks."""
    if all(isinstance(task.evidence, Outcomes) for task in tasks):
        return counted_over_tasks([cast("Outcomes", task.evidence) for task in tasks], rng)
    known = [ranges.get(task.task) for task in tasks]
    first = known[0]
    if first is not None and all(is_bounded(task) for task in tasks):
        d = [bounded_differences(task) for task in tasks]
        weights = np.concatenate([np.full(x.size, 1 / x.size) for x in d])
        found = on_bounded(np.concatenate(d), first, weights=weights)
        return replace(found, what=f"mean over these {len(tasks)} tasks: {found.what}")
    each = [claims_on(task, scores) for task, scores in zip(tasks, known, strict=True)]
    refused = [k for k, found in enumerate(each) if found.refused]
    if refused:
        lacking = sum(each[k].lacking or 0 for k in refused)
        return nothing(f"{tasks[refused[0]].task}: {each[refused[0]].refused}", lacking)
    draws = _mean([cast("Posterior", task.posterior) for task in tasks], rng)
    return GateClaims(
        not_worse=draws,
        worse=draws,
        what=f"mean over these {len(tasks)} tasks ({_sampled(draws, rng)}); assumes normal means",
    )


def counted_over_tasks(tasks: Sequence[Outcomes], rng: int) -> GateClaims:
    """Claims on right and wrong answers: independent posteriors, with one more example against the claim.

    Each claim is the more cautious of two. The example goes to the smallest task, where it counts most (Fay
    & Feuer 1997, doi:10.1002/(SICI)1097-0258(19970415)16:7<791::AID-SIM500>3.0.CO;2-#, of weighted sums of
    Poisson counts), shared among several smallest tasks; or it goes to the task on which the models
    disagree most. If they disagree on only one of six tasks of five examples, a sixth of an example for that
    task would let a candidate at the margin fail in 0.11 of cases.
    """
    places = _places(tasks)

    def at(factor: float) -> tuple[NotWorse, Worse]:
        found = [
            [
                on_counts(factor * n.n01, factor * n.n10, factor * (n.n00 + n.n11), share=share)
                for n, share in zip(tasks, shares, strict=True)
            ]
            for shares in places
        ]
        lower = [_mean([not_worse for not_worse, _ in each], rng) for each in found]
        upper = [_mean([worse for _, worse in each], rng) for each in found]
        return _least(lower), _greatest(upper)

    lower, upper = at(1.0)
    alike = all(n.n01 == n.n10 == 0 for n in tasks)
    return GateClaims(
        not_worse=lower,
        worse=upper,
        what=f"mean over these {len(tasks)} tasks ({_sampled(cast('Draws', lower), rng)})",
        grown=at if alike else None,  # draws are slow, and needed only if 1/sqrt(N) does not apply
    )


def _places(tasks: Sequence[Outcomes]) -> list[list[float]]:
    """Shares of the extra example that each task gets: both ways, or one if they are the same."""
    least = min(n.n for n in tasks)
    smallest = [1.0 / sum(n.n == least for n in tasks) if n.n == least else 0.0 for n in tasks]
    apart = [(n.n01 + n.n10) / n.n for n in tasks]
    if not any(apart):
        return [smallest]
    most = [float(k == int(np.argmax(apart))) for k in range(len(tasks))]
    return [smallest] if most == smallest else [smallest, most]


def _least(found: Sequence[Draws]) -> Draws:
    """The distribution whose quantiles are the smallest of these."""
    from ropewalk.posterior import Draws

    return Draws.of(np.min([draws.x for draws in found], axis=0))  # sorted draws of equal number


def _greatest(found: Sequence[Draws]) -> Draws:
    """The distribution whose quantiles are the largest of these."""
    from ropewalk.posterior import Draws

    return Draws.of(np.max([draws.x for draws in found], axis=0))


def _sampled(draws: Draws, rng: int) -> str:
    return f"±{draws.error(0.05):.1g}, seed {rng}"  # one standard error at a probability of 0.05


def _mean(posteriors: Sequence[Posterior], rng: int) -> Draws:
    """Draws of the mean of independent posteriors. Each has its own random stream, shared by both claims."""
    from ropewalk.posterior import Draws

    draws = [p.sample(_DRAWS, np.random.default_rng([rng, k])) for k, p in enumerate(posteriors)]
    return Draws.of(np.mean(draws, axis=0))

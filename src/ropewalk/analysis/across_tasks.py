"""One pair of models over many tasks: choose the method, run it, check it, decide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ropewalk.analysis.one_task import compare_alike
from ropewalk.errors import MethodError
from ropewalk.methods import Method, asks_of, by_preference, checks, known, unvaried
from ropewalk.methods.answer import comparison
from ropewalk.methods.given_prior import with_prior
from ropewalk.methods.pair import Ask, TaskPairs
from ropewalk.results.comparison import Check, Comparison

_DIFFERENT = 30.0  # tasks whose scales differ by more than this hardly come from one population


def compare_on_tasks(over: TaskPairs, ask: Ask) -> Comparison:
    """Choose the method, run it, check its assumptions, and decide the question that was asked."""
    method, why = choose_for_tasks(over, ask)
    asks = asks_of(method, ask)
    if all(p.alike for p in over.pairs) and not method.takes_identical:
        return compare_alike(over.as_pair, ask, method, why)
    fitted = replace(method.fit_tasks(over, ask), asks=asks)
    if not method.takes_identical:
        fitted = unvaried.tempered_tasks(over, ask, fitted)
    answer, of_prior = with_prior(method, over.pairs[0], fitted, ask)
    found = [*answer.checks, *of_prior, *_commensurate(over)]
    if not any(check.kind == "sample size" for check in found):
        found = [checks.enough(len(over.pairs), 5, "tasks"), *found]
    return comparison(over.as_pair, ask, method.name, why, answer, found)


def choose_for_tasks(over: TaskPairs, ask: Ask) -> tuple[Method, str]:
    """Return the method over the tasks, requested or default, and the reason for it."""
    asked = known().get(ask.method)
    if asked is not None and asked.many_tasks:
        return asked, "set by you"
    for method in by_preference():
        why = method.suits_tasks(over, ask).default if method.many_tasks else ""
        if why:
            return method, why
    raise MethodError("no method is available for these tasks", hint="Name one with method= (--method).")


def _commensurate(over: TaskPairs) -> list[Check]:
    """Warn about tasks with different scales, and name the test that needs no common scale."""
    if over.pairs[0].points or over.are_outcomes:
        return []  # a metric bounded by 0 and 1 (or 100) has the same scale on every task
    scales = np.array([p.sums.sd for p in over.pairs if p.n > 1 and not p.alike])
    scales = scales[scales > 0]
    if scales.size < 2:
        return []
    low, high = np.quantile(scales, [0.1, 0.9])
    apart = float(high / low)
    return [
        Check(
            name="scale of the tasks",
            ok=apart <= _DIFFERENT,
            text=f"the spread of the differences varies {apart:.3g}-fold between tasks"
            + (
                ""
                if apart <= _DIFFERENT
                else "; if scores cannot be compared across tasks, use --method poisson_binomial (method=)"
            ),
            numbers={"ratio": apart},
        )
    ]

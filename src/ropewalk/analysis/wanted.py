"""The options of a report, checked against the available models and methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ropewalk.analysis.asked import Weights
from ropewalk.errors import OptionError, did_you_mean, short
from ropewalk.methods import known
from ropewalk.methods.pair import Ask
from ropewalk.metrics import Metric, metric_for

Steps: TypeAlias = Callable[[Sequence[Any]], Iterable[Any]]  # wraps a loop to show its progress


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Wanted:
    """The options of a report: which pairs, by which loss or metric, and `ask` for every pair."""

    reference: str | None
    pairs: Sequence[tuple[str, str]] | None
    loss: Any
    metric: Any
    question: str | None
    rho: float | None
    ask: Ask
    steps: Steps
    weights: Weights = None  # of the tasks, for the mean over exactly these tasks


def check_prior(models: Sequence[str], wanted: Wanted) -> None:
    """Refuse a prior of the advantage for several pairs: a leaderboard would ignore it."""
    one_pair = wanted.pairs is not None and len(wanted.pairs) == 1
    if wanted.ask.prior_sd is not None and len(models) > 2 and not one_pair:
        raise OptionError(
            f"prior_sd is a prior for a single pair, but there are {len(models)} models",
            hint="Compare two of them: pairs=[(a, b)] (--pair A B).",
        )


def of_each_task(ask: Ask) -> Ask:
    """Return the options for single tasks, without a method or prior that is about all tasks."""
    asked = known().get(ask.method)
    method = "auto" if asked is not None and asked.many_tasks else ask.method
    return replace(ask, method=method, prior_sd=None)


def check_method(method: str, many: bool) -> None:
    names = [m.name for m in known().values() if m.one_task or m.many_tasks]
    if method != "auto" and method not in names:
        raise OptionError(f'there is no method "{short(method)}"', hint=did_you_mean(method, names))
    if method != "auto" and not many and not known()[method].one_task:
        raise OptionError(
            f"{method} needs several tasks, but there is only one",
            hint="Name the task column with task= (--task).",
        )


def is_accuracy(wanted: Wanted) -> bool:
    if wanted.metric is not None:
        return metric_or_loss(wanted.metric, wanted.ask.method) == "zero_one"
    return bool(wanted.loss == "zero_one")


def metric_or_loss(metric: Any, method: str) -> Metric | str:
    """Replace a metric that is the mean of a loss by that loss, for which there are exact methods."""
    found = metric_for(metric)
    asked = known().get(method)
    as_metric = asked is not None and asked.takes_set_metrics
    return found if as_metric or not found.loss else found.loss

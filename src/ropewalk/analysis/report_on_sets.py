"""Predictions and a metric of the whole test set -> Report."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.analysis.across_tasks import compare_on_tasks
from ropewalk.analysis.asked import NO_LEADERBOARD, as_reported, checked, headline_question
from ropewalk.analysis.chosen_pairs import (
    few_enough,
    pairs_among,
    pairs_over_tasks,
    shown_on_tasks,
    some,
    with_apart,
)
from ropewalk.analysis.classical_tests import task_tests
from ropewalk.analysis.leaderboard import leaderboard_of_sets
from ropewalk.analysis.model_means import models_by_metric, table_of_sets, with_chances
from ropewalk.analysis.one_task import compare_pair
from ropewalk.analysis.set_metrics import SetTask, set_tasks
from ropewalk.analysis.wanted import Wanted, check_method, of_each_task
from ropewalk.analysis.widths import fits_metric
from ropewalk.data import Predictions
from ropewalk.errors import DataError, MethodError, OptionError, listed
from ropewalk.methods.pair import Ask
from ropewalk.metrics import Metric
from ropewalk.questions import ASKS
from ropewalk.results import Report
from ropewalk.results.all_models import Leaderboard
from ropewalk.threads import side_by_side


def report_on_sets(predictions: Predictions, metric: Metric, wanted: Wanted) -> Report:
    """Report on a metric of the whole test set."""
    if predictions.runs:
        raise OptionError(
            f"Comparing {metric.name} across several training runs is not supported",
            hint="Compare the runs by a loss per example (--loss), or compare the scores of the runs.",
        )
    ask, steps = wanted.ask, wanted.steps
    cautions = fits_metric(ask.rope, metric)
    chosen = pairs_among(predictions.models, wanted.reference, wanted.pairs)
    check_method(ask.method, predictions.tasks is not None and len(set(predictions.tasks)) > 1)
    tasks, audit = set_tasks(predictions, metric, ask.rng, steps)
    audit = audit.cautioned(*cautions)
    many = len(tasks) > 1
    ask = checked(ask, wanted.weights, {t.name or "": t.fitted.units for t in tasks}, many=many)
    names = tuple(m for m in predictions.models if any(m in t.models for t in tasks))
    if len(names) < len(predictions.models):
        lost = [m for m in predictions.models if m not in names]
        audit = audit.warned(
            f"left out, because {metric.name} is not defined on any of their tasks: {listed(lost)}"
        )
        chosen = [(a, b) for a, b in chosen if {a, b} <= set(names)]
    board, why_not = _board_of_sets(tasks, names, ask)
    audit = audit.warned(*why_not)
    chosen, notes = few_enough(chosen, board, many)
    shown, too_many = shown_on_tasks(len(chosen), len(tasks))
    audit = audit.noted(*notes, *too_many)
    own = of_each_task(ask) if many else ask
    work = [t.pair(a, b) for t in tasks for a, b in chosen if {a, b} <= set(t.models)]
    some(work)
    answers = [compare_pair(pair, own) for pair in steps(work if shown else [])]
    overs, apart = pairs_over_tasks(work, chosen) if many else ([], [])
    overall = side_by_side(lambda over: compare_on_tasks(over, ask), overs, steps)
    audit = with_apart(audit, apart)
    gaps = any(len(t.models) < len(names) for t in tasks)
    models = with_chances(models_by_metric(tasks, names, metric), board, gaps or ask.question == "these")
    z = np.array([t.values(names) for t in tasks]) * (1.0 if metric.higher_is_better else -1.0)
    classical, mean_ranks = task_tests(names, z[~np.isnan(z).any(axis=1)], ask.rng)
    return Report(
        question=wanted.question or ("Q3" if many else "Q1"),  # type: ignore[arg-type]  # checked before
        metric=metric.name,
        higher_is_better=metric.higher_is_better,
        unit="example",
        design="test examples",
        audit=audit,
        models=models,
        board=as_reported(board, overall if many else answers, models),
        reference=wanted.reference,
        comparisons=answers,
        overall=overall,
        classical=classical,
        mean_ranks=mean_ranks,
        by_task=table_of_sets(tasks, names, metric),
        threshold=ask.rule.threshold,
        seed=ask.rng,
    )


def _board_of_sets(
    tasks: Sequence[SetTask], names: tuple[str, ...], ask: Ask
) -> tuple[Leaderboard | None, list[str]]:
    """Return the joint posterior of all models, or the reason why there is none."""
    asks = headline_question(ask, tasks_are_units=False) if len(tasks) > 1 else "average"
    if not ASKS[asks].of_mean:
        return None, [NO_LEADERBOARD.format(asks=asks)] if len(names) > 2 else []
    try:
        return leaderboard_of_sets(tasks, names, ask, asks), []
    except (DataError, MethodError) as problem:
        return None, [f"no leaderboard of all models: {problem.what}"] if len(names) > 2 else []

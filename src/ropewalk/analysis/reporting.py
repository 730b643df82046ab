"""Data -> Report: which pairs, over which tasks, each by its method."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from ropewalk.analysis.across_tasks import compare_on_tasks
from ropewalk.analysis.asked import NO_LEADERBOARD, Weights, as_reported, checked, headline_question, sized
from ropewalk.analysis.classical_tests import all_models_tests, task_tests
from ropewalk.analysis.leaderboard import (
    are_ranks,
    leaderboard_of,
    leaderboard_of_sets,
    leaderboard_of_sums,
)
from ropewalk.analysis.model_means import (
    models_by_metric,
    models_of,
    models_of_sums,
    seeds_of,
    table_of_sets,
    task_table,
    with_chances,
)
from ropewalk.analysis.model_pairs import count_pairs, score_pairs
from ropewalk.analysis.one_task import compare_pair
from ropewalk.analysis.set_metrics import SetTask, set_tasks
from ropewalk.analysis.summed_pairs import summed_pairs
from ropewalk.analysis.widths import fits_metric, fits_scores
from ropewalk.data import SEVERAL, Audit, Counts, Predictions, Scores, Summed, TaskScores
from ropewalk.errors import DataError, MethodError, OptionError, did_you_mean, listed, short
from ropewalk.methods import known
from ropewalk.methods.pair import Ask, Pair, TaskPairs
from ropewalk.metrics import Metric, metric_for
from ropewalk.results import Report
from ropewalk.results.all_models import Leaderboard
from ropewalk.results.comparison import Comparison
from ropewalk.results.report import Question
from ropewalk.threads import side_by_side

Data: TypeAlias = Scores | Counts | Summed
Steps: TypeAlias = Callable[[Sequence[Any]], Iterable[Any]]  # shows progress

_MOST_PAIRS = 5_000  # more than this are compared with the best model only
_MOST_FITS = 1_300  # the same over tasks, where every pair has a hierarchical model: all pairs of 51 models
_MOST_SHOWN = 80  # more pairs than this are not compared on each of many tasks, only over all of them
_ONLY_ALL = (
    "compared over all tasks only; for the rest name a reference, reference= (--reference), or the pairs"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Wanted:
    """What the user wants of the whole: which pairs, by which loss or metric, and of every pair `ask`."""

    reference: str | None
    pairs: Sequence[tuple[str, str]] | None
    loss: Any
    metric: Any
    question: str | None
    rho: float | None
    ask: Ask
    steps: Steps
    weights: Weights = None  # of the tasks, for the mean over exactly these


def report_on(source: Data | Predictions, wanted: Wanted) -> Report:
    """The report on these data."""
    _check_prior(source.models, wanted)
    if isinstance(source, Summed) and source.metric == "accuracy" and _is_accuracy(wanted):
        wanted = replace(wanted, loss=None, metric=None)  # that was summed
    if not isinstance(source, Predictions):
        if wanted.loss is not None or wanted.metric is not None:
            what = "a loss" if wanted.loss is not None else "a metric"
            several = "\nWhere a table has several metrics, pick one with score= (--score)."
            raise OptionError(
                f"{what} was given, but the data are scores already",
                hint="Leave it out, or give predictions together with the truth."
                + (several if wanted.metric is not None else ""),
            )
        return _on_scores(source, wanted)
    by = wanted.loss if wanted.metric is None else metric_or_loss(wanted.metric, wanted.ask.method)
    if isinstance(by, Metric):
        return _on_metric(source, by, wanted)
    report = _on_scores(source.scores(by), wanted)
    return replace(report, probabilities=(source,)) if _are_probabilities(source) else report


def _of_each_task(ask: Ask) -> Ask:
    """What is asked of each of many tasks: a prior that was given is one of the mean over all of them."""
    method = "auto" if _over_tasks(ask.method) else ask.method
    return replace(ask, method=method, prior_sd=None)


def _check_prior(models: Sequence[str], wanted: Wanted) -> None:
    """A prior of the advantage is one of a pair: a leaderboard would not know it."""
    one_pair = wanted.pairs is not None and len(wanted.pairs) == 1
    if wanted.ask.prior_sd is not None and len(models) > 2 and not one_pair:
        raise OptionError(
            f"prior_sd is a prior of one advantage, and there are {len(models)} models",
            hint="Compare two of them: pairs=[(a, b)] (--pair A B).",
        )


def _are_probabilities(predictions: Predictions) -> bool:
    return predictions.kind == "probabilities" and not predictions.runs and predictions.counts is None


def _on_scores(source: Data, wanted: Wanted) -> Report:
    source = fits_scores(source, wanted.ask.rope)
    if not isinstance(source, Counts) and source.design.unit == "example" and source.is_binary:
        source = source.as_accuracy()
    tasks_are_units = isinstance(source, Scores) and source.design.unit == "task"
    ask = checked(wanted.ask, wanted.weights, sized(source), many=len(source.tasks) > 1 or tasks_are_units)
    wanted, steps = replace(wanted, ask=ask), wanted.steps
    board, source = _board(source, wanted)
    many = len(source.tasks) > 1
    chosen, notes = _few_enough(_pairs(source.models, wanted.reference, wanted.pairs), board, many)
    groups = source.groups if isinstance(source, Scores) else {}
    if len(chosen) * (1 + len(groups)) > _MOST_FITS:
        notes += [f"{len(chosen):,} pairs in {len(groups)} groups of tasks: {_ONLY_ALL}"] if groups else []
        groups = {}
    shown = not many or len(chosen) <= _MOST_SHOWN
    notes += [] if shown else [f"{len(chosen):,} pairs on {len(source.tasks):,} tasks: {_ONLY_ALL}"]
    source = replace(source, audit=source.audit.noted(*notes))
    _check_method(ask.method, many)
    # With many tasks a method over tasks leaves each of them to its own default, and the other way round.
    own = _of_each_task(ask) if many else ask
    if isinstance(source, Scores):
        work = list(score_pairs(source, chosen, wanted.rho, examples=shown))
        source = source.by_cluster() if source.is_clustered else source
    elif isinstance(source, Summed):
        work = list(summed_pairs(source, chosen))
        source = source.by_cluster() if source.is_clustered else source
    else:
        work = list(count_pairs(source, chosen))
    _some(work)
    # A task with one unit has no comparison of its own, but counts over the tasks.
    alone = list(dict.fromkeys(p.task for p in work if p.n < 2)) if many else []
    each = [p for p in work if p.task not in alone] if shown else []
    overs, apart = _overs(work, chosen) if many else ([], [])
    if overs and not tasks_are_units:
        answers, overall = _each_and_over(each, overs, own, ask, steps)
    else:
        answers = [compare_pair(pair, own) for pair in steps(each)]
        overall = answers if tasks_are_units else []
    by_group, unanswered = _by_group(groups, work, chosen, wanted)
    models = models_of_sums(source) if isinstance(source, Summed) else models_of(source, wanted.rho)
    models = with_chances(models, board, _has_gaps(source) or ask.question == "these")
    several = bool(overall) or len(source.models) > 2
    classical, mean_ranks = all_models_tests(source, ask.rng, wanted.rho) if several else ([], None)
    return Report(
        question=question_of(source, wanted.question),
        metric=source.metric,
        higher_is_better=source.higher_is_better,
        unit=source.design.unit,
        design=source.describe_design(),
        audit=_with_warning(_with_apart(source.audit, apart), alone).warned(*unanswered),
        models=models,
        board=as_reported(board, overall if many or tasks_are_units else answers, models),
        reference=wanted.reference,
        seeds=seeds_of(source) if isinstance(source, Scores) else {},
        comparisons=[] if tasks_are_units else answers,
        overall=overall,
        groups=by_group,
        classical=classical,
        mean_ranks=mean_ranks,
        by_task=task_table(source),
        threshold=ask.rule.threshold,
        seed=ask.rng,
    )


def _has_gaps(source: Data) -> bool:
    return isinstance(source, Scores) and source.has_gaps and not are_ranks(source)


def _board(source: Data, wanted: Wanted) -> tuple[Leaderboard | None, Data]:
    """The joint posterior of all models; without one, the reason why among the warnings."""
    ask = wanted.ask
    if isinstance(source, Counts) or source.metric == SEVERAL:
        return None, source
    over_tasks = len(source.tasks) > 1 or source.design.unit == "task"
    asks = headline_question(ask, tasks_are_units=source.design.unit == "task") if over_tasks else "average"
    if asks in ("next", "likeliest") and not (isinstance(source, Scores) and are_ranks(source)):
        if len(source.models) == 2:
            return None, source
        return None, replace(source, audit=source.audit.noted(NO_LEADERBOARD.format(asks=asks)))
    if isinstance(source, Summed) and not source.is_clustered:
        return leaderboard_of_sums(source, wanted.ask, asks), source
    if source.is_clustered and ask.method in known() and known()[ask.method].about_rows:
        return None, source  # these are about the mean row, a leaderboard of cluster means is not
    units = source.by_cluster() if source.is_clustered else source
    assert isinstance(units, Scores)
    try:
        return leaderboard_of(units, wanted.rho, wanted.ask, asks), source
    except (DataError, MethodError) as problem:
        if len(source.models) == 2:
            return None, source  # the pair has everything that can be said
        text = f"no leaderboard of all models: {problem.what}"
        return None, replace(source, audit=source.audit.warned(text))


def _some(work: Sequence[Pair]) -> None:
    if not work:
        raise DataError(
            "the models to be compared share no task",
            hint="Compare each of them with a model that was run on the same tasks.",
        )


def _few_enough(
    chosen: list[tuple[str, str]], board: Leaderboard | None, many: bool
) -> tuple[list[tuple[str, str]], list[str]]:
    """The pairs, or of too many of them those with the best model, and a note that says so."""
    if board is None or len(chosen) <= (_MOST_FITS if many else _MOST_PAIRS):
        return chosen, []
    best = board.names[board.order[0]]
    note = f"{len(chosen):,} pairs are too many: every model is compared with the best, {short(best)}"
    return _pairs(board.names, best, None), [note]


def _overs(work: Sequence[Pair], chosen: Sequence[tuple[str, str]]) -> tuple[list[TaskPairs], list[str]]:
    """The tasks of each pair; pairs that share fewer than two have nothing over tasks, and are named."""
    by_pair: dict[tuple[str, str], list[Pair]] = {pair: [] for pair in chosen}
    for p in work:
        by_pair[p.a, p.b].append(p)
    apart = [f"{short(a)} - {short(b)}" for (a, b), found in by_pair.items() if len(found) < 2]
    return [TaskPairs(pairs=found) for found in by_pair.values() if len(found) > 1], apart


def _each_and_over(
    each: Sequence[Pair], overs: Sequence[TaskPairs], own: Ask, ask: Ask, steps: Steps
) -> tuple[list[Comparison], list[Comparison]]:
    """The pairs on each task, and over all of them.

    Both are one piece of work of a pair of models, so that threads get on: the tasks need the interpreter,
    what goes over all of them hardly does.
    """

    def answer(over: TaskPairs) -> tuple[list[Comparison], Comparison]:
        mine = on_tasks.pop((over.pairs[0].a, over.pairs[0].b), [])
        return [compare_pair(p, own) for p in mine], compare_on_tasks(over, ask)

    on_tasks: dict[tuple[str, str], list[Pair]] = {}
    for p in each:
        on_tasks.setdefault((p.a, p.b), []).append(p)
    found = side_by_side(answer, overs, steps)
    answers = [answer for some, _ in found for answer in some]
    answers += [compare_pair(p, own) for some in on_tasks.values() for p in some]  # on one task only
    place = {(p.task, p.a, p.b): i for i, p in enumerate(each)}
    answers.sort(key=lambda c: place[c.task, c.a, c.b])
    return answers, [over for _, over in found]


def _by_group(
    parts: Mapping[str, Sequence[TaskScores]],
    work: Sequence[Pair],
    chosen: Sequence[tuple[str, str]],
    wanted: Wanted,
) -> tuple[dict[str, list[Comparison]], list[str]]:
    """Every pair over the tasks of each group, by the method of all tasks; and what could not be answered."""
    inside = {name: {t.name for t in tasks} for name, tasks in parts.items()}
    overs = [
        (g, over) for g, t in inside.items() for over in _overs([p for p in work if p.task in t], chosen)[0]
    ]
    groups: dict[str, list[Comparison]] = {}
    unanswered = []
    for name, over in wanted.steps(overs):
        try:
            found = compare_on_tasks(over, wanted.ask)
        except (DataError, MethodError, OptionError) as problem:  # takes nothing from the answer over all
            unanswered.append(f"no answer for the group {short(name)}: {problem.what}")
        else:
            groups.setdefault(name, []).append(found)
    return groups, unanswered


def _with_apart(audit: Audit, apart: list[str]) -> Audit:
    if not apart:
        return audit
    text = f"pairs that share fewer than two tasks have no comparison over tasks: {listed(apart)}"
    return audit.warned(text)


def _on_metric(predictions: Predictions, metric: Metric, wanted: Wanted) -> Report:
    """A metric of the whole test set."""
    if predictions.runs:
        raise OptionError(
            f"{metric.name} of several training runs is not known how to compare",
            hint="Compare the runs by a loss of single examples (--loss), or the scores of the runs.",
        )
    ask, steps = wanted.ask, wanted.steps
    warnings = fits_metric(ask.rope, metric)
    chosen = _pairs(predictions.models, wanted.reference, wanted.pairs)
    _check_method(ask.method, predictions.tasks is not None and len(set(predictions.tasks)) > 1)
    tasks, audit = set_tasks(predictions, metric, ask.rng, steps)
    audit = audit.warned(*warnings)
    many = len(tasks) > 1
    ask = checked(ask, wanted.weights, {t.name or "": t.fitted.units for t in tasks}, many=many)
    names = tuple(m for m in predictions.models if any(m in t.models for t in tasks))
    if len(names) < len(predictions.models):
        lost = [m for m in predictions.models if m not in names]
        audit = audit.warned(
            f"left out, because {metric.name} is defined on none of their tasks: {listed(lost)}"
        )
        chosen = [(a, b) for a, b in chosen if {a, b} <= set(names)]
    board, why_not = _board_of_sets(tasks, names, ask)
    audit = audit.warned(*why_not)
    chosen, notes = _few_enough(chosen, board, many)
    shown = not many or len(chosen) <= _MOST_SHOWN
    notes += [] if shown else [f"{len(chosen):,} pairs on {len(tasks):,} tasks: {_ONLY_ALL}"]
    audit = audit.noted(*notes)
    own = _of_each_task(ask) if many else ask
    work = [t.pair(a, b) for t in tasks for a, b in chosen if {a, b} <= set(t.models)]
    _some(work)
    answers = [compare_pair(pair, own) for pair in steps(work if shown else [])]
    overs, apart = _overs(work, chosen) if many else ([], [])
    overall = side_by_side(lambda over: compare_on_tasks(over, ask), overs, steps)
    audit = _with_apart(audit, apart)
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
        probabilities=(predictions,) if _are_probabilities(predictions) else (),
        threshold=ask.rule.threshold,
        seed=ask.rng,
    )


def _board_of_sets(
    tasks: Sequence[SetTask], names: tuple[str, ...], ask: Ask
) -> tuple[Leaderboard | None, list[str]]:
    """The joint posterior of all models; without one, the reason why."""
    asks = headline_question(ask, tasks_are_units=False) if len(tasks) > 1 else "average"
    if asks in ("next", "likeliest"):
        return None, [NO_LEADERBOARD.format(asks=asks)] if len(names) > 2 else []
    try:
        return leaderboard_of_sets(tasks, names, ask, asks), []
    except (DataError, MethodError) as problem:
        return None, [f"no leaderboard of all models: {problem.what}"] if len(names) > 2 else []


def _is_accuracy(wanted: Wanted) -> bool:
    if wanted.metric is not None:
        return metric_or_loss(wanted.metric, wanted.ask.method) == "zero_one"
    return bool(wanted.loss == "zero_one")


def metric_or_loss(metric: Any, method: str) -> Metric | str:
    """A metric that is the mean of a loss is that loss, for which there are exact methods."""
    found = metric_for(metric)
    loss = {"accuracy": "zero_one", "log loss": "log", "Brier score": "brier", "MAE": "absolute"}.get(
        found.name
    )
    as_metric = method in known() and known()[method].takes_set_metrics
    return found if loss is None or as_metric else loss


def _check_method(method: str, many: bool) -> None:
    names = [m.name for m in known().values() if m.one_task or m.many_tasks]
    if method != "auto" and method not in names:
        raise OptionError(f'there is no method "{short(method)}"', hint=did_you_mean(method, names))
    if method != "auto" and not many and not known()[method].one_task:
        raise OptionError(
            f"{method} needs several tasks, and there is one",
            hint="Name the task column with task= (--task).",
        )


def _over_tasks(method: str) -> bool:
    return method in known() and known()[method].many_tasks


def _with_warning(audit: Audit, alone: list[str | None]) -> Audit:
    if not alone:
        return audit
    text = f"no comparison of its own for a task with one unit: {listed([name for name in alone if name])}"
    return audit.warned(text)


def _pairs(
    models: Sequence[str], reference: str | None, pairs: Sequence[tuple[str, str]] | None
) -> list[tuple[str, str]]:
    if reference is not None and pairs is not None:
        raise OptionError("both reference and pairs are given", hint="Give one of them.")
    named = [reference] if reference is not None else [m for pair in pairs or () for m in pair]
    for name in named:
        if name not in models:
            raise OptionError(f'there is no model "{short(name)}"', hint=did_you_mean(name, models))
    if pairs is not None:
        if any(len(pair) != 2 or pair[0] == pair[1] for pair in pairs) or not pairs:
            raise OptionError("pairs must be pairs of two different models", hint='Such as [("A", "B")].')
        return [(a, b) for a, b in pairs]
    if reference is not None:
        return [(m, reference) for m in models if m != reference]
    return [(a, b) for i, a in enumerate(models) for b in models[i + 1 :]]


def question_of(source: Data, asked: str | None = None) -> Question:
    """Q1 predictors on one task, Q2 learning algorithms on one task, Q3 many tasks (Williams 2026 sec. 1)."""
    many = len(source.tasks) > 1 or (isinstance(source, Scores) and source.design.unit == "task")
    if asked == "Q3" and not many:
        raise DataError(
            "question Q3 needs several tasks, and there is one", hint="Name the task column with task=."
        )
    if asked is not None:
        return asked  # type: ignore[return-value]  # checked by the caller
    if many:
        return "Q3"
    if isinstance(source, Scores):
        retrained = source.design.unit in ("fold", "seed") or source.tasks[0].runs is not None
        return "Q2" if retrained else "Q1"
    return "Q1"

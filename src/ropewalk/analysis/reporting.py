"""Data -> Report: select the pairs and tasks, and compare each pair by its method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from ropewalk.analysis.across_tasks import compare_on_tasks
from ropewalk.analysis.asked import NO_LEADERBOARD, as_reported, checked, headline_question, sized
from ropewalk.analysis.chosen_pairs import (
    few_enough,
    pairs_among,
    pairs_over_tasks,
    shown_on_tasks,
    some,
    with_apart,
    within_groups,
)
from ropewalk.analysis.classical_tests import all_models_tests
from ropewalk.analysis.leaderboard import are_ranks, leaderboard_of, leaderboard_of_sums
from ropewalk.analysis.model_means import models_of, models_of_sums, seeds_of, task_table, with_chances
from ropewalk.analysis.model_pairs import count_pairs, score_pairs
from ropewalk.analysis.one_task import compare_pair
from ropewalk.analysis.report_on_sets import report_on_sets
from ropewalk.analysis.summed_pairs import summed_pairs
from ropewalk.analysis.wanted import (
    Steps,
    Wanted,
    check_method,
    check_prior,
    is_accuracy,
    metric_or_loss,
    of_each_task,
)
from ropewalk.analysis.widths import fits_scores
from ropewalk.data import SEVERAL, Audit, Counts, Predictions, Scores, Summed, TaskScores
from ropewalk.errors import DataError, MethodError, OptionError, listed, short
from ropewalk.methods import known
from ropewalk.methods.pair import Ask, Pair, TaskPairs
from ropewalk.metrics import Metric
from ropewalk.questions import ASKS, Setting
from ropewalk.results import Report
from ropewalk.results.all_models import Leaderboard
from ropewalk.results.comparison import Comparison
from ropewalk.threads import side_by_side

Data: TypeAlias = Scores | Counts | Summed


def report_on(source: Data | Predictions, wanted: Wanted) -> Report:
    """The report on these data."""
    check_prior(source.models, wanted)
    if isinstance(source, Summed) and source.metric == "accuracy" and is_accuracy(wanted):
        wanted = replace(wanted, loss=None, metric=None)  # the sums are already those of this metric
    if not isinstance(source, Predictions):
        if wanted.loss is not None or wanted.metric is not None:
            what = "a loss" if wanted.loss is not None else "a metric"
            several = "\nWhere a table has several metrics, pick one with score= (--score)."
            raise OptionError(
                f"{what} was given, but the data are already scores",
                hint="Leave it out, or give predictions together with the truth."
                + (several if wanted.metric is not None else ""),
            )
        return _on_scores(source, wanted)
    by = wanted.loss if wanted.metric is None else metric_or_loss(wanted.metric, wanted.ask.method)
    if isinstance(by, Metric):
        report = report_on_sets(source, by, wanted)
    else:
        report = _on_scores(source.scores(by), wanted)
    probabilities = source.kind == "probabilities" and not source.runs and source.counts is None
    return replace(report, probabilities=(source,)) if probabilities else report


def _on_scores(source: Data, wanted: Wanted) -> Report:
    source = fits_scores(source, wanted.ask.rope)
    if not isinstance(source, Counts) and source.design.unit == "example" and source.is_binary:
        source = source.as_accuracy()
    tasks_are_units = isinstance(source, Scores) and source.design.unit == "task"
    ask = checked(wanted.ask, wanted.weights, sized(source), many=len(source.tasks) > 1 or tasks_are_units)
    wanted, steps = replace(wanted, ask=ask), wanted.steps
    board, source = _board(source, wanted)
    many = len(source.tasks) > 1
    chosen, notes = few_enough(pairs_among(source.models, wanted.reference, wanted.pairs), board, many)
    groups = source.groups if isinstance(source, Scores) else {}
    few, many_groups = within_groups(len(chosen), len(groups))
    groups = groups if few else {}
    shown, too_many = shown_on_tasks(len(chosen), len(source.tasks))
    source = replace(source, audit=source.audit.noted(*notes, *many_groups, *too_many))
    check_method(ask.method, many)
    # With many tasks, a requested method over tasks leaves the single tasks to their default, and vice versa.
    own = of_each_task(ask) if many else ask
    if isinstance(source, Scores):
        work = list(score_pairs(source, chosen, wanted.rho, examples=shown))
        source = source.by_cluster() if source.is_clustered else source
    elif isinstance(source, Summed):
        work = list(summed_pairs(source, chosen))
        source = source.by_cluster() if source.is_clustered else source
    else:
        work = list(count_pairs(source, chosen))
    some(work)
    # A task with one unit is not compared on its own, but counts in the comparison over tasks.
    alone = list(dict.fromkeys(p.task for p in work if p.n < 2)) if many else []
    each = [p for p in work if p.task not in alone] if shown else []
    overs, apart = pairs_over_tasks(work, chosen) if many else ([], [])
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
        audit=_with_warning(with_apart(source.audit, apart), alone).warned(*unanswered),
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
    """Return the joint posterior of all models; if there is none, a warning gives the reason."""
    ask = wanted.ask
    if isinstance(source, Counts) or source.metric == SEVERAL:
        return None, source
    over_tasks = len(source.tasks) > 1 or source.design.unit == "task"
    asks = headline_question(ask, tasks_are_units=source.design.unit == "task") if over_tasks else "average"
    if not ASKS[asks].of_mean and not (isinstance(source, Scores) and are_ranks(source)):
        if len(source.models) == 2:
            return None, source
        return None, replace(source, audit=source.audit.noted(NO_LEADERBOARD.format(asks=asks)))
    if isinstance(source, Summed) and not source.is_clustered:
        return leaderboard_of_sums(source, wanted.ask, asks), source
    asked = known().get(ask.method)
    if source.is_clustered and asked is not None and asked.about_rows:
        return None, source  # these are about the mean row, but a leaderboard is about cluster means
    try:
        return leaderboard_of(source, wanted.rho, wanted.ask, asks), source
    except (DataError, MethodError) as problem:
        if len(source.models) == 2:
            return None, source  # the single pair is the whole answer
        text = f"no leaderboard of all models: {problem.what}"
        return None, replace(source, audit=source.audit.warned(text))


def _each_and_over(
    each: Sequence[Pair], overs: Sequence[TaskPairs], own: Ask, ask: Ask, steps: Steps
) -> tuple[list[Comparison], list[Comparison]]:
    """Compare the pairs on each task and over all tasks.

    Both are one work item per pair, so that threads overlap: the single tasks need the interpreter,
    the comparison over all tasks hardly does.
    """

    def answer(over: TaskPairs) -> tuple[list[Comparison], Comparison]:
        mine = on_tasks.pop((over.pairs[0].a, over.pairs[0].b), [])
        return [compare_pair(p, own) for p in mine], compare_on_tasks(over, ask)

    on_tasks: dict[tuple[str, str], list[Pair]] = {}
    for p in each:
        on_tasks.setdefault((p.a, p.b), []).append(p)
    found = side_by_side(answer, overs, steps)
    answers = [answer for some, _ in found for answer in some]
    answers += [compare_pair(p, own) for some in on_tasks.values() for p in some]  # it has one task only
    place = {(p.task, p.a, p.b): i for i, p in enumerate(each)}
    answers.sort(key=lambda c: place[c.task, c.a, c.b])
    return answers, [over for _, over in found]


def _by_group(
    parts: Mapping[str, Sequence[TaskScores]],
    work: Sequence[Pair],
    chosen: Sequence[tuple[str, str]],
    wanted: Wanted,
) -> tuple[dict[str, list[Comparison]], list[str]]:
    """Compare every pair over the tasks of each group by the method of all tasks; also list failures."""
    inside = {name: {t.name for t in tasks} for name, tasks in parts.items()}
    overs = [
        (g, over)
        for g, t in inside.items()
        for over in pairs_over_tasks([p for p in work if p.task in t], chosen)[0]
    ]
    groups: dict[str, list[Comparison]] = {}
    unanswered = []
    for name, over in wanted.steps(overs):
        try:
            found = compare_on_tasks(over, wanted.ask)
        except (DataError, MethodError, OptionError) as problem:  # the answer over all tasks stays valid
            unanswered.append(f"no answer for the group {short(name)}: {problem.what}")
        else:
            groups.setdefault(name, []).append(found)
    return groups, unanswered


def _with_warning(audit: Audit, alone: list[str | None]) -> Audit:
    if not alone:
        return audit
    text = (
        "tasks with a single unit have no comparison of their own: "
        f"{listed([name for name in alone if name])}"
    )
    return audit.warned(text)


def question_of(source: Data, asked: str | None = None) -> Setting:
    """Q1 predictors on one task, Q2 learning algorithms on one task, Q3 many tasks (Williams 2026 sec. 1)."""
    many = len(source.tasks) > 1 or (isinstance(source, Scores) and source.design.unit == "task")
    if asked == "Q3" and not many:
        raise DataError(
            "question Q3 needs several tasks, but there is only one", hint="Name the task column with task=."
        )
    if asked is not None:
        return asked  # type: ignore[return-value]  # checked by the caller
    if many:
        return "Q3"
    if isinstance(source, Scores):
        retrained = source.design.unit in ("fold", "seed") or source.tasks[0].runs is not None
        return "Q2" if retrained else "Q1"
    return "Q1"

"""Baseline and candidate -> Decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from ropewalk.arithmetic import usual_arithmetic
from ropewalk.compare import compare
from ropewalk.data import SEVERAL, Predictions, Scores
from ropewalk.data.known_direction import way_of_metric
from ropewalk.data.odd_predictions import doubts_on_scoring, of_the_predicted_class
from ropewalk.data.odd_values import refuse_doubts
from ropewalk.data.ranges import score_ranges
from ropewalk.data.scale import check_width
from ropewalk.decide import RopeRequest
from ropewalk.errors import DataError, OptionError, did_you_mean, short
from ropewalk.gate.claims import claims_on
from ropewalk.gate.decision import Decision, Row, decide
from ropewalk.gate.ledger import Looks
from ropewalk.gate.overall import asks, overall
from ropewalk.gate.policy import Policy
from ropewalk.methods import default_of, quickest_over_tasks
from ropewalk.metrics import metric_for
from ropewalk.options import ColumnOptions, JudgeOptions, seed_of, with_options_of, with_suggestions
from ropewalk.read.sides import Sides, read_sides

if TYPE_CHECKING:
    from ropewalk.data.coverage import Missing
    from ropewalk.results import Report


_SAME = "baseline and candidate are the same files, so this tests the gate, not a candidate"


@with_suggestions
@with_options_of(compare, ColumnOptions)
def judge(
    baseline: Any,
    candidate: Any,
    policy: Policy,
    *,
    query: str | None = None,
    models: Sequence[str | None] = (None, None),
    loss: Any = None,
    metric: Any = None,
    looks: int | None = None,
    missing: Missing | None = None,
    rho: float | None = None,
    runs: int | None = None,
    specialists: bool = False,
    rng: int | np.random.Generator = 0,
    **options: Unpack[ColumnOptions],
) -> Decision:
    """Decide by a policy whether the candidate is worse than the baseline by more than the margin.

    Parameters
    ----------
    baseline, candidate : path, list of paths, frame, array or dict
        Each side holds one model: a path, a list of paths or a folder that `ropewalk.read` takes, a frame,
        scores in the same order, or a dict {task: scores}. With `query`, a database (see `ropewalk.read`), or
        None where the query names files.
    policy : Policy
        What the gate accepts.
    query : str, optional
        SQL query whose rows are the data, run in the database of each side. Where both sides are the same,
        `models` names the two models in it.
    models : (str, str), optional
        Names of the models to pick, where a side has several.
    loss : str or dict, optional
        How a prediction is scored, as for `ropewalk.compare`.
    metric : str, Metric or callable, optional
        Metric of the whole test set, or one that the data hold.
    looks : int, optional
        Number of decisions made on this test set so far, including this one.
    missing : {"drop", "worst"}, optional
        What to do with units that one side lacks: left out, or counted as wrong where the candidate lacks
        them. By default they are refused.
    rho : float, optional
        Correlation between the scores of two folds; 0 where they are independent. Scores without ids in a
        number that cross-validation gives are refused without it.
    runs : int, optional
        Number of repetitions of cross-validation, for scores without ids.
    specialists : bool, default False
        The models are meant to be good at different things. Otherwise a candidate that is good exactly where
        the baseline is bad is refused, because its scores may be reversed.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator from which a seed is drawn.

    Returns
    -------
    Decision
        Pass, fail or undecided, with a row for each task and one over all of them.

    Raises
    ------
    DataError
        If the data cannot be read or paired, or if nothing says whether higher is better.
    OptionError
        If an option is unknown or does not fit the data.

    See Also
    --------
    ropewalk.gate : The same with the margin as an option.

    Notes
    -----
    For each task, the posterior of the candidate's advantage d gives Pr(d < -margin) and Pr(d >= -margin).
    Overall, d is the mean over these tasks. With five tasks or more, it is also the mean over the population
    that they come from, and the more cautious of the two answers counts. With one task, d is its advantage.

    A row is not worse from `policy.probability` p on. It is worse from p on; of T tasks each is worse from 1
    - (1 - p)/T on, so that all of them together fail wrongly no more often than one would.

    Right and wrong answers, and scores whose range is known, go by bounds that hold in finite samples: of a
    candidate that is worse by exactly the margin neither claim is made in more than 1 - p of cases. Other
    scores need 30 units that vary, and are undecided below. docs/gate.md has the figures.

    Examples
    --------
    >>> from ropewalk.gate import Policy, judge
    >>> decision = judge([1.0] * 300, [1.0] * 200 + [0.0] * 100, Policy(margin=0.01))
    >>> decision.name, decision.reason
    ('fail', 'candidate is worse by 0.333 (probability 0.999)')
    """
    pick = metric if isinstance(metric, str) else None
    return decision_on(
        read_sides(
            baseline,
            candidate,
            query=query,
            models=models,
            missing=missing,
            rho=rho,
            runs=runs,
            specialists=specialists,
            pick=pick,
            **options,
        ),
        policy,
        rho=rho,
        higher_is_better=options.get("higher_is_better"),
        loss=loss,
        metric=metric,
        looks=looks,
        rng=rng,
    )


@with_suggestions
@with_options_of(judge, JudgeOptions)
def gate(
    baseline: Any,
    candidate: Any,
    *,
    margin: float | None = None,
    probability: float | None = None,
    on_undecided: Literal["pass", "fail"] | None = None,
    bounds: tuple[float, float] | None = None,
    question: Literal["these", "average"] | None = None,
    policy: Policy | str | Path | None = None,
    **options: Unpack[JudgeOptions],
) -> Decision:
    """Decide whether the candidate may replace the baseline: pass, fail or undecided.

    Parameters
    ----------
    baseline, candidate : path, list of paths, frame, array or dict
        Each side holds one model: a path, a list of paths or a folder that `ropewalk.read` takes, a frame,
        scores in the same order, or a dict {task: scores}. With `query`, a database (see `ropewalk.read`), or
        None where the query names files.
    margin : float, optional
        How much worse the candidate may be, in score units. Needed unless a policy has it.
    probability : float, optional
        Probability that a claim needs. By default 0.95.
    on_undecided : {"pass", "fail"}, optional
        What an undecided gate becomes. By default it stays undecided.
    bounds : (float, float), optional
        Lowest and highest score that a unit can have, such as (1, 5).
    question : {"these", "average"}, optional
        Which mean over several tasks counts: that over exactly these tasks, or the average over tasks like
        these. By default a claim must hold for both.
    policy : Policy or path, optional
        Policy, or TOML file with one, which may have margins for single tasks; the options above come first.

    Returns
    -------
    Decision
        Pass, fail or undecided, with the reason, a row for each task and one over all of them.

    Raises
    ------
    OptionError
        If no margin is given, or an option makes no sense.
    DataError
        If the data cannot be read or paired, or if nothing says whether higher is better.

    See Also
    --------
    ropewalk.gate.judge : What is computed.
    ropewalk.compare : Which of several models is better.

    Examples
    --------
    >>> import ropewalk as rw
    >>> decision = rw.gate([1.0] * 300, [1.0] * 200 + [0.0] * 100, margin=0.01)
    >>> decision.name, decision.reason
    ('fail', 'candidate is worse by 0.333 (probability 0.999)')
    """
    given = {
        "margin": margin,
        "bounds": bounds,
        "probability": probability,
        "on_undecided": on_undecided,
        "question": question,
    }
    said = {name: value for name, value in given.items() if value is not None}
    if isinstance(policy, Policy):
        rules = replace(policy, **said)  # type: ignore[arg-type]  # checked by the policy
    elif policy is not None:
        rules = Policy.read(policy, **said)  # type: ignore[arg-type]  # checked by the policy
    elif margin is None:
        raise OptionError(
            "no margin was given", hint="Say how much worse the candidate may be: margin=0.01, or policy=."
        )
    else:
        rules = Policy(**said)  # type: ignore[arg-type]  # checked by the policy
    return judge(baseline, candidate, rules, **options)


@usual_arithmetic
def decision_on(
    sides: Sides,
    policy: Policy,
    *,
    loss: Any = None,
    metric: Any = None,
    looks: int | None = None,
    rho: float | None = None,
    higher_is_better: bool | None = None,
    rng: int | np.random.Generator = 0,
) -> Decision:
    """Return the decision on data that were read."""
    data, rng = sides.data, seed_of(rng)
    if metric is not None and not isinstance(metric, str):
        metric, way = way_of_metric(metric_for(metric), higher_is_better)
        if way is not None:
            way.refuse()
    if isinstance(data, Scores) and isinstance(metric, str):
        metric = None  # the scores are already those of the metric, chosen when they were read
    if isinstance(data, Predictions) and loss is None:
        refuse_doubts(of_the_predicted_class(data))
        refuse_doubts(doubts_on_scoring(data) if metric is None else ())
    _check_margins(data, policy)
    report = compare(
        data,
        reference="baseline",
        loss=loss,
        metric=metric,
        method=_method(data),
        rope=_margin(policy.margin or _some_width(data)),
        threshold=policy.probability,
        rho=rho,
        missing=sides.how or "drop",  # units that one side lacks were refused before, or are to be left out
        rng=rng,
    )
    _check_names(policy, report, sides)
    p, shared = policy.probability, 1 - (1 - policy.probability) / max(1, len(report.comparisons))
    ranges = score_ranges(data, report.metric, policy.bounds)
    tasks = tuple(
        Row.of(
            c.task,
            claims_on(c, ranges.get(c.task), same=sides.same),
            advantage=c.advantage,
            margin=policy.margin_of(c.task),
            passes_from=p,
            fails_from=shared,
            required=policy.requires(c.task),
            n=c.n,
            unit=c.unit,
        )
        for c in report.comparisons
        if c.task is not None
    )
    whole = overall(report, policy, ranges, same=sides.same, rng=rng)
    missing = tuple(t for t in sides.not_run if sides.how == "worst" or policy.requires(t))
    if whole is None:  # without a row over all, every task is required
        tasks = tuple(replace(row, required=True) for row in tasks)
    name, decided_by, reason = decide(whole, tasks, missing)
    about = [] if sides.same else [(c.task, w) for c in report.comparisons for w in c.warnings]
    return Decision(
        name=name,
        reason=reason,
        decided_by=decided_by,
        overall=whole,
        tasks=tasks,
        missing=missing,
        policy=policy,
        looks=None
        if looks is None
        else Looks(count=looks, probability=p, families=min(2, max(1, len(tasks)))),
        metric=report.metric,
        audit=report.audit,
        warnings=(
            *((_SAME,) if sides.same else ()),
            *report.audit.cautions,
            *report.audit.warnings,
            *(f"{short(t)}: {w}" if t else w for t, w in about),
        ),
        seed=rng,
        asks=asks(report, policy),
    )


def _margin(width: float) -> RopeRequest:
    """Return a margin as the ROPE of a comparison, whose errors then call it a margin."""
    return RopeRequest(kind="score", low=-width, high=width, called="margin")


def _check_margins(data: Scores | Predictions, policy: Policy) -> None:
    """Check the margins of single tasks, which the comparison does not check."""
    if isinstance(data, Scores):
        for task, margin in policy.margins.items():
            check_width(margin, f'margin of task "{short(task)}"', data)


def _method(data: Scores | Predictions) -> str:
    """Return the method; over all tasks it matters only for one number per task, so the quickest suffices."""
    if isinstance(data, Scores):
        if data.design.unit == "task":
            return default_of("examples").name  # tests the mean, for any scores
        if data.metric == SEVERAL:
            return "auto"
        many = len(data.tasks) > 1
    else:
        many = data.tasks is not None and len(set(data.tasks)) > 1
    return quickest_over_tasks().name if many else "auto"


def _some_width(data: Scores | Predictions) -> float:
    """Return a ROPE for a margin of 0; only tasks that never vary use it, as their possible spread.

    A tenth of the standard deviation of the differences of all tasks; for predictions, one percentage point.
    """
    if isinstance(data, Predictions):
        return 0.01
    d = np.concatenate([data.differences("candidate", "baseline", t.name) for t in data.tasks])
    return 0.1 * float(d.std()) or 0.01


def _check_names(policy: Policy, report: Report, sides: Sides) -> None:
    """Raise an error if the policy names a task that the data lack: it must not count as a pass."""
    known = [c.task for c in report.comparisons if c.task is not None]
    for task in policy.named:
        if task in known or task in sides.not_run:
            continue
        if task in _all_tasks(sides.data):
            raise DataError(
                f'the policy names the task "{short(task)}", which has a single unit',
                hint="Its margin cannot be tested. Remove it from the policy, or give its examples.",
            )
        raise OptionError(
            f'the policy names the task "{short(task)}", which is not in the data',
            hint=did_you_mean(task, known) if known else "The data contain a single, unnamed task.",
        )


def _all_tasks(data: Scores | Predictions) -> set[str]:
    if isinstance(data, Predictions):
        return set() if data.tasks is None else set(data.tasks)
    return {t.name or "" for t in data.tasks} | (
        set(data.tasks[0].units) if data.design.unit == "task" else set()
    )

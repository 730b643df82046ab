"""All models at once: which is best, which are within the ROPE of the best, and every pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ropewalk import bayes
from ropewalk.analysis import hardly_varied
from ropewalk.analysis.asked import over_these
from ropewalk.analysis.model_pairs import correlation
from ropewalk.analysis.set_metrics import SetTask
from ropewalk.analysis.summed_pairs import cross_sums
from ropewalk.bayes.joint import pulled_together
from ropewalk.data import Scores, Summed, TaskScores, is_rank
from ropewalk.data.scale import one_point, range_of_means
from ropewalk.data.summed import TaskSums
from ropewalk.decide import Rope, RopeRequest, ScoreScale, in_scores, resolve_rope
from ropewalk.errors import DataError
from ropewalk.methods import crossed
from ropewalk.methods.pair import Ask
from ropewalk.posterior import JointPosterior
from ropewalk.posterior.base import Floats
from ropewalk.posterior.own_pairs import OwnPairs
from ropewalk.questions import Asks
from ropewalk.results.all_models import Leaderboard

_DRAWS = 10_000
_NUMBERS = 4_000_000  # limit of draws times models: with 1,000 models there are 4,000 draws
_TASK_DRAWS = 2_000


def leaderboard_of(
    source: Scores | Summed, rho: float | None, ask: Ask, asks: Asks = "average"
) -> Leaderboard:
    """The joint posterior of the models, with the probabilities of each model and of every pair.

    Over tasks the posterior is about the mean over the population of tasks, or over exactly these tasks. If
    there are clusters, their means are the units.
    """
    scores = source if isinstance(source, Scores) and not source.is_clustered else source.by_cluster()
    by_row = are_ranks(scores) or (scores.design.unit == "task" and scores.has_gaps)
    tables = [_upward(scores, t.values) for t in scores.tasks]
    if by_row:  # each row is a task
        tables = [row[None, :] for row in tables[0]]
    sums = [bayes.CrossSums.of(z, missing=True) for z in tables]
    has_runs = any(t.runs is not None for t in scores.tasks)
    singles = [bayes.CrossSums.of(_one_run_each(t), missing=True) for t in scores.tasks] if has_runs else sums
    rope = _rope(singles, ask.rope, scores.metric, one_point(scores), ranks=are_ranks(scores))
    low, high = rope.low, rope.high
    each = [correlation(scores.design_of(t), rho) for t in scores.tasks]
    draws = _how_many(len(scores.models))
    several = len(scores.tasks) > 1 and len(scores.models) > 2
    within: Floats | None = None
    posterior: JointPosterior
    if asks == "these" and not by_row:
        posterior = _of_these(scores, sums, each, ask, draws)
        within = _by_task(sums, each, (low, high), ask.rng) if several and not has_runs else None
    elif are_ranks(scores):
        posterior = bayes.plackett_luce(_ranked(scores.tasks[0].values), draws=draws, rng=ask.rng)
    elif has_runs:
        posterior, within = _of_runs(scores, (low, high), draws, ask.rng)
    elif len(sums) > 1:
        rhos = each if len(each) == len(sums) else 0.0
        posterior = bayes.joint_tasks(sums, rho=rhos, names=scores.models, draws=draws, rng=ask.rng)
        within = _by_task(sums, each, (low, high), ask.rng) if several else None
    else:
        posterior = bayes.joint(sums[0], rho=each[0], draws=draws, rng=ask.rng)
    sds = _pair_sds(singles)
    if not are_ranks(scores):
        own = posterior.own
        spread = own.scale * np.sqrt(own.df + 1) if by_row and isinstance(own, OwnPairs) else sds
        maybe = hardly_varied.still(spread, np.concatenate(tables))
        if len(scores.tasks) == 1 and scores.design.unit == "example" and not (has_runs or scores.is_binary):
            maybe |= hardly_varied.alike(tables[0], one_point(scores))
        posterior = hardly_varied.earned(
            posterior,
            scores.models,
            maybe,
            hardly_varied.pairs_of(source, rho),
            tasks=len(scores.tasks),
            rng=ask.rng,
        )
    return _board(
        scores.models,
        posterior,
        rope,
        ask,
        sds=sds,
        higher_is_better=scores.higher_is_better,
        range=range_of_means(scores),
        tasks=[t.name for t in scores.tasks] if several else [],
        within=within if several else None,
    )


def _of_these(
    scores: Scores, sums: list[bayes.CrossSums], rho: list[float], ask: Ask, draws: int
) -> JointPosterior:
    """Joint posterior of the mean over exactly these tasks, with one or several training runs."""
    if scores.has_gaps:
        raise DataError(
            "some models were not run on all of these tasks",
            hint="Remove the tasks or models with gaps, or ask for the average (--question average).",
        )
    if any(t.runs is not None for t in scores.tasks):
        each = [_fitted_runs(scores, t, draws, ask.rng)[0] for t in scores.tasks]
    else:
        each = [
            bayes.joint(s, rho=r, pooling=False, draws=draws, rng=ask.rng)
            for s, r in zip(sums, rho, strict=True)
        ]
    return over_these(each, np.array([s.mean for s in sums]), task_shares(scores.tasks, ask), ask.rng)


def task_shares(tasks: Sequence[TaskScores | SetTask | TaskSums], ask: Ask) -> Floats:
    """Return the weights of these tasks; equal weights if none were given."""
    given = ask.weights
    return np.array([1.0 if given is None else given[t.name or ""] for t in tasks])


def leaderboard_of_sums(source: Summed, ask: Ask, asks: Asks = "average") -> Leaderboard:
    """The same leaderboard from sums that were computed where the data are stored."""
    sums = cross_sums(source)
    rope = _rope(sums, ask.rope, source.metric, one_point(source))
    several = len(sums) > 1 and len(source.models) > 2
    draws = _how_many(len(source.models))
    if asks == "these":
        each = [bayes.joint(s, pooling=False, draws=draws, rng=ask.rng) for s in sums]
        shares = task_shares(source.tasks, ask)
        posterior = over_these(each, np.array([s.mean for s in sums]), shares, ask.rng)
    elif len(sums) > 1:
        posterior = bayes.joint_tasks(sums, names=source.models, draws=draws, rng=ask.rng)
    else:
        posterior = bayes.joint(sums[0], draws=draws, rng=ask.rng)
    sds = _pair_sds(sums)
    ends = np.array([s.mean + sign * np.sqrt(s.m2.diagonal()) for s in sums for sign in (-1, 1)])
    posterior = hardly_varied.earned(
        posterior,
        source.models,
        hardly_varied.still(sds, ends) | (len(source.models) == 2),  # of two models, differences were counted
        hardly_varied.pairs_of(source, None),
        tasks=len(sums),
        rng=ask.rng,
    )
    return _board(
        source.models,
        posterior,
        rope,
        ask,
        sds=sds,
        higher_is_better=source.higher_is_better,
        range=range_of_means(source),
        tasks=[t.name for t in source.tasks] if several else [],
        within=_by_task(sums, [0.0] * len(sums), (rope.low, rope.high), ask.rng) if several else None,
    )


def leaderboard_of_sets(
    tasks: Sequence[SetTask], names: tuple[str, ...], ask: Ask, asks: Asks = "average"
) -> Leaderboard:
    """The leaderboard for a metric of the whole test set.

    On one task it uses the joint bootstrap, over many tasks the joint model over the bootstraps of the tasks.
    """
    metric, sums = tasks[0].metric, [t.sums(names) for t in tasks]
    rope = _rope(sums, ask.rope, metric.name, metric.one_point)
    several = len(tasks) > 1
    posterior: JointPosterior
    if asks == "these":
        if any(tuple(t.models) != names for t in tasks):
            raise DataError(
                "the metric is not known for every model on all of these tasks", hint="Remove some of them."
            )
        means = np.array([s.mean for s in sums])
        posterior = over_these([t.fitted for t in tasks], means, task_shares(tasks, ask), ask.rng)
    elif several:
        posterior = bayes.joint_tasks(sums, names=names, draws=_how_many(len(names)), rng=ask.rng)
    else:
        posterior = pulled_together(tasks[0].fitted, sums[0], draws=_how_many(len(names)), rng=ask.rng)
    within = np.full((len(names), len(tasks)), np.nan)
    for t, task in enumerate(tasks):
        within[[names.index(m) for m in task.models], t] = task.fitted.p_within((rope.low, rope.high))
    values = np.array([t.values(names) for t in tasks])
    posterior = hardly_varied.earned(
        posterior,
        names,
        hardly_varied.still(_pair_sds(sums), values),
        lambda a, b: [t.pair(a, b) for t in tasks if {a, b} <= {*t.models}],
        tasks=len(tasks),
        rng=ask.rng,
    )
    return _board(
        names,
        posterior,
        rope,
        ask,
        higher_is_better=metric.higher_is_better,
        range=metric.range,
        tasks=[t.name for t in tasks] if several and len(names) > 2 else [],
        within=within if several and len(names) > 2 else None,
    )


def _how_many(models: int) -> int:
    return max(1_000, min(_DRAWS, _NUMBERS // models))


def _board(
    names: tuple[str, ...],
    posterior: JointPosterior,
    rope: Rope,
    ask: Ask,
    *,
    higher_is_better: bool,
    range: tuple[float, float],
    tasks: Sequence[str | None],
    within: Floats | None,
    sds: Floats | None = None,
) -> Leaderboard:
    """Build the leaderboard; `sds` are the sds of each pair's differences, for a ROPE in shares of an sd."""
    low, high = rope.low, rope.high
    by_draws = better, worse = _by_draws(posterior, low, high)
    own = posterior.own
    relative = np.ones_like(better)
    if own is not None:  # a pair with too few shared units is estimated through the other pairs
        relative = _relative(rope, sds, relative)
        better = np.where(own.known, own.above(high * relative), better)
        worse = np.where(own.known, own.above(-low * relative).T, worse)
    return Leaderboard(
        names=names,
        posterior=posterior,
        higher_is_better=higher_is_better,
        rope=rope,
        p_within=posterior.p_within((low, high)),
        practically_best=posterior.practically_best((low, high), level=ask.rule.threshold),
        better=better,
        equivalent=np.maximum(1 - better - worse, 0.0),
        worse=worse,
        together=together(posterior, low, high, by_draws),
        threshold=ask.rule.threshold,
        tasks=tuple(name or "" for name in tasks),
        within_by_task=within,
        range=range,
    )


def _of_runs(
    scores: Scores, rope: tuple[float, float], draws: int, rng: int
) -> tuple[JointPosterior, Floats | None]:
    """Joint posterior of several training runs on one task; over many tasks, the model over those posteriors.

    Also returns P(within the ROPE of the best) on each single task, models x tasks.
    """
    within = np.full((len(scores.models), len(scores.tasks)), np.nan)
    sums = []
    for t, task in enumerate(scores.tasks):
        fitted, run = _fitted_runs(scores, task, draws, rng)
        if len(scores.tasks) == 1:
            assert task.runs is not None
            # There are fewer seeds than examples, so their number sets how heavy the tails are.
            fewest = min(len(task.runs.seeds[k]) for k in run)
            n = fewest if fewest > 1 else len(task.values)
            own = crossed.as_cross_sums(fitted, n, run, len(run))
            return pulled_together(fitted, own, draws=draws, rng=rng), None
        within[run, t] = fitted.p_within(rope)
        sums.append(crossed.as_cross_sums(fitted, len(task.values), run, len(scores.models)))
    return bayes.joint_tasks(sums, names=scores.models, draws=draws, rng=rng), within


def _fitted_runs(scores: Scores, task: TaskScores, draws: int, rng: int) -> tuple[JointPosterior, list[int]]:
    """The joint posterior of the training runs on one task, and the models that were run on it."""
    assert task.runs is not None
    run = [k for k, own in enumerate(task.runs.seeds) if own]
    same = all(task.runs.paired(run[0], k) for k in run)
    tables = [_upward(scores, task.runs.values[k]).T for k in run]
    return bayes.joint_runs(tables, paired=same, draws=draws, rng=rng), run


def _one_run_each(task: TaskScores) -> Floats:
    """Difference of two models on one example and run, for as many runs as every model has."""
    if task.runs is None:
        return task.values
    some = min(len(own) for own in task.runs.seeds if own)
    rows = len(task.values) * some
    columns = [v[:, :some].ravel() if v.size else np.full(rows, np.nan) for v in task.runs.values]
    return np.column_stack(columns)


def _by_task(sums: list[bayes.CrossSums], rho: list[float], rope: tuple[float, float], rng: int) -> Floats:
    """P(within the ROPE of the best) on each single task, models x tasks; NaN for models not run there."""
    within = np.full((sums[0].mean.size, len(sums)), np.nan)
    for t, (s, r) in enumerate(zip(sums, rho, strict=True)):
        run = np.flatnonzero(s.present)
        if s.n > 1:
            within[run, t] = bayes.joint(s.only(run), rho=r, draws=_TASK_DRAWS, rng=rng).p_within(rope)
    return within


def are_ranks(scores: Scores) -> bool:
    """Whether only the order of the models is known on each task: a metric called rank."""
    return scores.design.unit == "task" and is_rank(scores.metric)


def _ranked(values: Floats) -> Floats:
    """Ranks among the models that were run: if the first is missing, the second becomes the first."""
    smaller = (values[:, None, :] < values[:, :, None]).sum(axis=2)  # comparisons with NaN are false
    return np.where(np.isnan(values), np.nan, 1.0 + smaller)


def _upward(scores: Scores, values: Floats) -> Floats:
    return values if scores.higher_is_better else -values


def _rope(
    sums: Sequence[bayes.CrossSums],
    request: RopeRequest,
    metric: str,
    points: float,
    *,
    ranks: bool = False,
) -> Rope:
    """The ROPE around the best; its standard deviation is that of an average difference of two models."""
    if ranks:  # worths have no unit, so a ROPE cannot be given
        return in_scores(0.0, 0.0, "ranks have no ROPE", origin="none")
    squares, freedom = 0.0, 0
    for s in sums:
        run = s.present
        S, k = s.m2[run][:, run], np.count_nonzero(run)
        # The mean of S_ii + S_jj - 2 S_ij over all pairs.
        squares += 2 * (np.trace(S) - S.sum() / k) / (k - 1)
        freedom += s.n - 1
    sd = float(np.sqrt(max(squares, 0.0) / freedom)) if freedom else 0.0
    rope = resolve_rope(request, ScoreScale(metric=metric, sd=sd, points=points))
    of_two = f"{rope.source} of the difference of two models"
    return replace(rope, source=of_two) if rope.origin == "sd" else rope


def _relative(rope: Rope, sds: Floats | None, one: Floats) -> Floats:
    """Each pair's ROPE relative to the one around the best; a ROPE in shares of an sd uses the pair's sd."""
    if rope.origin != "sd" or sds is None:
        return one
    every = sds[~np.eye(len(sds), dtype=np.bool_) & (sds > 0)]
    return np.asarray(np.where(sds > 0, sds / np.sqrt(np.mean(every**2)), 1.0)) if every.size else one


def _pair_sds(sums: Sequence[bayes.CrossSums]) -> Floats:
    """Within-task standard deviation of the difference of each pair, on its shared tasks."""
    k = sums[0].mean.size
    square, freedom = np.zeros((k, k)), np.zeros((k, k))
    for s in sums:
        run = np.flatnonzero(s.present)
        at, own = np.ix_(run, run), s.m2.diagonal()[run]
        square[at] += np.maximum(own[:, None] + own - 2 * s.m2[at], 0.0)
        freedom[at] += s.n - 1
    with np.errstate(invalid="ignore"):
        return np.asarray(np.sqrt(square / freedom))


def together(
    posterior: JointPosterior, low: float, high: float, by_draws: tuple[Floats, Floats] | None = None
) -> Floats:
    """Joint Pr(row better than column), Pr(equivalent) and Pr(row worse): 3 x models x models.

    Better and worse are the smaller values under two priors of the order, so the sum may be below one.
    Equal models are neither better nor worse, even without a ROPE.
    """
    better, worse = by_draws or _by_draws(posterior, low, high)
    order = posterior.order
    if order is None:
        return np.stack([better, 1 - better - worse, worse])
    ahead, behind = _by_draws(posterior, min(low, -order.even), max(high, order.even), order.weights)
    return np.stack([np.minimum(ahead, better), 1 - better - worse, np.minimum(behind, worse)])


def _by_draws(
    posterior: JointPosterior, low: float, high: float, weights: Floats | None = None
) -> tuple[Floats, Floats]:
    """Pr(row better than column by more than the ROPE) and Pr(worse) from the draws: models x models each."""
    x, k = posterior.draws, posterior.n_models
    each = np.ones(len(x)) if weights is None else weights
    better, worse = np.zeros((k, k)), np.zeros((k, k))
    for weight in np.unique(each):  # there are few models, and counting is exact
        some, share = np.ascontiguousarray(x[each == weight].T), weight / each.sum()
        for i in range(k - 1):
            d = some[i] - some[i + 1 :]
            better[i, i + 1 :] += share * _counted(d > high)
            worse[i, i + 1 :] += share * _counted(d < low)
            worse[i + 1 :, i] += share * _counted(d > -low)
            better[i + 1 :, i] += share * _counted(d < -high)
    return better, worse


def _counted(holds: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Number of draws in which the condition holds, for each row."""
    return np.array([np.count_nonzero(row) for row in holds])  # many times faster than along an axis

"""All models at once: who is best, who is within the ROPE of the best, and every pair from the same draws."""

from __future__ import annotations

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.answer.models import task_means
from ropewalk.answer.pair import Ask, decide
from ropewalk.answer.pairs import Names, correlation, one_point
from ropewalk.data import Counts, Scores, is_rank
from ropewalk.decide import RopeRequest, cohens_d, in_scores, probabilities
from ropewalk.posterior import JointPosterior
from ropewalk.posterior.base import Floats
from ropewalk.report.board import Board
from ropewalk.report.comparison import Check, Comparison, Estimate, OverTasks

_DRAWS = 10_000
_NUMBERS = 4_000_000  # draws times models: with 1,000 models there are 4,000 draws
_TASK_DRAWS = 2_000
_SHARE = 0.1


def board_of(scores: Scores, rho: float | None, ask: Ask) -> Board:
    """The joint posterior of the models, and what it says of each and of every pair."""
    by_row = are_ranks(scores) or (scores.design.unit == "task" and scores.has_gaps)
    tables = [_upward(scores, t.values) for t in scores.tasks]
    if by_row:  # each row is a task
        tables = [row[None, :] for row in tables[0]]
    sums = [bayes.CrossSums.of(z, missing=True) for z in tables]
    each = [correlation(scores.design_of(t), rho) for t in scores.tasks]
    draws = max(1_000, min(_DRAWS, _NUMBERS // len(scores.models)))
    posterior: JointPosterior
    if are_ranks(scores):
        posterior = bayes.plackett_luce(_ranked(scores.tasks[0].values), draws=draws, rng=ask.rng)
    elif len(sums) > 1:
        rho_of_each = each if len(each) == len(sums) else 0.0
        posterior = bayes.joint_tasks(sums, rho=rho_of_each, draws=draws, rng=ask.rng)
    else:
        posterior = bayes.joint(sums[0], rho=each[0], draws=draws, rng=ask.rng)
    low, high, source = _rope(scores, sums, ask.rope)
    better, worse = _pairs(posterior, low, high)
    several = len(scores.tasks) > 1 and len(scores.models) > 2
    return Board(
        names=scores.models,
        posterior=posterior,
        higher_is_better=scores.higher_is_better,
        rope=in_scores(low, high, source),
        p_within=posterior.p_within((low, high)),
        practically_best=posterior.practically_best((low, high), level=ask.threshold),
        better=better,
        equivalent=np.maximum(1 - better - worse, 0.0),
        worse=worse,
        threshold=ask.threshold,
        tasks=tuple(t.name or "" for t in scores.tasks) if several else (),
        within_by_task=_by_task(sums, each, (low, high), ask.rng) if several else None,
    )


def _by_task(sums: list[bayes.CrossSums], rho: list[float], rope: tuple[float, float], rng: int) -> Floats:
    """P(within the ROPE of the best) on each task by itself, models x tasks; NaN for models not run there."""
    within = np.full((sums[0].mean.size, len(sums)), np.nan)
    for t, (s, r) in enumerate(zip(sums, rho, strict=True)):
        run = np.flatnonzero(s.present)
        if s.n > 1:
            within[run, t] = bayes.joint(s.only(run), rho=r, draws=_TASK_DRAWS, rng=rng).p_within(rope)
    return within


def are_ranks(scores: Scores) -> bool:
    """Whether all that is known of each task is the order of the models: a metric called rank."""
    return scores.design.unit == "task" and is_rank(scores.metric)


def _ranked(values: Floats) -> Floats:
    """Ranks among the models that have one: where the first was not run, the second is the first."""
    smaller = (values[:, None, :] < values[:, :, None]).sum(axis=2)  # NaN is not smaller than anything
    return np.where(np.isnan(values), np.nan, 1.0 + smaller)


def _upward(scores: Scores, values: Floats) -> Floats:
    return values if scores.higher_is_better else -values


def _rope(scores: Scores, sums: list[bayes.CrossSums], request: RopeRequest) -> tuple[float, float, str]:
    """As given, one point of a hundred, or a share of the standard deviation of an average difference."""
    if are_ranks(scores):  # worths have no unit in which a ROPE could be given
        return 0.0, 0.0, "ranks have none"
    if request.kind == "score":
        return request.low, request.high, "given"
    points = one_point(scores)
    if request.kind == "auto" and points:
        return -points, points, "one point of a hundred"
    low, high = (request.low, request.high) if request.kind == "sd" else (-_SHARE, _SHARE)
    squares, freedom = 0.0, 0
    for s in sums:
        run = np.flatnonzero(s.present)
        S, k = s.m2[np.ix_(run, run)], run.size
        # The mean of S_ii + S_jj - 2 S_ij over all pairs.
        squares += 2 * (np.trace(S) - S.sum() / k) / (k - 1)
        freedom += s.n - 1
    sd = float(np.sqrt(max(squares, 0.0) / freedom)) if freedom else 0.0
    return low * sd, high * sd, f"{high:g} sd of the difference of two models"


def _pairs(posterior: JointPosterior, low: float, high: float) -> tuple[Floats, Floats]:
    """Pr(row better than column by more than the ROPE), and Pr(worse): models x models each."""
    x = posterior.draws
    k = posterior.n_models
    better, worse = np.zeros((k, k)), np.zeros((k, k))
    for i in range(k - 1):
        d = x[:, i, None] - x[:, i + 1 :]
        better[i, i + 1 :] = np.mean(d > high, axis=0)
        worse[i, i + 1 :] = np.mean(d < low, axis=0)
        worse[i + 1 :, i], better[i + 1 :, i] = np.mean(d > -low, axis=0), np.mean(d < -high, axis=0)
    return better, worse


def comparisons_of(board: Board, scores: Scores, names: Names, ask: Ask) -> list[Comparison]:
    """Pairs over all tasks from the joint draws: for more models than pairs can be fitted one by one."""
    means = np.array([t.values.mean(axis=0) for t in scores.tasks])
    sign = 1.0 if scores.higher_is_better else -1.0
    tasks, n = [t.name or "" for t in scores.tasks], [len(t.units) for t in scores.tasks]
    why = f"{len(board.names)} models at once: joint model over the tasks ({board.posterior.why})"
    found = []
    for a, b in names:
        i, j = board.names.index(a), board.names.index(b)
        both = np.isfinite(means[:, i]) & np.isfinite(means[:, j])
        if not both.any():
            continue  # they share no task: the matrix has what the others say about them
        x, y = means[both, i], means[both, j]
        posterior = board.posterior.pair(i, j)
        low, high = posterior.hdi(0.95)
        p = probabilities(posterior, board.rope)
        d = sign * (x - y)
        shared = np.flatnonzero(both)
        found.append(
            Comparison(
                a=a,
                b=b,
                task=None,
                method="joint_tasks",
                why=why,
                n=int(both.sum()),
                unit="task",
                metric=scores.metric,
                evidence=OverTasks(
                    names=[tasks[t] for t in shared],
                    n=[n[t] for t in shared],
                    d=d,
                    mean_a=float(x.mean()) if x.size else float("nan"),
                    mean_b=float(y.mean()) if y.size else float("nan"),
                ),
                posterior=posterior,
                estimate=Estimate(name="mean advantage over tasks", mean=posterior.mean, low=low, high=high),
                rope=board.rope,
                verdict=decide(a, b, p, ask),
                effect=cohens_d(d if d.size > 1 else np.zeros(2)),
                classical=[nhst.wilcoxon(d)] if d.size > 1 else [],
                checks=[
                    Check(
                        name="Monte Carlo error",
                        ok=True,
                        text=f"±{board.posterior.error:.4f} on each probability (one standard error)",
                        numbers={"error": board.posterior.error},
                    )
                ],
                warnings=[],
            )
        )
    return found


def beside(scores: Scores | Counts, rng: int) -> list[nhst.TestResult]:
    """The classical tests of all models at once.

    Over tasks Friedman with Nemenyi after it; on one task the analysis of variance; and the model confidence
    set of both.
    """
    if isinstance(scores, Counts):  # two models, of which only the counts are known
        means = task_means(scores)
        return [nhst.friedman(means), nhst.nemenyi(means)] if len(means) > 1 else []
    over_tasks = len(scores.tasks) > 1 or scores.design.unit == "task"
    z = task_means(scores) if over_tasks else _upward(scores, scores.tasks[0].values)
    if len(z) < 2:
        return []
    tests: list[nhst.TestResult] = []
    if over_tasks:
        tests = [nhst.friedman(z), nhst.nemenyi(z)]
    elif scores.design.rho == 0 and z.shape[1] > 2 and scores.tasks[0].runs is None:
        tests = [nhst.anova(z)]
    independent = over_tasks or (scores.design.rho == 0 and scores.tasks[0].runs is None)
    if z.shape[1] > 2 and independent and len(z) >= 10:
        tests.append(nhst.model_confidence_set(-z, rng=rng))
    return tests

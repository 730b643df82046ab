"""Data -> Report: which pairs, which method, what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any

from ropewalk.data import Audit, Counts, Predictions, Scores
from ropewalk.errors import DataError, OptionError, did_you_mean, listed, short
from ropewalk.read import read

# The methods need scipy.special, which takes longer to import than all the rest of ropewalk: they are
# imported where they run, so that `import ropewalk` and `ropewalk --help` stay quick.
if TYPE_CHECKING:
    from ropewalk.answer.pair import Pair
    from ropewalk.data import Design
    from ropewalk.decide import RopeLike
    from ropewalk.report import Model, Report
    from ropewalk.report.report import Question
    from ropewalk.sums import Floats

    Progress = Callable[[Iterable[Any], int], Iterable[Any]]


def compare(
    data: Any,
    *,
    reference: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    loss: Any = None,
    metric: str | None = None,
    question: str | None = None,
    method: str = "auto",
    rope: RopeLike = "auto",
    threshold: float = 0.95,
    loss_matrix: Sequence[Sequence[float]] | None = None,
    rho: float | None = None,
    rng: int = 0,
    progress: Progress | None = None,
    **columns: Any,
) -> Report:
    """Compare models unit by unit and answer better, equivalent, worse or undecided for each pair.

    `data` is anything that `ropewalk.read` takes, or what it returned; further keywords name its columns.
    With `reference` every other model is compared with that one, which is then B; without it every pair.
    `loss` scores predictions ("zero_one", "log", "brier", "squared", "absolute", or a table of costs).
    `rope` is in score units (0.01, or a pair of edges), a share of a standard deviation ("0.1sd") or "auto".
    `threshold` is the probability from which a verdict is given; `loss_matrix` (P4 eq. 7) decides instead of
    it. `rho` overrides the correlation between folds. `rng` is the seed of whatever has to be sampled.

    >>> report = compare({"forest": [1, 1, 0, 1, 1, 1, 1, 1], "svm": [0, 1, 0, 0, 1, 0, 1, 0]}, rope=0.05)
    >>> report.comparisons[0].verdict.name
    'undecided'
    """
    from ropewalk.answer.one_task import METHODS, compare_pair
    from ropewalk.answer.over import OVER_METHODS, Over, beside, compare_over
    from ropewalk.answer.pair import Ask
    from ropewalk.decide import RopeRequest, by_threshold
    from ropewalk.posterior import Probabilities
    from ropewalk.report import Report

    if metric is not None:
        raise OptionError(
            f'metric="{short(metric)}" needs the whole test set at once, and only losses of single examples '
            "can be compared so far",
            hint="Give loss= instead: zero_one, log, brier, squared or absolute.",
        )
    if question not in (None, "Q1", "Q2", "Q3"):
        raise OptionError(f'question is "{question}"', hint='Give "Q1", "Q2" or "Q3", or leave it out.')
    if isinstance(rng, bool) or not isinstance(rng, int):
        raise OptionError(f"rng is {rng!r}", hint="Give a whole number: it is kept in the report.")
    ask = Ask(
        method=method,
        rope=RopeRequest.parse(rope),
        threshold=threshold,
        loss_matrix=None if loss_matrix is None else tuple(tuple(row) for row in loss_matrix),
        rng=rng,
    )
    by_threshold(Probabilities(better=1.0, equivalent=0.0, worse=0.0), threshold)  # a bad threshold fails now

    for name in columns:
        if name not in signature(read).parameters:
            options = [*signature(read).parameters, *signature(compare).parameters]
            raise OptionError(f'there is no option "{short(name)}"', hint=did_you_mean(name, options))
    source = read(data, **columns)
    if isinstance(source, Predictions):
        source = source.scores(loss)
    elif loss is not None:
        raise OptionError(
            "a loss was given, but the data are scores already",
            hint="Leave loss out, or give predictions together with the truth.",
        )
    if isinstance(source, Scores) and source.is_clustered:
        source = source.by_cluster()
    if isinstance(source, Scores) and source.design.unit == "example" and source.is_binary:
        source = source.as_accuracy()
    chosen = _pairs(source.models, reference, pairs)
    known = {**METHODS, **OVER_METHODS}
    if method != "auto" and method not in known:
        raise OptionError(f'there is no method "{short(method)}"', hint=did_you_mean(method, known))
    many = len(source.tasks) > 1
    if method in OVER_METHODS and method not in METHODS and not many:
        raise OptionError(
            f"{method} needs several tasks, and there is one",
            hint="Name the task column with task= (--task).",
        )
    # With many tasks a method over tasks leaves each of them to its own default, and the other way round.
    own = replace(ask, method="auto") if many and method in OVER_METHODS else ask

    def steps(items: Sequence[Any]) -> Iterable[Any]:
        return progress(items, len(items)) if progress else items

    work = list(_work(source, chosen, rho))
    # A task with one unit has no comparison of its own, but counts over the tasks.
    alone = list(dict.fromkeys(p.task for p in work if p.d.size < 2)) if many else []
    answers = [compare_pair(pair, own) for pair in steps([p for p in work if p.task not in alone])]
    tasks_are_units = isinstance(source, Scores) and source.design.unit == "task"
    overs = [Over(pairs=[p for p in work if (p.a, p.b) == pair]) for pair in chosen] if many else []
    overall = answers if tasks_are_units else [compare_over(over, ask) for over in steps(overs)]
    return Report(
        question=_question(source, question),
        metric=_metric(source),
        higher_is_better=not isinstance(source, Scores) or source.higher_is_better,
        design=source.describe_design() if isinstance(source, Scores) else "counts",
        audit=_with_warning(source.audit, alone),
        models=_models(source, rho),
        comparisons=[] if tasks_are_units else answers,
        overall=overall,
        classical=beside(_task_means(source)) if overall else [],
        threshold=threshold,
        seed=rng,
    )


def _with_warning(audit: Audit, alone: list[str | None]) -> Audit:
    if not alone:
        return audit
    text = f"no comparison of its own for a task with one unit: {listed([name for name in alone if name])}"
    return replace(audit, warnings=(*audit.warnings, text))


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


def _work(source: Scores | Counts, pairs: list[tuple[str, str]], rho: float | None) -> Iterable[Pair]:
    """Every pair on every task."""
    return _score_pairs(source, pairs, rho) if isinstance(source, Scores) else _count_pairs(source, pairs)


def _score_pairs(scores: Scores, pairs: list[tuple[str, str]], rho: float | None) -> Iterable[Pair]:
    from ropewalk.answer.pair import Pair
    from ropewalk.report.comparison import Differences, Outcomes

    binary = scores.is_binary and scores.design.unit == "example"
    points = _one_point(scores)
    for task in scores.tasks:
        means = dict(zip(scores.models, task.values.mean(axis=0), strict=True))
        design = scores.design_of(task)
        for a, b in pairs:
            d = scores.differences(a, b, task.name)
            if design.is_five_by_two:  # the 5x2 tests need the two folds of a repeat side by side
                d = d[sorted(range(d.size), key=lambda i: str(task.units[i]).rsplit("/", 1))]
            evidence = (
                Outcomes(
                    **dict(zip(("n00", "n01", "n10", "n11"), scores.counts(a, b, task.name), strict=True))
                )
                if binary and task.runs is None
                else Differences(d=d, mean_a=float(means[a]), mean_b=float(means[b]))
            )
            yield Pair(
                a=a,
                b=b,
                task=task.name,
                metric=scores.metric,
                design=design,
                evidence=evidence,
                d=d,
                rho=_correlation(design, rho),
                ordered=True,
                points=points,
            )


def _correlation(design: Design, given: float | None) -> float:
    """The correlation between units: as given, or by the design; asked for where that does not say."""
    if given is None and design.unit == "fold" and not design.folds and not design.n_test:
        raise OptionError(
            "the splits do not make up folds, so the correlation between them is not 1/k",
            hint="For random splits it is n_test / (n_test + n_train): give it with rho= (--rho), or add\n"
            "columns n_test and n_train.",
        )
    return design.rho if given is None else given


def _count_pairs(counts: Counts, pairs: list[tuple[str, str]]) -> Iterable[Pair]:
    import numpy as np

    from ropewalk.answer.pair import Pair
    from ropewalk.data import Design
    from ropewalk.report.comparison import Outcomes

    for task in counts.tasks:
        for a, b in pairs:
            n01, n10 = (task.n01, task.n10) if (a, b) == counts.models else (task.n10, task.n01)
            yield Pair(
                a=a,
                b=b,
                task=task.name,
                metric="accuracy",
                design=Design(unit="example"),
                evidence=Outcomes(n00=task.n00, n01=n01, n10=n10, n11=task.n11),
                d=np.repeat([0.0, -1.0, 1.0], [task.n00 + task.n11, n01, n10]),
                rho=0.0,
                ordered=False,
                points=0.0,
            )


def _one_point(scores: Scores) -> float:
    """One point of a hundred for fold, seed and task scores of a bounded metric: 0.01, or 1 in percent."""
    import numpy as np

    from ropewalk.data import SEVERAL, bounded, direction

    if scores.design.unit == "example" or scores.metric == SEVERAL or not bounded(scores.metric):
        return 0.0
    values = np.concatenate([t.values.ravel() for t in scores.tasks])
    nameless = scores.metric == "score"
    if direction(scores.metric) is None and not (nameless and scores.higher_is_better):
        return 0.0  # nothing says that it is bounded
    if values.min() < 0 or values.max() > 100:
        return 0.0
    if values.max() <= 1:
        return 0.01
    # Percent: a name that says so, or a nameless score that is mostly above what a rating would reach.
    return 1.0 if not nameless or np.median(values) > 20 else 0.0


def _question(source: Scores | Counts, asked: str | None) -> Question:
    """Q1 predictors on one task, Q2 learning algorithms on one task, Q3 many tasks (P1 sec. 1)."""
    many = len(source.tasks) > 1 or (isinstance(source, Scores) and source.design.unit == "task")
    if asked == "Q3" and not many:
        raise DataError(
            "question Q3 needs several tasks, and there is one", hint="Name the task column with task=."
        )
    if asked is not None:
        return asked  # type: ignore[return-value]  # checked by the caller
    if many:
        return "Q3"
    return "Q2" if isinstance(source, Scores) and source.design.unit in ("fold", "seed") else "Q1"


def _task_means(source: Scores | Counts) -> Floats:
    """Tasks x models, higher is better: what the classical tests over tasks rank."""
    import numpy as np

    from ropewalk.data.scores import without_rounding

    if isinstance(source, Counts):
        return np.array([[(t.n10 + t.n11) / t.n, (t.n01 + t.n11) / t.n] for t in source.tasks])
    if source.design.unit == "task":
        means = source.tasks[0].values
    else:
        means = np.array([t.values.mean(axis=0) for t in source.tasks])
    return without_rounding(means if source.higher_is_better else -means, 100 * float(np.abs(means).max()))


def _metric(source: Scores | Counts) -> str:
    return source.metric if isinstance(source, Scores) else "accuracy"


def _models(source: Scores | Counts, given_rho: float | None) -> list[Model]:
    """Each model's mean with a 95 % interval: of one task over its units, of many over the tasks."""
    import numpy as np

    from ropewalk import bayes
    from ropewalk.report import Model
    from ropewalk.sums import Sums

    if isinstance(source, Counts):
        right = np.array([[t.n10 + t.n11, t.n01 + t.n11] for t in source.tasks], dtype=float)
        per_task = right / np.array([[t.n] for t in source.tasks])
        sizes = [(int(right[0, k]), source.tasks[0].n) for k in range(2)] if len(source.tasks) == 1 else None
        rho = 0.0
    else:
        task = source.tasks[0]
        one = len(source.tasks) == 1
        per_task = task.values if one else np.array([t.values.mean(axis=0) for t in source.tasks])
        binary = one and source.is_binary and source.higher_is_better and source.design.unit == "example"
        sizes = [(int(v.sum()), v.size) for v in task.values.T] if binary else None
        rho = _correlation(source.design_of(task), given_rho) if one else 0.0
    rows = []
    for k, name in enumerate(source.models):
        column = per_task[:, k]
        if sizes is not None:
            hits, n = sizes[k]
            low, high = bayes.risk(hits, n).interval(0.95)
            mean = hits / n
        elif column.size < 2:
            mean = low = high = float(column.mean())
        else:
            mean = float(column.mean())
            low, high = bayes.t(Sums.of(column), rho=rho).interval(0.95)
        rows.append(Model(name=name, mean=mean, low=low, high=high))
    best_first = not isinstance(source, Scores) or source.higher_is_better
    return sorted(rows, key=lambda m: m.mean, reverse=best_first)

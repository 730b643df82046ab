"""Metrics of a whole test set, of every model on every task; models of a task share the bootstrap weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ropewalk import bayes
from ropewalk.analysis.reaches import of_metric
from ropewalk.data import Audit, Design, Dropped, Predictions
from ropewalk.data.arrays import Floats, Ints, Strings
from ropewalk.errors import DataError, MethodError, OptionError, short
from ropewalk.methods import bayesian_bootstrap
from ropewalk.methods.pair import Pair, SetPredictions
from ropewalk.metrics import Metric
from ropewalk.results.evidence import WholeSet
from ropewalk.sums import ROUNDING

_NAMED = 8  # number of tasks listed on which the metric is not defined


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SetTask:
    """One task: the truth, the predictions of the models run on it, and their joint bootstrap."""

    name: str | None
    metric: Metric
    y: Any
    outputs: dict[str, Any]
    clusters: Strings | None
    fitted: bayes.JointBootstrap
    counts: Ints | None = None
    errors: dict[str, float] | None = None  # error of each model's value, if scores are in bins
    bins: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, predictions: Predictions, metric: Metric, rng: int) -> SetTask:
        """Build it from the predictions of one task."""
        y, outputs = _inputs(predictions, metric, predictions.models)
        p, said = predictions, dict(zip(predictions.models, outputs, strict=True))
        known = {m: _known(p, metric, m, y, said[m]) for m in p.models} if p.binned else {}
        fitted = bayes.joint_bootstrap(
            metric,
            y,
            said,
            clusters=p.clusters,
            counts=p.counts,
            values=[value for value, _ in known.values()] or None,
            rng=rng,
        )
        return cls(
            name=None if p.tasks is None else str(p.tasks[0]),
            metric=metric,
            y=y,
            outputs=said,
            clusters=p.clusters,
            fitted=fitted,
            counts=p.counts,
            errors={m: error for m, (_, error) in known.items()} or None,
            bins=next(((b.number, b.joint) for b in p.binned.values()), (0, 0)),
        )

    @property
    def models(self) -> list[str]:
        return list(self.outputs)

    def values(self, models: Sequence[str]) -> Floats:
        """Metric of each of these models on the whole task; NaN for models not run on it."""
        known = dict(zip(self.outputs, self.fitted.values, strict=True))
        return np.array([known.get(m, np.nan) for m in models])

    def sums(self, models: Sequence[str]) -> bayes.CrossSums:
        """Sums of this task over these models, for the joint model over tasks."""
        found, own = self.fitted.sums, self.models
        at = [models.index(m) for m in own]
        mean, m2 = np.full(len(models), np.nan), np.full((len(models), len(models)), np.nan)
        mean[at], m2[np.ix_(at, at)] = found.mean, found.m2
        return bayes.CrossSums(n=found.n, mean=mean, m2=m2)

    def pair(self, a: str, b: str) -> Pair:
        """Return two models on this task as a pair: the difference of their columns of the joint draws."""
        posterior = self.fitted.pair(self.models.index(a), self.models.index(b))
        value_a, value_b = posterior.value_a, posterior.value_b
        advantage = value_a - value_b if self.metric.higher_is_better else value_b - value_a
        return Pair(
            a=a,
            b=b,
            task=self.name,
            metric=self.metric.name,
            design=Design(unit="example"),
            evidence=WholeSet(mean_a=value_a, mean_b=value_b, advantage=advantage),
            d=np.empty(0),
            sums=bayesian_bootstrap.as_sums(posterior, advantage),
            rho=0.0,
            ordered=False,
            points=self.metric.one_point,
            reach=of_metric(self.metric, np.array([value_a, value_b])),
            whole=SetPredictions(
                metric=self.metric,
                y=self.y,
                a=self.outputs[a],
                b=self.outputs[b],
                clusters=self.clusters,
                posterior=posterior,
                counts=self.counts,
                values=None if self.errors is None else (value_a, value_b),
                error=0.0 if self.errors is None else self.errors[a] + self.errors[b],
                bins=self.bins,
            ),
        )


def _known(predictions: Predictions, metric: Metric, model: str, y: Any, said: Any) -> tuple[float, float]:
    """Metric of a model whose scores were put into narrow bins, and its largest error."""
    if model not in predictions.binned:
        return metric.value(y, said, weights=predictions.counts), 0.0
    b = predictions.binned[model]
    assert metric.bounds is not None
    codes, counts = predictions.codes(b.truth), b.counts.astype(np.float64)
    value = metric.value(codes, b.scores, weights=counts)
    low, high = metric.bounds(codes, b.scores, counts, b.differ)
    error = max(high - value, value - low)
    return value, error if error > ROUNDING else 0.0


def set_tasks(
    predictions: Predictions,
    metric: Metric,
    rng: int,
    steps: Callable[[Sequence[Any]], Iterable[Any]],
) -> tuple[list[SetTask], Audit]:
    """Return every task on which the metric is defined, and the audit with a note on the others.

    A task without a value, for example with one class only, is named and the rest are answered.
    """
    parts = predictions.by_task()
    found: list[SetTask] = []
    problems: list[DataError | MethodError] = []
    names: list[str] = []
    rows = 0
    for part in steps(parts):
        try:
            found.append(SetTask.of(part, metric, rng))
        except (DataError, MethodError) as problem:
            if part.tasks is None:
                raise
            problems.append(problem)
            names.append(str(part.tasks[0]))
            rows += part.examples
    if not found:
        first = problems[0]
        what = f'task "{short(names[0])}": {first.what}'
        raise type(first)(what, where=first.where, hint=first.hint) from None
    texts = [
        f'task "{short(name)}" is left out: {problem.what}'
        for name, problem in zip(names, problems, strict=True)
    ]
    audit = predictions.audit
    if not texts:
        return found, audit
    lost = Dropped(reason=f"on tasks where {metric.name} is not defined", units=rows, unpaired=False)
    audit = replace(audit, paired=audit.paired - rows, dropped=(*audit.dropped, lost))
    more = [f"and {len(texts) - _NAMED:,} more tasks are left out"] if texts[_NAMED:] else []
    return found, audit.warned(*texts[:_NAMED], *more)


def _inputs(predictions: Predictions, metric: Metric, models: Sequence[str]) -> tuple[Any, list[Any]]:
    """Return the truth and each model's predictions in the form that the metric takes.

    Classes become their index in `classes`, so with two classes the second is the positive one.
    """
    p = predictions
    wanted = metric.takes
    if wanted == "anything":  # choose the form that most metrics of this kind expect
        wanted = {"labels": "anything", "scores": "scores"}.get(p.kind, p.kind)  # type: ignore[assignment]
        wanted = "scores" if p.kind == "probabilities" and len(p.classes) == 2 else wanted
    fits = {
        "labels": ("labels", "probabilities"),
        "scores": ("scores", "probabilities"),
        "probabilities": ("probabilities",),
        "numbers": ("numbers",),
        "statistics": ("statistics",),
        "anything": ("labels",),
    }[wanted]
    if metric.grouped and p.kind == "numbers":  # graded relevance
        wanted, fits = "numbers", ("numbers",)
    if p.kind == "labels" and (wanted == "numbers" or metric.ordered) and p.has_numeric_labels:
        return p.truth.astype(np.float64), [p.outputs[m].astype(np.float64) for m in models]
    if p.kind not in fits:
        raise OptionError(
            f"{metric.name} needs {wanted}, but the predictions are {p.kind}", hint=_instead(wanted)
        )
    if wanted == "numbers":
        return p.truth.astype(np.float64), [p.outputs[m].astype(np.float64) for m in models]
    if wanted == "statistics":
        return None, [p.outputs[m].astype(np.float64) for m in models]
    if wanted == "anything":
        return np.asarray(p.truth.tolist()), [np.asarray(p.outputs[m].tolist()) for m in models]
    codes = p.truth_codes
    if wanted == "scores":
        return codes, [p.positive_score(m) for m in models]
    if wanted == "labels":
        return codes, [p.label_codes(m) for m in models]
    return codes, [p.outputs[m].astype(np.float64) for m in models]


def _instead(wanted: str) -> str:
    return {
        "labels": "Give predicted labels.",
        "scores": "Give each model's probability (or decision score) of the positive class.",
        "probabilities": "Give probabilities, or calibrate decision scores with calibrate= (--calibrate).",
        "numbers": "Give predicted numbers.",
        "statistics": "Name the columns of sufficient statistics per segment: statistics= (--statistics).",
    }.get(wanted, "")

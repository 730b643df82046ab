"""Predictions -> scores: the loss of every prediction."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data.design import Design
from ropewalk.data.losses import DEFAULT_LOSS, LOSSES, Costs, loss_for
from ropewalk.data.prediction_checks import not_run
from ropewalk.data.scores import Scores
from ropewalk.data.task_scores import by_task
from ropewalk.errors import OptionError, did_you_mean, short

if TYPE_CHECKING:
    from ropewalk.data.predictions import Predictions


def scored(p: Predictions, loss: str | Costs | None) -> Scores:
    """Score all models with one loss, by default that of the kind of predictions."""
    if p.kind == "statistics":
        raise OptionError(
            "segment statistics have no loss per example",
            hint='Give the metric that is computed from their sums: metric="bleu" (--metric bleu).',
        )
    if p.kind == "scores":
        raise OptionError(
            "decision scores have no loss per example",
            hint="Rank by them: metric=auroc (--metric auroc); make them probabilities: calibrate=platt\n"
            "(--calibrate platt); or labels: fpr=0.08 (--threshold-at-fpr 0.08).",
        )
    name = DEFAULT_LOSS[p.kind] if loss is None else loss if isinstance(loss, str) else "cost"
    if name == "cost" and (loss is None or isinstance(loss, str)):
        raise OptionError(
            'the loss "cost" needs a table of costs',
            hint="Give the table itself as the loss: {(true, predicted): cost, ...}.",
        )
    chosen = loss_for("numbers" if _are_numeric_labels(p, name) else p.kind, name)
    costs = {} if loss is None or isinstance(loss, str) else _costs(loss, p.classes)
    values = np.full((len(p.units), len(p.models)), np.nan)
    for k, model in enumerate(p.models):
        there = ~not_run(p, model)
        values[there, k] = chosen.of(p.of_model(model), model, costs)
    notes = p.audit.notes
    if loss is None and p.kind == "probabilities":
        notes = (*notes, "loss: Brier score, summed over the classes (the log loss is infinite at 0)")
    elif chosen.note:
        notes = (*notes, chosen.note)
    scores = Scores(
        models=p.models,
        tasks=by_task(p.tasks, p.units, values, p.clusters),
        metric=chosen.metric,
        higher_is_better=chosen.higher_is_better,
        design=Design(unit="example"),
        audit=replace(p.audit, notes=notes),
    )
    return scores.by_model(p.runs)


def _are_numeric_labels(p: Predictions, loss: str) -> bool:
    """Whether labels are numbers, such as ratings, so that squared and absolute errors make sense."""
    return p.has_numeric_labels and loss in LOSSES and "numbers" in LOSSES[loss].fits


def _costs(table: Costs, classes: tuple[str, ...]) -> Costs:
    """Return the costs with labels as strings, after checking that labels are known and costs finite."""
    costs: dict[tuple[str, str], float] = {}
    for pair, value in table.items():
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise OptionError(
                f"{short(pair)} is not a pair of labels", hint="Give {(true, predicted): cost}."
            )
        for label in map(str, pair):
            if label not in classes:
                raise OptionError(
                    f'the costs name a label "{short(label)}" that does not occur',
                    hint=did_you_mean(label, classes),
                )
        if not np.isfinite(value):
            raise OptionError(f"the cost of {short(pair)} is {value}", hint="Give a finite number.")
        costs[str(pair[0]), str(pair[1])] = float(value)
    return costs

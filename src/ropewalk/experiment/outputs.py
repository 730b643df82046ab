"""Kept outputs of fits -> Predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ropewalk.data import Audit, Predictions
from ropewalk.data.arrays import Strings, strings
from ropewalk.data.losses import Kind
from ropewalk.data.runs import Run
from ropewalk.errors import DataError, OptionError, did_you_mean, listed, short

if TYPE_CHECKING:
    from ropewalk.experiment.experiment import Experiment
    from ropewalk.experiment.work import Fit

_KINDS: tuple[Kind, ...] = ("numbers", "probabilities", "scores", "labels")  # most informative first


def predictions(experiment: Experiment, task: str, repeat: int, kind: str | None) -> Predictions:
    """Implement `Experiment.predictions`."""
    one_test_set = experiment.plan.kind in ("seeds", "sets")
    if not one_test_set and not 0 <= repeat < experiment.plan.repeats:
        raise OptionError(
            f"repeat is {repeat}", hint=f"Give a number from 0 to {experiment.plan.repeats - 1}."
        )
    fits = [f for f in experiment.fits if f.task == task and (one_test_set or f.repeat == repeat)]
    columns: dict[str, list[dict[str, Any]]] = {}
    runs: dict[str, Run] = {}
    for fit in sorted(fits, key=lambda f: (experiment.models.index(f.model), f.repeat, f.fold)):
        name = fit.model
        if one_test_set:
            name = f"{fit.model} #{fit.repeat}"
            runs[name] = Run(model=fit.model, seed=f"{fit.repeat:04d}")
        columns.setdefault(name, []).append(_of(experiment, fit))
    if not columns:
        raise DataError(f'there are no fits on "{short(task)}"', hint="Run the experiment first.")
    have = [k for k in _KINDS if all(k in part for parts in columns.values() for part in parts)]
    two = len(experiment.classes[task] or ()) == 2
    have = [k for k in have if k != "scores" or two]
    chosen = _chosen(kind, have)
    first = next(iter(columns.values()))
    rows = np.concatenate([part["rows"] for part in first])
    order = np.argsort(rows, kind="stable")
    classes = experiment.classes[task] or ()
    outputs = {}
    for name, parts in columns.items():
        if not np.array_equal(np.concatenate([part["rows"] for part in parts]), rows):
            raise DataError(
                f'"{short(name)}" has no predictions for some of the rows that the others predicted',
                hint="A fit failed or has not been run: see missing().",
            )
        outputs[name] = _named(np.concatenate([part[chosen] for part in parts])[order], chosen, classes)
    truth = np.concatenate([part["truth"] for part in first])[order]
    return Predictions(
        models=tuple(columns),
        units=strings(f"row {i}" for i in rows[order]),
        truth=truth if chosen == "numbers" else _named(truth, "labels", classes),
        outputs=outputs,
        kind=chosen,
        classes=classes,
        runs=runs,
        audit=Audit(paired=len(rows), notes=(f"test rows of {short(task)}",)),
    )


def _of(experiment: Experiment, fit: Fit) -> dict[str, Any]:
    found = experiment.outputs(fit)
    if not found:
        raise DataError(
            f"{short(fit.model)} made no predictions on {short(fit.task)}",
            where=[f"repeat {fit.repeat}, fold {fit.fold}: {fit.error}"],
            hint="The fit failed: leave out the algorithm.",
        )
    return found


def _chosen(kind: str | None, have: list[Kind]) -> Kind:
    if not have:
        raise DataError("there is no kind of prediction that every algorithm has")
    if kind is None:
        return have[0]
    for known in have:
        if known == kind:
            return known
    raise OptionError(
        f'not every algorithm has predictions of the kind "{short(kind)}"',
        hint=did_you_mean(kind, have) if len(have) > 1 else f"They have {listed(have)}.",
    )


def _named(values: Any, kind: Kind, classes: tuple[str, ...]) -> Strings | Any:
    """Convert class codes to names, and keep the positive score of two classes."""
    if kind == "labels":
        return strings(classes)[values]
    return values[:, 1] if kind == "scores" and values.ndim == 2 else values

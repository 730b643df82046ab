"""Losses of one prediction, and the registry of them by name.

Each is a small function, arrays in and one number per example out. Truth and predicted labels are arrays of
strings; for probabilities the truth is the column of the true class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import numpy as np

from ropewalk.data.arrays import Floats, Ints, Strings, numbered
from ropewalk.errors import CellError, OptionError, did_you_mean, listed, short

Kind: TypeAlias = Literal["labels", "probabilities", "numbers", "scores", "statistics"]
Costs: TypeAlias = Mapping[tuple[str, str], float]


class Predicted(Protocol):
    """The inputs of a loss: the truth and the predictions."""

    @property
    def truth(self) -> Strings | Floats:
        """The true label or number of each example."""

    @property
    def units(self) -> Strings:
        """The name of each example."""

    @property
    def outputs(self) -> Mapping[str, Strings | Floats]:
        """The predictions of each model."""

    @property
    def truth_codes(self) -> Ints:
        """The column of the true class, for probabilities."""

    def labels(self, model: str) -> Strings:
        """A model's answers as labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A loss: the kinds of prediction that it fits, the metric that it gives, and how it is computed."""

    name: str
    fits: tuple[Kind, ...]
    metric: str
    higher_is_better: bool
    of: Callable[[Predicted, str, Costs], Floats]  # takes predictions, a model's name and costs
    note: str = ""  # for the audit


def zero_one(truth: Strings, predicted: Strings) -> Floats:
    """1 for a right answer, 0 for a wrong one: a score, whose mean is the accuracy."""
    return np.asarray(truth == predicted, dtype=np.float64)


def cost(truth: Strings, predicted: Strings, costs: Costs) -> Floats:
    """The cost of saying `predicted` where `truth` is the case, from {(true, predicted): cost}.

    A right answer costs nothing unless the table says otherwise; a wrong one must be in the table.
    """
    pairs = list(zip(truth.tolist(), predicted.tolist(), strict=True))
    missing = sorted({p for p in pairs if p not in costs and p[0] != p[1]})
    if missing:
        raise OptionError(
            "the costs do not cover an error that occurs",
            where=[f'truth "{short(t)}", predicted "{short(p)}"' for t, p in missing[:5]],
            hint="Give a cost for every pair: {(true, predicted): cost}.",
        )
    return np.array([float(costs.get(p, 0.0)) for p in pairs])


def log(truth: Ints, p: Floats, *, model: str = "the model", units: Strings | None = None) -> Floats:
    """-log of the probability that was given to the true class; infinite, and an error, where that is 0."""
    given = p[np.arange(len(truth)), truth]
    zero = np.flatnonzero(given == 0)
    if zero.size:
        names = numbered(len(truth)) if units is None else units
        raise CellError(
            f"{short(model)} gives the true class a probability of 0 on {zero.size:,} of {len(truth):,} "
            "examples: its log loss is infinite",
            where=[f'unit "{short(names[i])}"' for i in zero[:5]],
            hint='Use loss="brier", which is proper and bounded, or clip the probabilities yourself.',
        )
    return np.asarray(-np.log(given))


def brier(truth: Ints, p: Floats) -> Floats:
    """Σ_c (p_c - [c is true])² over all classes, from 0 to 2 (Brier 1950, doi:10.1175/1520-0493(1950)078).

    For two classes this is twice the one-column form (p - y)² that some packages print.
    """
    right = np.zeros_like(p)
    right[np.arange(len(truth)), truth] = 1.0
    return np.asarray(((p - right) ** 2).sum(axis=1))


def squared(truth: Floats, predicted: Floats) -> Floats:
    """(y - ŷ)²."""
    with np.errstate(over="ignore"):  # an infinite square is reported when the scores are checked
        return np.asarray((truth - predicted) ** 2)


def absolute(truth: Floats, predicted: Floats) -> Floats:
    """|y - ŷ|."""
    return np.asarray(np.abs(truth - predicted))


# --- the registry ---


def _labels(p: Predicted, model: str) -> tuple[Strings, Strings]:
    return np.asarray(p.truth, dtype=object), p.labels(model)


def _numbers(p: Predicted, model: str) -> tuple[Floats, Floats]:
    return p.truth.astype(np.float64), p.outputs[model].astype(np.float64)


LOSSES: dict[str, Loss] = {
    loss.name: loss
    for loss in (
        Loss(
            name="zero_one",
            fits=("labels", "probabilities"),
            metric="accuracy",
            higher_is_better=True,
            of=lambda p, model, _: zero_one(*_labels(p, model)),
        ),
        Loss(
            name="cost",
            fits=("labels", "probabilities"),
            metric="cost",
            higher_is_better=False,
            of=lambda p, model, costs: cost(*_labels(p, model), costs),
        ),
        Loss(
            name="log",
            fits=("probabilities",),
            metric="log loss",
            higher_is_better=False,
            of=lambda p, model, _: log(
                p.truth_codes, p.outputs[model].astype(np.float64), model=model, units=p.units
            ),
        ),
        Loss(
            name="brier",
            fits=("probabilities",),
            metric="Brier score",
            higher_is_better=False,
            of=lambda p, model, _: brier(p.truth_codes, p.outputs[model].astype(np.float64)),
            note="Brier score: summed over the classes, from 0 to 2",
        ),
        Loss(
            name="squared",
            fits=("numbers",),
            metric="squared error",
            higher_is_better=False,
            of=lambda p, model, _: squared(*_numbers(p, model)),
        ),
        Loss(
            name="absolute",
            fits=("numbers",),
            metric="absolute error",
            higher_is_better=False,
            of=lambda p, model, _: absolute(*_numbers(p, model)),
        ),
    )
}

# Brier rather than log loss: it is proper too, and bounded. Forests and nearest neighbors give
# probabilities of exactly zero, for which the log loss is infinite.
DEFAULT_LOSS: dict[Kind, str] = {"labels": "zero_one", "probabilities": "brier", "numbers": "squared"}


def loss_for(kind: Kind, name: str) -> Loss:
    """The loss of that name, if it fits predictions of that kind."""
    if name not in LOSSES:
        raise OptionError(f'there is no loss "{short(name)}"', hint=did_you_mean(name, LOSSES))
    loss = LOSSES[name]
    if kind not in loss.fits:
        fitting = [other.name for other in LOSSES.values() if kind in other.fits]
        raise OptionError(
            f'the loss "{name}" does not fit predictions that are {kind}', hint=f"Use {listed(fitting)}."
        )
    return loss

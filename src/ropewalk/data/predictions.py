"""Predictions: the truth, and each model's outputs on the same units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ropewalk.data import losses
from ropewalk.data.arrays import Floats, Ints, Strings, strings
from ropewalk.data.audit import Audit
from ropewalk.data.design import Design
from ropewalk.data.losses import DEFAULT_LOSS, Costs, Kind, Loss, loss_for
from ropewalk.data.runs import Run
from ropewalk.data.scores import Scores, by_task, distinct_models
from ropewalk.errors import CellError, DataError, OptionError, did_you_mean, listed, short


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictions:
    """What is true, and what each model said.

    `truth` holds labels (strings) or numbers (floats). `outputs` holds for each model labels, numbers, or
    probabilities as a matrix examples x classes whose columns follow `classes`. For two classes the second
    is the positive one.

    >>> said = {"svm": strings(["cat", "cat", "cat"]), "forest": strings(["cat", "dog", "dog"])}
    >>> p = Predictions(models=("svm", "forest"), units=strings("123"), truth=strings(["cat", "dog", "cat"]),
    ...                 outputs=said, kind="labels", classes=("cat", "dog"), audit=Audit(paired=3))
    >>> p.scores().counts("svm", "forest")
    (0, 1, 1, 1)
    """

    models: tuple[str, ...]
    units: Strings
    truth: Strings | Floats
    outputs: dict[str, Strings | Floats]
    kind: Kind
    classes: tuple[str, ...] = ()
    clusters: Strings | None = None
    tasks: Strings | None = None  # the task of each row
    runs: Mapping[str, Run] = field(default_factory=dict)  # where a "model" is one training run of a model
    audit: Audit

    def __post_init__(self) -> None:
        distinct_models(self.models)
        if set(self.outputs) != set(self.models):
            raise DataError(f"outputs of {listed(self.outputs)} given for models {listed(self.models)}")
        n = len(self.units)
        if n == 0:
            raise DataError("there are no predictions", hint="Give at least one example.")
        shape = (n, len(self.classes)) if self.kind == "probabilities" else (n,)
        if self.truth.shape != (n,):
            raise DataError(f"the truth has the shape {self.truth.shape}, {(n,)} was expected")
        for extra, called in ((self.clusters, "clusters"), (self.tasks, "tasks")):
            if extra is not None and len(extra) != n:
                raise DataError(f"there are {len(extra)} {called} for {n} examples")
        if self.kind == "numbers":
            self._finite("the truth", self.truth)
        else:
            self._known("the truth", self.truth)
        for model in self.models:
            output = self.outputs[model]
            if output.shape != shape:
                raise DataError(
                    f'the outputs of "{short(model)}" have the shape {output.shape}, {shape} was expected'
                )
            if self.kind == "labels":
                self._known(f'model "{short(model)}"', output)
            else:
                self._finite(f'model "{short(model)}"', output)
            if self.kind == "probabilities" and (output.min() < 0 or output.max() > 1):
                raise CellError(f'model "{short(model)}" has probabilities outside 0 to 1')

    def scores(self, loss: str | Costs | None = None) -> Scores:
        """One score per example and model; the loss by name, or a cost table {(true, predicted): cost}.

        Without a name: accuracy for labels, the Brier score for probabilities, the squared error for numbers.
        """
        name = DEFAULT_LOSS[self.kind] if loss is None else loss if isinstance(loss, str) else "cost"
        if name == "cost" and (loss is None or isinstance(loss, str)):
            raise OptionError(
                'the loss "cost" needs a table of costs',
                hint="Give the table itself as the loss: {(true, predicted): cost, ...}.",
            )
        chosen = loss_for("numbers" if self._are_numeric_labels(name) else self.kind, name)
        costs = {} if loss is None or isinstance(loss, str) else self._costs(loss)
        values = np.column_stack([self._loss(m, chosen, costs) for m in self.models])
        notes = self.audit.notes
        if loss is None and self.kind == "probabilities":
            notes = (*notes, "loss: Brier score, summed over the classes (the log loss is infinite at 0)")
        scores = Scores(
            models=self.models,
            tasks=by_task(self.tasks, self.units, values, self.clusters),
            metric=chosen.metric,
            higher_is_better=chosen.higher_is_better,
            design=Design(unit="example"),
            audit=replace(self.audit, notes=notes),
        )
        return scores.by_model(self.runs)

    def labels(self, model: str) -> Strings:
        """A model's answers as labels: as they are, or the most probable class.

        A tie goes to the class that comes first, so a positive answer needs more than one half.
        """
        if model not in self.outputs:
            raise OptionError(f'there is no model "{short(model)}"', hint=did_you_mean(model, self.models))
        output = self.outputs[model]
        if self.kind == "probabilities":
            return np.asarray(strings(self.classes)[np.argmax(output, axis=1)])
        if self.kind == "numbers":
            raise OptionError("the predictions are numbers and have no labels")
        return np.asarray(output, dtype=object)

    @property
    def truth_codes(self) -> Ints:
        """The place of each true label in `classes`."""
        place = {c: i for i, c in enumerate(self.classes)}
        return np.fromiter((place[t] for t in self.truth), dtype=np.intp, count=len(self.truth))

    def _are_numeric_labels(self, loss: str) -> bool:
        """Ratings from 1 to 5 are labels, and numbers too: squared and absolute error make sense on them."""
        if self.kind != "labels" or loss not in ("squared", "absolute"):
            return False
        try:
            return all(np.isfinite(float(c)) for c in self.classes)
        except ValueError:
            return False

    def _loss(self, model: str, loss: Loss, costs: Costs) -> Floats:
        output = self.outputs[model]
        if loss.name == "zero_one":
            return losses.zero_one(np.asarray(self.truth, dtype=object), self.labels(model))
        if loss.name == "cost":
            return losses.cost(np.asarray(self.truth, dtype=object), self.labels(model), costs)
        if loss.name == "log":
            return losses.log(self.truth_codes, output.astype(np.float64), model=model, units=self.units)
        if loss.name == "brier":
            return losses.brier(self.truth_codes, output.astype(np.float64))
        number = losses.squared if loss.name == "squared" else losses.absolute
        return number(self.truth.astype(np.float64), output.astype(np.float64))

    def _costs(self, table: Costs) -> Costs:
        """The table with its labels as strings, every one of them known, every cost finite."""
        costs: dict[tuple[str, str], float] = {}
        for pair, value in table.items():
            if not (isinstance(pair, tuple) and len(pair) == 2):
                raise OptionError(
                    f"{short(pair)} is no pair of labels", hint="Give {(true, predicted): cost}."
                )
            for label in map(str, pair):
                if label not in self.classes:
                    raise OptionError(
                        f'the costs name a label "{short(label)}" that does not occur',
                        hint=did_you_mean(label, self.classes),
                    )
            if not np.isfinite(value):
                raise OptionError(f"the cost of {short(pair)} is {value}", hint="Give a finite number.")
            costs[str(pair[0]), str(pair[1])] = float(value)
        return costs

    def _known(self, who: str, labels: Strings | Floats) -> None:
        unknown = sorted(set(labels.tolist()) - set(self.classes), key=str)
        if unknown:
            raise CellError(
                f"{who} has labels that are no class: {listed(unknown)}",
                hint=f"Known: {listed(self.classes)}.",
            )

    def _finite(self, who: str, values: Strings | Floats) -> None:
        bad = np.flatnonzero(~np.isfinite(values.astype(np.float64)).reshape(len(values), -1).all(axis=1))
        if bad.size:
            raise CellError(
                f"{who} has {bad.size} values that are NaN or infinite",
                where=[f'unit "{short(self.units[i])}"' for i in bad[:5]],
            )

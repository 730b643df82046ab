"""The rows of a data set under one split: train on some, ask for the others; nothing sees the test rows."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats, Ints, Strings, strings
from ropewalk.data.calibrate import log_odds, probabilities, within
from ropewalk.data.held_out import dealt
from ropewalk.errors import CellError, DataError, MethodError
from ropewalk.experiment.datasets import take
from ropewalk.experiment.work import Work, message
from ropewalk.metrics import Metric, metric_for

_INNER = 5  # folds inside a training set, to choose parameters or to calibrate
_METHODS = {
    "labels": ("predict",),
    "numbers": ("predict",),
    "scores": ("decision_function", "predict_proba"),
    "probabilities": ("predict_proba",),
}


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a data set, and what is to be done with them."""

    X: Any
    y: NDArray[Any]
    groups: Strings | None
    work: Work

    def result(self) -> dict[str, Any]:
        """Train on the training rows, predict the test rows, measure."""
        w, s = self.work, self.work.split
        start = time.perf_counter()
        predictor, choice = self.trained(s.train)
        middle = time.perf_counter()
        metrics = {name: metric_for(name) for name in w.metrics}
        needed: set[str] = {m.takes for m in metrics.values()}
        wanted = set(("numbers",) if w.labels is None else ("labels", "probabilities", "scores"))
        outputs, problems = {}, {}
        for kind in sorted(needed | wanted if w.keep else needed):
            if kind not in needed and not self._has(predictor, kind):
                continue
            try:
                outputs[kind] = self.output(
                    predictor, kind, s.train, s.test, lambda rows: self.trained(rows)[0]
                )
            except (Exception, SystemExit) as error:  # noqa: BLE001  # another output may still be had
                problems[kind] = message(error)
        truth = self._truth(s.test)
        values, wrong = {}, []
        for name, metric in metrics.items():
            values[name], problem = _measured(metric, truth, outputs, problems)
            wrong += [f"{name}: {problem}"] if problem else []
        return {
            "values": values,
            "fit_seconds": middle - start,
            "predict_seconds": time.perf_counter() - middle,
            "chosen": json.dumps(choice, default=str) if choice else "",
            "error": "; ".join(wrong),
            "outputs": {"rows": s.test, "truth": truth, **outputs} if w.keep else {},
        }

    def trained(self, rows: Ints) -> tuple[Any, dict[str, Any]]:
        """A predictor that has seen these rows only, and the parameters that they chose."""
        choice = self._choice(rows)
        return self._fitted(rows, choice), choice

    def _fitted(self, rows: Ints, choice: dict[str, Any]) -> Any:
        w = self.work
        return w.algorithm.fresh(w.split.seed, choice).fit(take(self.X, rows), self.y[rows])

    def _choice(self, rows: Ints) -> dict[str, Any]:
        """The parameters with the best mean of the first metric over folds of these rows."""
        choices = self._searched()
        if len(choices) < 2:
            return choices[0]
        metric = metric_for(self.work.metrics[0])
        folds = list(self.folds(rows))
        means = [np.mean([self._inner(metric, choice, *fold) for fold in folds]) for choice in choices]
        best = np.argmax(means) if metric.higher_is_better else np.argmin(means)
        return choices[int(best)]

    def _searched(self) -> list[dict[str, Any]]:
        """All combinations of the grid, or a random half of them where the search itself is varied."""
        choices, draw = self.work.algorithm.choices, self.work.split.draw
        if draw < 0 or len(choices) < 2:
            return choices
        tried = np.random.default_rng(draw).permutation(len(choices))[: -(-len(choices) // 2)]
        return [choices[i] for i in sorted(tried)]

    def _inner(self, metric: Metric, choice: dict[str, Any], learn: Ints, use: Ints) -> float:
        predictor = self._fitted(learn, choice)
        output = self.output(predictor, metric.takes, learn, use, lambda rows: self._fitted(rows, choice))
        return value_of(metric, self._truth(use), output)

    def folds(self, rows: Ints) -> Iterator[tuple[Ints, Ints]]:
        """Folds of some rows, of each the rows to learn from and the others; a group is in one fold whole."""
        codes = np.zeros(len(rows), dtype=np.intp) if self.work.labels is None else self._truth(rows)
        members = strings(f"{i:012d}" for i in rows) if self.groups is None else self.groups[rows]
        part = dealt(members, codes, _INNER, np.random.default_rng(self.work.split.seed))
        for k in range(part.max() + 1):
            yield rows[part != k], rows[part == k]

    def _truth(self, rows: Ints) -> Any:
        """The numbers, or the places of the classes among the labels."""
        labels = self.work.labels
        return self.y[rows] if labels is None else np.searchsorted(labels, self.y[rows])

    def _has(self, predictor: Any, kind: str) -> bool:
        return any(hasattr(predictor, method) for method in _METHODS[kind])

    def output(
        self, predictor: Any, kind: str, learned: Ints, rows: Ints, again: Callable[[Ints], Any]
    ) -> Any:
        """Labels, numbers, scores or probabilities of some rows, by a predictor that `learned` from others.

        `again` trains such a predictor on other rows: for Platt scaling.
        """
        calibrate = self.work.calibrate
        if kind == "probabilities" and (
            calibrate == "platt" or (calibrate == "auto" and not self._has(predictor, kind))
        ):
            return self._platt(predictor, learned, rows, again)
        return self._raw(predictor, rows, kind)

    def _raw(self, predictor: Any, rows: Ints, kind: str) -> Any:
        """What a predictor says of some rows by itself."""
        X = take(self.X, rows)
        labels = self.work.labels
        if labels is None:
            return np.asarray(predictor.predict(X), dtype=np.float64)
        if kind == "labels":
            return _codes(np.asarray(predictor.predict(X)), labels)
        for method in _METHODS[kind]:
            if hasattr(predictor, method):
                return _columns(np.asarray(getattr(predictor, method)(X)), predictor, labels, method)
        raise MethodError(
            f"{type(predictor).__name__} has no {' and no '.join(_METHODS[kind])}"
            + (', and calibrate is "none"' if self.work.calibrate == "none" else "")
        )

    def _platt(self, predictor: Any, learned: Ints, rows: Ints, again: Callable[[Ints], Any]) -> Floats:
        """Probabilities by Platt scaling: the line is fitted to scores of learned rows, held out in turn."""
        new = self._score(predictor, rows)
        seen = np.empty((len(learned), new.shape[1]))
        place = np.empty(len(self.y), dtype=np.intp)
        place[learned] = np.arange(len(learned))
        for learn, use in self.folds(learned):
            seen[place[use]] = self._score(again(learn), use)
        if not hasattr(predictor, "decision_function"):  # log-odds of 0 and 1 are infinite
            seen, new = within(seen, new)
        return probabilities("platt", seen, self._truth(learned), new)[0]

    def _score(self, predictor: Any, rows: Ints) -> Floats:
        """Scores to be scaled, one column for each class; of two classes that of the second only."""
        kind = "scores" if hasattr(predictor, "decision_function") else "probabilities"
        said: Floats = self._raw(predictor, rows, kind)
        if kind == "probabilities":
            return log_odds(said)
        return said[:, None] if said.ndim == 1 else said


def _codes(said: NDArray[Any], labels: NDArray[Any]) -> Ints:
    """The place of each predicted label among the classes."""
    if said.ndim != 1:
        raise DataError(f"predict answers with the shape {said.shape}, one label a row was expected")
    if said.dtype.kind == "f" and not np.isfinite(said).all():
        raise CellError("predict answers NaN or infinity")
    place = np.minimum(np.searchsorted(labels, said.astype(labels.dtype)), len(labels) - 1)
    if not np.array_equal(labels[place], said):
        raise DataError("predict answers labels that are no class of the data set")
    return place


def _columns(said: NDArray[Any], predictor: Any, labels: NDArray[Any], method: str) -> Floats:
    """Scores or probabilities with one column for each class of the data set; of two classes one score."""
    known = np.asarray(getattr(predictor, "classes_", labels))
    if not np.isfinite(said).all():
        raise CellError(f"{method} answers NaN or infinity")
    if method == "decision_function" and said.ndim == 1 and len(known) == len(labels) == 2:
        return said.astype(np.float64)
    if said.ndim != 2 or said.shape[1] != len(known):
        raise DataError(f"{method} answers with the shape {said.shape} for {len(known)} classes")
    if method == "decision_function" and len(known) < len(labels):
        raise DataError("a class has no row in the training set, so it has no score")
    full = np.zeros((len(said), len(labels)))
    full[:, np.searchsorted(labels, known)] = said
    return full


def _measured(
    metric: Metric, truth: Any, outputs: dict[str, Any], problems: dict[str, str]
) -> tuple[float, str]:
    """The value of a metric, or NaN and the reason."""
    if metric.takes in problems:
        return np.nan, problems[metric.takes]
    try:
        return value_of(metric, truth, outputs[metric.takes]), ""
    except (DataError, MethodError) as error:
        return np.nan, message(error)


def value_of(metric: Metric, truth: Any, output: Any) -> float:
    """The metric of some rows; ranking of more than two classes: the mean of each against the rest."""
    if metric.takes != "scores":
        return metric.value(truth, output)
    if output.ndim == 1 or output.shape[1] == 2:
        return metric.value(truth, output if output.ndim == 1 else output[:, 1])
    each = [metric.value((truth == k).astype(np.intp), output[:, k]) for k in range(output.shape[1])]
    return float(np.mean(each))

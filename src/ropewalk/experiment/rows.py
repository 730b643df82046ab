"""The rows of a data set under one split: train on some, ask for the others; nothing sees the test rows."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats, Ints, Strings, coded
from ropewalk.errors import CellError, DataError, MethodError
from ropewalk.experiment.datasets import take
from ropewalk.experiment.splits import SplitRows
from ropewalk.experiment.work import Work, message
from ropewalk.metrics import Metric, metric_for

_INNER = 5  # folds inside a training set, for choosing parameters or for calibration
_METHODS = {
    "labels": ("predict",),
    "numbers": ("predict",),
    "scores": ("decision_function", "predict_proba"),
    "probabilities": ("predict_proba",),
}
_STEP = "algorithm"  # its name in the pipeline given to scikit-learn


@dataclass(frozen=True, slots=True)
class Trained:
    """A predictor, and the same one with probabilities by Platt scaling, or the reason why there are none."""

    plain: Any
    scaled: Any = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a data set, and the fit to make on them."""

    X: Any
    y: NDArray[Any]
    groups: Strings | None
    work: Work

    def result(self) -> dict[str, Any]:
        """Train on the training rows, predict the test rows, and measure."""
        w, s = self.work, self.work.split
        metrics = {name: metric_for(name) for name in w.metrics}
        needed: set[str] = {m.takes for m in metrics.values()}
        start = time.perf_counter()
        choice = self._choice()
        trained = self._trained(choice, needed)
        middle = time.perf_counter()
        wanted = set(("numbers",) if w.labels is None else ("labels", "probabilities", "scores"))
        outputs, problems = {}, {}
        for kind in sorted(needed | wanted if w.keep else needed):
            if kind not in needed and not _has(trained.plain, kind):
                continue
            try:
                outputs[kind] = self._output(trained, kind, s.test)
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

    def _fresh(self, choice: dict[str, Any]) -> Any:
        return self.work.algorithm.fresh(self.work.split.seed, choice)

    def _trained(self, choice: dict[str, Any], needed: set[str]) -> Trained:
        """Fit the algorithm with these parameters to the training rows."""
        rows, fresh, problem = self.work.split.train, self._fresh(choice), ""
        kept = {"probabilities"} if self.work.keep and _has(fresh, "probabilities") else set()
        if self._scales(fresh, needed | kept):
            try:
                return _opened(self._model(fresh, scaled=True).fit(rows[:, None], self.y[rows]))
            except (Exception, SystemExit) as error:  # noqa: BLE001  # it may still have labels
                problem = message(error)
        return Trained(self._fresh(choice).fit(take(self.X, rows), self.y[rows]), problem=problem)

    def _scales(self, estimator: Any, kinds: set[str]) -> bool:
        """Whether Platt scaling was requested."""
        how = self.work.calibrate
        return "probabilities" in kinds and (
            how == "platt" or (how == "auto" and not _has(estimator, "probabilities"))
        )

    def _model(self, estimator: Any, *, scaled: bool) -> Any:
        """Return the estimator for scikit-learn's searches and calibrators: a pipeline on row numbers.

        Scikit-learn does not pass groups to the folds of a calibration. With row numbers, the folds can look
        up the groups.
        """
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.pipeline import Pipeline
        from sklearn.preprocessing import FunctionTransformer

        X = self.X
        look_up = FunctionTransformer(lambda rows: take(X, rows[:, 0]))  # cloning it does not copy X
        model = Pipeline([("rows", look_up), (_STEP, estimator)])
        # One calibrator of the held-out scores of all folds, and one predictor fitted to all rows.
        return CalibratedClassifierCV(model, cv=self.folds, ensemble=False) if scaled else model

    def _choice(self) -> dict[str, Any]:
        """Choose the parameters with the best mean of the first metric over folds of the training rows."""
        grid, s = self.work.algorithm.grid, self.work.split
        combinations = math.prod(map(len, grid.values()))
        if combinations < 2:
            return {name: values[0] for name, values in grid.items()}
        from sklearn.model_selection import GridSearchCV, RandomizedSearchCV

        metric = metric_for(self.work.metrics[0])
        fresh = self._fresh({})
        scaled = self._scales(fresh, {metric.takes})
        prefix = f"estimator__{_STEP}__" if scaled else f"{_STEP}__"

        def score(model: Any, rows: Ints, _: Any) -> float:
            output = self._output(_opened(model), metric.takes, rows[:, 0])
            value = value_of(metric, self._truth(rows[:, 0]), output)
            return value if metric.higher_is_better else -value

        values = {prefix + name: list(found) for name, found in grid.items()}
        options = {"scoring": score, "cv": self.folds, "refit": False, "error_score": "raise"}
        model = self._model(fresh, scaled=scaled)
        if s.draw < 0:
            search = GridSearchCV(model, values, **options)
        else:  # the search itself is varied, by a random half of the combinations
            half = -(-combinations // 2)
            search = RandomizedSearchCV(model, values, n_iter=half, random_state=s.draw, **options)
        best = search.fit(s.train[:, None], self.y[s.train]).best_params_
        return {name: best[prefix + name] for name in grid}

    @property
    def folds(self) -> InnerFolds:
        """Return folds of some of the rows; a group is never split."""
        classes = None if self.work.labels is None else self._truth(np.arange(len(self.y)))
        groups = None if self.groups is None else coded(self.groups)[0]
        return InnerFolds(SplitRows(n=len(self.y), classes=classes, groups=groups), self.work.split.seed)

    def _truth(self, rows: Ints) -> Any:
        """Return the numbers, or the positions of the classes among the labels."""
        labels = self.work.labels
        return self.y[rows] if labels is None else np.searchsorted(labels, self.y[rows])

    def _output(self, trained: Trained, kind: str, rows: Ints) -> Any:
        """Return labels, numbers, scores or probabilities of some rows."""
        labels, predictor = self.work.labels, trained.plain
        if kind == "probabilities" and trained.problem:
            raise MethodError(trained.problem)
        if kind == "probabilities" and trained.scaled is not None:
            said = np.asarray(trained.scaled.predict_proba(rows[:, None]))
            return _columns(said, trained.scaled, labels, "predict_proba")
        X = take(self.X, rows)
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


@dataclass(frozen=True, slots=True)
class InnerFolds:
    """Folds inside a training set: a splitter of row numbers for scikit-learn."""

    rows: SplitRows
    seed: int

    def split(self, X: Ints, y: Any = None, groups: Any = None) -> Iterator[tuple[Ints, Ints]]:
        """Yield the positions of the training rows and of the other rows for each fold."""
        some, count = self._cut(X)
        yield from some.folds(count, self.seed)

    def get_n_splits(self, X: Ints, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds that these rows allow, at most five."""
        return self._cut(X)[1]

    def _cut(self, X: Ints) -> tuple[SplitRows, int]:
        some = self.rows.only(X[:, 0])
        most = some.units if some.classes is None else min(some.units, int(np.bincount(some.classes).max()))
        return some, min(_INNER, most)


def _opened(model: Any) -> Trained:
    """Extract the fitted parts from what `Rows._model` made."""
    if not hasattr(model, "calibrated_classifiers_"):
        return Trained(model[_STEP])
    return Trained(model.calibrated_classifiers_[0].estimator[_STEP], scaled=model)


def _has(predictor: Any, kind: str) -> bool:
    return any(hasattr(predictor, method) for method in _METHODS[kind])


def _codes(said: NDArray[Any], labels: NDArray[Any]) -> Ints:
    """Return the position of each predicted label among the classes."""
    if said.ndim != 1:
        raise DataError(f"predict returned the shape {said.shape}, one label per row was expected")
    if said.dtype.kind == "f" and not np.isfinite(said).all():
        raise CellError("predict returned NaN or infinity")
    place = np.minimum(np.searchsorted(labels, said.astype(labels.dtype)), len(labels) - 1)
    if not np.array_equal(labels[place], said):
        raise DataError("predict returned labels that are not classes of the data set")
    return place


def _columns(said: NDArray[Any], predictor: Any, labels: Any, method: str) -> Floats:
    """Return scores or probabilities with one column per class; a single score for two classes."""
    known = np.asarray(getattr(predictor, "classes_", labels))
    if not np.isfinite(said).all():
        raise CellError(f"{method} returned NaN or infinity")
    if method == "decision_function" and said.ndim == 1 and len(known) == len(labels) == 2:
        return said.astype(np.float64)
    if said.ndim != 2 or said.shape[1] != len(known):
        raise DataError(f"{method} returned the shape {said.shape} for {len(known)} classes")
    if method == "decision_function" and len(known) < len(labels):
        raise DataError("a class has no row in the training set, so it has no score")
    full = np.zeros((len(said), len(labels)))
    full[:, np.searchsorted(labels, known)] = said
    return full


def _measured(
    metric: Metric, truth: Any, outputs: dict[str, Any], problems: dict[str, str]
) -> tuple[float, str]:
    """Return the value of a metric, or NaN and the reason."""
    if metric.takes in problems:
        return np.nan, problems[metric.takes]
    try:
        return value_of(metric, truth, outputs[metric.takes]), ""
    except (DataError, MethodError) as error:
        return np.nan, message(error)


def value_of(metric: Metric, truth: Any, output: Any) -> float:
    """Compute the metric of some rows; to rank several classes, the mean of each against the rest."""
    if metric.takes != "scores":
        return metric.value(truth, output)
    if output.ndim == 1 or output.shape[1] == 2:
        return metric.value(truth, output if output.ndim == 1 else output[:, 1])
    each = [metric.value((truth == k).astype(np.intp), output[:, k]) for k in range(output.shape[1])]
    return float(np.mean(each))

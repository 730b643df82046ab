"""Checks of predictions: same length, known classes, finite values; and which of them are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats, Strings, coded
from ropewalk.data.scores import distinct_models
from ropewalk.errors import CellError, DataError, listed, short

if TYPE_CHECKING:
    from ropewalk.data.predictions import Predictions


def check(p: Predictions) -> None:
    """Raise an error if these predictions are invalid."""
    distinct_models(p.models)
    if set(p.outputs) != set(p.models):
        raise DataError(f"outputs of {listed(p.outputs)} given for models {listed(p.models)}")
    n = len(p.units)
    if n == 0:
        raise DataError("there are no predictions", hint="Give at least one example.")
    shape = (n, len(p.classes)) if p.kind == "probabilities" else (n,)
    if p.truth.shape != (n,):
        raise DataError(f"the truth has the shape {p.truth.shape}, {(n,)} was expected")
    for extra, called in ((p.clusters, "clusters"), (p.tasks, "tasks"), (p.split, "splits")):
        if extra is not None and len(extra) != n:
            raise DataError(f"there are {len(extra)} {called} for {n} examples")
    if p.kind == "scores" and len(p.classes) != 2:
        raise DataError(
            f"decision scores need two classes, but there are {len(p.classes)}",
            hint="Give one probability per class instead.",
        )
    if p.kind in ("numbers", "statistics"):
        _finite(p, "the truth", p.truth)
    else:
        _known(p, "the truth", p.truth)
    for model in p.models:
        output = p.outputs[model]
        if p.kind == "statistics":
            shape = (n, p.outputs[p.models[0]].shape[-1])
        if output.shape != shape:
            raise DataError(
                f'the outputs of "{short(model)}" have the shape {output.shape}, {shape} was expected'
            )
        there = ~not_run(p, model)
        if p.kind == "labels":
            _known(p, f'model "{short(model)}"', output[there])
        else:
            _finite(p, f'model "{short(model)}"', output, there)
        some = output[there]
        if p.kind == "probabilities" and some.size and (some.min() < 0 or some.max() > 1):
            raise CellError(f'model "{short(model)}" has probabilities outside 0 to 1')
    _two_on_every_task(p)


def _two_on_every_task(p: Predictions) -> None:
    if p.tasks is None:
        return
    run = np.sum([~not_run(p, m) for m in p.models], axis=0)
    if run.min() < 2:
        raise DataError(
            f'fewer than two models were run on task "{short(p.tasks[int(np.argmin(run))])}"',
            hint="Remove this task: there is nothing to compare.",
        )


def _known(p: Predictions, who: str, labels: Strings | Floats) -> None:
    unknown = sorted(set(labels.tolist()) - set(p.classes), key=str)
    if unknown:
        raise CellError(
            f"{who} has labels that are not classes: {listed(unknown)}",
            hint=f"Known: {listed(p.classes)}.",
        )


def _finite(
    p: Predictions, who: str, values: Strings | Floats, there: NDArray[np.bool_] | None = None
) -> None:
    wrong = ~np.isfinite(values.astype(np.float64)).reshape(len(values), -1).all(axis=1)
    bad = np.flatnonzero(wrong if there is None else wrong & there)
    if bad.size:
        raise CellError(
            f"{who} has {bad.size} values that are NaN or infinite",
            where=[f'unit "{short(p.units[i])}"' for i in bad[:5]],
        )


def not_run(p: Predictions, model: str) -> NDArray[np.bool_]:
    """Return the rows of the tasks on which a model has no output at all."""
    missing = absent(p.outputs[model])
    if p.tasks is None or not missing.any():
        return np.zeros(len(p.units), dtype=np.bool_)
    codes, _ = coded(p.tasks)
    whole = np.bincount(codes, weights=missing) == np.bincount(codes)
    return np.asarray(whole[codes])


def absent(outputs: Strings | Floats) -> NDArray[np.bool_]:
    """Return the rows without an output: None, or NaN throughout."""
    if outputs.dtype == object:
        return np.asarray(np.equal(outputs, np.array(None, dtype=object)), dtype=np.bool_)
    if outputs.dtype.kind != "f":
        return np.zeros(len(outputs), dtype=np.bool_)
    return np.asarray(np.isnan(outputs).reshape(len(outputs), -1).all(axis=1))

"""Some rows of predictions, and each task on its own with the models that were run on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Ints, Strings, coded
from ropewalk.data.prediction_checks import not_run

if TYPE_CHECKING:
    from ropewalk.data.predictions import Predictions


def subset(p: Predictions, rows: Ints | NDArray[np.bool_]) -> Predictions:
    """Return the predictions of some rows."""

    def some(values: Strings | None) -> Strings | None:
        return None if values is None else values[rows]

    return replace(
        p,
        units=p.units[rows],
        truth=p.truth[rows],
        outputs={model: output[rows] for model, output in p.outputs.items()},
        clusters=some(p.clusters),
        tasks=some(p.tasks),
        split=some(p.split),
        counts=None if p.counts is None else p.counts[rows],
    )


def by_task(p: Predictions) -> list[Predictions]:
    """Return the predictions of each task, without the models that were not run on it."""
    if p.tasks is None:
        return [p]
    codes, names = coded(p.tasks)
    parts = [_without_absent(subset(p, np.flatnonzero(codes == k))) for k in range(len(names))]
    if not p.binned:
        return parts
    return [
        replace(part, binned={m: b.of_task(name) for m, b in p.binned.items()})
        for part, name in zip(parts, names, strict=True)
    ]


def _without_absent(p: Predictions) -> Predictions:
    models = tuple(m for m in p.models if not not_run(p, m).any())
    if models == p.models:
        return p
    return replace(
        p,
        models=models,
        outputs={m: p.outputs[m] for m in models},
        runs={m: run for m, run in p.runs.items() if m in models},
    )

"""Units that a model lacks, counted as wrong: the worst output that there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats, Strings, strings
from ropewalk.data.losses import Kind
from ropewalk.data.metrics import may_be_negative
from ropewalk.data.scale import range_of
from ropewalk.errors import OptionError, short

Lacking = Mapping[str, NDArray[np.bool_]]


def fill_scores(
    values: Floats, models: Sequence[str], lacking: Lacking, metric: str, *, higher: bool
) -> list[str]:
    """Put the worst score where a model lacks a unit, and say so; without a worst score it is an error."""
    if not lacking:
        return []
    largest = range_of(metric, values)
    if not largest:
        raise _no_worst(f"the scores ({short(metric)})")
    worst = (-largest if may_be_negative(metric) else 0.0) if higher else largest
    for model, rows in lacking.items():
        values[rows, models.index(model)] = worst
    return _notes(lacking, f"as {worst:g}")


def fill_predictions(
    outputs: dict[str, Strings | Floats],
    lacking: Lacking,
    truth: Strings | Floats,
    kind: Kind,
    classes: Sequence[str],
) -> list[str]:
    """Put a wrong answer where a model lacks an example, and say so."""
    if not lacking:
        return []
    if kind not in ("labels", "probabilities"):
        raise _no_worst(f"predictions that are {kind}")
    names = list(classes)
    wrong = np.array([1 if t == names[0] else 0 for t in truth], dtype=np.intp)
    for model, rows in lacking.items():
        if kind == "labels":
            outputs[model][rows] = strings(names[w] for w in wrong[rows])
        else:
            outputs[model][rows] = np.eye(len(names))[wrong[rows]]
    return _notes(lacking, "as wrong")


def _no_worst(what: str) -> OptionError:
    return OptionError(
        f"there is no worst value of {what} to count missing units as",
        hint='Give these units a value in the file, or leave them out: --missing drop (missing="drop").',
    )


def _notes(lacking: Lacking, how: str) -> list[str]:
    return [f"missing: {int(rows.sum()):,} units of {short(m)} counted {how}" for m, rows in lacking.items()]

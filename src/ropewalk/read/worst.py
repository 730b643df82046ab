"""Units that a model lacks, counted as wrong: the worst output that there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats, Strings, strings
from ropewalk.data.losses import Kind
from ropewalk.data.metrics import may_be_negative
from ropewalk.data.scale import range_of
from ropewalk.errors import OptionError, PairingError, short
from ropewalk.read.joined import Joined, Part, collect

Lacking = Mapping[str, NDArray[np.bool_]]


def fill_scores(
    values: Floats, models: Sequence[str], lacking: Lacking, metric: str, *, higher: bool
) -> list[str]:
    """Fill in the worst score if a model lacks a unit, and note it; an error if no worst score exists."""
    if not lacking:
        return []
    worst = _worst(metric, values, higher=higher)
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
    """Fill in a wrong answer if a model lacks an example, and note it."""
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


def fill_joined(
    data: Joined, parts: Sequence[Part], metric: str, *, higher: bool
) -> tuple[Joined, list[str]]:
    """Fill in place: scores of all models side by side, or right and wrong answers (`metric` "").

    As in memory, every unit that some model has stays.
    """
    import narwhals as nw

    keys = [c for c in ("task", "unit") if c in data.frame.columns]
    apart = collect(data.frame.select(keys).unique().select(n=nw.len()))["n"][0]
    if int(apart) < int(collect(data.frame.select(n=nw.len()))["n"][0]):
        raise PairingError(
            "some units have more than one row of a model", hint="Each model needs one row per unit."
        )
    x, p = ([nw.col(f"{c}{i}") for i in range(len(parts))] for c in "xp")
    empty = [e.is_null() for e in x]
    lost = reduce(lambda a, b: a | b, empty) & ~reduce(lambda a, b: a & b, empty)
    if "y" in data.frame.columns:  # without a truth, no answer can be wrong
        lost = lost & ~nw.col("y").is_null()
    fill = [lost & e for e in empty]
    count = {f"n{i}": f.cast(nw.Int64).sum() for i, f in enumerate(fill)}
    new = {f"m{i}": (f & (p[i].fill_null(0) == 0)).cast(nw.Int64).sum() for i, f in enumerate(fill)}
    counted = collect(data.frame.select(**count, **new))
    filled = {part.model: int(counted[f"n{i}"][0]) for i, part in enumerate(parts) if counted[f"n{i}"][0]}
    if not filled:
        return data, []
    worst = 0.0 if not metric else _worst(metric, _extremes(data, parts), higher=higher)
    columns = {f"x{i}": nw.when(f).then(nw.lit(worst)).otherwise(x[i]) for i, f in enumerate(fill)}
    columns |= {f"p{i}": nw.when(f).then(nw.lit(1)).otherwise(p[i]) for i, f in enumerate(fill)}
    rows = data.rows + np.array([float(counted[c][0]) for c in new])
    how = f"as {worst:g}" if metric else "as wrong"
    return replace(data, frame=data.frame.with_columns(**columns), rows=rows), _told(filled, how)


def _extremes(data: Joined, parts: Sequence[Part]) -> Floats:
    """Return enough scores to show their range: the first ones, the lowest, the highest, and a fraction."""
    import narwhals as nw

    x = {i: nw.col(f"x{i}") for i in range(len(parts))}
    ends = {f"low{i}": e.min() for i, e in x.items()} | {f"high{i}": e.max() for i, e in x.items()}
    right = {i: ((e == 0.0) | (e == 1.0)).fill_null(True) for i, e in x.items()}
    odd = {f"odd{i}": (~e).cast(nw.Int64).sum() for i, e in right.items()}
    found = collect(data.frame.select(**ends, **odd))
    between = [0.5] if any(int(found[c][0]) for c in odd) else []
    return np.array([*(v for p in parts for v in p.head), *(float(found[c][0]) for c in ends), *between])


def _worst(metric: str, values: Floats, *, higher: bool) -> float:
    largest = range_of(metric, values)
    if not largest:
        raise _no_worst(f"the scores ({short(metric)})")
    return (-largest if may_be_negative(metric) else 0.0) if higher else largest


def _no_worst(what: str) -> OptionError:
    return OptionError(
        f"missing units cannot be counted as wrong: {what} have no worst value",
        hint='Give these units a value in the file, or leave them out: --missing drop (missing="drop").',
    )


def _notes(lacking: Lacking, how: str) -> list[str]:
    return _told({model: int(rows.sum()) for model, rows in lacking.items()}, how)


def _told(filled: Mapping[str, int], how: str) -> list[str]:
    return [f"missing: {n:,} units of {short(m)} counted {how}" for m, n in filled.items()]

"""{data set: {model: scores}} or {model: {data set: scores}} -> Scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ropewalk.data import Scores
from ropewalk.data.arrays import strings
from ropewalk.errors import DataError, OptionError, PairingError, listed, short
from ropewalk.read.block import Block
from ropewalk.read.memory import index_of, no_columns, vector
from ropewalk.read.roles import Options
from ropewalk.read.scores import read_scores
from ropewalk.read.table import Column, Table

_Cells = dict[tuple[str, str], Any]  # (outer key, inner key) -> scores
_OUTER, _INNER = "{model: {data set: scores}}", "{data set: {model: scores}}"


def is_nested(source: Mapping[Any, Any]) -> bool:
    """Whether the source is a dict of dicts."""
    return bool(source) and all(isinstance(v, Mapping) for v in source.values())


def from_nested(source: Mapping[Any, Mapping[Any, Any]], options: Options) -> Scores:
    """Read a dict of dicts; `model`, or the numbers of scores, decide which level has the models."""
    listed_models, options = options.model_columns, replace(options, model=None)
    no_columns(options, "a dict")
    cells = {(str(a), str(b)): v for a, inner in source.items() for b, v in inner.items()}
    if not cells:
        raise DataError("the dict has no scores", hint=f"Give {_INNER} or {_OUTER}.")
    models_outside = _models_outside(cells, listed_models)
    by_model = cells if models_outside else {(b, a): v for (a, b), v in cells.items()}
    scores = _read(by_model, options)
    form = _OUTER if models_outside else _INNER
    shown = listed(scores.models, most=4)
    note = f"the dict was read as {form}: the models are {shown}"
    audit = scores.audit.noted(note)
    if not any(index_of(v) is not None for v in cells.values()):  # in that case ids are generated here
        audit = replace(audit, pairing="row", notes=tuple(n for n in audit.notes if n != "paired on `unit`"))
    return replace(scores, audit=audit)


def _models_outside(cells: _Cells, models: tuple[str, ...] | None) -> bool:
    """Whether the outer keys are the models."""
    outer, inner = (list(dict.fromkeys(names)) for names in zip(*cells, strict=True))
    if models is not None:
        if set(models) == set(outer) != set(inner):
            return True
        if set(models) == set(inner) != set(outer):
            return False
        raise OptionError(
            f"model= names {listed(models)}, and the dict holds {listed(outer)} with {listed(inner)} inside",
            hint="Name all models, as they are written in the dict.",
        )
    if len(outer) == 1 or len(inner) == 1:  # a single model cannot be compared
        return len(inner) == 1
    # All models have the same number of scores on a data set, while data sets differ in size.
    sizes = {pair: _size(v) for pair, v in cells.items()}
    same_outside, same_inside = (
        all(len({n for pair, n in sizes.items() if pair[level] == name}) == 1 for name in names)
        for level, names in ((0, outer), (1, inner))
    )
    if same_outside != same_inside:
        return same_inside
    what = "every list has the same length" if same_outside else "the lists have different lengths"
    if set(sizes.values()) == {1}:
        what = "every pair has one number"
    raise DataError(
        f"it is not clear which names of the dict are the models: {listed(outer)}, or {listed(inner)} "
        f"inside ({what})",
        hint=f"Say which are: model=[{', '.join(repr(short(m)) for m in inner[:3])}"
        f"{', ...' if len(inner) > 3 else ''}] or model=[{', '.join(repr(short(m)) for m in outer[:3])}"
        f"{', ...' if len(outer) > 3 else ''}].",
    )


def _size(values: Any) -> int:
    return len(values) if hasattr(values, "__len__") else 1


def _refuse_nothing_shared(cells: _Cells) -> None:
    tasks = [task for _, task in cells]
    if len(set(tasks)) == len(tasks):
        models = dict.fromkeys(model for model, _ in cells)
        raise PairingError(
            f"no data set occurs for more than one model: {listed(models)}",
            where=[f"{short(m)}: {listed(t for model, t in cells if model == m)}" for m in models],
        )


def _refuse_uneven(cells: _Cells) -> None:
    """Refuse lists of one data set that differ in length: they are paired by their order."""
    first: dict[str, tuple[str, int]] = {}
    for (model, task), values in cells.items():
        n = _size(values)
        other, expected = first.setdefault(task, (model, n))
        if n != expected and index_of(values) is None:
            raise PairingError(
                f"on {short(task)}, {short(other)} has {expected:,} scores and {short(model)} has {n:,}",
                hint="Give every model's scores on the same units, in the same order; or pandas series with\n"
                "the ids as their index, so that it is known which units a model lacks.",
            )


def _read(cells: _Cells, options: Options) -> Scores:
    """Return the scores, or one number, of each (model, data set)."""
    blocks = []
    one_each = not any(hasattr(v, "__len__") for v in cells.values())
    if not one_each:
        _refuse_uneven(cells)
    _refuse_nothing_shared(cells)
    for (model, task), values in cells.items():
        column = vector(f"{model} on {task}", [values] if one_each else values)
        columns: dict[str, Column] = {"task": strings([task] * len(column)), "score": column}
        if not one_each:
            index = index_of(values)
            columns["unit"] = strings(map(str, range(1, len(column) + 1))) if index is None else index
        name = f"{model} on {task}"
        table = Table(name=name, stem=name, columns=columns, height=len(column))
        blocks.append(
            Block(
                table=table,
                rows=np.arange(len(column)),
                label=name,
                columns={model: ("score",)},
                keys={key: key for key in ("task", "unit") if key in columns},
            )
        )
    return read_scores(blocks, options)

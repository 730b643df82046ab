"""A dict of scores, or a matrix -> Scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ropewalk.data import Scores
from ropewalk.data.arrays import strings
from ropewalk.data.scores import distinct_models
from ropewalk.errors import DataError, OptionError, PairingError, listed, short
from ropewalk.read.block import Block
from ropewalk.read.roles import Options, not_models
from ropewalk.read.scores import read_scores
from ropewalk.read.table import Column, Table, array_column


def from_mapping(source: Mapping[Any, Any], options: Options) -> Scores:
    """Read {model: scores}: lists, arrays or series of equal length, or pandas series with ids as index."""
    no_columns(options, "a dict")
    models = tuple(str(m) for m in source)
    distinct_models(models)
    _refuse_other_columns(models)
    columns = {m: vector(m, v) for m, v in zip(models, source.values(), strict=True)}
    indexes = [index_of(v) for v in source.values()]
    if any(i is not None for i in indexes):
        return _by_index(columns, list(source.values()), options)
    lengths = {m: len(c) for m, c in columns.items()}
    uneven = next((m for m in models if lengths[m] != lengths[models[0]]), None)
    if uneven is not None:
        raise PairingError(
            f"{short(models[0])} has {lengths[models[0]]:,} scores, {short(uneven)} has {lengths[uneven]:,}",
            hint="Give every model's scores on the same units, in the same order.",
        )
    return _wide(columns, "the dict", options)


def _refuse_other_columns(models: tuple[str, ...]) -> None:
    """Refuse a dict with the truth or ids next to two models: it is a table, not {model: scores}."""
    odd = not_models(models)
    if odd and len(models) - len(odd) >= 2:
        rest = [m for m in models if m not in odd]
        raise DataError(
            f"the dict holds {listed(odd)} in addition to {listed(rest)}, but a dict may hold only "
            "scores of models",
            hint="Give a table with the same columns, such as pandas.DataFrame(data). If these are models\n"
            "too, rename them.",
        )


def from_matrix(source: Any, options: Options) -> Scores:
    """Read a matrix, units x models; the models are called A, B, C, ..."""
    no_columns(options, "an array")
    try:
        matrix = np.asarray(source, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            "the array is not a matrix of numbers", hint="Give an array, units x models, or a table."
        ) from None
    if matrix.ndim != 2:
        raise DataError(
            f"the array has {matrix.ndim} dimension{'s' if matrix.ndim != 1 else ''}, 2 were expected",
            hint="Give one row per unit and one column per model.",
        )
    units, models = matrix.shape
    if models > units > 0:
        raise DataError(
            f"an array of {units:,} rows and {models:,} columns was understood as {units:,} units and "
            f"{models:,} models: is it the other way round?",
            hint="Give a dict {model: scores}; or one row per unit and one column per model, such as\n"
            "numpy.column_stack([a, b]).",
        )
    names = tuple(_letters(j) for j in range(models))
    distinct_models(names)
    return _wide({name: matrix[:, j] for j, name in enumerate(names)}, "the array", options)


def _wide(columns: dict[str, Column], name: str, options: Options) -> Scores:
    height = len(next(iter(columns.values())))
    if height == 0:
        raise DataError(f"{name} has no scores", hint="Give at least two units.")
    table = Table(name=name, stem=name, columns=columns, height=height)
    block = Block(
        table=table, rows=np.arange(height), label=name, columns={m: (m,) for m in columns}, keys={}
    )
    return read_scores([block], options)


def _by_index(columns: dict[str, Column], values: list[Any], options: Options) -> Scores:
    """Pair series by their index, never by their order."""
    blocks = []
    for (model, cells), series in zip(columns.items(), values, strict=True):
        index = index_of(series)
        if index is None:
            raise PairingError(
                f'the scores of "{short(model)}" have no index, those of another model have one',
                hint="Give series with the same index, or plain arrays in the same order.",
            )
        table = Table(name=model, stem=model, columns={"index": index, "score": cells}, height=len(cells))
        rows = np.arange(len(cells))
        blocks.append(
            Block(table=table, rows=rows, label=model, columns={model: ("score",)}, keys={"unit": "index"})
        )
    return read_scores(blocks, options)


def index_of(values: Any) -> Column | None:
    """Return the index of a pandas series, unless it is just 0, 1, 2, ..."""
    index = getattr(values, "index", None)
    if index is None or callable(index) or type(values).__module__.partition(".")[0] != "pandas":
        return None
    cells = strings("/".join(map(str, i)) if isinstance(i, tuple) else i for i in index)
    return None if cells.tolist() == [str(i) for i in range(len(cells))] else cells


def vector(model: str, values: Any) -> Column:
    """Return a model's scores as a column."""
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__len__"):
        raise DataError(
            f'the scores of "{short(model)}" are a {type(values).__name__}, not a list of numbers',
            hint="Give {model: scores}, one number per unit; over data sets {data set: {model: scores}}.",
        )
    column = array_column(values.to_numpy() if hasattr(values, "to_numpy") else _listed(values))
    if column is None or column.ndim != 1:
        raise DataError(
            f'the scores of "{short(model)}" are not a list of numbers',
            hint="Give {model: scores}, one number per unit.",
        )
    return column


def _listed(values: Any) -> Any:
    return values if isinstance(values, np.ndarray) else list(values)


def no_columns(options: Options, what: str) -> None:
    """Raise an error if an option names a column of data without columns."""
    named = [*options.given, *(["model"] if options.model_columns else [])]
    if named:
        hint = "Give a frame or a file instead."
        if "truth" in named:
            hint = (
                'Give a frame, such as pandas.DataFrame({"y": y, "a": predictions_a, "b": predictions_b}) '
                'with truth="y", or a file.'
            )
        if "seed" in named:
            hint = f"`seed` names a column of training seeds. The random seed is rng=.\n{hint}"
        if "score" in named:
            hint = "Leave it out. To name the metric of the scores, give a frame with a column of that name."
        raise OptionError(f"{what} has no columns, but {listed(named)} was given", hint=hint)


def _letters(j: int) -> str:
    """Return the names A, B, ..., Z, AA, AB, ..."""
    return (_letters(j // 26 - 1) if j >= 26 else "") + chr(ord("A") + j % 26)

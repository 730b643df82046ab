"""Checks and codings of truth, predictions and weights."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import CellError, DataError, MethodError, PairingError, listed
from ropewalk.sums import Floats, numeric

Ints: TypeAlias = NDArray[np.intp]

__all__ = ["Floats", "Ints"]

_SUMS_TO_ONE = 0.01  # probabilities of a few classes, rounded to three digits, sum to 1 within this tolerance


def same_length(**columns: Any) -> int:
    """Return the number of rows, which must be the same in all given columns."""
    sizes = {name: _rows(c, name) for name, c in columns.items() if c is not None}
    if len(set(sizes.values())) > 1:
        raise PairingError(
            "the columns differ in length: " + ", ".join(f"{name} has {n:,}" for name, n in sizes.items()),
            hint="Row i of each must be the same example.",
        )
    n = max(sizes.values(), default=0)
    if n == 0:
        raise DataError("there are no rows", hint="Give at least one example.")
    return n


def numbers(values: ArrayLike, what: str) -> Floats:
    """Return one finite number per row; anything else is an error."""
    x = numeric(values, f"{what} is not numeric", "Give one number per row.")
    if x.ndim != 1:
        raise DataError(f"{what} has {x.ndim} dimensions, 1 was expected", hint="Give one number per row.")
    _finite(x, what)
    return x


def table(values: ArrayLike, what: str, columns: int | None = None) -> Floats:
    """Return a matrix of finite numbers, one line per row; `columns` is the required number of columns."""
    x = numeric(values, f"{what} is not a table of numbers", "Give one row of numbers per example.")
    if x.ndim != 2 or x.shape[1] != (columns or x.shape[1]):
        raise DataError(
            f"{what} has the shape {x.shape}, (rows, {columns or 'columns'}) was expected",
            hint="Give a 2-D array with one row per example.",
        )
    _finite(x, what)
    return x


def labels(values: Any, what: str) -> NDArray[Any]:
    """Return one label per row: all text or all numbers, none missing."""
    x = np.asarray(values)
    if x.dtype == object:
        missing = np.flatnonzero([v is None or v != v for v in x.ravel()])
        if missing.size:
            raise CellError(
                f"{what} is missing on {missing.size:,} of {x.size:,} rows",
                where=[f"row {i}" for i in missing[:5]],
                hint="Drop these rows for both models.",
            )
        x = np.asarray(x.tolist())
    if x.ndim != 1 or x.dtype.kind not in "biufUS":
        raise DataError(
            f"{what} is not one label per row", hint="Give a 1-D array of text, whole numbers or booleans."
        )
    if x.dtype.kind == "f":
        _finite(x, what)
    return x


def coded(y: Any, prediction: Any) -> tuple[NDArray[Any], Ints, Ints]:
    """Return the sorted classes of both columns, and the position of each row's true and predicted class."""
    truth, said = labels(y, "y"), labels(prediction, "prediction")
    same_length(y=truth, prediction=said)
    if (truth.dtype.kind in "US") != (said.dtype.kind in "US"):
        raise DataError(
            "y and prediction differ: one is text, the other numbers",
            hint="Give the labels of both in the same form.",
        )
    classes, codes = np.unique(np.concatenate([truth, said]), return_inverse=True)
    return classes, codes[: truth.size], codes[truth.size :]


def several_classes(truth: Ints, metric: str) -> None:
    """Raise an error unless the truth has two classes, as a metric that compares classes needs."""
    if np.all(truth == truth[0]):
        raise MethodError(
            f"the truth has a single class, so {metric} is not defined",
            hint="Compare by accuracy, or on rows of both classes.",
        )


def positives(y: Any, metric: str = "AUROC") -> NDArray[np.bool_]:
    """Return which rows are positive: of the second of two classes in sorted order, such as 1 of 0 and 1."""
    truth = labels(y, "y")
    if truth.dtype.kind in "bi" and truth.size and truth.min() == 0 and truth.max() == 1:
        return np.asarray(truth == 1)  # already 0 and 1, so no sorting is needed
    classes, codes = np.unique(truth, return_inverse=True)
    if classes.size > 2:
        raise MethodError(
            f"the truth has {classes.size} classes, but {metric} needs 2: {listed(classes.tolist())}",
            hint="Score one class against the rest, with y = 1 for that class.",
        )
    if codes.size:
        several_classes(codes, metric)
    return np.asarray(codes == 1)


def probabilities(y: Any, p: Any) -> tuple[Ints, Floats]:
    """Return the column of each row's true class, and the matrix rows x classes.

    A vector is the probability of the second of two classes in sorted order. The columns of a matrix are the
    classes in sorted order; where not all of them occur in y, y must hold the columns' numbers.
    """
    truth, said = labels(y, "y"), np.asarray(p)
    matrix = table(said, "prediction") if said.ndim == 2 else numbers(said, "prediction")[:, None]
    n = same_length(y=truth, prediction=matrix)
    if matrix.shape[1] == 1:
        matrix = np.column_stack([1 - matrix[:, 0], matrix[:, 0]])
    outside = np.flatnonzero(np.any((matrix < 0) | (matrix > 1), axis=1))
    if outside.size:
        raise CellError(
            f"{outside.size:,} of {n:,} rows have probabilities outside 0 to 1",
            where=[f"row {i}: {matrix[i].tolist()}" for i in outside[:5]],
        )
    off = np.flatnonzero(np.abs(matrix.sum(axis=1) - 1) > _SUMS_TO_ONE)
    if off.size:
        raise CellError(
            f"the probabilities of {off.size:,} of {n:,} rows do not add up to 1",
            where=[f"row {i}: {matrix[i].sum():.4g}" for i in off[:5]],
        )
    classes, codes = np.unique(truth, return_inverse=True)
    if classes.size == matrix.shape[1]:
        return codes, matrix
    if truth.dtype.kind in "biu" and classes[0] >= 0 and classes[-1] < matrix.shape[1]:
        return truth.astype(np.intp), matrix
    raise DataError(
        f"y has {classes.size} classes and the prediction {matrix.shape[1]} columns",
        where=[f"classes: {listed(classes.tolist())}"],
        hint="Give y as the numbers of the columns, from 0.",
    )


def weights(values: ArrayLike, n: int) -> Floats:
    """Return one weight per row: finite, not negative, not all zero."""
    w = numbers(values, "weights")
    same_length(prediction=range(n), weights=w)
    if np.any(w < 0):
        raise CellError(
            f"{np.sum(w < 0):,} of {n:,} weights are negative",
            where=[f"row {i}: {w[i]:g}" for i in np.flatnonzero(w < 0)[:5]],
            hint="A weight is a number of copies of its row.",
        )
    if not np.any(w):
        raise CellError("all weights are zero", hint="Give at least one row a positive weight.")
    return w


def counts(values: ArrayLike, n: int) -> Floats:
    """Return the number of units of each row: whole numbers from 1."""
    w = numbers(values, "counts")
    same_length(prediction=range(n), counts=w)
    wrong = np.flatnonzero((w < 1) | (w != np.floor(w)))
    if wrong.size:
        raise CellError(
            f"{wrong.size:,} of {n:,} counts are not whole numbers from 1",
            where=[f"row {i}: {w[i]:g}" for i in wrong[:5]],
            hint="A count is the number of identical examples; remove rows with none.",
        )
    return w


def _rows(column: Any, name: str) -> int:
    try:
        return len(column)
    except TypeError:
        raise DataError(f"{name} is not a column", hint="Give one value per row.") from None


def _finite(x: NDArray[Any], what: str) -> None:
    bad = np.flatnonzero(~np.isfinite(x).all(axis=tuple(range(1, x.ndim))))
    if bad.size:
        raise CellError(
            f"{what} is NaN or infinite on {bad.size:,} of {len(x):,} rows",
            where=[f"row {i}: {x[i].tolist()}" for i in bad[:5]],
            hint="Drop these rows for both models, or find out why they have no value.",
        )

"""Data sets: rows to learn from, what is to be learned, and which rows belong together."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Ints, Strings, strings
from ropewalk.errors import CellError, DataError, MissingExtraError, OptionError, did_you_mean, listed, short

_LARGEST = sys.float_info.max
SHIPPED = ("breast_cancer", "diabetes", "digits", "iris", "wine")


@dataclass(frozen=True, kw_only=True, eq=False)
class Dataset:
    """Data set to learn from.

    Parameters
    ----------
    name : str
        Its name.
    X : array, frame or sparse matrix
        Rows with their features.
    y : ndarray
        Target: classes or numbers.
    groups : ndarray of str, optional
        Group of each row; rows of one group stay together.

    Examples
    --------
    >>> import numpy as np
    >>> from ropewalk.experiment import Dataset
    >>> flowers = Dataset(name="flowers", X=np.zeros((3, 2)), y=np.array([0, 1, 1]))
    >>> flowers.n, flowers.classes
    (3, ('0', '1'))
    """

    name: str
    X: Any
    y: NDArray[Any]
    groups: Strings | None = None

    def __post_init__(self) -> None:
        called = f'data set "{short(self.name)}"'
        if self.X is None or np.shape(self.X) == ():
            raise DataError(f"{called} has no rows", hint="Give one row of features per example.")
        n = self.X.shape[0] if hasattr(self.X, "shape") else len(self.X)
        if self.y.ndim != 1:
            raise DataError(
                f"the target of {called} has {self.y.ndim} dimensions, 1 was expected",
                hint="Give one class or one number for each row.",
            )
        for what, found in (("targets", self.y), ("groups", self.groups)):
            if found is not None and len(found) != n:
                raise DataError(
                    f"{called} has {n:,} rows and {len(found):,} {what}", hint="Give one for each row."
                )
        if n < 2:
            raise DataError(f"{called} has {n} rows", hint="Give at least two.")
        bad = np.flatnonzero([v is None or v != v for v in self.y.tolist()])
        if bad.size:
            raise CellError(
                f"the target of {called} is missing in {bad.size:,} of {n:,} rows",
                where=[f"row {i + 1:,}" for i in bad[:5]],
                hint="Leave these rows out.",
            )

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.y)

    @cached_property
    def labels(self) -> NDArray[Any]:
        """Classes as the algorithms see them, sorted."""
        return np.unique(self.y)

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes."""
        return tuple(map(str, self.labels.tolist()))

    @cached_property
    def codes(self) -> Ints:
        """Place of each row's class among `labels`."""
        return np.searchsorted(self.labels, self.y)

    @cached_property
    def digest(self) -> str:
        """Hash of everything in it except the name."""
        content = hashlib.sha256()
        for part in (*_arrays(self.X), self.y, self.groups):
            array = np.asarray("none") if part is None else np.asarray(part)
            if array.dtype == object:
                array = np.asarray(list(map(repr, array.ravel().tolist())))
            content.update(f"{array.dtype.str}{array.shape}".encode())
            content.update(np.ascontiguousarray(array).tobytes())
        return content.hexdigest()[:16]

    def rows(self, chosen: Ints) -> Dataset:
        """Some of its rows.

        Parameters
        ----------
        chosen : ndarray of int
            Numbers of the rows.

        Returns
        -------
        Dataset
            With these rows.
        """
        groups = None if self.groups is None else self.groups[chosen]
        return replace(self, X=take(self.X, chosen), y=self.y[chosen], groups=groups)

    def only(self, classes: Sequence[object]) -> Dataset:
        """Rows of some classes.

        Parameters
        ----------
        classes : sequence
            The classes.

        Returns
        -------
        Dataset
            With these rows.
        """
        return self.rows(np.flatnonzero(self._among(classes, "classes")))

    def positive(self, classes: Sequence[object]) -> Dataset:
        """Two classes: some (1) against the rest (0).

        Parameters
        ----------
        classes : sequence
            Classes that become 1.

        Returns
        -------
        Dataset
            With another target.
        """
        return replace(self, y=self._among(classes, "positive").astype(np.int64))

    def above(self, edge: float | str) -> Dataset:
        """Two classes of a number: above an edge (1) or not (0).

        Parameters
        ----------
        edge : float or "median"
            The edge.

        Returns
        -------
        Dataset
            With another target.

        Raises
        ------
        OptionError
            If the target does not hold numbers, or the edge is not one.
        """
        if self.y.dtype.kind not in "iuf":
            raise OptionError(
                f'the target of data set "{short(self.name)}" is not a number, so nothing is above {edge}',
                hint='Choose classes instead: positive = ["yes"].',
            )
        number = isinstance(edge, (int, float)) and not isinstance(edge, bool) and abs(edge) <= _LARGEST
        if not (number or edge == "median"):
            raise OptionError(f"above is {short(edge)}", hint='Give a number, or "median".')
        at = float(np.median(self.y)) if isinstance(edge, str) else float(edge)
        return replace(self, y=(self.y > at).astype(np.int64))

    def _among(self, classes: Sequence[object], key: str) -> NDArray[np.bool_]:
        if isinstance(classes, str) or not isinstance(classes, (list, tuple)) or not classes:
            raise OptionError(f"{key} is {short(classes)}", hint="Give a list of classes, such as [3, 8].")
        for label in map(str, classes):
            if label not in self.classes:
                raise OptionError(
                    f'data set "{short(self.name)}" has no class "{short(label)}"',
                    hint=did_you_mean(label, self.classes),
                )
        return np.isin(strings(self.y.tolist()), [str(c) for c in classes])

    def check_classes(self) -> None:
        """Refuse a target that holds measurements and not classes.

        Raises
        ------
        DataError
            If there are nearly as many values as rows.
        """
        k = len(self.labels)
        measured = self.y.dtype.kind == "f" and bool((self.y != np.round(self.y)).any())
        # More than twenty classes with fewer than five rows each on average: these are probably numbers.
        if k < 2 or measured or k > max(20, self.n / 5):
            raise DataError(
                f'the target of data set "{short(self.name)}" has {k:,} different values in {self.n:,} rows',
                hint='A metric such as "accuracy" needs a few classes. To turn a number into two '
                "classes, set\n"
                'above = "median"; or use a metric for numbers: metrics = ["rmse"].',
            )

    def check_numbers(self) -> None:
        """Refuse a target that does not hold finite numbers.

        Raises
        ------
        DataError
            If it holds text, NaN or infinity.
        """
        if self.y.dtype.kind not in "iuf" or not np.isfinite(self.y).all():
            raise DataError(
                f'the target of data set "{short(self.name)}" is not a number',
                hint='Metrics for classes are "accuracy", "log_loss", "roc_auc" and others.',
            )


def dataset(name: str, value: Any) -> Dataset:
    """Make a data set from (X, y), (X, y, groups), scikit-learn's Bunch, a file, or a ready data set.

    >>> dataset("two", ([[0.0], [1.0]], ["a", "b"])).classes
    ('a', 'b')
    """
    if isinstance(value, Dataset):
        return replace(value, name=name)
    if isinstance(value, (str, os.PathLike)):
        from ropewalk.experiment.files import from_file

        return from_file(value, name=name)
    if isinstance(value, Mapping) and "data" in value and "target" in value:  # scikit-learn's Bunch
        value = (value["data"], value["target"])
    if not isinstance(value, (tuple, list)) or len(value) not in (2, 3):
        raise DataError(
            f'data set "{short(name)}" is a {type(value).__name__}',
            hint="Give (X, y), or (X, y, groups), or the path of a file with a column `target`.",
        )
    try:
        X, y = value[0] if hasattr(value[0], "shape") else np.asarray(value[0]), np.asarray(value[1])
    except ValueError:  # rows of different lengths
        raise DataError(
            f'data set "{short(name)}" is not a table', hint="Give as many features for every row."
        ) from None
    groups = None if len(value) == 2 or value[2] is None else strings(np.asarray(value[2]).tolist())
    return Dataset(name=name, X=X, y=y, groups=groups)


def shipped(name: str, *, called: str | None = None) -> Dataset:
    """Return one of the data sets included in scikit-learn; nothing is downloaded."""
    if name not in SHIPPED:
        raise OptionError(
            f'scikit-learn ships no data set "{short(name)}"',
            hint=f"{did_you_mean(str(name), SHIPPED)} Data sets that scikit-learn downloads must be "
            "saved as files first."
            if isinstance(name, str)
            else f"Known: {listed(SHIPPED)}.",
        )
    try:
        from sklearn import datasets
    except ImportError as error:
        raise MissingExtraError(
            f'the data set "{name}" is part of scikit-learn', hint="pip install 'ropewalk[sklearn]'"
        ) from error
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return Dataset(name=called or name, X=X, y=y)


def take(X: Any, rows: Ints) -> Any:
    """Select rows of an array, a frame or a sparse matrix."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _arrays(X: Any) -> list[Any]:
    """Return the arrays that X consists of."""
    if hasattr(X, "iloc"):
        return [list(map(str, X.columns)), *(X[c].to_numpy() for c in X.columns)]
    if hasattr(X, "tocsr"):
        rows = X.tocsr()
        return [np.array(rows.shape), rows.data, rows.indices, rows.indptr]
    return [X]

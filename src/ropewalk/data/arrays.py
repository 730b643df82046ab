"""The two kinds of array that the data model is made of: numbers, and text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import count
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]
# Text is kept as Python strings: one 100,000-character cell must not widen a million others.
Strings: TypeAlias = NDArray[np.object_]


def strings(values: Iterable[object]) -> Strings:
    """A 1-D array of Python strings.

    >>> strings(["a", 1])
    array(['a', '1'], dtype=object)
    """
    texts = [str(v) for v in values]
    out = np.empty(len(texts), dtype=object)
    out[:] = texts
    return out


def numbered(n: int) -> Strings:
    """The names "1" to "n"."""
    return strings(range(1, n + 1))


def coded(values: NDArray[Any]) -> tuple[Ints, Strings]:
    """Each value as a whole number, and the distinct values in the order of their first appearance.

    >>> coded(strings(["b", "a", "b"]))
    (array([0, 1, 0]), array(['b', 'a'], dtype=object))
    """
    cells = values.tolist()
    place: defaultdict[Any, int] = defaultdict(count().__next__)  # a new value gets the next number
    codes = np.fromiter(map(place.__getitem__, cells), dtype=np.intp, count=len(cells))
    return codes, strings(place)

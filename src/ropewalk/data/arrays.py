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
_SPARSE = 8  # whole numbers with at most this number of gaps each are coded with a lookup table
# Text is kept as Python strings: one 100,000-character cell must not widen a million others.
Strings: TypeAlias = NDArray[np.object_]
_MANY = 10_000  # with at least this many texts, they are coded by their bytes
_LONGEST = 64  # most bytes of such a text
_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio, which spreads the bits


def strings(values: Iterable[object]) -> Strings:
    """A 1-D array of Python strings.

    >>> strings(["a", 1])
    array(['a', '1'], dtype=object)
    """
    if isinstance(values, np.ndarray) and values.dtype == object and set(map(type, values)) == {str}:
        return values  # already an array of strings
    texts = list(map(str, values))
    out = np.empty(len(texts), dtype=object)
    out[:] = texts
    return out


def numbered(n: int) -> Strings:
    """The names "1" to "n"."""
    return strings(range(1, n + 1))


def zeros_and_ones(values: Floats) -> bool:
    """Whether every number is 0 or 1, ignoring NaN; checks the first ones before all.

    >>> zeros_and_ones(np.array([1.0, 0.0, np.nan])), zeros_and_ones(np.array([1.0, 0.5]))
    (True, False)
    """
    return all(bool(((v == 0.0) | (v == 1.0) | np.isnan(v)).all()) for v in (values[:1000], values))


def first_codes(values: NDArray[Any], head: int = 0) -> tuple[Ints, Ints]:
    """Code whole numbers in order of first appearance; also return the first row of each.

    It takes a third of the time if the first `head` numbers are distinct and the others repeat them, as in
    files with the same ids.

    >>> first_codes(np.array([7, 5, 7, 9]))
    (array([0, 1, 0, 2]), array([0, 1, 3]))
    """
    n = len(values)
    low, high = (int(values.min()), int(values.max())) if n else (0, 0)
    if high - low > _SPARSE * n:
        _, at, inverse = np.unique(values, return_index=True, return_inverse=True)
        begins = at[inverse]
    else:  # a table with a place for every number in between: no sorting
        place = (values - low if low else values).astype(np.intp, copy=False)
        if 0 < head < n < 2**31:
            rows = np.full(high - low + 1, -1, dtype=np.int32)
            rows[place[:head]] = np.arange(head, dtype=np.int32)
            codes = rows[place].astype(np.intp)
            if codes.min() >= 0 and np.array_equal(codes[:head], np.arange(head)):
                return codes, np.arange(head)
        at = np.empty(high - low + 1, dtype=np.intp)
        at[place[::-1]] = np.arange(n - 1, -1, -1)  # the last of several assignments remains: the first row
        begins = at[place]
    is_first = np.zeros(n, dtype=bool)
    is_first[begins] = True
    return (np.cumsum(is_first) - 1)[begins], np.flatnonzero(is_first)


def mixed(words: Iterable[NDArray[Any]], n: int) -> NDArray[np.uint64]:
    """Hash rows of 64-bit words to one number each; equal rows agree, different rows hardly ever do."""
    found = np.zeros(n, dtype=np.uint64)
    for word in words:
        found = (found ^ np.ascontiguousarray(word).view(np.uint64)) * _ODD
        found ^= found >> np.uint64(32)
    return found


def text_codes(cells: Strings) -> tuple[Ints, Ints]:
    """Code text in order of first appearance; also return the first row of each.

    Many short texts are hashed by their bytes, in a third of the time of a dict. Texts with the same code are
    checked to be equal.

    >>> text_codes(strings(["b", "a", "b"]))
    (array([0, 1, 0]), array([0, 1]))
    """
    return _byte_codes(cells) or first_codes(coded(cells)[0])


def _byte_codes(cells: Strings) -> tuple[Ints, Ints] | None:
    if len(cells) < _MANY:
        return None
    lengths = list(map(len, cells.tolist()))
    if max(lengths) > _LONGEST:
        return None
    try:
        texts = cells.astype(f"S{-(-max(lengths) // 8) * 8 or 8}")
    except UnicodeEncodeError:
        return None
    if int(np.char.str_len(texts).sum()) != sum(lengths):
        return None  # a zero byte at the end would be lost
    words = texts.view(np.uint64).reshape(len(texts), -1)
    codes, first = first_codes(mixed(words.T, len(texts)).view(np.int64))
    return (codes, first) if bool((texts == texts[first][codes]).all()) else None


def rows_by_name(values: NDArray[Any]) -> list[tuple[str, Ints]]:
    """The names in order of first appearance, each with its rows.

    >>> [(name, rows.tolist()) for name, rows in rows_by_name(strings(["b", "a", "b"]))]
    [('b', [0, 2]), ('a', [1])]
    """
    codes, names = coded(values)
    rows = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    return list(zip(names, rows, strict=True))


def coded(values: NDArray[Any]) -> tuple[Ints, Strings]:
    """Code each value as a whole number; also return the distinct values in order of first appearance.

    >>> coded(strings(["b", "a", "b"]))
    (array([0, 1, 0]), array(['b', 'a'], dtype=object))
    """
    cells = values.tolist()
    place: defaultdict[Any, int] = defaultdict(count().__next__)  # a new value gets the next number
    codes = np.fromiter(map(place.__getitem__, cells), dtype=np.intp, count=len(cells))
    return codes, strings(place)

"""Weighted counts of pairs that two columns order alike, in n log n steps for each line of weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ropewalk.metrics.check import Floats, Ints

Pairs = Callable[[Floats, Floats], Floats]


def pairs_below(x: Ints, y: Ints) -> Pairs:
    """Return a function (u, v) -> Σ u_i v_j over the pairs with x_i < x_j and y_i < y_j; u, v are (draws, n).

    The rows are sorted by x, ties by falling y, so that of two rows with the same x the later one never has
    the greater y. Then blocks of 1, 2, 4, ... rows are merged by y, and the left block's weights are added up
    below each row of the right one. The orders of all merges are found once.
    """
    n = x.size
    order = np.lexsort([-y, x])
    ranked = y[order]
    position = np.arange(n)
    merges: list[tuple[Ints, Floats, Ints]] = []
    width = 1
    while width < n:
        right = (position // width) % 2 == 1
        both = position // (2 * width)
        # For equal y, the right row comes first, because it is not above the left one.
        merged = np.lexsort([~right, ranked, both])
        starts = np.searchsorted(both[merged], np.arange(both[-1] + 1))
        merges.append((merged, right[merged].astype(np.float64), starts[both[merged]]))
        width *= 2

    def sums(u: Floats, v: Floats) -> Floats:
        left, over = np.take(u, order, axis=1), np.take(v, order, axis=1)
        total = np.zeros(len(u))
        upto = np.zeros((len(u), n + 1))
        for merged, right, start in merges:
            np.cumsum(np.take(left, merged, axis=1) * (1 - right), axis=1, out=upto[:, 1:])
            below = upto[:, 1:] - np.take(upto, start, axis=1)
            total += np.einsum("ij,ij->i", below, np.take(over, merged, axis=1) * right)
        return total

    return sums


def pairs_tied(x: Ints, y: Ints) -> Pairs:
    """Return a function (u, v) -> Σ u_i v_j over the pairs with x_i < x_j and y_i = y_j."""
    order = np.lexsort([x, y])
    a, b = x[order], y[order]
    rows = np.arange(a.size)
    new_y = np.concatenate([[True], b[1:] != b[:-1]])
    new = new_y | np.concatenate([[True], a[1:] != a[:-1]])
    first = np.maximum.accumulate(np.where(new, rows, 0))  # first row with the same x and y
    start = np.maximum.accumulate(np.where(new_y, rows, 0))  # first row with the same y

    def sums(u: Floats, v: Floats) -> Floats:
        upto = np.zeros((len(u), a.size + 1))
        np.cumsum(np.take(u, order, axis=1), axis=1, out=upto[:, 1:])
        below = np.take(upto, first, axis=1) - np.take(upto, start, axis=1)
        return np.asarray(np.einsum("ij,ij->i", below, np.take(v, order, axis=1)))

    return sums

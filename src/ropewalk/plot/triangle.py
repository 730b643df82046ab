"""A density over a triangle, from draws of three numbers that add up to one."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ropewalk.posterior.base import Floats


@cache
def lattice(k: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Nodes of a triangle with sides divided into k (integers that add up to k), and its k² cells."""
    index: dict[tuple[int, int], int] = {}
    for i in range(k + 1):
        for j in range(k + 1 - i):
            index[i, j] = len(index)
    cells = []
    for i, j in index:
        if i + j < k:
            cells.append([index[i, j], index[i + 1, j], index[i, j + 1]])
        if i + j < k - 1:
            cells.append([index[i + 1, j], index[i + 1, j + 1], index[i, j + 1]])
    return np.array([(i, j, k - i - j) for i, j in index]), np.array(cells)


def binned(draws: Floats, k: int) -> Floats:
    """Distribute each draw over the three nodes of its cell, in the order of `lattice`.

    A row k·theta is floor + rest; the rests add up to 1 in a cell that points up, to 2 in one that points
    down. The weights of the corners are the rests in the first case, and 1 minus the rests in the second.
    """
    scaled = k * np.clip(draws, 0.0, 1.0)
    base = np.floor(scaled)
    rest = scaled - base
    spare = np.round(k - base.sum(axis=1))  # 0 on a node, 1 or 2 inside a cell
    counts = np.zeros((k + 2, k + 2))
    for corner in range(3):
        step = np.eye(3)[corner]
        down = spare == 2
        node = base + np.where(down[:, None], 1 - step, np.where(spare[:, None] == 1, step, 0))
        weight = np.where(down, 1 - rest[:, corner], np.where(spare == 1, rest[:, corner], 1 / 3))
        np.add.at(counts, (node[:, 0].astype(int), node[:, 1].astype(int)), weight)
    return np.concatenate([counts[i, : k + 1 - i] for i in range(k + 1)])


def smoothed(counts: Floats, at: Floats, area: Floats, *, distinct: int) -> Floats:
    """Density from counts at points: a normal kernel shaped like the counts, without loss at the edges.

    The kernel is distinct^(-1/6) standard deviations wide (Scott's rule), plus 0.7 of a cell.
    """
    share = counts / counts.sum()
    away = at - share @ at
    cell = np.linalg.norm(at[1] - at[0])
    shape = distinct ** (-1 / 3) * (away.T * share) @ away + (0.7 * cell) ** 2 * np.eye(2)
    # The kernel depends on how many steps of the lattice apart two nodes are: a convolution.
    k = int(np.sqrt(2 * len(at))) - 1
    inside = np.add.outer(np.arange(k + 1), np.arange(k + 1)) <= k
    steps = np.stack([at[k + 1] - at[0], at[1] - at[0]]) @ np.linalg.inv(np.linalg.cholesky(shape)).T
    apart = np.arange(-k, k + 1)
    kernel = np.exp(-0.5 * np.sum((apart[:, None, None] * steps[0] + apart[:, None] * steps[1]) ** 2, axis=2))

    def summed(values: Floats) -> Floats:
        table = np.zeros(inside.shape)
        table[inside] = values
        size = (3 * k + 1, 3 * k + 1)
        product = np.fft.rfft2(table, size) * np.fft.rfft2(kernel, size)
        return np.maximum(np.fft.irfft2(product, size)[k : 2 * k + 1, k : 2 * k + 1][inside], 0.0)

    return np.asarray(summed(counts) / summed(area))

"""Draws of three shares."""

from __future__ import annotations

import numpy as np

from ropewalk.plot.triangle import binned, lattice, smoothed

K = 60


CORNERS = np.array([[0.0, 0.0], [0.5, np.sqrt(0.75)], [1.0, 0.0]])


NODES, CELLS = lattice(K)


AREA = np.bincount(CELLS.ravel()).astype(float)


def density_of(draws):
    distinct = len(np.unique(draws[:, 0]))
    return smoothed(binned(draws, K), NODES / K @ CORNERS, AREA, distinct=distinct)

"""Lattices on which posteriors of many simulated collections are computed at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropewalk.posterior.base import Floats

_TAIL = 1e-4  # share of the mass beyond the ends of a lattice


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spread:
    """Points in ascending order, and the ends of the cell around each."""

    at: Floats
    low: Floats
    high: Floats

    @property
    def width(self) -> Floats:
        return self.high - self.low

    def above(self, edge: float) -> Floats:
        """Share of each point's mass above the edge, if the density is linear between points.

        >>> Spread(at=np.arange(4.0), low=np.arange(4.0) - 0.5, high=np.arange(4.0) + 0.5).above(1.0)
        array([0. , 0.5, 1. , 1. ])
        """
        h = np.diff(self.at)
        s = np.clip((self.at[1:] - edge) / h, 0.0, 1.0)  # the part of each gap above the edge
        # The integral over that part is h s ((1 - s/2) f(right) + s/2 f(left)).
        left, right = h * s**2 / 2, h * s * (1 - s / 2)
        ends = (
            (self.at[0] >= edge) * (self.at[0] - self.low[0]),
            (self.at[-1] >= edge) * (self.high[-1] - self.at[-1]),
        )
        mass = np.append(left, ends[1]) + np.append(ends[0], right)
        return np.asarray(mass / self.width)

    def counted(self, values: Floats, kinds: NDArray[np.intp], n_kinds: int) -> Floats:
        """The number of values of each row at each point: (kinds x points) rows, one column for each row.

        A value between two points is split between them, which is exact for functions linear between points.
        """
        rows, size = values.shape[0], self.at.size
        x = np.clip(values, self.at[0], self.at[-1])
        left = np.clip(np.searchsorted(self.at, x, side="right") - 1, 0, size - 2)
        share = (x - self.at[left]) / (self.at[left + 1] - self.at[left])
        place = (kinds * size + left) * rows + np.arange(rows)[:, None]
        out = np.bincount(place.ravel(), (1 - share).ravel(), n_kinds * size * rows)
        out += np.bincount((place + rows).ravel(), share.ravel(), n_kinds * size * rows)
        return np.asarray(out.reshape(n_kinds * size, rows), dtype=np.float64)


def spread_over(values: Floats, weights: Floats, count: int) -> Spread:
    """Points over values with these weights: half of them at quantiles, half evenly spaced."""
    mass = np.cumsum(weights) - 0.5 * weights
    mass = mass / weights.sum()
    first, last = (float(v) for v in np.interp([_TAIL, 1 - _TAIL], mass, values))
    half = count // 2
    by_mass = np.interp((np.arange(half) + 0.5) / half, mass, values)
    at = np.unique(np.concatenate([by_mass, np.linspace(first, last, count - half)]))
    at = at[np.append(True, np.diff(at) > 1e-9 * (last - first))]
    inner = 0.5 * (at[1:] + at[:-1])
    low, high = np.append(2 * at[0] - inner[0], inner), np.append(inner, 2 * at[-1] - inner[-1])
    return Spread(at=at, low=low, high=high)


def softmax(log_p: Floats) -> Floats:
    """Turn each column into probabilities; the array is overwritten."""
    log_p -= log_p.max(axis=0)
    np.exp(log_p, out=log_p)
    log_p /= log_p.sum(axis=0)
    return log_p

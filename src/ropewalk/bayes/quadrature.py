"""What the hierarchical tests share: finding a posterior on a lattice, and integrating over it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ropewalk.posterior.base import Floats
from ropewalk.posterior.regions import Probabilities, WeightedRegions

DROP = 14.0  # a log density this far below its peak no longer matters
DROP_LOW = 9.5  # the same where what lies beyond the end is added to the last node


def spline(nodes: Floats, at: Floats) -> Floats:
    """The matrix that takes values at the nodes to those of their cubic spline at other points."""
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(nodes, np.eye(nodes.size))(at))


def finer(nodes: Floats, times: int) -> Floats:
    """The same ends with `times` as many steps."""
    return np.linspace(nodes[0], nodes[-1], times * (nodes.size - 1) + 1)


def mass_below(t: Floats, density: Floats, *at: Floats) -> list[float]:
    """The share of the mass below `at`, a point for each row; by the trapezoidal rule on equally spaced t."""
    cells = 0.5 * (density[:, 1:] + density[:, :-1])
    below = np.concatenate([np.zeros((len(cells), 1)), np.cumsum(cells, axis=1)], axis=1)
    row = np.arange(len(cells))

    def share(points: Floats) -> float:
        place = np.clip((points - t[0]) / (t[1] - t[0]), 0, t.size - 1)
        k = np.minimum(place.astype(np.intp), t.size - 2)
        part, left, right = place - k, density[row, k], density[row, k + 1]
        inside = part * (left + 0.5 * part * (right - left))
        return float(np.sum(below[row, k] + inside) / np.sum(below[:, -1]))

    return [share(points) for points in at]


def trimmed(
    nodes: Floats, profile: Floats, limits: tuple[float, float], drops: tuple[float, float] = (DROP, DROP)
) -> tuple[Floats, bool]:
    """New ends of an axis, and whether the old ones were right already.

    They lie one node beyond where the profile matters, or further out where even the last node does; right
    means that nothing was cut off and that what matters takes up at least a third of the nodes.
    """
    first, last = (
        np.flatnonzero(profile > profile.max() - drop)[end] for drop, end in zip(drops, (0, -1), strict=True)
    )
    span = 0.5 * (nodes[-1] - nodes[0])
    low = nodes[first - 1] if first > 0 else max(nodes[0] - span, limits[0])
    high = nodes[last + 1] if last < nodes.size - 1 else min(nodes[-1] + span, limits[1])
    whole = (first > 0 or nodes[0] <= limits[0]) and (last < nodes.size - 1 or nodes[-1] >= limits[1])
    return np.array([low, high]), bool(whole and last - first >= nodes.size // 3)


def remaining_error(readings: Sequence[Floats]) -> float:
    """How far the last of three readings, each with half the steps of the one before, is from the limit.

    The first two differ by a, the last two by b. Where each halving divides the change by a/b, what is left
    is b·r/(1 - r), r = b/a. The splines are of the fourth order: r is not taken below 1/16. What lies
    outside the lattice adds up to 5e-5.
    """
    a, b = np.max(np.abs(np.diff(readings, axis=0)), axis=1)
    r = np.clip(b / a, 1 / 16, 0.5) if a > 0 else 0.5
    return float(b * r / (1 - r)) + 5e-5


def strides(width: Floats, spacing: float, most: int) -> NDArray[np.intp]:
    """Of points `spacing` apart, every how many-th will do for kernels so wide: powers of two up to `most`.

    A row of normal densities 1.25 standard deviations apart adds up to a smooth one within 1e-5.
    """
    halvings = np.clip(np.floor(np.log2(1.25 * width / spacing)), 0, np.log2(most))
    return np.asarray(np.exp2(halvings), dtype=np.intp)


def drawn(p: Floats, n: int = 4000) -> tuple[NDArray[np.intp], ...]:
    """n cells of probabilities p, as a sampler would draw them but evenly, without noise."""
    place = np.searchsorted(np.cumsum(p.ravel()), (np.arange(n) + 0.5) / n * p.sum())
    return np.unravel_index(np.minimum(place, p.size - 1), p.shape)


def regions(better: Floats, worse: Floats, readings: Floats, error: float) -> WeightedRegions:
    """Both readings, with points (better, equivalent, worse) of equal weight for pictures."""
    return WeightedRegions(
        mean=_named(readings[:3]),
        most_probable=_named(readings[3:]),
        error=error,
        points=np.stack([better, np.maximum(1 - better - worse, 0.0), worse], axis=1),
        weights=np.full(better.size, 1 / better.size),
    )


def _named(p: Floats) -> Probabilities:
    """Three numbers -> better, equivalent, worse."""
    return Probabilities(better=float(p[0]), equivalent=float(p[1]), worse=float(p[2]))

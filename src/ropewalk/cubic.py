"""Cubic splines. Importing those of SciPy takes longer than everything else that a comparison imports."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cubic:
    """A cubic between any two neighboring points `x`, with the values `y` and the slopes `slope` there.

    Rows of `y` and `slope` are several functions. Beyond the ends the first and the last cubic continue.
    """

    x: Floats
    y: Floats
    slope: Floats

    def __call__(self, at: Floats) -> Floats:
        k = np.clip(np.searchsorted(self.x, at) - 1, 0, self.x.size - 2)
        h = self.x[k + 1] - self.x[k]
        s = (at - self.x[k]) / h
        left, right, c1 = self.y[..., k], self.y[..., k + 1], h * self.slope[..., k]
        c3 = 2 * (left - right) + c1 + h * self.slope[..., k + 1]
        return np.asarray(left + s * (c1 + s * (right - left - c1 - c3 + s * c3)))


def spline(x: Floats, y: Floats) -> Cubic:
    """The spline through at least 4 points with two continuous derivatives.

    A third one at the second point and at the last but one ("not a knot", de Boor 1978, ch. IV) replaces the
    slopes at the ends, which are not known. The equations of the slopes are tridiagonal.
    """
    h = np.diff(x)
    d = np.diff(y) / h
    first, last = h[0] + h[1], h[-1] + h[-2]
    diagonal = [h[1], *(2 * (h[1:] + h[:-1])), h[-2]]
    above, below = [first, *h[:-1]], [*h[1:], last]
    right = [
        ((h[0] + 2 * first) * h[1] * d[0] + h[0] ** 2 * d[1]) / first,
        *(3 * (h[1:] * d[:-1] + h[:-1] * d[1:])),
        (h[-1] ** 2 * d[-2] + (2 * last + h[-1]) * h[-2] * d[-1]) / last,
    ]
    # Numbers of Python are several times as fast here as elements of an array.
    diagonal, above, below, right = (np.asarray(v).tolist() for v in (diagonal, above, below, right))
    for i in range(1, len(right)):
        ratio = below[i - 1] / diagonal[i - 1]
        diagonal[i] -= ratio * above[i - 1]
        right[i] -= ratio * right[i - 1]
    slope = right
    slope[-1] /= diagonal[-1]
    for i in range(len(slope) - 2, -1, -1):
        slope[i] = (slope[i] - above[i] * slope[i + 1]) / diagonal[i]
    return Cubic(x=x, y=y, slope=np.array(slope))


def monotone(x: Floats, y: Floats) -> Cubic:
    """Cubics that rise and fall only where the rows of y do (Fritsch & Butland 1984), through at least 3."""
    h = np.diff(x)
    d = np.diff(y) / h
    w = np.stack([h[:-1] + 2 * h[1:], 2 * h[:-1] + h[1:]])
    slope = np.zeros(y.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = w.sum(axis=0) / (w[0] / d[..., :-1] + w[1] / d[..., 1:])
    slope[..., 1:-1] = np.where(d[..., 1:] * d[..., :-1] > 0, mean, 0.0)
    slope[..., 0] = _end(h[0], h[1], d[..., 0], d[..., 1])
    slope[..., -1] = _end(h[-1], h[-2], d[..., -1], d[..., -2])
    return Cubic(x=x, y=y, slope=slope)


def _end(near: float, next_one: float, d: Floats, d_next: Floats) -> Floats:
    """The slope at an end: that of the parabola through three points, kept from turning."""
    slope = ((2 * near + next_one) * d - near * d_next) / (near + next_one)
    slope = np.where(np.sign(slope) != np.sign(d), 0.0, slope)
    steep = (np.sign(d) != np.sign(d_next)) & (np.abs(slope) > 3 * np.abs(d))
    return np.where(steep, 3 * d, slope)

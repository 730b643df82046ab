"""Adaptive quadrature of a log density over two or three numbers, for the hierarchical tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import legendre
from numpy.polynomial.legendre import legvander
from numpy.typing import ArrayLike, NDArray

from ropewalk.posterior.base import Floats
from ropewalk.posterior.regions import Probabilities, WeightedRegions

NODES = 8  # nodes of the log density in each panel
_CHECK = 12  # points that check whether the nodes integrate the density accurately
_FLOOR = 40.0  # log densities further than this below the peak are raised to this level
_SEEN = 30.0  # halves of panels that stay this far below the peak are skipped
_EVENLY = 0.8191725133961645  # its powers, times 0, 1, 2, ..., fill a cube evenly: 1/g, g⁴ = g + 1
_OVER = 1.0  # a resolved log density exceeds its highest node by hardly more than this
_RINGS = 3.0  # largest error that is counted for a ringing log density
_DROP = 1e-7  # panels with a smaller share of the mass are left out
_NEGLIGIBLE = 1e-5  # error of the omitted mass and of the quadratures inside the likelihoods


@cache
def leggauss(n: int) -> tuple[Floats, Floats]:
    """The Gauss-Legendre nodes on [-1, 1] and their weights."""
    t, w = legendre.leggauss(n)
    return np.asarray(t), np.asarray(w)


@cache
def to_legendre(n: int) -> Floats:
    """Convert values at n nodes to Legendre coefficients: c_k = (2k+1)/2 Σ_j w_j P_k(t_j) f_j."""
    t, w = leggauss(n)
    return np.asarray((np.arange(n)[:, None] + 0.5) * legvander(t, n - 1).T * w)


_T, _W = leggauss(NODES)
_TO_LEGENDRE = to_legendre(NODES)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panels:
    """Adjacent intervals in ascending order, with Gauss-Legendre nodes in each."""

    low: Floats
    high: Floats

    @classmethod
    def between(cls, ends: ArrayLike) -> Panels:
        at = np.unique(np.asarray(ends, dtype=np.float64))
        return cls(low=at[:-1], high=at[1:])

    @property
    def nodes(self) -> Floats:
        return self.points(NODES)[0]

    @property
    def spacing(self) -> Floats:
        """The largest distance between neighboring nodes of its panel, for each node."""
        return np.asarray(np.repeat(self.high - self.low, NODES) * (0.5 * np.pi / NODES))

    def points(self, n: int) -> tuple[Floats, Floats]:
        """The nodes and weights with n nodes in each panel."""
        t, w = leggauss(n)
        half = 0.5 * (self.high - self.low)[:, None]
        return (0.5 * (self.low + self.high)[:, None] + half * t).ravel(), (half * w).ravel()

    def within(self, node: NDArray[np.intp], part: Floats) -> Floats:
        """Points at the fraction `part` of the cells of some nodes; the cells are adjacent."""
        w = self.points(NODES)[1].reshape(-1, NODES)
        start = self.low[:, None] + np.cumsum(w, axis=1) - w
        return np.asarray(start.ravel()[node] + part * w.ravel()[node])

    def local(self, at: Floats) -> tuple[NDArray[np.intp], Floats]:
        """The panel of each point, and its position in the panel from -1 to 1."""
        k = np.clip(np.searchsorted(self.low, at, side="right") - 1, 0, self.low.size - 1)
        low, high = self.low[k], self.high[k]
        return k, np.asarray(np.clip((2 * at - low - high) / (high - low), -1.0, 1.0))

    def interpolated(self, values: Floats, at: Floats, axis: int = -1) -> Floats:
        """Interpolate a log density along an axis by the polynomials through its values at the nodes."""
        k, t = self.local(at)
        matrix = legvander(t, NODES - 1) @ _TO_LEGENDRE
        nodes = np.moveaxis(values, axis, -1)
        out = np.empty((*nodes.shape[:-1], at.size))
        for panel in np.unique(k):
            (here,) = np.nonzero(k == panel)
            some = slice(here[0], here[-1] + 1) if here[-1] - here[0] < here.size else here
            mine = nodes[..., NODES * panel : NODES * (panel + 1)]
            out[..., some] = calmed(mine @ matrix[here].T, mine.max(axis=-1, keepdims=True))
        return np.moveaxis(out, -1, axis)

    def halved(self, which: NDArray[np.bool_]) -> Panels:
        """Cut the given panels in the middle."""
        middle = 0.5 * (self.low + self.high)[which]
        low, high = np.concatenate([self.low, middle]), np.concatenate([self.high, self.high[which]])
        high[: self.low.size][which] = middle
        order = np.argsort(low, kind="stable")
        return Panels(low=low[order], high=high[order])

    def cut(self, times: int) -> Panels:
        """Cut every panel into 2^times equal parts."""
        now = self
        for _ in range(times):
            now = now.halved(np.ones(now.low.size, dtype=np.bool_))
        return now

    def cut_at(self, point: float) -> Panels:
        """Cut the panel that contains the point, at the point."""
        inside = (self.low < point) & (point < self.high)
        low = np.concatenate([self.low, np.full(int(inside.sum()), point)])
        high = np.concatenate([np.where(inside, point, self.high), self.high[inside]])
        order = np.argsort(low, kind="stable")
        return Panels(low=low[order], high=high[order])

    def split(self, at: Floats) -> tuple[NDArray[np.intp], Floats, Floats, Floats]:
        """For each point, its panel and the nodes and weights of the two parts into which the point cuts it.

        The last item is the matrix from values at the panel's nodes to values at the nodes of both parts. A
        point outside all panels leaves the nearest panel whole: the other part has zero width.
        """
        k, place = self.local(at)
        parts = np.stack([1 + place, 1 - place], axis=-1)[..., None] / 2  # shares of the panel's width
        t = parts * _T + np.stack([place - 1, place + 1], axis=-1)[..., None] / 2
        half = 0.5 * (self.high - self.low)[k][..., None, None]
        nodes = 0.5 * (self.low + self.high)[k][..., None, None] + half * t
        both = (*k.shape, 2 * NODES)
        matrix = legvander(t.reshape(both), NODES - 1) @ _TO_LEGENDRE
        return k, nodes.reshape(both), (half * parts * _W).reshape(both), matrix

    def graded(self, towards: ArrayLike, least: float) -> Panels:
        """Cut panels until each is no wider than its distance from the points or than `least`."""
        now = self
        for at in np.atleast_1d(np.asarray(towards, dtype=np.float64)):
            while True:
                away = np.maximum(np.maximum(now.low - at, at - now.high), least)
                wide = now.high - now.low > 2 * away
                if not np.any(wide):
                    break
                now = now.halved(wide)
        return now


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settled:
    """A log density at the nodes of panels, one set for each axis, and the error of its integrals."""

    axes: tuple[Panels, ...]
    values: Floats
    error: float


def settled(
    log_density: Callable[..., Floats],
    axes: Sequence[Panels],
    tolerance: float,
    most: int,
    *,
    summed: Sequence[int] = (),
) -> Settled:
    """Evaluate a log density on panels, cut where needed until the estimated error is small enough.

    In each panel of an axis the log density is a polynomial through its values at the nodes, and its last
    two Legendre coefficients give its relative error e. The error of any probability is at most Σ mass · e
    over the panels of all axes, plus the quadrature error of the integral of each polynomial's exponential.
    Panels without mass are left out. Cutting stops once there are `most` values. Axes that are only `summed`
    over their nodes, never read between them, need a tenth of that: the first omitted order is orthogonal to
    all that the nodes integrate.
    """
    panels = list(axes)
    values = log_density(*(a.nodes for a in panels))
    goal = max(tolerance - _NEGLIGIBLE, 0.1 * tolerance)
    while True:
        found = (_local(values, panels, k, 0.01 if k in summed else 0.1) for k in range(len(panels)))
        errors, masses = zip(*found, strict=True)
        error = float(sum(e.sum() for e in errors))
        if error <= goal or values.size > most:
            return Settled(axes=tuple(panels), values=floored(values), error=min(error + _NEGLIGIBLE, 1.0))
        # The worst panels are cut first: while the total is far off, the others may turn out not to matter.
        pooled = np.sort(np.concatenate(errors))
        least = max(pooled[np.cumsum(pooled) > 0.4 * goal][0], 0.02 * pooled[-1])
        for k, (wrong, mass) in enumerate(zip(errors, masses, strict=True)):
            kept = (mass > _DROP) | (wrong > _DROP)
            values = np.take(values, _nodes_of(np.flatnonzero(kept)), axis=k)
            panels[k] = Panels(low=panels[k].low[kept], high=panels[k].high[kept])
            cut = wrong[kept] >= least
            if np.any(cut):
                values, panels[k] = _cut(log_density, values, panels, k, cut)


def _nodes_of(panels: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.asarray((NODES * panels[:, None] + np.arange(NODES)).ravel())


def _cut(
    log_density: Callable[..., Floats], values: Floats, panels: list[Panels], k: int, cut: NDArray[np.bool_]
) -> tuple[Floats, Panels]:
    """Cut some panels of axis k in two; values are computed only for the halves."""
    old = panels[k]
    halves = Panels(low=old.low[cut], high=old.high[cut]).cut(1)
    # A half is left out if all of its nodes are negligible.
    seen = np.moveaxis(values, k, 0).reshape(old.low.size, 2, -1).max(axis=2)
    seen = (seen[cut] > values.max() - _SEEN) | np.all(
        seen[cut] <= values.max() - _SEEN, axis=1, keepdims=True
    )
    halves = Panels(low=halves.low[seen.ravel()], high=halves.high[seen.ravel()])
    new = log_density(*(halves.nodes if j == k else a.nodes for j, a in enumerate(panels)))
    low, high = np.concatenate([old.low[~cut], halves.low]), np.concatenate([old.high[~cut], halves.high])
    order = np.argsort(low)
    both = np.concatenate([np.take(values, _nodes_of(np.flatnonzero(~cut)), axis=k), new], axis=k)
    return np.take(both, _nodes_of(order), axis=k), Panels(low=low[order], high=high[order])


def calmed(values: Floats, highest: Floats) -> Floats:
    """Limit polynomials that ring between the nodes to about their highest node."""
    return np.asarray(np.minimum(values, highest + _OVER))


def floored(values: Floats) -> Floats:
    """Raise values far below the peak, where a polynomial would ring."""
    return np.asarray(np.maximum(values - values.max(), -_FLOOR))


def _local(values: Floats, panels: Sequence[Panels], k: int, counted: float) -> tuple[Floats, Floats]:
    """The error and the mass of each panel of axis k, as shares of the whole.

    `counted` is the factor for the polynomial's error.
    """
    weight = np.ones(1)
    for j, axis in enumerate(panels):
        if j != k:
            weight = np.multiply.outer(weight, axis.points(NODES)[1])
    weight = np.multiply.outer(weight.ravel(), 0.5 * (panels[k].high - panels[k].low))
    at = np.moveaxis(floored(values), k, -1).reshape(-1, NODES)  # panels as rows
    # Estimate the first omitted coefficients: the last two, times their ratio to the two before.
    c = np.abs(at @ _TO_LEGENDRE[-4:].T)
    last, before = c[:, 2] + c[:, 3], c[:, 0] + c[:, 1]
    tail = last * np.clip(last / np.maximum(before, 1e-300), 0.1, 1.0)
    points, w = _check()
    between = calmed(at @ points, at.max(axis=1, keepdims=True))
    mass, check = (weight.ravel() * f for f in (np.exp(at) @ _W, np.exp(between) @ w))
    # The polynomial is exact at the nodes, and its errors between them have both signs and nearly cancel.
    # Where it rings they do not: there the density may be wrong by a factor.
    left = np.maximum(counted, np.minimum(tail, 1.0))
    wrong = check * left * np.expm1(np.minimum(tail, _RINGS)) + np.abs(check - mass)
    of_panels = np.stack([wrong / check.sum(), mass / mass.sum()]).reshape(2, *weight.shape).sum(axis=1)
    return of_panels[0], of_panels[1]


@cache
def _check() -> tuple[Floats, Floats]:
    """The matrix from values at the nodes to the polynomial at more points, and their weights."""
    t, w = leggauss(_CHECK)
    return np.ascontiguousarray((legvander(t, NODES - 1) @ _TO_LEGENDRE).T), w


def below(panels: Panels, density: Floats, at: Floats) -> Floats:
    """∫ density up to the points `at`, given for each row; a row of density has n values per panel."""
    rows, n = len(density), density.shape[1] // panels.low.size
    w = leggauss(n)[1]
    half = 0.5 * (panels.high - panels.low)
    each = density.reshape(rows, -1, n)
    before = np.concatenate([np.zeros((rows, 1)), np.cumsum(half * (each @ w), axis=1)], axis=1)
    k, local = panels.local(at)
    # ∫ P_j from -1 is (P_{j+1} - P_{j-1})/(2j+1), and 1 + t for j = 0.
    p = legvander(local, n)
    rising = (p[..., 2:] - p[..., :-2]) / (2 * np.arange(1, n) + 1)
    whole = np.concatenate([local[..., None] + 1, rising], axis=-1)
    row = np.arange(rows)
    partly = half[k] * np.einsum("...j,...j", whole, each[row, k] @ to_legendre(n).T)
    inside = np.clip(partly, 0.0, before[row, k + 1] - before[row, k])  # a gap counts fully or not at all
    return np.asarray(before[row, k] + inside)


def drawn(p: Floats, axes: Sequence[Panels], n: int = 4000) -> list[Floats]:
    """n points from probabilities p at the nodes: like a sample, but evenly spread and without noise.

    A point may lie anywhere in the cell of its node, which is as wide as the node's weight. A plot of the
    nodes themselves would have a bump at each node.
    """
    place = np.searchsorted(np.cumsum(p.ravel()), (np.arange(n) + 0.5) / n * p.sum())
    nodes = np.unravel_index(np.minimum(place, p.size - 1), p.shape)
    parts = [np.mod(_EVENLY**k * np.arange(n), 1.0) for k in range(1, p.ndim + 1)]
    return [axis.within(i, part) for axis, i, part in zip(axes, nodes, parts, strict=True)]


def regions(better: Floats, worse: Floats, readings: Floats, error: float) -> WeightedRegions:
    """Both readings, and equally weighted points (better, equivalent, worse) for plots."""
    return WeightedRegions(
        mean=_named(readings[:3]),
        most_probable=_named(readings[3:]),
        error=error,
        points=np.stack([better, np.maximum(1 - better - worse, 0.0), worse], axis=1),
        weights=np.full(better.size, 1 / better.size),
    )


def _named(p: Floats) -> Probabilities:
    """Convert three numbers to better, equivalent, worse."""
    return Probabilities(better=float(p[0]), equivalent=float(p[1]), worse=float(p[2]))

"""A few tasks that represent many in a hierarchical t-test: a smooth function of a task is interpolated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray

from ropewalk.bayes.quadrature import leggauss, to_legendre
from ropewalk.bayes.student_hierarchy import Likelihood, Nodes, Tasks
from ropewalk.posterior.base import Floats

_WIDE, _AT = 2.0, 12  # width of a cell in scales of a task, and its number of nodes
_LOGS, _SCALES = 0.6, 10  # the same in log scale
_CLOSE = 1e-5  # tolerance of the log likelihood: at its peak, and as a share of the distance below
_DEEP = 40.0  # further than this below the peak nothing counts, if it hardly rises again
_LOOK = (5, 9, 9)  # nodes of nu, sigma0 and mu0 at which the tolerance is checked
_SOME = 64  # tasks that are computed one by one to check their stand-ins


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StandIns:
    """Tasks at the nodes of cells of (location, log scale), for each df, and the weights of the real tasks.

    For a function f of a task, f(task i) = Σ_j weights[i, j] f(tasks[at[i, j]]) to many digits, because f is
    smooth within each cell. A task in a cell with no more tasks than nodes stands for itself.
    """

    tasks: Tasks
    at: NDArray[np.intp]
    weights: Floats

    @classmethod
    def of(cls, tasks: Tasks) -> StandIns | None:
        """Make stand-ins; None if there would be hardly fewer of them than tasks."""
        nodes = _AT * _SCALES
        cell = _cells(tasks)
        size = np.bincount(cell)
        large = np.flatnonzero(size > nodes)
        if 2 * (large.size * nodes + size[size <= nodes].sum()) > cell.size:
            return None
        alone = np.flatnonzero(size[cell] <= nodes)
        at = np.zeros((cell.size, nodes), dtype=np.intp)
        weights = np.zeros(at.shape)
        at[alone, 0], weights[alone, 0] = np.arange(alone.size), 1.0
        parts = [tasks[alone]]
        for k, c in enumerate(large):
            here = np.flatnonzero(cell == c)
            (loc, of_loc), (log, of_log) = (
                _axis(values[here], n) for values, n in ((tasks.loc, _AT), (np.log(tasks.scale), _SCALES))
            )
            weights[here] = (of_loc[:, :, None] * of_log[:, None, :]).reshape(-1, nodes)
            at[here] = alone.size + k * nodes + np.arange(nodes)
            df = np.full(nodes, tasks.df[here[0]])
            parts.append(Tasks(loc=np.repeat(loc, _SCALES), scale=np.tile(np.exp(log), _AT), df=df))
        loc, scale, df = (np.concatenate([getattr(p, c) for p in parts]) for c in ("loc", "scale", "df"))
        times = np.zeros(loc.size)
        np.add.at(times, at.ravel(), weights.ravel())
        return cls(tasks=Tasks(loc=loc, scale=scale, df=df, times=times), at=at, weights=weights)

    def each(self, tasks: Tasks, function: Callable[[Tasks], Floats], close: float) -> Floats:
        """A function of every task, by the stand-ins if they prove accurate on some tasks."""
        found = np.einsum("ij,ij...->i...", self.weights, function(self.tasks)[self.at])
        some = np.linspace(0, tasks.loc.size - 1, _SOME).astype(np.intp)
        right = np.all(np.abs(found[some] - function(tasks[some])) <= close)
        return np.asarray(found) if right else function(tasks)


def _cells(tasks: Tasks) -> NDArray[np.intp]:
    """The index of each task's cell."""
    of_df = np.unique(tasks.df, return_inverse=True)[1]
    log = np.floor((np.log(tasks.scale) - np.log(tasks.scale.min())) / _LOGS)
    wide = _WIDE * tasks.scale.min() * np.exp(_LOGS * log)
    loc = np.floor((tasks.loc - tasks.loc.mean()) / wide)
    return np.unique(np.stack([of_df, log, loc]), axis=1, return_inverse=True)[1].ravel()


def _axis(values: Floats, n: int) -> tuple[Floats, Floats]:
    """Legendre nodes between the extreme values, and the weights of these nodes for each value."""
    low, high = float(values.min()), float(values.max())
    middle, half = 0.5 * (low + high), 0.5 * (high - low) or 1.0
    t = (values - middle) / half
    return middle + half * leggauss(n)[0], legvander(t, n - 1) @ to_legendre(n)


def fewer(tasks: Tasks, ends: Nodes) -> Tasks:
    """Replace many tasks by stand-ins, if these have the same likelihood between the given ends."""
    found = StandIns.of(tasks)
    if found is None:
        return tasks
    y, x, mu = (
        np.linspace(end[0], end[-1], n) for end, n in zip((ends.y, ends.x, ends.mu), _LOOK, strict=True)
    )
    some = Nodes(mu=mu, x=x, y=y)
    exact = Likelihood(tasks, ends)(some)
    off = Likelihood(found.tasks, ends)(some) - exact
    off -= off.flat[np.argmax(exact)]  # a constant does not matter
    depth = exact.max() - exact
    close = np.abs(off) <= _CLOSE * (1 + depth)
    below = (depth > _DEEP) & (depth - off > np.maximum(_DEEP, 0.1 * depth))
    return found.tasks if np.all(close | below) else tasks

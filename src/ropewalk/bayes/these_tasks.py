"""The mean over exactly the tasks at hand, of which each borrows from the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.bayes.student_hierarchy import Tasks
from ropewalk.errors import OptionError
from ropewalk.posterior.base import Floats

_REACH = np.sinh(np.linspace(-4.6, 4.6, 25))  # scales around a centre: dense near it, and 50 far
_QUANTILES = np.linspace(0.01, 0.99, 25)
_LOOKS = 2


def task_weights(weights: ArrayLike | None, n: int) -> Floats:
    """One weight per task, adding up to one; equal ones where none are given."""
    if weights is None:
        return np.full(n, 1 / n)
    try:
        w = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        w = np.empty(0)
    if w.shape != (n,) or not np.all(np.isfinite(w)) or np.any(w < 0) or w.sum() <= 0:
        raise OptionError(
            "the weights of the tasks are not usable",
            hint=f"Give {n} numbers, one per task, none negative and not all zero.",
        )
    return np.asarray(w / w.sum())


def drawn_means(
    tasks: Tasks,
    population: tuple[Floats, Floats, Floats],
    weights: Floats,
    each: int,
    rng: np.random.Generator,
) -> Floats:
    """Draws of the weighted mean of the tasks' own means, `each` of them for every point of the population.

    `population` are points (mu0, sigma0, nu). Given one of them the tasks are independent, and the mean of a
    task has a density proportional to Student(df, loc, scale), what its scores say, times
    Student(nu, mu0, sigma0). It is drawn by inverting its distribution function, by the trapezoidal rule on
    points around both centres and, after a first look, on as many where the mass is.
    """
    mu, sigma, nu = (x[:, None] for x in population)
    total = np.zeros((mu.size, each))
    for loc, scale, df, w in zip(tasks.loc, tasks.scale, tasks.df, weights, strict=True):
        if w == 0:
            continue

        def below(
            x: Floats, loc: float = float(loc), scale: float = float(scale), df: float = float(df)
        ) -> Floats:
            log_f = -(df + 1) / 2 * np.log1p(((x - loc) / scale) ** 2 / df)
            log_f = log_f - (nu + 1) / 2 * np.log1p(((x - mu) / sigma) ** 2 / nu)
            f = np.exp(log_f - log_f.max(axis=1, keepdims=True))
            cells = 0.5 * np.diff(x, axis=1) * (f[:, 1:] + f[:, :-1])
            found = np.concatenate([np.zeros((mu.size, 1)), np.cumsum(cells, axis=1)], axis=1)
            return np.asarray(found / found[:, -1:])

        near = np.broadcast_to(loc + scale * _REACH, (mu.size, _REACH.size))
        x = np.sort(np.concatenate([near, mu + sigma * _REACH], axis=1), axis=1)
        for _ in range(_LOOKS):
            at = _inverted(below(x), x, np.broadcast_to(_QUANTILES, (mu.size, _QUANTILES.size)))
            x = np.sort(np.concatenate([x, at], axis=1), axis=1)
        total += w * _inverted(below(x), x, rng.random((mu.size, each)))
    return total


def _inverted(below: Floats, x: Floats, u: Floats) -> Floats:
    """Each row's x at the probabilities u, by straight lines."""
    rows, size = below.shape
    row = np.arange(rows)[:, None]  # one search for all: row r goes from r to r + 1
    k = np.searchsorted((below + row).ravel(), (u + row).ravel(), side="right").reshape(u.shape) - 1
    k = np.clip(k - size * row, 0, size - 2)
    low, high = (np.take_along_axis(below, i, axis=1) for i in (k, k + 1))
    left, right = (np.take_along_axis(x, i, axis=1) for i in (k, k + 1))
    part = np.divide(u - low, high - low, out=np.zeros_like(u), where=high > low)
    return np.asarray(left + part * (right - left))

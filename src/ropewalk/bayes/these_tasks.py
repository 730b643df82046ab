"""The mean over exactly the tasks at hand, of which each borrows from the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.bayes.student_hierarchy import Tasks
from ropewalk.errors import OptionError
from ropewalk.posterior.base import Floats

_REACH = np.sinh(np.linspace(-4.6, 4.6, 25))  # scales around a center: dense near it, up to 50 away
_QUANTILES = np.linspace(0.01, 0.99, 25)
_LOOKS = 2
_MANY = 1000  # with this many tasks their mean is normal, given the population
_POINTS = 60  # points of the population at which the moments of many tasks are computed
_LARGEST = 0.01  # largest share of the variance that one task may have
_OFF = 0.02  # largest error of the fitted moments in standard deviations
_BLOCK = 1 << 20  # numbers held in memory at a time


def task_weights(weights: ArrayLike | None, n: int) -> Floats:
    """One weight per task, with sum one; equal weights by default."""
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

    `population` holds points (mu0, sigma0, nu). Given one of them the tasks are independent, and the mean of
    a task has a density proportional to its likelihood, Student(df, loc, scale), times
    Student(nu, mu0, sigma0). It is drawn by inverting its distribution function, computed by the trapezoidal
    rule on points around both centers and, in a second pass, on as many points where the mass is.
    """
    if tasks.loc.size >= _MANY and (found := _normal_means(tasks, population, weights)) is not None:
        means, sds = (np.repeat(x[:, None], each, axis=1) for x in found)
        return np.asarray(rng.normal(means, sds))
    mu, sigma, nu = (x[:, None] for x in population)
    total = np.zeros((mu.size, each))
    for i in np.flatnonzero(weights):
        task = tasks[i : i + 1]
        x = _around(task, mu, sigma)
        for _ in range(_LOOKS):
            found_at = _inverted(
                _below(task, mu, sigma, nu, x), x, np.broadcast_to(_QUANTILES, (mu.size, _QUANTILES.size))
            )
            x = np.sort(np.concatenate([x, found_at], axis=1), axis=1)
        total += weights[i] * _inverted(_below(task, mu, sigma, nu, x), x, rng.random((mu.size, each)))
    return total


def _around(tasks: Tasks, mu: Floats, sigma: Floats) -> Floats:
    """Points around the centers of a task and of the population, a row for each pair of them."""
    near = tasks.loc[:, None] + tasks.scale[:, None] * _REACH
    rows = max(len(near), len(mu))
    far = np.broadcast_to(mu + sigma * _REACH, (rows, _REACH.size))
    return np.sort(np.concatenate([np.broadcast_to(near, far.shape), far], axis=1), axis=1)


def _density(tasks: Tasks, mu: Floats, sigma: Floats, nu: Floats, x: Floats) -> Floats:
    """The density of a task's mean at each row's points, scaled to a maximum of 1."""
    loc, scale, df = tasks.loc[:, None], tasks.scale[:, None], tasks.df[:, None]
    log_f = -(df + 1) / 2 * np.log1p(((x - loc) / scale) ** 2 / df)
    log_f -= (nu + 1) / 2 * np.log1p(((x - mu) / sigma) ** 2 / nu)
    return np.asarray(np.exp(log_f - log_f.max(axis=1, keepdims=True)))


def _below(tasks: Tasks, mu: Floats, sigma: Floats, nu: Floats, x: Floats) -> Floats:
    """The distribution function of a task's mean at each row's points."""
    f = _density(tasks, mu, sigma, nu, x)
    cells = 0.5 * np.diff(x, axis=1) * (f[:, 1:] + f[:, :-1])
    found = np.concatenate([np.zeros((len(f), 1)), np.cumsum(cells, axis=1)], axis=1)
    return np.asarray(found / found[:, -1:])


def _normal_means(
    tasks: Tasks, population: tuple[Floats, Floats, Floats], weights: Floats
) -> tuple[Floats, Floats] | None:
    """Mean and standard deviation of the weighted mean of many tasks, at each point of the population.

    Given such a point it is a sum of many independent numbers, and so normal. With many tasks the population
    is well known: the moments are computed at a few points and interpolated at the others by a polynomial of
    second degree in mu0, log sigma0 and log(nu - 1). None if one task has much of the variance, or if the
    polynomial does not fit.
    """
    some = np.unique(np.linspace(0, population[0].size - 1, _POINTS).astype(np.intp))
    found = [_moments(tasks, weights, *(x[i : i + 1, None] for x in population)) for i in some]
    mean, variance, largest = np.array(found).T
    moments = np.column_stack([mean, 0.5 * np.log(variance)])
    at = np.stack([population[0], np.log(population[1]), np.log(population[2] - 1)], axis=1)
    at = (at - at.mean(axis=0)) / np.maximum(at.std(axis=0), 1e-300)
    i, j = np.triu_indices(3)
    terms = np.column_stack([np.ones(len(at)), at, at[:, i] * at[:, j]])
    fitted, *_ = np.linalg.lstsq(terms[some], moments, rcond=None)
    means, log_sds = (terms @ fitted).T
    sds = np.exp(log_sds)
    whole = np.hypot(means.std(), sds.mean())
    off = np.hypot(means[some] - moments[:, 0], sds[some] - np.exp(moments[:, 1]))
    if largest.max() > _LARGEST * whole**2 or np.sqrt(np.mean(off**2)) > _OFF * whole:
        return None
    return means, sds


def _moments(
    tasks: Tasks, weights: Floats, mu: Floats, sigma: Floats, nu: Floats
) -> tuple[float, float, float]:
    """Mean and variance of the weighted mean at one population point, and one task's largest part of it."""
    rows = max(_BLOCK // (2 * _REACH.size), 1)
    mean, variance, largest = 0.0, 0.0, 0.0
    for start in range(0, tasks.loc.size, rows):
        part, w = tasks[start : start + rows], weights[start : start + rows]
        x = _around(part, mu, sigma)
        f = _density(part, mu, sigma, nu, x) * np.gradient(x, axis=1)  # the trapezoidal rule
        f[:, [0, -1]] *= 0.5
        f /= f.sum(axis=1, keepdims=True)
        own = np.einsum("ij,ij->i", f, x)
        each = w**2 * np.einsum("ij,ij->i", f, (x - own[:, None]) ** 2)
        mean, variance = mean + float(w @ own), variance + float(each.sum())
        largest = max(largest, float(each.max()))
    return mean, variance, largest


def _inverted(below: Floats, x: Floats, u: Floats) -> Floats:
    """Each row's x at the probabilities u, by linear interpolation."""
    rows, size = below.shape
    row = np.arange(rows)[:, None]  # one search for all rows: row r covers [r, r + 1]
    k = np.searchsorted((below + row).ravel(), (u + row).ravel(), side="right").reshape(u.shape) - 1
    k = np.clip(k - size * row, 0, size - 2)
    low, high = (np.take_along_axis(below, i, axis=1) for i in (k, k + 1))
    left, right = (np.take_along_axis(x, i, axis=1) for i in (k, k + 1))
    part = np.divide(u - low, high - low, out=np.zeros_like(u), where=high > low)
    return np.asarray(left + part * (right - left))

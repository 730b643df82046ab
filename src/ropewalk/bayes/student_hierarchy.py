"""The likelihood of the hierarchical t-test at nodes of (mu0, sigma0, nu)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammainc, gammaln, logsumexp

from ropewalk.posterior.base import Floats

STEP = 1 / 8  # of log s, s the standard deviation of a normal that makes up a Student
LOW = 2.2  # log s lies no further below log sigma0
_ORDER = 12  # points of the Lagrange interpolation in log s
_AT_ONCE = 1 << 21  # numbers held in memory at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tasks:
    """What each task says about its own mean: a likelihood Student(df, loc, scale)."""

    loc: Floats
    scale: Floats
    df: Floats

    def __getitem__(self, index: slice | Floats | np.ndarray[tuple[int], np.dtype[np.intp]]) -> Tasks:
        return Tasks(loc=self.loc[index], scale=self.scale[index], df=self.df[index])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nodes:
    """Values of mu0, x = log sigma0 and y = log(nu - 1), each from low to high."""

    mu: Floats
    x: Floats
    y: Floats

    @property
    def nu(self) -> Floats:
        return np.asarray(1 + np.exp(self.y))


class Likelihood:
    """log ∏_i p(task i | mu0, sigma0, nu) at nodes within given ends, an array over (y, x, mu0).

    Student(nu, mu0, sigma0) is a mixture of normals N(mu0, s²) whose weights p(s | sigma0, nu) do not know
    the task, and the task's Student is a mixture of N(loc, scale²/kappa). With
        G_i(mu0, s) = Σ_j w_j N(loc_i; mu0, s² + scale_i²/kappa_j)
    the likelihood of task i is Σ_s p(s | sigma0, nu) G_i(mu0, s): one matrix product for all nodes. G is kept
    for the mu0 that were asked before, unless there are many tasks.
    """

    def __init__(self, tasks: Tasks, ends: Nodes) -> None:
        self._tasks = tasks
        self._log_s = _log_s(tasks, ends)
        self._mu, self._g = np.empty(0), np.empty((self._log_s.size, tasks.loc.size, 0))

    def __call__(self, nodes: Nodes) -> Floats:
        first = max(int((nodes.x[0] - LOW - self._log_s[0]) / STEP), 0)  # smaller s have no weight
        log_s = self._log_s[first:]
        p = scale_weights(nodes, log_s, decay=1).reshape(-1, log_s.size)
        total = np.zeros((p.shape[0], nodes.mu.size))
        for g in self._kept(nodes, first) if self._fits(nodes.mu) else self._computed(nodes, log_s):
            f = p @ g.reshape(log_s.size, -1)
            # Where rounding leaves nothing of a task's likelihood the node is out of the question anyway.
            np.log(np.maximum(f, 1e-300, out=f), out=f)
            total += f.reshape(p.shape[0], -1, nodes.mu.size).sum(axis=1)
        return total.reshape(nodes.y.size, nodes.x.size, nodes.mu.size)

    def _fits(self, mu: Floats) -> bool:
        new = np.setdiff1d(mu, self._mu).size
        return (self._mu.size + new) * self._tasks.loc.size * self._log_s.size < 8 * _AT_ONCE

    def _computed(self, nodes: Nodes, log_s: Floats) -> Iterator[Floats]:
        for part, kappa, w in _parts(self._tasks, nodes, log_s):
            yield _convolved(part, kappa, w, nodes.mu, log_s)[0]

    def _kept(self, nodes: Nodes, first: int) -> Iterator[Floats]:
        new = np.setdiff1d(nodes.mu, self._mu)
        if new.size:
            more = [*self._computed(replace(nodes, mu=new), self._log_s)]
            mu, g = np.concatenate([self._mu, new]), np.concatenate([self._g, np.concatenate(more, 1)], 2)
            order = np.argsort(mu)
            self._mu, self._g = mu[order], g[:, :, order]
        at = np.searchsorted(self._mu, nodes.mu)
        block = max(_AT_ONCE // (nodes.x.size * nodes.y.size * nodes.mu.size), 1)
        for start in range(0, self._g.shape[1], block):
            yield self._g[first:, start : start + block, at]


def log_likelihood(tasks: Tasks, nodes: Nodes) -> Floats:
    """The same for one set of nodes."""
    return Likelihood(tasks, nodes)(nodes)


def shrinkage(tasks: Tasks, nodes: Nodes, weights: Floats) -> Floats:
    """The posterior mean of v_i/(s² + v_i), v_i = scale_i²/kappa: how far task i is pulled towards mu0."""
    log_s = _log_s(tasks, nodes)
    p = scale_weights(nodes, log_s, decay=1).reshape(-1, log_s.size)
    flat = weights.reshape(p.shape[0], 1, -1)
    out = []
    for part, kappa, w in _parts(tasks, nodes, log_s):
        g, pulled = (
            p @ k.reshape(log_s.size, -1) for k in _convolved(part, kappa, w, nodes.mu, log_s, pull=True)
        )
        # A share; where the likelihood is next to nothing rounding would leave anything.
        ratio = np.clip(pulled / np.maximum(g, 1e-300), 0.0, 1.0).reshape(p.shape[0], -1, nodes.mu.size)
        out.append(np.sum(flat * ratio, axis=(0, 2)))
    order = np.argsort(tasks.df, kind="stable")
    result = np.empty(order.size)
    result[order] = np.concatenate(out)
    return result


def scale_weights(nodes: Nodes, log_s: Floats, *, decay: int) -> Floats:
    """p(s | sigma0, nu) as weights on the equally spaced log_s, an array over (y, x, s).

    s = sigma0/sqrt(lambda) with lambda ~ Gamma(nu/2, nu/2). What lies beyond the last s is put on it, as for
    a function that falls like s^-decay from there.
    """
    h = log_s[1] - log_s[0]
    nu = nodes.nu[:, None, None]
    p = h * _scale_density(log_s - nodes.x[:, None], nu)
    ratio = np.exp(-(nu + decay) * h)
    beyond = p[:, :, -1:] * ratio / (1 - ratio)
    # The sd of log s is about 1/sqrt(2 nu): from the step on the trapezoidal rule is exact to 1e-8.
    narrow = nodes.nu > 0.5 / h**2
    if np.any(narrow):
        p[narrow] = _narrow_scales(replace(nodes, y=nodes.y[narrow]), log_s)
    p[:, :, -1:] += beyond
    return np.asarray(p)


def _scale_density(log_ratio: Floats, nu: Floats) -> Floats:
    """The density of log(s/sigma0)."""
    half = nu / 2
    norm = half * np.log(half) - gammaln(half) + np.log(2)
    return np.asarray(np.exp(norm - half * (2 * log_ratio + np.exp(-2 * log_ratio))))


def _narrow_scales(nodes: Nodes, log_s: Floats) -> Floats:
    """The weights where the density of log s is narrower than the step.

    It is put on points of its own first, half a standard deviation apart, and from there on log_s by
    Lagrange's weights, so that a function of log s keeps its mean to the order of these weights.
    """
    sd = np.sqrt(0.5 / nodes.nu)[:, None]
    off = np.arange(-8.0, 12.1, 0.5) * sd
    mass = 0.5 * sd * _scale_density(off, nodes.nu[:, None])
    place = (nodes.x[:, None] + off[:, None, :] - log_s[0]) / (log_s[1] - log_s[0])
    left = np.floor(place).astype(np.intp)
    weights = _lagrange((place - left).ravel()).reshape(*place.shape, _ORDER) * mass[:, None, :, None]
    at = np.clip(left[..., None] + np.arange(_ORDER) - (_ORDER // 2 - 1), 0, log_s.size - 1)
    row = np.arange(nodes.y.size * nodes.x.size).reshape(nodes.y.size, nodes.x.size, 1, 1)
    flat = np.bincount((row * log_s.size + at).ravel(), weights.ravel(), row.size * log_s.size)
    return np.asarray(flat, dtype=np.float64).reshape(nodes.y.size, nodes.x.size, log_s.size)


def log_gap_prior(y: Floats, alpha: tuple[float, float], beta: tuple[float, float]) -> Floats:
    """log density of y = log(nu - 1), nu - 1 ~ Gamma(alpha, beta), alpha and beta uniform in their bounds."""
    a, b, w = _hyper_nodes(alpha, beta)
    at = np.asarray(y)[:, None, None]
    return np.asarray(logsumexp(a * (np.log(b) + at) - b * np.exp(at) - gammaln(a), b=w, axis=(1, 2)))


def gap_prior_below(y: float, alpha: tuple[float, float], beta: tuple[float, float]) -> float:
    """The prior probability of log(nu - 1) < y."""
    a, b, w = _hyper_nodes(alpha, beta)
    return float(np.sum(w * gammainc(a, b * np.exp(y))))


def _hyper_nodes(alpha: tuple[float, float], beta: tuple[float, float]) -> tuple[Floats, Floats, Floats]:
    """Gauss-Legendre nodes of alpha (a column) and beta (a row), and their weights."""
    nodes, w = np.polynomial.legendre.leggauss(32)
    a, b = (lo + (hi - lo) * (nodes + 1) / 2 for lo, hi in (alpha, beta))
    return a[:, None], b, np.multiply.outer(w, w) / 4


def student_nodes(df: float) -> tuple[Floats, Floats]:
    """Nodes and weights of kappa ~ Gamma(df/2, df/2): the trapezoidal rule in log kappa.

    Its error is |Γ(df/2 + iω)|/Γ(df/2) at ω = 2π/step: about exp(-ω²/df) for large df and exp(-πω/2) for
    small df; the step keeps both below 1e-6. The tails go down to e^-20 with the factor sqrt(kappa) that a
    normal density adds.
    """
    step = 2 * np.pi / (9 + np.sqrt(14 * df))
    low, high = -9 * np.sqrt(2 / df) - 40 / (df + 1), min(9 * np.sqrt(2 / df), 5.0)
    log_kappa = step * np.arange(np.floor(low / step), np.ceil(high / step) + 1)
    # expm1 keeps the digits of log kappa - kappa + 1 where df is large and kappa close to one.
    log_w = df / 2 * (log_kappa - np.expm1(log_kappa))
    kept = log_w + log_kappa / 2 > -20
    half = df / 2
    norm = half * (np.log(half) - 1) - gammaln(half)
    return np.exp(log_kappa[kept]), step * np.exp(log_w[kept] + norm)


def _lagrange(f: Floats) -> Floats:
    """Weights of the points 1 - order/2 ... order/2 for the value at f in [0, 1): one row for each f."""
    points = np.arange(_ORDER) - (_ORDER // 2 - 1)
    out = np.ones((f.size, _ORDER))
    for k, at in enumerate(points):
        for other in points[points != at]:
            out[:, k] *= (f - other) / (at - other)
    return out


def _log_s(tasks: Tasks, nodes: Nodes) -> Floats:
    """From where a Student's scale no longer goes to where every normal is flat over all tasks."""
    farthest = np.max(np.abs(nodes.mu[[0, -1], None] - [tasks.loc.min(), tasks.loc.max()]))
    low, high = nodes.x[0] - LOW, nodes.x[-1]
    flat = max(np.log(20 * farthest), high + 3) if farthest > 0 else high + 3
    return np.arange(low, min(flat, high + 1.5 + 30 / nodes.nu[0]) + STEP, STEP)


def _parts(tasks: Tasks, nodes: Nodes, log_s: Floats) -> Iterator[tuple[Tasks, Floats, Floats]]:
    """Blocks of tasks with the nodes of their kappa; sorted by df, so that blocks need little padding."""
    ordered = tasks[np.argsort(tasks.df, kind="stable")]
    rows = max(log_s.size, nodes.x.size * nodes.y.size)
    block = max(_AT_ONCE // (rows * nodes.mu.size), 1)
    for start in range(0, ordered.df.size, block):
        part = ordered[start : start + block]
        each, which = np.unique(part.df, return_inverse=True)
        mixing = [student_nodes(float(df)) for df in each]
        longest = max(k.size for k, _ in mixing)
        kappa = np.stack([np.pad(k, (0, longest - k.size), constant_values=1.0) for k, _ in mixing])
        w = np.stack([np.pad(v, (0, longest - v.size)) for _, v in mixing])
        yield part, kappa[which], w[which]


def convolved(task: Tasks, mu: Floats, log_s: Floats) -> tuple[Floats, ...]:
    """G of one task, or of tasks with the same df."""
    kappa, w = student_nodes(float(task.df[0]))
    return _convolved(task, kappa[None, :], w[None, :], mu, log_s)


def _convolved(
    tasks: Tasks, kappa: Floats, w: Floats, mu: Floats, log_s: Floats, *, pull: bool = False
) -> tuple[Floats, ...]:
    """G_i(mu0, s) as an array over (s, task, mu0); with `pull` also the same sum times v/(s² + v)."""
    minus_half_square = -0.5 * (tasks.loc[:, None] - mu) ** 2
    s2 = np.exp(2 * log_s)[:, None]
    out = np.zeros((2 if pull else 1, log_s.size, tasks.loc.size, mu.size))
    term = np.empty(out.shape[1:])
    for j in range(kappa.shape[1]):
        v = tasks.scale**2 / kappa[:, j]
        variance = s2 + v
        np.multiply((1 / variance)[:, :, None], minus_half_square, out=term)
        np.exp(term, out=term)
        term *= (w[:, j] / np.sqrt(2 * np.pi * variance))[:, :, None]
        out[0] += term
        if pull:
            term *= (v / variance)[:, :, None]
            out[1] += term
    return tuple(out)

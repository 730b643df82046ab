"""The likelihood of the hierarchical t-test on a lattice of (mu0, sigma0, nu)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammainc, gammaln, logsumexp

from ropewalk.posterior.base import Floats

_STEP = 1 / 16  # of log s, s the standard deviation of a normal that makes up a Student
_ORDER = 6  # points of the Lagrange interpolation in log s
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
class Lattice:
    """Nodes mu0 = centre + width·sinh(t), sigma0 = e^x, nu = 1 + e^y; t, x and y are equally spaced."""

    centre: float
    width: float
    t: Floats
    x: Floats
    y: Floats

    @property
    def mu(self) -> Floats:
        return np.asarray(self.centre + self.width * np.sinh(self.t))

    @property
    def nu(self) -> Floats:
        return np.asarray(1 + np.exp(self.y))

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.t.size, self.x.size, self.y.size

    def thinned(self, axes: str = "txy") -> Lattice:
        """Every second node of the named axes."""
        return replace(self, **{a: getattr(self, a)[::2] for a in axes})


def log_likelihood(tasks: Tasks, lattice: Lattice) -> Floats:
    """log ∏_i p(task i | mu0, sigma0, nu), an array over (y, x, t).

    Student(nu, mu0, sigma0) is a mixture of normals N(mu0, s²) whose weights p(s | sigma0, nu) do not know
    the task, and the task's Student is a mixture of N(loc, scale²/kappa). With
        G_i(mu0, s) = Σ_j w_j N(loc_i; mu0, s² + scale_i²/kappa_j)
    the likelihood of task i is Σ_s p(s | sigma0, nu) G_i(mu0, s): one matrix product for all nodes.
    """
    log_s = _log_s(tasks, lattice)
    p = scale_weights(lattice, log_s, decay=1).reshape(-1, log_s.size)
    total = np.zeros((p.shape[0], lattice.t.size))
    for part, kappa, w in _parts(tasks, lattice, log_s):
        g = _convolved(part, kappa, w, lattice.mu, log_s)[0]
        f = p @ g.reshape(log_s.size, -1)
        # Where rounding leaves nothing of a task's likelihood the node is out of the question anyway.
        np.log(np.maximum(f, 1e-300, out=f), out=f)
        total += f.reshape(p.shape[0], -1, lattice.t.size).sum(axis=1)
    return total.reshape(lattice.y.size, lattice.x.size, lattice.t.size)


def shrinkage(tasks: Tasks, lattice: Lattice, weights: Floats) -> Floats:
    """The posterior mean of v_i/(s² + v_i), v_i = scale_i²/kappa: how far task i is pulled towards mu0."""
    log_s = _log_s(tasks, lattice)
    p = scale_weights(lattice, log_s, decay=1).reshape(-1, log_s.size)
    flat = weights.reshape(p.shape[0], 1, -1)
    out = []
    for part, kappa, w in _parts(tasks, lattice, log_s):
        g, pulled = (
            p @ k.reshape(log_s.size, -1) for k in _convolved(part, kappa, w, lattice.mu, log_s, pull=True)
        )
        ratio = (pulled / np.maximum(g, 1e-300)).reshape(p.shape[0], -1, lattice.t.size)
        out.append(np.sum(flat * ratio, axis=(0, 2)))
    order = np.argsort(tasks.df, kind="stable")
    result = np.empty(order.size)
    result[order] = np.concatenate(out)
    return result


def scale_weights(lattice: Lattice, log_s: Floats, *, decay: int) -> Floats:
    """p(s | sigma0, nu) as weights on the equally spaced log_s, an array over (y, x, s).

    s = sigma0/sqrt(lambda) with lambda ~ Gamma(nu/2, nu/2). What lies beyond the last s is put on it, as for
    a function that falls like s^-decay from there.
    """
    h = log_s[1] - log_s[0]
    nu = lattice.nu[:, None, None]
    p = h * _scale_density(log_s - lattice.x[:, None], nu)
    ratio = np.exp(-(nu + decay) * h)
    beyond = p[:, :, -1:] * ratio / (1 - ratio)
    # The sd of log s is about 1/sqrt(2 nu): from the step on the trapezoidal rule is exact to 1e-8.
    narrow = lattice.nu > 0.5 / h**2
    if np.any(narrow):
        p[narrow] = _narrow_scales(replace(lattice, y=lattice.y[narrow]), log_s)
    p[:, :, -1:] += beyond
    return np.asarray(p)


def _scale_density(log_ratio: Floats, nu: Floats) -> Floats:
    """The density of log(s/sigma0)."""
    half = nu / 2
    norm = half * np.log(half) - gammaln(half) + np.log(2)
    return np.asarray(np.exp(norm - half * (2 * log_ratio + np.exp(-2 * log_ratio))))


def _narrow_scales(lattice: Lattice, log_s: Floats) -> Floats:
    """The weights where the density of log s is narrower than the step.

    It is put on a finer lattice first, and from there on log_s by Lagrange's weights, so that a function of
    log s keeps its mean to the sixth order of the step.
    """
    h = log_s[1] - log_s[0]
    nu = lattice.nu[:, None, None]
    fine = int(np.ceil(3 * h * np.sqrt(2 * nu.max())))
    before = _ORDER // 2
    n = log_s.size + _ORDER
    at = log_s[0] + h * (np.arange(n * fine) / fine - before)
    mass = _scale_density(at - lattice.x[:, None], nu).reshape(nu.size, lattice.x.size, n, fine) * (h / fine)
    spread = mass @ _lagrange(np.arange(fine) / fine)
    p = np.zeros((nu.size, lattice.x.size, log_s.size))
    for k in range(_ORDER):  # point k of the stencil lies k - (before - 1) nodes to the right
        start = 2 * before - 1 - k
        p += spread[:, :, start : start + log_s.size, k]
    return p


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


def _log_s(tasks: Tasks, lattice: Lattice) -> Floats:
    """From where a Student's scale no longer goes to where every normal is flat over all tasks."""
    farthest = np.max(np.abs(lattice.mu[[0, -1], None] - [tasks.loc.min(), tasks.loc.max()]))
    low, high = lattice.x[0] - 2.2, lattice.x[-1]
    flat = max(np.log(20 * farthest), high + 3) if farthest > 0 else high + 3
    return np.arange(low, min(flat, high + 1.5 + 30 / lattice.nu[0]) + _STEP, _STEP)


def _parts(tasks: Tasks, lattice: Lattice, log_s: Floats) -> Iterator[tuple[Tasks, Floats, Floats]]:
    """Blocks of tasks with the nodes of their kappa; sorted by df, so that blocks need little padding."""
    ordered = tasks[np.argsort(tasks.df, kind="stable")]
    rows = max(log_s.size, lattice.x.size * lattice.y.size)
    block = max(_AT_ONCE // (rows * lattice.t.size), 1)
    for start in range(0, ordered.df.size, block):
        part = ordered[start : start + block]
        each, which = np.unique(part.df, return_inverse=True)
        nodes = [student_nodes(float(df)) for df in each]
        longest = max(k.size for k, _ in nodes)
        kappa = np.stack([np.pad(k, (0, longest - k.size), constant_values=1.0) for k, _ in nodes])
        w = np.stack([np.pad(v, (0, longest - v.size)) for _, v in nodes])
        yield part, kappa[which], w[which]


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

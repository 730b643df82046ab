"""The likelihood of the hierarchical t-test at nodes of (mu0, sigma0, nu)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np
from numpy.polynomial.legendre import legvander
from scipy.special import gammainc, gammaln, logsumexp

from ropewalk.bayes.quadrature import leggauss, to_legendre
from ropewalk.posterior.base import Floats

STEP = 1 / 8  # step of log s, with s the standard deviation of a normal component of a Student
LOW = 2.2  # log s is at most this far below log sigma0
_PER_LOG, _MORE = 14, 8  # values of s per unit of log s at which G is computed, and additional ones
_NEARLY_NORMAL = 8  # degrees of freedom; with fewer, a Student contains normals far narrower than its scale
_POINT = 9.0  # a normal whose log s is this far below a task's log scale acts as a point: G changes by e^-18
_NARROW = 0.8  # step in standard deviations: the trapezoidal rule is off by 2 exp(-2 (π/0.8)²) = 4e-14
_MANY, _GAUSS = 50, 8  # with more degrees of freedom, a Student is a mixture of this number of normals
_ORDER = 12  # points of the Lagrange interpolation in log s
_AT_ONCE = 1 << 21  # numbers held in memory at a time
_CACHED = 1 << 16  # numbers that fit into the processor's second-level cache together with their products
_BLOCK = 16  # nodes of each of mu0, sigma0 and nu in a block
_NOTHING = 1e-30  # negligible weight of a normal


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tasks:
    """The likelihood of the mean of each task: Student(df, loc, scale).

    `times` is the number of tasks that each represents (`stand_ins`); None means one.
    """

    loc: Floats
    scale: Floats
    df: Floats
    times: Floats | None = None

    def __getitem__(self, index: slice | Floats | np.ndarray[tuple[int], np.dtype[np.intp]]) -> Tasks:
        times = None if self.times is None else self.times[index]
        return Tasks(loc=self.loc[index], scale=self.scale[index], df=self.df[index], times=times)


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

    Student(nu, mu0, sigma0) is a mixture of normals N(mu0, s²) whose weights p(s | sigma0, nu) do not
    depend on the task, and the task's Student is a mixture of N(loc, scale²/kappa). With
        G_i(mu0, s) = Σ_j w_j N(loc_i; mu0, s² + scale_i²/kappa_j)
    the likelihood of task i is Σ_s p(s | sigma0, nu) G_i(mu0, s): a matrix product. The weights need many
    closely spaced s. If the tasks allow it, G is computed at fewer s, and the weights include
    the interpolation. G is cached for mu0 that were used before, unless there are many tasks.
    """

    def __init__(self, tasks: Tasks, ends: Nodes) -> None:
        self._log_s = _log_s(tasks, ends)
        self._s2, self._between = _interpolation(tasks, ends, self._log_s)
        self._parts = [*_parts(tasks, max(_CACHED // (_BLOCK * self._s2.size), 1))]
        self._room = 8 * _AT_ONCE // (_BLOCK * tasks.loc.size * self._s2.size)
        self._kept: dict[bytes, list[Floats]] = {}

    def __call__(self, nodes: Nodes) -> Floats:
        weights = scale_weights(nodes, self._log_s, decay=1)
        bands = [*_bands(weights if self._between is None else weights @ self._between)]
        total = np.zeros((nodes.y.size, nodes.x.size, nodes.mu.size))
        for start in range(0, nodes.mu.size, _BLOCK):
            mu = slice(start, start + _BLOCK)
            for (part, *_), g in zip(self._parts, self._convolved(nodes.mu[mu]), strict=True):
                for (y, x, s), p in bands:
                    f = (p @ g[s].reshape(p.shape[1], -1)).reshape(-1, *g.shape[1:])
                    total[y, x, mu] += _log_product(f, part.times).reshape(total[y, x, mu].shape)
        return total

    def _convolved(self, mu: Floats) -> Iterable[Floats]:
        """Yield G for blocks of tasks, each over (s, task, mu0)."""
        key = mu.tobytes()
        if key not in self._kept:
            found = (_convolved(*part, mu, self._s2)[0] for part in self._parts)
            new = (np.ascontiguousarray(np.swapaxes(g, 1, 2)) for g in found)
            if len(self._kept) >= self._room:
                return new
            self._kept[key] = [*new]
        return self._kept[key]


def _interpolation(tasks: Tasks, ends: Nodes, log_s: Floats) -> tuple[Floats, Floats | None]:
    """The s² at which G is computed, and the matrix that interpolates G to every log_s, if they differ.

    With c below the smallest scale of a task and C about the largest distance from mu0, G changes between
    s = c and s = C, and from there on like 1/s. So √(s² + C²) G is a polynomial of
    τ = log √((s² + c²)/(1 + s²/C²)), which goes from log c to log C, through its values at Legendre nodes.
    It must be exact to 1e-12 of the largest G, or a log likelihood far below its peak would ring. Where that
    takes as many nodes as there are log_s, or a Student is far from normal, G is computed at every log_s.
    """
    c2, far2 = 0.3 * tasks.scale.min() ** 2, 0.25 * _farthest(tasks, ends) ** 2 + tasks.scale.max() ** 2
    low, high = 0.5 * np.log(c2), 0.5 * np.log(far2)
    at, n = np.exp(2 * log_s), int(np.ceil(_PER_LOG * (high - low))) + _MORE
    if n >= log_s.size or tasks.df.min() < _NEARLY_NORMAL:
        return at, None
    nodes = np.exp(low + high + (high - low) * leggauss(n)[0])
    s2 = (nodes - c2) / (1 - nodes / far2)
    tau = 0.5 * np.log((at + c2) / (1 + at / far2))
    matrix = legvander(np.clip((2 * tau - low - high) / (high - low), -1.0, 1.0), n - 1) @ to_legendre(n)
    return s2, np.asarray(matrix * np.sqrt(s2 + far2) / np.sqrt(at + far2)[:, None])


def _bands(weights: Floats) -> Iterator[tuple[tuple[slice, slice, slice], Floats]]:
    """Blocks of y and x with their weights of s, and the often short range of s with nonzero weight."""
    for j in range(0, weights.shape[0], _BLOCK):
        for i in range(0, weights.shape[1], _BLOCK):
            p = weights[j : j + _BLOCK, i : i + _BLOCK].reshape(-1, weights.shape[2])
            some = np.flatnonzero(np.any(np.abs(p) > _NOTHING, axis=0))
            s = slice(int(some[0]), int(some[-1]) + 1)
            yield (slice(j, j + _BLOCK), slice(i, i + _BLOCK), s), np.ascontiguousarray(p[:, s])


def _log_product(f: Floats, times: Floats | None) -> Floats:
    """Σ log f over the tasks of f (node, task, mu0); multiplies four at a time to save logarithms.

    If a task's likelihood underflows, the node is negligible anyway.
    """
    if times is not None:
        return np.asarray(times @ np.log(np.maximum(f, 1e-300)))
    n = f.shape[1] // 4
    four = f[:, :n] * f[:, n : 2 * n]
    four *= f[:, 2 * n : 3 * n]
    four *= f[:, 3 * n : 4 * n]
    logs = (np.log(np.maximum(some, 1e-300)) for some in (four, f[:, 4 * n :]))
    return np.asarray(sum(np.ones(log.shape[1]) @ log for log in logs))  # faster than a sum along the axis


def log_likelihood(tasks: Tasks, nodes: Nodes) -> Floats:
    """The log likelihood at one set of nodes."""
    return Likelihood(tasks, nodes)(nodes)


def shrinkage(tasks: Tasks, nodes: Nodes, weights: Floats) -> Floats:
    """The posterior mean of v_i/(s² + v_i), v_i = scale_i²/kappa: how far task i is shrunk toward mu0."""
    log_s = _log_s(tasks, nodes)
    s2, between = _interpolation(tasks, nodes, log_s)
    p = scale_weights(nodes, log_s, decay=1).reshape(-1, log_s.size)
    flat = weights.reshape(len(p), -1)
    # It is a share, so nodes with less than a millionth of the posterior are skipped.
    some, at = (_nearly_all(flat.sum(axis=axis)) for axis in (1, 0))
    p, flat, mu = p[some], flat[some][:, at], nodes.mu[at]
    p, flat = p if between is None else p @ between, flat / flat.sum()
    out = []
    for part, kappa, w in _parts(tasks, max(_AT_ONCE // (max(s2.size, len(p)) * mu.size), 1)):
        g, pulled = (p @ k.reshape(s2.size, -1) for k in _convolved(part, kappa, w, mu, s2, pull=True))
        # Where the likelihood is negligible, the ratio would be only rounding.
        ratio = np.clip(pulled / np.maximum(g, 1e-300), 0.0, 1.0).reshape(*flat.shape, -1)
        out.append(np.einsum("ij,ijk->k", flat, ratio))
    order = np.argsort(tasks.df, kind="stable")
    result = np.empty(order.size)
    result[order] = np.concatenate(out)
    return result


def _nearly_all(mass: Floats) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """The nodes with all but a millionth of the mass."""
    order = np.argsort(mass)
    return np.sort(order[np.cumsum(mass[order]) > 1e-6 * mass.sum()])


def scale_weights(nodes: Nodes, log_s: Floats, *, decay: int) -> Floats:
    """p(s | sigma0, nu) as weights on the equally spaced log_s, an array over (y, x, s).

    s = sigma0/sqrt(lambda) with lambda ~ Gamma(nu/2, nu/2). Mass above the last s is assigned to it,
    as for a function that falls like s^-decay; mass below the first s is assigned to it, as for a constant.
    """
    h = log_s[1] - log_s[0]
    nu = nodes.nu[:, None, None]
    p = h * _scale_density(log_s - nodes.x[:, None], nu)
    last, ratio = p[:, :, -1:], np.exp(-nu * h)
    cut = nodes.x - LOW < log_s[0] - 0.5 * h
    if np.any(cut):
        rest = p[:, cut, 1:].sum(axis=2) + (last * ratio / (1 - ratio))[:, cut, 0]
        p[:, cut, 0] = np.maximum(1 - rest, 0.0)
    ratio *= np.exp(-decay * h)
    beyond = last * ratio / (1 - ratio)
    # The sd of log s is about 1/sqrt(2 nu); if it exceeds the step, the trapezoidal rule is exact to 1e-8.
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

    The density is first put on its own points, less than a standard deviation apart, and then moved to log_s
    with Lagrange weights, so that the mean of a function of log s is preserved to the order of these weights.
    """
    sd = np.sqrt(0.5 / nodes.nu)[:, None]
    off = _NARROW * np.arange(-10.0, 16.0) * sd
    mass = _NARROW * sd * _scale_density(off, nodes.nu[:, None])
    place = (nodes.x[:, None] + off[:, None, :] - log_s[0]) / (log_s[1] - log_s[0])
    left = np.floor(place).astype(np.intp)
    weights = _lagrange((place - left).ravel()).reshape(*place.shape, _ORDER) * mass[:, None, :, None]
    at = np.clip(left[..., None] + np.arange(_ORDER) - (_ORDER // 2 - 1), 0, log_s.size - 1)
    row = np.arange(nodes.y.size * nodes.x.size).reshape(nodes.y.size, nodes.x.size, 1, 1)
    flat = np.bincount((row * log_s.size + at).ravel(), weights.ravel(), row.size * log_s.size)
    return np.asarray(flat, dtype=np.float64).reshape(nodes.y.size, nodes.x.size, log_s.size)


def log_gap_prior(y: Floats, alpha: tuple[float, float], beta: tuple[float, float]) -> Floats:
    """The log density of y = log(nu - 1), nu - 1 ~ Gamma(alpha, beta) with uniform alpha and beta."""
    return _log_gap_prior(np.asarray(y, dtype=np.float64).tobytes(), alpha, beta)


@lru_cache(maxsize=256)  # the nodes of y are the same for many tasks and pairs
def _log_gap_prior(y: bytes, alpha: tuple[float, float], beta: tuple[float, float]) -> Floats:
    a, b, w = _hyper_nodes(alpha, beta)
    at = np.frombuffer(y)[:, None, None]
    return np.asarray(logsumexp(a * (np.log(b) + at) - b * np.exp(at) - gammaln(a), b=w, axis=(1, 2)))


def gap_prior_below(y: float, alpha: tuple[float, float], beta: tuple[float, float]) -> float:
    """The prior probability of log(nu - 1) < y."""
    a, b, w = _hyper_nodes(alpha, beta)
    return float(np.sum(w * gammainc(a, b * np.exp(y))))


def _hyper_nodes(alpha: tuple[float, float], beta: tuple[float, float]) -> tuple[Floats, Floats, Floats]:
    """Gauss-Legendre nodes of alpha (a column) and beta (a row), and their weights."""
    nodes, w = leggauss(32)
    a, b = (lo + (hi - lo) * (nodes + 1) / 2 for lo, hi in (alpha, beta))
    return a[:, None], b, np.multiply.outer(w, w) / 4


@lru_cache(maxsize=1024)
def student_nodes(df: float) -> tuple[Floats, Floats]:
    """Nodes and weights of kappa ~ Gamma(df/2, df/2).

    For small df, by the trapezoidal rule in log kappa. Its error is |Γ(df/2 + iω)|/Γ(df/2), ω = 2π/step:
    about exp(-ω²/df) for large df and exp(-πω/2) for small df; the step keeps both below 1e-6. The tails go
    down to e^-20 with the factor sqrt(kappa) that a normal density adds. For large df, kappa is close to one
    and a Gauss rule needs fewer nodes: its error is 1e-5 where the density has fallen to e^-12 of its peak.
    """
    half = df / 2
    if df > _MANY:
        k = np.arange(_GAUSS)
        side = np.sqrt(k[1:] * (k[1:] + half - 1))
        nodes, vectors = np.linalg.eigh(np.diag(2 * k + half) + np.diag(side, 1) + np.diag(side, -1))
        return nodes / half, vectors[0] ** 2  # Laguerre's recurrence (Golub & Welsch 1969)
    step = 2 * np.pi / (9 + np.sqrt(14 * df))
    low, high = -9 * np.sqrt(2 / df) - 40 / (df + 1), min(9 * np.sqrt(2 / df), 5.0)
    log_kappa = step * np.arange(np.floor(low / step), np.ceil(high / step) + 1)
    # expm1 keeps the digits of log kappa - kappa + 1 where df is large and kappa close to one.
    log_w = half * (log_kappa - np.expm1(log_kappa))
    kept = log_w + log_kappa / 2 > -20
    norm = half * (np.log(half) - 1) - gammaln(half)
    return np.exp(log_kappa[kept]), step * np.exp(log_w[kept] + norm)


def _lagrange(f: Floats) -> Floats:
    """Lagrange weights of the points 1 - order/2 ... order/2 for the value at f in [0, 1), one row per f."""
    return np.asarray(np.vander(f, _ORDER, increasing=True) @ _powers())


@cache
def _powers() -> Floats:
    """The matrix from powers of f to these weights, which are 1 at one point and 0 at the others."""
    points = np.arange(_ORDER) - (_ORDER // 2 - 1)
    return np.asarray(np.linalg.inv(np.vander(points, _ORDER, increasing=True)))


def _farthest(tasks: Tasks, nodes: Nodes) -> float:
    """The largest distance of a task from mu0."""
    return float(np.max(np.abs(nodes.mu[[0, -1], None] - [tasks.loc.min(), tasks.loc.max()])))


def _log_s(tasks: Tasks, nodes: Nodes) -> Floats:
    """Values of log s from below any Student's scale to where every normal is flat over all tasks."""
    farthest = _farthest(tasks, nodes)
    low, high = max(nodes.x[0] - LOW, np.log(tasks.scale.min()) - _POINT), nodes.x[-1]
    flat = max(np.log(20 * farthest), high + 3) if farthest > 0 else high + 3
    return np.arange(low, min(flat, high + 1.5 + 30 / nodes.nu[0]) + STEP, STEP)


def _parts(tasks: Tasks, block: int) -> Iterator[tuple[Tasks, Floats, Floats]]:
    """Blocks of tasks with the nodes of their kappa, sorted by df so that blocks need little padding."""
    ordered = tasks[np.argsort(tasks.df, kind="stable")]
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
    return _convolved(task, kappa[None, :], w[None, :], mu, np.exp(2 * log_s))


def _convolved(
    tasks: Tasks, kappa: Floats, w: Floats, mu: Floats, s2: Floats, *, pull: bool = False
) -> tuple[Floats, ...]:
    """G_i(mu0, s) as an array over (s, mu0, task); with `pull` also the same sum times v/(s² + v)."""
    minus_half_square = -0.5 * (tasks.loc - mu[:, None]) ** 2
    out = np.zeros((2 if pull else 1, s2.size, mu.size, tasks.loc.size))
    term = np.empty(out.shape[1:])
    for j in range(kappa.shape[1]):
        v = tasks.scale**2 / kappa[:, j]
        variance = s2[:, None, None] + v
        np.multiply(1 / variance, minus_half_square, out=term)
        np.exp(term, out=term)
        term *= w[:, j] / np.sqrt(2 * np.pi * variance)
        out[0] += term
        if pull:
            term *= v / variance
            out[1] += term
    return tuple(out)

"""The robust Bayesian t-test: differences with heavy tails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from ropewalk.cubic import spline
from ropewalk.errors import MethodError
from ropewalk.posterior import Grid, Point, Posterior
from ropewalk.posterior.base import Floats
from ropewalk.sums import tallied

_EXACT = 5_000  # more differences than this are binned
_FEW = 8  # up to this number of differences the nodes must resolve a cusp at each
_DROP = 40.0  # a log density this far below its peak no longer matters
_SETTLED = 1e-6  # refine until the distribution function moves by less than this anywhere


def robust_t(d: ArrayLike, *, counts: ArrayLike | None = None) -> Posterior:
    """Posterior of the center of differences that may have heavy tails.

    Parameters
    ----------
    d : array_like
        Advantage of A over B on each unit: the difference of their scores, positive where A is better.
    counts : array_like, optional
        Number of identical units that each row stands for; by default 1.

    Returns
    -------
    Posterior
        Posterior of the center of the differences.

    Notes
    -----
    Formula::

        d_j ~ Student(nu, Delta, sigma), flat in Delta and log sigma, nu - 1 ~ Gamma(2, 0.1). With
        c = log(sigma sqrt(nu)) the likelihood needs the data only through
        L(Delta, c) = Σ_j log(1 + (d_j - Delta)² e^(-2c)):
        log p(d | Delta, c, nu) = n log[Γ((nu+1)/2) / Γ(nu/2)] - n c - (nu+1)/2 · L + const,
        so nu integrates out as a function of the one number L, and what is left is a quadrature over two.

    Assumes
        independent differences, symmetric around Delta. Delta is the center, not the mean, when the
        differences are skewed.

    Not for
        0/1 outcomes (use `mcnemar`); data with more than half of the differences tied at one value, where
        the posterior piles up at sigma = 0; cross-validation folds, which are not independent.

    Nothing is sampled: nodes are added until the posterior stops changing. More than 5,000 differences are
    put into bins a hundredth of their spread wide, each with its mean and variance, which has a negligible
    effect on L. With `counts`, each difference counts that many times.

    References
    ----------
    .. [1] Kruschke 2013, doi:10.1037/a0029146.
    .. [2] The prior of nu follows Juárez & Steel 2010, doi:10.1198/jbes.2009.07145.

    Examples
    --------
    >>> d = [0.02, 0.01, 0.03, 0.025, 0.015, 0.022, 0.9]  # their mean is 0.146
    >>> float(robust_t(d).quantile(0.5))
    0.0207...
    """
    values, times = tallied(d, counts, at_least=3)
    n = int(times.sum())
    if values.size == 1:
        return Point(at=float(values[0]))
    if 2 * times.max() > n:
        raise MethodError(
            f"{times.max():,.0f} of {n:,} differences are exactly {values[np.argmax(times)]:g}",
            where=["With more than half of them tied, the robust t posterior concentrates at sigma = 0."],
            hint="For right/wrong outcomes use mcnemar; otherwise t, sign or signed_rank.",
        )
    centre = _median(values, times)
    spread = _median(np.abs(values - centre), times) or float(np.sqrt(times @ (values - centre) ** 2 / n))
    if spread**2 == 0:  # as in `Sums`, a spread whose square underflows counts as zero
        return Point(at=centre)
    data = _Data.of((values - centre) / spread, times)
    delta, log_density = _marginal_of_few(data) if n <= _FEW else _marginal(data)
    return Grid(centre + spread * delta, log_density, power_tails=n <= 3)


def _median(values: Floats, times: Floats) -> float:
    """The median of values with these multiplicities."""
    order = np.argsort(values)
    upto = np.cumsum(times[order])
    low, high = (order[np.searchsorted(upto, upto[-1] / 2, side=side)] for side in ("left", "right"))
    return float(values[low] + values[high]) / 2


@dataclass(frozen=True, slots=True)
class _Data:
    """Distinct values (or bins): location, count, and Σ(x - mean)² within each."""

    n: int
    x: Floats
    count: Floats
    m2: Floats

    @classmethod
    def of(cls, values: Floats, counts: ArrayLike) -> _Data:
        count = np.asarray(counts, dtype=np.float64)
        n = int(count.sum())
        if n <= _EXACT:
            return cls(n=n, x=values, count=count, m2=np.zeros(values.size))
        # Bins are 0.01 wide in the middle and 1% of the distance in the tails.
        _, start = np.unique(np.floor(np.arcsinh(values) / 0.01), return_index=True)
        total = np.add.reduceat(count, start)
        mean = np.add.reduceat(count * values, start) / total
        bins = np.repeat(np.arange(start.size), np.diff(np.append(start, values.size)))
        m2 = np.add.reduceat(count * (values - mean[bins]) ** 2, start)
        return cls(n=n, x=mean, count=total, m2=m2)

    def big_l(self, delta: float, c: Floats) -> Floats:
        """L(Delta, c) for one Delta and many c, to second order around the mean of each bin."""
        shrink = np.exp(-2 * c)
        u2 = np.multiply.outer(shrink, (self.x - delta) ** 2)
        out = np.log1p(u2) @ self.count
        if self.m2.any():
            out += shrink * (((1 - u2) / (1 + u2) ** 2) @ self.m2)
        return np.asarray(out)


def _log_gamma_ratio(nu: Floats) -> Floats:
    """log Γ((nu+1)/2) - log Γ(nu/2), by its series where the two terms would cancel."""
    x = nu / 2
    with np.errstate(over="ignore"):
        series = 0.5 * np.log(x) - 1 / (8 * x) + 1 / (192 * x**3) - 1 / (640 * x**5)
    small = np.minimum(x, 50.0)
    return np.asarray(np.where(x > 50, series, gammaln(small + 0.5) - gammaln(small)))


def _log_nu(n: int, b: Floats, big_l: Floats) -> Floats:
    """The terms in nu = 1 + e^b: prior times Jacobian (nu-1)² e^(-0.1 (nu-1)), and the likelihood."""
    gap = np.exp(b)
    return np.asarray(2 * b - 0.1 * gap + n * _log_gamma_ratio(1 + gap) - (1 + gap / 2) * big_l)


_B = np.linspace(-14.0, 16.0, 1501)


def _without_nu(n: int, big_l: Floats) -> Floats:
    """G(L); many values come from a spline in log L through 600 exact ones."""
    if big_l.size <= 1_200:
        return _integrate_nu(n, big_l.ravel()).reshape(big_l.shape)
    log_l = np.log(big_l)
    knots = np.linspace(log_l.min(), log_l.max(), 600)
    return spline(knots, _integrate_nu(n, np.exp(knots)))(log_l)


def _integrate_nu(n: int, big_l: Floats) -> Floats:
    """G(L) = log ∫ p(nu) exp(n A(nu) - (nu+1)/2 L) dnu, by the trapezoidal rule in b = log(nu - 1)."""
    g = _log_nu(n, _B, np.zeros(1)) - np.multiply.outer(big_l, 1 + np.exp(_B) / 2)
    top = g.max(axis=1)
    out = top + np.log(np.exp(g - top[:, None]).sum(axis=1) * (_B[1] - _B[0]))
    # Given L and c, b is known to about sqrt(2/n): if that is finer than the grid, refine the grid.
    b = _B[g.argmax(axis=1)]
    sharp = np.sqrt(2 / n) * (1 + np.exp(-b)) < 0.1
    if np.any(sharp):
        out[sharp] = _sharp_nu(n, b[sharp], big_l[sharp])
    return np.asarray(out)


def _sharp_nu(n: int, b: Floats, big_l: Floats) -> Floats:
    """The same integral for a sharp peak: Newton's method, then twelve standard deviations each way."""
    step = 1e-3
    for _ in range(8):
        low, mid, high = (_log_nu(n, b + k * step, big_l) for k in (-1, 0, 1))
        bend = np.minimum((high - 2 * mid + low) / step**2, -1e-9)
        b = b - np.clip((high - low) / (2 * step) / bend, -0.5, 0.5)
    sd = 1 / np.sqrt(-bend)
    z = np.linspace(-12.0, 12.0, 121)
    g = _log_nu(n, b[:, None] + sd[:, None] * z, big_l[:, None])
    top = g.max(axis=1)
    return np.asarray(top + np.log(np.exp(g - top[:, None]).sum(axis=1) * sd * (z[1] - z[0])))


def _log_joint(data: _Data, delta: Floats, c: Floats) -> Floats:
    """log p(Delta_i, c_ij | d) up to a constant; c has one row for each Delta."""
    big_l = np.stack([data.big_l(float(x), row) for x, row in zip(delta, c, strict=True)])
    return -data.n * c + _without_nu(data.n, big_l)


def _marginal_of_few(data: _Data) -> tuple[Floats, Floats]:
    """`_marginal` for a few differences: nodes are dense around each of them, with one wide grid of c.

    Near a difference the density behaves like a power of the distance, so the nodes are spaced geometrically.
    c runs from far below the smallest gap to far above the farthest node; both tails fall at least as e^-|c|.
    """
    gaps = np.diff(data.x)
    span = float(data.x[-1] - data.x[0])
    steps = np.geomspace(1e-7 * gaps.min(), 1e7 * span, 200)
    nodes = np.unique(np.concatenate([data.x, *(data.x[:, None] + steps).T, *(data.x[:, None] - steps).T]))
    near = np.abs(nodes[:, None] - data.x).min(axis=1)
    kept = [0]
    for i in range(1, nodes.size):  # nodes of neighboring differences may nearly coincide
        if near[i] == 0 or nodes[i] - nodes[kept[-1]] > 0.04 * max(near[i], near[kept[-1]]):
            kept.append(i)
    delta = nodes[kept]
    c = np.arange(np.log(gaps.min()) - 20.0, np.log(span) + 16.1 + 9.0, 0.08)
    f = _log_joint(data, delta, np.tile(c, (delta.size, 1)))
    top = f.max(axis=1)
    log_density = top + np.log(np.exp(f - top[:, None]).sum(axis=1))
    if (moved := _moved(delta, log_density)) > 1e-3:  # with half the nodes; the full error is smaller
        raise MethodError(f"the quadrature of the robust t did not converge: it still changes by {moved:.1e}")
    return delta, np.asarray(log_density)


def _marginal(data: _Data) -> tuple[Floats, Floats]:
    """Nodes of Delta and the log of its marginal density at them."""
    at, c_at = _mode(data)
    width = _width(lambda step: float(_log_joint(data, np.array([at + step]), np.array([[c_at]]))[0, 0]))

    def centre_of_c(delta: Floats) -> Floats:
        # Far from the data every squared distance is about Delta², and c follows log |Delta|.
        return np.asarray(c_at + 0.5 * np.log1p((delta - at) ** 2 * np.exp(-2 * c_at)))

    def rows(v: Floats, w: Floats) -> Floats:
        delta = at + width * np.sinh(v)
        return _log_joint(data, delta, centre_of_c(delta)[:, None] + w)

    def log_marginal(v: Floats, w: Floats) -> Floats:
        f = rows(v, w)
        top = f.max(axis=1)
        return np.asarray(top + np.log(np.exp(f - top[:, None]).sum(axis=1) * (w[1] - w[0])))

    w = _reach(rows, np.array([-1.0, 0.0, 1.0]), np.array([-0.01, 0.01]))
    v = _delta_reach(lambda v: log_marginal(v, w) + np.log(np.cosh(v)))
    w = _reach(rows, v[::4], w)
    now = log_marginal(v, w)
    for _ in range(6):
        v = np.linspace(v[0], v[-1], 2 * v.size - 1)
        finer = np.empty(v.size)
        finer[::2], finer[1::2] = now, log_marginal(v[1::2], w)
        moved = _moved(at + width * np.sinh(v), finer)
        now = finer
        if moved < _SETTLED:
            break
    else:
        raise MethodError(
            "the quadrature of the robust t did not converge",
            where=[f"the posterior still moves by {moved:.1e} after six refinements"],
            hint="This happens if nearly half of the differences are tied: use t, sign or "
            "signed_rank instead.",
        )
    delta = at + width * np.sinh(v)
    _one_cluster(data, delta, centre_of_c(delta), w)
    return delta, now


def _one_cluster(data: _Data, delta: Floats, centre_of_c: Floats, w: Floats) -> None:
    """Reject data that fall into clusters: a narrow second peak could fall between the nodes.

    The joint density is evaluated at the data for every c; a peak that matters must lie within the nodes of
    c, and must not be narrower than the spacing of the nodes of Delta.
    """
    upto = np.cumsum(data.count)
    starts = np.unique(data.x[np.searchsorted(upto, np.linspace(0, 1, 41) * upto[-1] * (1 - 1e-12))])
    c = np.tile(np.linspace(centre_of_c.min() - 12.0, centre_of_c.max() + 2.0, 121), (starts.size, 1))
    joint = _log_joint(data, starts, c)
    best = joint.argmax(axis=1)
    top, c_top = joint.max(axis=1), c[0, best]
    k = np.clip(np.searchsorted(delta, starts), 1, delta.size - 1)
    spacing = delta[k] - delta[k - 1]
    offset = c_top - np.interp(starts, delta, centre_of_c)
    unseen = (offset < w[0]) | (spacing > np.exp(c_top))
    if np.any(unseen & (top > joint.max() - 12.0)):
        raise MethodError(
            "the differences form clusters, but the robust t assumes a single center",
            hint="Use t (for the mean) or signed_rank; or find out what distinguishes the clusters.",
        )


def _moved(x: Floats, log_f: Floats) -> float:
    """The largest difference between the distribution functions from every second node and from all nodes."""
    return float(np.max(np.abs(Grid(x[::2], log_f[::2]).cdf(x) - Grid(x, log_f).cdf(x))))


def _mode(data: _Data) -> tuple[float, float]:
    """The peak in (Delta, c), from the best of a few starts."""
    from scipy.optimize import minimize

    mean = float(data.count @ data.x / data.n)
    far = np.log(np.abs(data.x - mean).max() + 1.0)
    starts = np.array([0.0, mean])
    c = np.tile(np.linspace(-6.0, far + 4.0, 61), (2, 1))
    joint = _log_joint(data, starts, c)
    i, j = np.unravel_index(int(np.argmax(joint)), joint.shape)

    def loss(theta: Floats) -> float:
        return -float(_log_joint(data, theta[:1], theta[None, 1:])[0, 0])

    step = 1 / np.sqrt(data.n)
    start = np.array([starts[i], c[i, j]])
    simplex = start + step * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    found = minimize(
        loss,
        start,
        method="Nelder-Mead",
        options={"initial_simplex": simplex, "xatol": 1e-3 * step, "fatol": 1e-4},
    )
    return float(found.x[0]), float(found.x[1])


def _width(at_step: Callable[[float], float]) -> float:
    """The distance from the peak at which the log density has dropped by about one half."""
    top = at_step(0.0)
    step = 1.0
    for _ in range(60):
        drop = top - 0.5 * (at_step(step) + at_step(-step))
        if 0.1 < drop < 2.0:
            break
        step *= 0.5 if drop >= 2.0 else 2.0
    return step


def _reach(rows: Callable[[Floats, Floats], Floats], v: Floats, start: Floats) -> Floats:
    """Offsets of c that cover each row's peak down to negligible density."""
    low, high = start[0], start[-1]
    for _ in range(60):
        w = np.linspace(low, high, 65)
        f = rows(v, w)
        f = f - f.max()  # rows far out in Delta matter less, and so do their tails
        reach = np.flatnonzero((f > -_DROP).any(axis=0))
        first, last = reach[0], reach[-1]
        step = w[1] - w[0]
        if first > 1 and last < 63 and last - first >= 24:
            return np.linspace(w[first - 1], w[last + 1], 49)
        low = low - (high - low) if first <= 1 else w[first] - 2 * step
        high = high + (high - low) if last >= 63 else w[last] + 2 * step
    raise AssertionError("no end of the posterior of c was found")


def _delta_reach(log_density: Callable[[Floats], Floats]) -> Floats:
    """Nodes v that cover the posterior of Delta = at + width sinh(v) down to negligible density."""
    v = np.arange(-16.0, 16.01, 0.5)
    f = log_density(v)
    reach = np.flatnonzero(f > f.max() - _DROP)
    low, high = v[max(reach[0] - 1, 0)], v[min(reach[-1] + 1, v.size - 1)]
    return np.linspace(low, high, 65)

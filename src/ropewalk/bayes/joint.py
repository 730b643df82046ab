"""The joint posterior of many models on one task."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.bayes.correlations import correlations
from ropewalk.bayes.cross_sums import CrossSums, as_cross_sums, check_draws, distinct
from ropewalk.errors import MethodError, OptionError
from ropewalk.posterior.base import Floats
from ropewalk.posterior.joint import JointPosterior

_UNITS_PER_MODEL = 5  # k models have k(k+1)/2 covariances: then 10 numbers or so for each of them
_ROUNDING = 1e-13  # eigenvalues and sums of squares this small beside the largest are rounding
_NODES = 2001
_DROP = 35.0  # where the log density has fallen so far, nothing is left of it


def joint(
    z: ArrayLike | CrossSums,
    *,
    rho: float = 0.0,
    pooling: Literal["auto"] | bool = "auto",
    draws: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> JointPosterior:
    """Joint posterior of the means of many models on the same units: which is best, and by how much.

    Formula
        z_u ~ N(mu, Sigma) for the scores of unit u. With c = 1/n + rho/(1 - rho) and S = Σ(z - m)(z - m)':
        unstructured, prior |Sigma|^-k: mu | z ~ multivariate Student(n - 1, m, c S/(n - 1)), in which every
        difference of two models has exactly the posterior of `t`; pooled, z_uj = mu + alpha_j + beta_u +
        e_uj, alpha_j ~ N(0, tau²), e_uj ~ N(0, sigma²), prior 1/(sigma² (sigma² + tau²/c)): given the two
        variances alpha is normal around (1 - r)(m_j - m), r = c sigma²/(c sigma² + tau²); both are
        integrated out.
    Assumes
        normal scores, all models on the same units, higher is better; units independent, or with correlation
        rho (1/k for k-fold). Pooled: besides, models drawn from one normal population, and differences of
        any two models that vary alike.
    Not for
        many tasks (use `joint_tasks`), units that come in clusters (average within the clusters first);
        pooled, for models that are near copies of each other beside models that are not.
    Reference
        Geisser & Cornfield 1963, Posterior Distributions for Multivariate Normal Parameters, JRSS B 25,
        368-376, for the multivariate Student; Box & Tiao 1973, Bayesian Inference in Statistical Analysis,
        ch. 5 and 7, doi:10.1002/9781118033197, for the prior of the two variances and the pooled means.

    `z` is units x models, or `CrossSums`. "auto" is unstructured for two models and for n >= 5 k: with fewer
    units there are less than about ten numbers for each of the k(k+1)/2 covariances, and the best of many
    noisy means looks better than it is unless the means are pulled together. With the prior of Jeffreys,
    |Sigma|^-(k+1)/2, a difference would have n - k degrees of freedom, and adding a model would change what
    is known of two others. Models that answer alike share their draws, and so tie.

    >>> z = [[0.9, 0.7, 0.8], [0.8, 0.7, 0.6], [0.9, 0.6, 0.9], [0.7, 0.5, 0.6], [0.9, 0.8, 0.8]]
    >>> fitted = joint(z)
    >>> fitted.model, fitted.p_best.round(1)
    ('pooled', array([0.9, 0. , 0.1]))
    """
    sums = as_cross_sums(z)
    correlations(rho, 1)
    check_draws(draws)
    order, place = distinct([sums])
    apart = sums.only(order)
    n, k = apart.n, order.size
    pooled, why = choose(pooling, n, k, "unit")
    if not pooled and n < k:
        raise MethodError(
            f"an unstructured covariance of {k} models needs at least {k} units, and there are {n}",
            hint='Leave pooling="auto".',
        )
    c = 1 / n + rho / (1 - rho)
    random = np.random.default_rng(rng)
    method = _pooled if pooled else _unstructured
    mu, mean = method(apart, c, draws, random)
    return JointPosterior.of(
        mu[:, place], mean=mean[place], model="pooled" if pooled else "unstructured", why=why
    )


def choose(pooling: Literal["auto"] | bool, n: int, k: int, unit: str) -> tuple[bool, str]:
    """Whether the k models are pooled, from n units or tasks, and why."""
    if pooling not in ("auto", True, False):
        raise OptionError(f"pooling is {pooling!r}", hint='Give "auto", True or False.')
    if pooling != "auto":
        return bool(pooling), f"pooling={bool(pooling)} was asked for"
    if k <= 2:
        return False, "two models: there is nothing to pool" if k == 2 else "all models are the same"
    if n >= _UNITS_PER_MODEL * k:
        return False, f"{n:,} {unit}s are enough for {k} models to stand on their own"
    return True, f"{n:,} {unit}s are few for {k} models: their means are pulled together"


def _unstructured(s: CrossSums, c: float, draws: int, random: np.random.Generator) -> tuple[Floats, Floats]:
    """m + sqrt(c S/(n - 1)) x / sqrt(chi²/(n - 1)), x standard normal and chi² the same for all models."""
    # The symmetric root: rounding that turns an eigenvector around does not change it.
    value, vector = np.linalg.eigh(s.m2)
    value = np.where(value > _ROUNDING * value[-1], value, 0.0)
    root = (vector * np.sqrt(c * value)) @ vector.T
    x = random.standard_normal((draws, s.mean.size)) @ root
    x /= np.sqrt(random.chisquare(s.n - 1, size=(draws, 1)))
    return x + s.mean, s.mean


def _pooled(s: CrossSums, c: float, draws: int, random: np.random.Generator) -> tuple[Floats, Floats]:
    """m + level + (1 - r)(m_j - m) + sqrt(c sigma² (1 - r)) x, x standard normal and centred."""
    n, k = s.n, s.mean.size
    total = float(np.trace(s.m2))
    common = max(float(s.m2.sum()), 0.0) / k  # k times the sum of squares of the units' means
    within = total - common if total - common > _ROUNDING * total else 0.0
    level = s.mean.mean()
    gap = s.mean - level
    between = float(gap @ gap) / c
    r = _shrinkage(within, between, n, k, draws, random)
    # sigma² | r, z ~ (within + r between)/chi² with n(k - 1) degrees of freedom.
    sigma2 = (within + r * between) / random.chisquare(n * (k - 1), size=draws) if k > 1 else 0.0 * r
    x = random.standard_normal((draws, k))
    x -= x.mean(axis=1, keepdims=True)
    x *= np.sqrt(c * sigma2 * (1 - r))[:, None]
    x += (1 - r)[:, None] * gap
    # The level of all models is known from the units' means alone, as in `t`.
    x += level + np.sqrt(c * common / k / (n - 1)) * random.standard_t(n - 1, size=(draws, 1))
    return x, level + (1 - r.mean()) * gap


def _shrinkage(
    within: float, between: float, n: int, k: int, draws: int, random: np.random.Generator
) -> Floats:
    """Draws of r in (0, 1]: p(r | z) ∝ r^((k-1)/2 - 1) (within + r between)^(-n(k-1)/2), by its log."""
    u = random.random(draws)
    if within == 0:  # nothing is left to chance
        return np.zeros(draws)
    a, b = (k - 1) / 2, n * (k - 1) / 2
    # In x = log r the density is log-concave, with its mode where r between/(within + r between) = a/b.
    ratio = between / within
    mode = -np.log(max((n - 1) * ratio, 1.0))

    def log_density(x: Floats) -> Floats:
        return np.asarray(a * x - b * np.log1p(np.exp(x) * ratio))

    # Below the mode log_density falls with a slope of at most a, reached where r between is small.
    x = np.linspace(mode - _DROP / a - 5.0, 0.0, _NODES)
    for _ in range(60):
        f = log_density(x)
        kept = np.flatnonzero(f > f.max() - _DROP)
        low, high = max(kept[0] - 1, 0), min(kept[-1] + 1, x.size - 1)
        if high - low > x.size // 3:
            break
        x = np.linspace(x[low], x[high], _NODES)
    p = np.exp(f - f.max())
    below = np.concatenate([[0.0], np.cumsum(0.5 * (p[1:] + p[:-1]))])
    return np.asarray(np.exp(np.interp(u * below[-1], below, x)))

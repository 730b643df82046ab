"""The joint posterior of many models on one task."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.bayes.correlations import correlations
from ropewalk.bayes.cross_sums import CrossSums, as_cross_sums, distinct, own_pairs
from ropewalk.bayes.model_population import Population
from ropewalk.bayes.prior import check_draws
from ropewalk.errors import MethodError, OptionError
from ropewalk.posterior.base import Floats
from ropewalk.posterior.draw_order import Order
from ropewalk.posterior.joint import JointPosterior
from ropewalk.posterior.own_draws import OwnDraws

_UNITS_PER_MODEL = 5  # k models have k(k+1)/2 covariances: this gives about 10 numbers for each
_ROUNDING = 1e-13  # eigenvalues and sums of squares this small relative to the largest are rounding


def joint(
    z: ArrayLike | CrossSums,
    *,
    rho: float = 0.0,
    pooling: Literal["auto"] | bool = "auto",
    draws: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> JointPosterior:
    """Joint posterior of the means of many models on the same units: which is best, and by how much.

    Parameters
    ----------
    z : array_like or CrossSums, units x models
        One score per unit and model; higher is better.
    rho : float, default 0.0
        Correlation between any two units: 0 for independent ones, 1/k for (repeated) k-fold cross-validation.
    pooling : "auto" or bool, default "auto"
        Whether the models are treated as drawn from one population. "auto" does so for three or more models.
    draws : int, default 10000
        Number of draws.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator.

    Returns
    -------
    JointPosterior
        Joint draws of the models' means, with `p_best`, ranks and every pair.

    Notes
    -----
    Formula::

        z_u ~ N(mu, Sigma) for the scores of unit u. With c = 1/n + rho/(1 - rho) and S = Σ(z - m)(z - m)':
        every pair on its own, prior |Sigma|^-k: mu | z ~ multivariate Student(n - 1, m, c S/(n - 1)), in
        which every difference of two models has exactly the posterior of `t`, whatever else is compared
        (`own`, `alone`). All together (the draws, P(best), ranks): mu | g, Sigma ~ N(level, g Sigma) on the
        contrasts, models from one population whose spread is unknown: given r = c/(c + g) differences are
        normal around (1 - r)(m_i - m_j); r, which is 1 with the prior probability 1/2 (all models equal),
        Sigma, and whether one model stands apart are integrated out. For P(best) and ranks the draws are
        weighted as if all models were equal with the prior probability 4/5, all but one with 1/10.
        With fewer than 5 units per model, Sigma is inverse Wishart around the models' own variances, worth an
        unknown number of units.

    Assumes
        normal scores, all models on the same units, higher is better; units independent, or with correlation
        rho (1/k for k-fold). With pooling also: models drawn from one population, except for one that may
        stand apart, whose abilities have the same correlations as their scores.

    Not for
        many tasks (use `joint_tasks`), units that come in clusters (average within the clusters first).

    Why pooling: the best of many noisy means looks better than it is, unless the means are shrunk towards
    each other; `pulled` says by how much. If all models are equal, P(best) of the leader is then within 0.03
    of how often the leader is the best. If they differ by about a standard error, it is too low rather than
    too high. With ``pooling=False``, the draws are those of `own`.

    Why this prior: under Jeffreys' prior, ``|Sigma|^-(k+1)/2``, a difference would have n - k degrees of
    freedom, and adding a model would change what is known about two others.

    Models with identical scores share their draws, so they tie.

    References
    ----------
    .. [1] Geisser & Cornfield 1963, Posterior Distributions for Multivariate Normal Parameters, JRSS B
       25, 368-376, for the multivariate Student.
    .. [2] Zellner 1986, On Assessing Prior Distributions and Bayesian Regression Analysis with g-Prior
       Distributions, for abilities that vary as the errors do.
    .. [3] Dawid 1981, doi:10.1093/biomet/68.1.265, for the inverse Wishart.
    .. [4] Strawderman 1971, doi:10.1214/aoms/1177693528, for r.

    Examples
    --------
    >>> z = [[0.9, 0.7, 0.8], [0.8, 0.7, 0.6], [0.9, 0.6, 0.9], [0.7, 0.5, 0.6], [0.9, 0.8, 0.8]]
    >>> fitted = joint(z)
    >>> fitted.model, fitted.p_best.round(2), round(float(fitted.alone(0, 1).sf(0.0)), 3)
    ('pooled', array([0.74, 0.12, 0.13]), 0.996)
    """
    sums = as_cross_sums(z)
    correlations(rho, 1)
    check_draws(draws)
    order, place = distinct([sums])
    c = 1 / sums.n + rho / (1 - rho)
    apart = sums.only(order)
    how = choose(pooling, apart.n, order.size, "unit")
    fitted = fit(apart, c, how, draws, np.random.default_rng(rng))
    return JointPosterior.of(
        fitted.draws[:, place],
        mean=fitted.mean[place],
        model="pooled" if how.pooled else "unstructured",
        why=how.why(fitted.pulled),
        pulled=fitted.pulled,
        own=own_pairs(sums, c),
        order=fitted.order,
    )


def pulled_together(
    apart: JointPosterior, sums: CrossSums, *, draws: int = 10_000, rng: int | np.random.Generator = 0
) -> JointPosterior:
    """Shrink models with separate posteriors as if they were drawn from one population, with `joint`.

    `sums` describe the same number of units, with the models' means and the covariance of the draws of
    `apart`. Each single pair stays as it is in `apart`. Two models are not treated as a population.
    """
    if apart.n_models < 3:
        return apart
    found = joint(sums, draws=draws, rng=rng)
    own = OwnDraws(draws=apart.draws, mean=apart.mean)
    size = min(found.effective_size, apart.effective_size)
    why = f"{apart.why}; {found.why}"
    return replace(found, model=f"{apart.model}, pooled", why=why, own=own, effective_size=size)


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """Whether the models are treated as drawn from one population, and whether their covariance is free."""

    pooled: bool
    unstructured: bool
    because: str

    def why(self, pulled: float) -> str:
        """The reason for the choice, and its effect on the differences."""
        if not self.pooled:
            return self.because
        return f"{self.because}; differences are shrunk by {pulled:.0%}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fitted:
    """The draws (draws x distinct models), their weights for claims about order, the models' means, and the
    share by which differences shrink.
    """

    draws: Floats
    order: Order | None = None
    mean: Floats
    pulled: float


def choose(pooling: Literal["auto"] | bool, n: int, k: int, unit: str) -> How:
    """Choose how k models are treated, given n units or tasks, with the reason."""
    if pooling not in ("auto", True, False):
        raise OptionError(f"pooling is {pooling!r}", hint='Give "auto", True or False.')
    if k == 1 or (k == 2 and pooling == "auto"):
        because = "two models, nothing to pool" if k == 2 else "all models are identical"
        return How(pooled=False, unstructured=True, because=because)
    enough = n >= _UNITS_PER_MODEL * k
    if pooling is False:
        if n < k:
            raise MethodError(
                f"an unstructured covariance of {k} models needs at least {k} {unit}s, but there are {n}",
                hint='Use pooling="auto".',
            )
        return How(pooled=False, unstructured=True, because="pooling=False was set")
    because = (
        f"{n:,} {unit}s are enough for a full covariance of {k} models"
        if enough
        else f"{n:,} {unit}s are few for {k} models, so their covariances are pooled"
    )
    return How(pooled=True, unstructured=enough, because=because)


def fit(s: CrossSums, c: float, how: How, draws: int, random: np.random.Generator) -> Fitted:
    """The joint draws of distinct models; c is the variance of a mean divided by that of a score."""
    if not how.pooled:
        return Fitted(draws=_unstructured(s, c, draws, random), mean=s.mean, pulled=0.0)
    k = s.mean.size
    found = Population.of(s, c, unstructured=how.unstructured).sample(draws, random)
    # The level of all models is known from the units' means alone, as in `t`.
    shared = max(float(s.m2.sum()), 0.0) / k**2
    level = s.mean.mean() + np.sqrt(c * shared / (s.n - 1)) * random.standard_t(s.n - 1, size=(draws, 1))
    return Fitted(
        draws=found.draws + level, order=found.order, mean=found.mean + s.mean.mean(), pulled=found.share
    )


def _unstructured(s: CrossSums, c: float, draws: int, random: np.random.Generator) -> Floats:
    """m + sqrt(c S/(n - 1)) x / sqrt(chi²/(n - 1)), x standard normal and chi² the same for all models."""
    # The symmetric root does not change if rounding flips the sign of an eigenvector.
    value, vector = np.linalg.eigh(s.m2)
    value = np.where(value > _ROUNDING * value[-1], value, 0.0)
    root = (vector * np.sqrt(c * value)) @ vector.T
    x = random.standard_normal((draws, s.mean.size)) @ root
    x /= np.sqrt(random.chisquare(s.n - 1, size=(draws, 1)))
    return np.asarray(x + s.mean)

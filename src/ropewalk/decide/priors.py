"""The same data under other priors: from the posterior that was computed, without fitting again.

A sceptical prior is worth a tenth of the data, all of it at no difference: it moves an estimate one eleventh
of the way there (Spiegelhalter, Freedman & Parmar 1994, doi:10.2307/2983527). Where it has no conjugate form
it is a Cauchy (Rouder et al. 2009, doi:10.3758/PBR.16.2.225) with the curvature of that prior at no
difference: the tails of a normal would win over those of a posterior from few units, however clear the data.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, TypeVar

import numpy as np
from scipy.special import betaincc

from ropewalk.bayes.beta_population import BetaPopulation
from ropewalk.bayes.hierarchical_accuracy import HierarchicalAccuracy
from ropewalk.bayes.hierarchical_mcnemar import HierarchicalMcNemar
from ropewalk.bayes.hierarchical_t import HierarchicalT
from ropewalk.bayes.hierarchical_t_range import reweighted
from ropewalk.bayes.nu_priors import Bounds
from ropewalk.bayes.quadrature import NODES, leggauss
from ropewalk.decide.rope import Rope
from ropewalk.posterior import Draws, Posterior, Probabilities, Student
from ropewalk.posterior.base import Floats

WORTH = 0.1  # weight of a sceptical prior relative to the data
_QUARTILES = 1.3489795003921634  # distance between the quartiles of a standard normal distribution
_REACH = np.linspace(-6.0, 6.0, 81)  # asinh of the distance: 200 standard deviations each way

Counts: TypeAlias = tuple[float, float, float, float]


def sceptical_counts(n00: int, n01: int, n10: int, n11: int) -> Counts:
    """A uniform prior plus a tenth as many examples, with the same rate of disagreement, split evenly."""
    split = WORTH * (n01 + n10) / 2
    return 1 + WORTH * n00, 1 + split, 1 + split, 1 + WORTH * n11


def sceptical_student(posterior: Student) -> Student:
    """The conjugate prior mu | s² ~ N(0, s² v/g), g = 1/10, with s² v the variance of the mean.

    With nu degrees of freedom, location m and scale c the posterior under a flat prior becomes Student with
    nu + 1, m/(1+g) and c'² = (nu c² + m² g/(1+g)) / ((nu+1)(1+g)) (Gelman et al. 2013, sec. 3.3).

    >>> sceptical_student(Student(df=10, loc=1.1, scale=0.5)).loc
    1.0...
    """
    g, df, m = WORTH, posterior.df, posterior.loc
    square = (df * posterior.scale**2 + m**2 * g / (1 + g)) / ((df + 1) * (1 + g))
    return Student(df=df + 1, loc=m / (1 + g), scale=float(np.sqrt(square)))


def flat_in_sd(posterior: Student) -> Student | None:
    """The posterior with a prior flat in the sd instead of its log: one degree of freedom less, same M2.

    None if no degree of freedom would be left. Gelman 2006, doi:10.1214/06-BA117A.
    """
    df = posterior.df
    if df <= 1:
        return None
    return Student(df=df - 1, loc=posterior.loc, scale=posterior.scale * float(np.sqrt(df / (df - 1))))


def sceptical_draws(draws: Draws, units: int, rope: Rope) -> Probabilities:
    """A Dirichlet process centered on zero difference, with a weight of a tenth of the units.

    Without that weight it is the Bayesian bootstrap (Ferguson 1973, doi:10.1214/aos/1176342360). The
    weight of the data is W ~ Beta(n, n/10), and a mean advantage x becomes W x: for each draw
    Pr(W x > high) = Pr(W > high/x), x > high >= 0. A metric that is not a mean is assumed to shrink like one.
    """

    def beyond(edge: float, x: Floats) -> float:
        ahead = x > edge
        return float(draws.weights[ahead] @ betaincc(units, WORTH * units, edge / x[ahead]))

    better, worse = beyond(rope.high, draws.x), beyond(-rope.low, -draws.x)
    return Probabilities(better=better, equivalent=max(1 - better - worse, 0.0), worse=worse)


def sceptical(posterior: Posterior, rope: Rope) -> Probabilities:
    """A posterior under a flat prior, multiplied by a Cauchy prior centered at zero difference.

    The Cauchy's curvature at zero is a tenth of that of a normal distribution with the posterior's quartiles.
    The product is integrated on panels that widen away from the median and are cut at the edges of the ROPE.
    """
    low, centre, high = (float(q) for q in posterior.quantile([0.25, 0.5, 0.75]))
    unit = (high - low) / _QUARTILES
    at = centre + unit * np.sinh(_REACH)
    ends = np.unique(np.concatenate([at, np.clip([rope.low, rope.high], at[0], at[-1])]))
    node, weight = leggauss(12)
    middle, half = 0.5 * (ends[1:] + ends[:-1]), 0.5 * np.diff(ends)[:, None]
    x = middle[:, None] + half * node
    with np.errstate(divide="ignore"):
        log_density = np.log(posterior.pdf(x)) + _log_cauchy(x, unit)
    mass = (np.exp(log_density - log_density.max()) * half * weight).sum(axis=1)
    above, below = (float(mass[side].sum() / mass.sum()) for side in (middle > rope.high, middle < rope.low))
    return Probabilities(better=above, equivalent=max(1 - above - below, 0.0), worse=below)


def with_tails(fitted: HierarchicalT, bounds: Bounds) -> HierarchicalT:
    """The hierarchical t-test with another prior of nu, which controls the tails of the tasks."""
    return reweighted(fitted, bounds)


def sceptical_mean(fitted: HierarchicalT) -> HierarchicalT:
    """The hierarchical t-test with a Cauchy prior of mu0 centered at zero, as in `sceptical`."""
    surface = fitted.surface
    mu = surface.nodes.mu
    prior = _log_cauchy(mu, _unit(mu, surface.weights.sum(axis=(0, 1))))
    return replace(fitted, surface=replace(surface, log_density=surface.log_density + prior))


Population = TypeVar("Population", bound=BetaPopulation)


def with_sizes(fitted: HierarchicalMcNemar) -> HierarchicalMcNemar:
    """The hierarchical McNemar test with a proper prior on the similarity of the tasks."""
    return _proper(fitted)


def sceptical_phi(fitted: HierarchicalMcNemar) -> HierarchicalMcNemar:
    """The hierarchical McNemar test with a Cauchy prior of logit(a/(a+b)) around phi = 1/2."""
    return _around_half(fitted)


def with_proper_rates(fitted: HierarchicalAccuracy) -> HierarchicalAccuracy:
    """The hierarchical accuracy test with proper priors on the similarity of the tasks."""
    return replace(fitted, rate=_proper(fitted.rate), share=_proper(fitted.share))


def sceptical_direction(fitted: HierarchicalAccuracy) -> HierarchicalAccuracy:
    """The hierarchical accuracy test with a Cauchy prior of logit(c/(c+d)) around phi = 1/2."""
    return replace(fitted, share=_around_half(fitted.share))


def _proper(found: Population) -> Population:
    """A population of rates with a proper prior on the similarity of the tasks.

    p(K) ∝ (1 + K)^-2, K = a + b, instead of K^(-3/2), which (a + b)^(-5/2) implies; the mean a/(a+b)
    stays uniform (Albert 2009, Bayesian Computation with R, sec. 5.4).
    """
    if found.proper:
        return found
    ratio = 1.5 * found.y.nodes - 2 * np.log1p(np.exp(found.y.nodes))
    return replace(found, values=found.values + ratio[:, None], proper=True)


def _around_half(found: Population) -> Population:
    """A population of rates whose mean has a Cauchy prior around 1/2 on the logit."""
    weights = found.y.points(NODES)[1] @ np.exp(found.values) * found.x.points(NODES)[1]
    x = found.x.nodes
    return replace(found, values=found.values + _log_cauchy(x, _unit(x, weights)))


def _log_cauchy(x: Floats, unit: float) -> Floats:
    """log of a Cauchy density, 0 at its peak; its curvature there is that of N(0, unit²/WORTH)."""
    return np.asarray(-np.log1p(0.5 * WORTH * (x / unit) ** 2))


def _unit(x: Floats, weights: Floats) -> float:
    """The standard deviation of a normal distribution with the quartiles of nodes x with these weights."""
    low, high = np.interp([0.25, 0.75], np.cumsum(weights) / weights.sum(), x)
    return float(high - low) / _QUARTILES

"""Posterior predictive checks of the hierarchical models: could the model have produced data like these?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ropewalk.bayes.beta_population import BetaPopulation
from ropewalk.bayes.hierarchical_accuracy import HierarchicalAccuracy
from ropewalk.bayes.hierarchical_mcnemar import HierarchicalMcNemar
from ropewalk.bayes.hierarchical_t import HierarchicalT
from ropewalk.posterior.base import Floats

_REPLICATES = 2000  # simulated data sets: the standard error of a p-value of 0.01 is 0.002
_NUMBERS = 10_000_000  # numbers simulated at most: 1,000 data sets of 10,000 tasks, standard error 0.003
_FEWEST = 5  # tasks: fewer say nothing about their distribution


@dataclass(frozen=True, slots=True, kw_only=True)
class Discrepancy:
    """A summary of the data, its expectation under the model, and how often the model is as extreme.

    `name` is "dependence" (between the rate of disagreement and its direction, or between a task's mean and
    its spread), "odd task" or "skew". `p` is the share of simulated data sets that are at least as far from
    the expectation, on either side.
    """

    name: str
    observed: float
    expected: float
    p: float


def accuracy_checks(fitted: HierarchicalAccuracy) -> list[Discrepancy]:
    """Checks of the hierarchical accuracy test; [] with fewer than five tasks.

    Notes
    -----
    Dependence: given how often the models disagree on each task, directions are simulated from their own
    population. The statistic is Σ w_i (r_i - r̄) l_i with r_i the observed rate of disagreement, l_i the
    observed lead (n10_i - n01_i)/(n10_i + n01_i) and w_i its precision; it has expectation 0 if the rate does
    not predict the direction. Odd task: the largest standardized distance of a task's share from that of the
    population, in either population.

    Gelman et al. 2013, Bayesian Data Analysis, sec. 6.3.
    """
    if fitted.n_tasks < _FEWEST:
        return []
    rng = np.random.default_rng(0)
    differ, n = fitted.rate.first, fitted.rate.first + fitted.rate.second
    found = [_odd(fitted.rate, rng)]
    if np.count_nonzero(differ) >= _FEWEST:
        found += [_odd(fitted.share, rng), _dependence(fitted, differ / n, rng)]
    return found


def mcnemar_checks(fitted: HierarchicalMcNemar) -> list[Discrepancy]:
    """Check the hierarchical McNemar test for an odd task; [] if fewer than five tasks have disagreements."""
    if np.count_nonzero(fitted.n01 + fitted.n10) < _FEWEST:
        return []
    return [_odd(fitted, np.random.default_rng(0))]


def t_checks(fitted: HierarchicalT) -> list[Discrepancy]:
    """Checks of the hierarchical t-test; [] with fewer than five tasks.

    Notes
    -----
    Task means are simulated: mu_i ~ Student(nu, mu0, sigma0), observed with the error of each task. Skew: the
    distance of the mean from the median of the task means, in mean absolute deviations, which a few heavy
    tails do not affect. Dependence: the rank correlation of the task means with their standard errors.
    """
    if fitted.n_tasks < _FEWEST:
        return []
    rng = np.random.default_rng(0)
    t = fitted.tasks
    replicates = min(_REPLICATES, max(_NUMBERS // t.loc.size, 100))
    mu, sigma, nu = (x[:, None] for x in fitted.surface.drawn(replicates))
    shape = (replicates, t.loc.size)
    means = mu + sigma * rng.standard_t(np.broadcast_to(nu, shape)) + t.scale * rng.standard_t(t.df, shape)
    found = [_two_sided("skew", float(_skew(t.loc[None])[0]), _skew(means))]
    if np.ptp(t.scale) > 1e-9 * t.scale.max():
        at, simulated = (_rank_correlation(t.scale, x) for x in (t.loc[None], means))
        found.append(_two_sided("dependence", float(at[0]), simulated))
    return found


def _two_sided(name: str, observed: float, replicates: Floats) -> Discrepancy:
    expected = float(np.median(replicates))
    below, above = np.mean(replicates <= observed), np.mean(replicates >= observed)
    return Discrepancy(
        name=name, observed=observed, expected=expected, p=min(float(2 * min(below, above)), 1.0)
    )


def _simulated(
    found: BetaPopulation, n: Floats, rng: np.random.Generator
) -> tuple[Floats, tuple[Floats, Floats]]:
    """Successes of tasks with given numbers of trials (replicates x tasks), and (a, b) of each replicate."""
    order = rng.permutation(_REPLICATES)
    a, b = (x[order, None] for x in found.drawn(_REPLICATES))
    shape = (_REPLICATES, n.size)
    rates = rng.beta(np.broadcast_to(a, shape), np.broadcast_to(b, shape))
    return rng.binomial(n.astype(np.int64), rates).astype(np.float64), (a, b)


def _odd(found: BetaPopulation, rng: np.random.Generator) -> Discrepancy:
    """Check of the task furthest from the population, in standard deviations for a task of its size."""
    n = found.first + found.second
    n = n[n > 0]
    first = found.first[found.first + found.second > 0]
    simulated, (a, b) = _simulated(found, n, rng)

    def furthest(successes: Floats) -> Floats:
        m = a / (a + b)
        sd = np.sqrt(m * (1 - m) * n * (1 + (n - 1) / (a + b + 1)))
        return np.asarray(np.max(np.abs(successes - n * m) / np.maximum(sd, 1e-12), axis=1))

    # The statistic also depends on the population, so observed and simulated are compared draw by draw.
    observed, replicates = furthest(first[None]), furthest(simulated)
    return Discrepancy(
        name="odd task",
        observed=float(np.median(observed)),
        expected=float(np.median(replicates)),
        p=float(np.mean(replicates >= observed)),
    )


def _dependence(fitted: HierarchicalAccuracy, rate: Floats, rng: np.random.Generator) -> Discrepancy:
    share = fitted.share
    some = share.first + share.second > 0
    n, rate = (share.first + share.second)[some], rate[some]
    simulated, (a, b) = _simulated(share, n, rng)
    w = n / (1 + (n - 1) / (float(np.median(a + b)) + 1))
    centred = w * (rate - np.average(rate, weights=w))

    def together(n01: Floats) -> Floats:
        return np.asarray((1 - 2 * n01 / n) @ centred)

    # Scaled to a correlation to be readable; the p-value does not depend on the scale.
    lead = 1 - 2 * share.first[some] / n
    sd = np.sqrt(np.average((lead - np.average(lead, weights=w)) ** 2, weights=w))
    size = w.sum() * sd * np.sqrt(np.average((rate - np.average(rate, weights=w)) ** 2, weights=w))
    if size <= 0:
        return Discrepancy(name="dependence", observed=0.0, expected=0.0, p=1.0)
    return _two_sided(
        "dependence", float(together(share.first[some][None])[0] / size), together(simulated) / size
    )


def _skew(values: Floats) -> Floats:
    middle = np.median(values, axis=1, keepdims=True)
    away = np.mean(np.abs(values - middle), axis=1)
    return np.asarray((values.mean(axis=1) - middle[:, 0]) / np.maximum(away, 1e-300))


def _rank_correlation(scale: Floats, values: Floats) -> Floats:
    """The rank correlation of each row with the scales; each row is sorted once."""
    n = scale.size
    even = (np.arange(n) - (n - 1) / 2) / np.sqrt((n * n - 1) / 12)
    ranks = np.empty(n)
    ranks[scale.argsort()] = even
    return np.asarray(ranks[values.argsort(axis=1)] @ even / n)

"""For every Bayesian method data from its own model, and where the truth lies in the posterior.

Simulation-based calibration (Talts et al. 2018, arXiv:1804.06788): draw the truth from the prior, data given
the truth, and the posterior given the data; then the posterior's distribution function at the truth is
uniform. What was drawn may be thrown away by a look at the data alone: that leaves it uniform. Where a prior
is improper one of three things takes its place, and `how` says which:

- location and scale with their invariant prior (flat, 1/sigma): at any one value of them the distribution
  function is uniform already, so they are fixed;
- a ratio of variances with a log-uniform prior: it is cut off far out, and data that lie near the cut are
  thrown away, for which the cut prior and the whole one have the same posterior;
- a Dirichlet process whose prior is worth next to nothing: the posterior after some first units is the prior
  for the units after them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import betainc, expit, stdtr

from ropewalk import bayes
from ropewalk.bayes.hierarchical_t_range import USUAL
from ropewalk.sums import Sums
from sbc_ranks import RANKS
from sbc_tools import Model, rank, region, which

Floats: TypeAlias = NDArray[np.float64]

FAR = 1e8  # where a log-uniform ratio of variances is cut off
NEAR = 1e3  # data with a larger ratio of mean squares are thrown away
DRAWS = 400  # of a posterior that is sampled


def log_uniform(rng: Generator) -> float:
    """A ratio of variances of at least one."""
    return float(np.exp(rng.uniform(0, np.log(FAR))))


# --- one task -----------------------------------------------------------------------------------------------


def t(rng: Generator) -> list[float]:
    n, rho, mu = rng.choice([3, 10, 30, 100]), rng.choice([0.0, 0.1, 0.5]), 0.3
    d = mu + 2 * (np.sqrt(rho) * rng.normal() + np.sqrt(1 - rho) * rng.normal(size=n))
    return [float(bayes.t(d, rho=rho).cdf(mu))]


def ess_t(rng: Generator) -> list[float]:
    n, mu = rng.choice([4, 10, 30]), 0.3
    return [float(bayes.ess_t(np.repeat(rng.normal(mu, 2, n), 5), n_eff=n).cdf(mu))]


def ess_t_clusters(rng: Generator) -> list[float]:
    clusters, size, icc, mu = 20, 10, 0.3, 0.3
    d = (
        mu
        + np.sqrt(icc) * rng.normal(size=(clusters, 1))
        + np.sqrt(1 - icc) * rng.normal(size=(clusters, size))
    )
    return [float(bayes.ess_t(d.ravel(), n_eff=d.size / (1 + (size - 1) * icc)).cdf(mu))]


def robust_t(rng: Generator) -> list[float]:
    n, centre = rng.choice([4, 8, 20, 60]), 0.3
    nu = 1 + rng.gamma(2, 10)
    return [float(bayes.robust_t(centre + 2 * rng.standard_t(nu, n)).cdf(centre))]


def mcnemar(rng: Generator) -> list[float]:
    prior = (1.0, 1.0) if rng.random() < 0.5 else (0.5, 2.0)
    phi, n = rng.beta(*prior), int(rng.choice([1, 5, 50, 500]))
    n01 = int(rng.binomial(n, phi))
    return [float(bayes.mcnemar(n01, n - n01, prior=prior).cdf(phi))]


def risk(rng: Generator) -> list[float]:
    prior = (1.0, 1.0) if rng.random() < 0.5 else (0.5, 2.0)
    rate, n = rng.beta(*prior), int(rng.choice([1, 5, 50, 500]))
    return [float(bayes.risk(int(rng.binomial(n, rate)), n, prior=prior).cdf(rate))]


def accuracy_difference(rng: Generator) -> list[float]:
    theta = rng.dirichlet(np.ones(4))
    n = [int(c) for c in rng.multinomial(rng.choice([1, 10, 100, 1000]), theta)]
    return [float(bayes.accuracy_difference(*n).cdf(theta[2] - theta[1]))]


def sign(rng: Generator) -> list[float]:
    first = [2.0, -2.0]  # one unit outside on each side, and the prior's own unit inside
    theta = rng.dirichlet(np.ones(3))
    d = rng.choice([2.0, 0.0, -2.0], size=rng.choice([3, 10, 30]), p=theta)
    found = bayes.sign([*first, *d], rope=1.0)
    better = betainc(found.better, found.equivalent + found.worse, theta[0])
    return [float(better), region(found.most_probable, theta, rng)]


def _tasks(rng: Generator, z0: float) -> tuple[Floats, Floats]:
    """Some first units with some more from what they say, and the true theta for a ROPE of 0.5."""
    first = rng.normal(rng.normal(0, 0.7), rng.choice([0.3, 1.0]), 6)
    z = np.append(z0, first)
    w = rng.dirichlet(np.append(0.5, np.ones(first.size)))
    two = z[:, None] + z
    pairs = np.outer(w, w)
    better, worse = pairs[two > 1.0].sum(), pairs[two < -1.0].sum()
    more = rng.choice(z, size=rng.choice([2, 6, 20]), p=w)
    return np.append(first, more), np.array([better, 1 - better - worse, worse])


def signed_rank(rng: Generator) -> list[float]:
    d, theta = _tasks(rng, 0.0)
    found = bayes.signed_rank(d, 0.5, draws=1000, rng=rng)
    return [rank(theta[0], found.points[:, 0], rng), region(found.most_probable, theta, rng)]


def signed_rank_range(rng: Generator) -> list[float]:
    z0 = float(rng.choice([-np.inf, 0.0, np.inf]))
    d, theta = _tasks(rng, float(np.clip(z0, -1e6, 1e6)))
    found = bayes.signed_rank_range(d, 0.5, draws=1000, rng=rng)
    return [region(found.at(z0), theta, rng)]


def _auroc(y: Floats, scores: Floats, w: Floats) -> float:
    """Pr(a positive has the higher score) under weights, over all pairs."""
    one, zero = y == 1, y == 0
    pairs = np.outer(w[one], w[zero])
    return float(pairs[scores[one][:, None] > scores[zero]].sum() / pairs.sum())


def _population(rng: Generator, models: int) -> tuple[Floats, Floats, Floats, NDArray[np.intp]]:
    """Twenty first examples, their true weights, and all examples: the first ones and some more."""
    y = np.repeat([0.0, 1.0], 10)
    scores = rng.normal(size=(models, y.size)) + y * rng.uniform(0, 2, (models, 1))
    w = rng.dirichlet(np.ones(y.size))
    more = rng.choice(y.size, size=rng.choice([5, 30]), p=w)
    truth = np.array([_auroc(y, s, w) for s in scores])
    return y, scores, truth, np.append(np.arange(y.size), more)


def bootstrap(rng: Generator) -> list[float]:
    y, scores, truth, seen = _population(rng, 2)
    found = bayes.bootstrap("auroc", y[seen].astype(int), *scores[:, seen], draws=DRAWS, rng=rng)
    return [rank(truth[0] - truth[1], found.x, rng)]


def joint_bootstrap(rng: Generator) -> list[float]:
    y, scores, truth, seen = _population(rng, 4)
    said = {str(i): s[seen] for i, s in enumerate(scores)}
    found = bayes.joint_bootstrap("auroc", y[seen].astype(int), said, draws=DRAWS, rng=rng)
    return [rank(truth[0], found.draws[:, 0], rng), _lead(truth, found.mean, found.draws, rng)]


def _lead(truth: Floats, seen: Floats, draws: Floats, rng: Generator) -> float:
    """The place of the true lead of the model that looks best over the one that looks second."""
    second, best = np.argsort(seen)[-2:]
    return rank(truth[best] - truth[second], draws[:, best] - draws[:, second], rng)


# --- several training runs ----------------------------------------------------------------------------------


def _effect(rng: Generator, shape: int | tuple[int, ...], ratio: float, times: float) -> Floats:
    """Normal effects whose mean square is so many times that of the residual: 1 + variance/times."""
    return rng.normal(0, np.sqrt((ratio - 1) * times), shape)


def _squares(x: Floats) -> tuple[float, float, float]:
    """Mean squares of seeds, examples and residual of a table seeds x examples."""
    row, column = x.mean(axis=1, keepdims=True), x.mean(axis=0, keepdims=True)
    rest = x - row - column + x.mean()
    s, j = x.shape
    return (
        float(j * np.var(row, ddof=1)),
        float(s * np.var(column, ddof=1)),
        float(np.sum(rest**2) / ((s - 1) * (j - 1))),
    )


def crossed(rng: Generator) -> list[float]:
    delta = 0.3
    while True:
        s, j = rng.choice([3, 5]), rng.choice([6, 20])
        d = delta + rng.normal(size=(s, j))
        d += _effect(rng, (s, 1), log_uniform(rng), 1 / j) + _effect(rng, (1, j), log_uniform(rng), 1 / s)
        seeds, examples, rest = _squares(d)
        if max(seeds, examples) < NEAR * rest:
            return [float(bayes.crossed(d).posterior.cdf(delta))]


def _runs(rng: Generator) -> tuple[Floats, Floats]:
    """The scores of two models with three and four seeds that have nothing to do with each other."""
    while True:
        j, seeds = rng.choice([6, 20]), (3, 4)
        h = sum(1 / s for s in seeds)
        easy = rng.normal(0, 3, j)
        of_a = _effect(rng, j, log_uniform(rng), h)  # of the difference on an example, all of it in A
        a, b = (easy + rng.normal(size=(s, j)) + _effect(rng, (s, 1), log_uniform(rng), 1 / j) for s in seeds)
        a += of_a
        (seed_a, _, rest_a), (seed_b, _, rest_b) = _squares(a), _squares(b)
        rest = (2 * rest_a + 3 * rest_b) / 5
        examples = np.var(a.mean(axis=0) - b.mean(axis=0), ddof=1) / h
        if max(seed_a, seed_b, examples) < NEAR * rest:
            return a, b


def crossed_unpaired(rng: Generator) -> list[float]:
    a, b = _runs(rng)
    return [float(bayes.crossed(a + 0.3, b=b).posterior.cdf(0.3))]


def joint_runs(rng: Generator) -> list[float]:
    found = bayes.joint_runs(
        [x + m for x, m in zip(_runs(rng), (0.3, 0.0), strict=True)], draws=DRAWS, rng=rng
    )
    return [rank(0.3, found.draws[:, 0] - found.draws[:, 1], rng)]


_FOUR = np.array([0.3, 0.0, 0.5, 0.4])
_MIXED = np.array([[1.0, 0, 0, 0], [0.5, 1, 0, 0], [0, 0.5, 2, 0], [0, 0, 0.3, 0.5]])


def _four(by_example: Floats, by_seed: Iterable[Floats], rng: Generator) -> list[Floats]:
    parts = zip(_FOUR, _MIXED @ by_example, by_seed, strict=True)
    return [mu + own + seeds + rng.normal(size=(len(seeds), own.size)) for mu, own, seeds in parts]


def joint_runs_of_four(rng: Generator) -> list[float]:
    seeds, j = (3, 3, 5, 5), 20
    while True:
        by_seed = (_effect(rng, (s, 1), log_uniform(rng), 1 / j) for s in seeds)
        runs = _four(_effect(rng, (4, j), log_uniform(rng), 0.1), by_seed, rng)
        squares = np.array([_squares(x) for x in runs])
        if squares[:, :2].max() < NEAR * squares[:, 2].mean():
            return _first_two(runs, rng)


def joint_runs_fixed(rng: Generator) -> list[float]:
    seeds, j = (3, 3, 5, 5), 30
    return _first_two(_four(rng.normal(size=(4, j)), (rng.normal(0, 0.5, (s, 1)) for s in seeds), rng), rng)


def _first_two(runs: list[Floats], rng: Generator) -> list[float]:
    found = bayes.joint_runs(runs, draws=DRAWS, rng=rng)
    return [rank(_FOUR[0] - _FOUR[1], found.draws[:, 0] - found.draws[:, 1], rng)]


# --- many models --------------------------------------------------------------------------------------------


def joint(rng: Generator) -> list[float]:
    k, n, rho = 4, rng.choice([20, 40]), rng.choice([0.0, 0.1])
    mu = np.array([0.3, 0.0, 0.5, 0.4])
    mixed = np.array([[1.0, 0, 0, 0], [0.9, 0.3, 0, 0], [0.5, 0.5, 2, 0], [0, 0, 0.3, 0.5]])
    e = np.sqrt(rho) * rng.normal(size=(1, k)) + np.sqrt(1 - rho) * rng.normal(size=(n, k))
    draws = bayes.joint(mu + e @ mixed.T, rho=rho, pooling=False, draws=DRAWS, rng=rng).draws
    return [rank(mu[0], draws[:, 0], rng), rank(mu[0] - mu[1], draws[:, 0] - draws[:, 1], rng)]


def _drawn_models(rng: Generator, k: int, n: int, *, apart: bool) -> tuple[Floats, Floats]:
    """Abilities and scores: covariance, spread and who stands apart from their priors."""
    p, m = k - 1, n - 1
    basis = np.linalg.qr(np.eye(k)[:, 1:] - 1 / k)[0]
    u = rng.random()
    delta = max(1.0, (p - m * m) / m + 1.0) + 10 * u / (1 - u)
    x = rng.normal(size=(p, p))
    triangle = np.tril(x, -1) + np.diag(np.sqrt(rng.chisquare(delta + p - 1 - np.arange(p))))
    root = np.sqrt(delta) * np.linalg.inv(triangle).T  # of an inverse Wishart around the identity
    r = 1.0 if rng.random() < 0.5 else max(rng.beta(0.5, 0.25), 1e-4)  # all abilities the same, or not
    mu = np.sqrt(max(1 - r, 1e-12) / r / n) * root @ rng.normal(size=p)
    if apart and rng.random() < 0.25:
        e = basis[rng.integers(k)]
        alone = 1 / (e @ np.linalg.solve(root @ root.T, e))
        share = rng.beta(0.5, 0.5)
        mu = mu + np.sqrt((1 / share - 1) * alone / (n * r)) * rng.normal() * e
    units = rng.normal(size=(n, p)) @ root.T
    return basis @ mu, (mu + units) @ basis.T + rng.normal(0, 2, (n, 1))


def _pooled(rng: Generator, k: int, n: int, *, apart: bool) -> list[float]:
    mu, z = _drawn_models(rng, k, n, apart=apart)
    found = bayes.joint(z, draws=DRAWS, rng=rng)
    centred = found.draws - found.draws.mean(axis=1, keepdims=True)
    # The level of all models is fixed, and with it the mean of the abilities: only their contrasts are drawn.
    return [rank(mu[0] - mu[1], centred[:, 0] - centred[:, 1], rng), _lead(mu, found.mean, found.draws, rng)]


def joint_pooled(rng: Generator) -> list[float]:
    return _pooled(rng, 6, int(rng.choice([3, 8])), apart=False)


def joint_pooled_enough(rng: Generator) -> list[float]:
    return _pooled(rng, 5, 40, apart=True)


def joint_tasks_gaps(rng: Generator) -> list[float]:
    """One number for each task, and models that were not run on about a fifth of the tasks."""
    k, n = 4, 30
    mu, z = _drawn_models(rng, k, n, apart=True)
    gone = rng.random((n, k)) < 0.2
    gone[:, 0] &= gone[:, 1:].any(axis=1)  # two models at least on every task
    gone[gone.sum(axis=1) > k - 2] = False
    found = bayes.joint_tasks([row[None, :] for row in np.where(gone, np.nan, z)], draws=DRAWS, rng=rng)
    return [rank(mu[0] - mu[1], found.draws[:, 0] - found.draws[:, 1], rng)]


def _own_pair(rng: Generator, noise: Floats, sizes: NDArray[np.intp]) -> list[float]:
    mu = np.array([0.3, 0.0, 0.5])
    mixed = np.array([[1.0, 0, 0], [0.9, 0.2, 0], [0.5, 0.5, 2]])
    means = mu + rng.normal(0, 3, (15, 1)) + rng.normal(size=(15, 3)) @ mixed.T
    tasks = [m + rng.normal(0, s, (n, 3)) for m, s, n in zip(means, noise, sizes, strict=True)]
    return [float(bayes.joint_tasks(tasks, draws=10, rng=rng).alone(0, 1).cdf(0.3))]


def joint_tasks(rng: Generator) -> list[float]:
    return _own_pair(rng, np.full(15, rng.choice([0.1, 5.0])), np.full(15, 10))


def joint_tasks_noisy(rng: Generator) -> list[float]:
    return _own_pair(rng, rng.choice([0.1, 1.0, 5.0], 15), rng.choice([3, 30], 15))


def plackett_luce(rng: Generator) -> list[float]:
    worth = np.log(rng.gamma(1.0, 1.0, 4))
    tasks = rng.choice([2, 5, 20])
    # Arrival times Exp(w): their order is that of the places.
    times = rng.standard_exponential((tasks, 4)) / np.exp(worth)
    found = bayes.plackett_luce(np.argsort(np.argsort(times, axis=1), axis=1) + 1, draws=1600, rng=rng)
    draws = found.draws[::8]  # of the chains, so that neighbours hardly depend on each other
    return [
        rank(worth[0] - worth[1], draws[:, 0] - draws[:, 1], rng),
        which(list(found.p_best), int(np.argmax(worth)), rng),
    ]


# --- many tasks ---------------------------------------------------------------------------------------------


def poisson_binomial(rng: Generator) -> list[float]:
    share = rng.random()
    won = rng.random(rng.choice([3, 10, 40])) < share
    p = bayes.poisson_binomial(won.astype(float))
    return [which((1 - p, p), int(share > 0.5), rng)]


def poisson_binomial_unsure(rng: Generator) -> list[float]:
    share = rng.random()
    won = rng.random(20) < share
    p = bayes.poisson_binomial(expit(2 * (np.where(won, 1, -1) + rng.normal(size=20))))
    return [which((1 - p, p), int(share > 0.5), rng)]


def poisson_binomial_matrix(rng: Generator) -> list[float]:
    share, tasks = rng.random(3), rng.choice([3, 10, 40])
    won = np.full((tasks, 3, 3), 0.5)
    pairs = ((0, 1), (0, 2), (1, 2))
    for s, (a, b) in zip(share, pairs, strict=True):
        won[:, a, b] = rng.random(tasks) < s
        won[:, b, a] = 1 - won[:, a, b]
    matrix = bayes.poisson_binomial_matrix(won).matrix
    i = rng.integers(3)
    p = float(matrix[pairs[i]])
    return [which((1 - p, p), int(share[i] > 0.5), rng)]


def hierarchical_mcnemar(rng: Generator) -> list[float]:
    while True:
        size, m = np.exp(-4 + rng.exponential(2.0)), rng.random()
        a, b = size * m, size * (1 - m)
        phi = rng.beta(a, b, 8)
        n = rng.integers(5, 40, 8)
        n01 = rng.binomial(n, phi)
        if np.sum((n01 > 0) & (n01 < n)) >= 5:
            break
    found = bayes.hierarchical_mcnemar(n01, n - n01)
    return [float(found.phi_next.cdf(rng.beta(a, b))), float(found.task(0).cdf(phi[0]))]


def hierarchical_accuracy(rng: Generator) -> list[float]:
    while True:
        size, m = np.exp(-4 + rng.exponential(2.0, 2)), rng.random(2)
        a, b = size * m, size * (1 - m)  # of the rate of disagreement, and of the share that A loses
        pi, phi = rng.beta(a[0], b[0], 8), rng.beta(a[1], b[1], 8)
        n = rng.integers(20, 80, 8)
        apart = rng.binomial(n, pi)
        n01 = rng.binomial(apart, phi)
        both_ways = np.sum((n01 > 0) & (n01 < apart))
        if both_ways >= 5 and np.sum((apart > 0) & (apart < n)) >= 5:
            break
    found = bayes.hierarchical_accuracy(apart - n01, n01, n - apart)
    following = rng.beta(a[0], b[0]) * (1 - 2 * rng.beta(a[1], b[1]))
    return [
        float(found.mean_advantage.cdf(m[0] * (1 - 2 * m[1]))),
        float(found.next.cdf(following)),
        float(found.task(0).cdf(pi[0] * (1 - 2 * phi[0]))),
    ]


_SPREAD, _RANGE = 20.0, 20.0  # bounds of sigma0 and mu0 in the simulation


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hierarchy:
    """A population of tasks, the mean of each, and the sums of the units on each."""

    nu: float
    mu0: float
    sigma0: float
    mu: Floats
    sums: list[Sums]
    rho: float

    def theta(self, r: float) -> Floats:
        above, below = (
            stdtr(self.nu, (self.mu0 - r) / self.sigma0),
            stdtr(self.nu, (-r - self.mu0) / self.sigma0),
        )
        return np.array([above, 1 - above - below, below])


def _hierarchy(
    rng: Generator, alpha: tuple[float, float], beta: tuple[float, float], spread: float
) -> _Hierarchy:
    """A flat prior on a task's sigma: given the sum of squares S, S/sigma² is chi-square with n - 2."""
    rho = float(rng.choice([0.0, 0.1]))
    tasks = rng.choice([5, 10])
    n = rng.choice([4, 10, 20], tasks)
    while True:
        nu = 1 + rng.gamma(rng.uniform(*alpha)) / rng.uniform(*beta)
        mu0, sigma0 = rng.uniform(-_RANGE, _RANGE), rng.uniform(0, _SPREAD)
        mu = mu0 + sigma0 * rng.standard_t(nu, tasks)
        m2 = n * rng.choice([0.5, 1.0, 4.0], tasks)
        sigma2 = m2 / (1 - rho) / rng.chisquare(n - 2)
        m = rng.normal(mu, np.sqrt(sigma2 * (1 + (n - 1) * rho) / n))
        if np.std(m, ddof=1) < spread and np.abs(m).max() < 6:
            sums = [Sums(n=int(a), mean=float(b), m2=float(c)) for a, b, c in zip(n, m, m2, strict=True)]
            return _Hierarchy(nu=nu, mu0=mu0, sigma0=sigma0, mu=mu, sums=sums, rho=rho)


def hierarchical_t(rng: Generator) -> list[float]:
    h = _hierarchy(rng, (0.5, 5.0), (0.05, 0.15), 2.0)
    found = bayes.hierarchical_t(h.sums, rho=h.rho, scale=_RANGE, tolerance=1e-2)  # a third digit is enough
    return [
        float(found.mean_advantage.cdf(h.mu0)),
        float(found.next.cdf(h.mu0 + h.sigma0 * rng.standard_t(h.nu))),
        float(found.task(0).cdf(h.mu[0])),
    ]


def hierarchical_t_range(rng: Generator) -> list[float]:
    bounds = USUAL[rng.integers(len(USUAL))]
    h = _hierarchy(rng, *bounds, 2.0)
    found = bayes.hierarchical_t_range(h.sums, 0.7, rho=h.rho, bounds=[bounds])
    return [region(found.regions[0].most_probable, h.theta(0.7), rng)]


_FIXED = "location and scale fixed (invariant prior)"
_CUT = f"ratios of mean squares log-uniform up to {FAR:,.0f}, data sets with one above {NEAR:,.0f} discarded"

MODELS = (
    Model(method="t", quantities=("mean",), how=f"normal, n 3 to 100, rho 0 to 0.5; {_FIXED}", pit=t),
    Model(
        method="robust_t",
        quantities=("centre",),
        how=f"nu from its prior, n 4 to 60; {_FIXED}",
        pit=robust_t,
    ),
    Model(
        method="ess_t",
        quantities=("mean",),
        how=f"every unit occurs five times, and the effective number of units is known; {_FIXED}",
        pit=ess_t,
    ),
    Model(
        method="ess_t",
        quantities=("mean, 20 clusters",),
        how="20 clusters of 10 units with correlation 0.3; the effective number of units is n divided by the "
        "design effect, which gives 52 degrees of freedom, although 20 clusters have only 19",
        pit=ess_t_clusters,
        exact=False,
    ),
    Model(method="mcnemar", quantities=("phi",), how="phi was drawn from its prior", pit=mcnemar),
    Model(
        method="accuracy_difference",
        quantities=("difference",),
        how="the probabilities of the 2x2 table were drawn from their Dirichlet prior",
        pit=accuracy_difference,
    ),
    Model(method="risk", quantities=("rate",), how="the rate was drawn from its prior", pit=risk),
    Model(
        method="sign",
        quantities=("share better", "most probable"),
        how="the posterior after one unit above the ROPE, one below and the prior observation is the prior "
        "for the other units",
        pit=sign,
    ),
    Model(
        method="signed_rank",
        quantities=("theta better", "most probable"),
        how="the posterior after six units is the prior for the others",
        pit=signed_rank,
    ),
    Model(
        method="signed_rank_range",
        quantities=("most probable",),
        how="as `signed_rank`, with the prior observation at 0, at plus or at minus infinity, and the answer "
        "for that position",
        pit=signed_rank_range,
    ),
    Model(
        method="bootstrap",
        quantities=("AUROC difference",),
        how="the posterior after twenty examples is the prior for the others",
        pit=bootstrap,
    ),
    Model(
        method="joint_bootstrap",
        quantities=("AUROC", "lead of the best"),
        how="as `bootstrap`, with four models",
        pit=joint_bootstrap,
    ),
    Model(method="crossed", quantities=("paired",), how=_CUT, pit=crossed),
    Model(
        method="crossed",
        quantities=("unpaired",),
        how=_CUT,
        pit=crossed_unpaired,
    ),
    Model(method="joint_runs", quantities=("two models",), how=_CUT, pit=joint_runs),
    Model(
        method="joint_runs",
        quantities=("four models",),
        how=f"{_CUT}; the correlation of the models' example effects is taken from the data",
        pit=joint_runs_of_four,
        exact=False,
    ),
    Model(
        method="joint_runs",
        quantities=("four models, fixed variances",),
        how="3 and 5 runs on 30 examples; the variance of the runs is a quarter of the residual "
        "variance, and "
        "with so few runs the prior allows for larger ones, which makes the intervals too wide",
        pit=joint_runs_fixed,
        exact=False,
    ),
    Model(
        method="joint",
        quantities=("one mean", "a difference"),
        how=f"four models, unstructured covariance; {_FIXED}",
        pit=joint,
    ),
    Model(
        method="joint",
        quantities=("few units, a difference", "few units, lead of the best"),
        how="six models, 3 and 8 units; covariance and spread of the abilities from their priors; the "
        "true variances of the models are equal, but estimated separately",
        pit=joint_pooled,
        exact=False,
    ),
    Model(
        method="joint",
        quantities=("enough units, a difference", "enough units, lead of the best"),
        how="five models, 40 units; covariance, spread of the abilities and an outlier, all from their "
        "priors",
        pit=joint_pooled_enough,
        exact=False,
    ),
    Model(
        method="joint_tasks",
        quantities=("a pair on its own",),
        how="fixed means and an unstructured covariance, 15 tasks of ten units with very little or much "
        "noise",
        pit=joint_tasks,
    ),
    Model(
        method="joint_tasks",
        quantities=("a pair on its own, unequal tasks",),
        how="fixed means and an unstructured covariance, 15 tasks of 3 or 30 units; some tasks are fifty "
        "times "
        "as noisy as others, and the model counts this noise as variation between tasks",
        pit=joint_tasks_noisy,
        exact=False,
    ),
    Model(
        method="joint_tasks",
        quantities=("models not run on some tasks, a difference",),
        how="four models, 30 tasks, a fifth of the cells missing; otherwise as for `joint` with enough units",
        pit=joint_tasks_gaps,
        exact=False,
    ),
    Model(
        method="plackett_luce",
        quantities=("a difference", "which is best"),
        how="the strengths of the models were drawn from their prior, 2 to 20 tasks",
        pit=plackett_luce,
    ),
    Model(
        method="poisson_binomial",
        quantities=("A ahead",),
        how="the share of wins was drawn from its prior, and every win is certain",
        pit=poisson_binomial,
    ),
    Model(
        method="poisson_binomial",
        quantities=("A ahead, wins unsure",),
        how="each probability of a win comes from one normal observation two standard deviations from zero; "
        "the test treats the tasks separately",
        pit=poisson_binomial_unsure,
        exact=False,
    ),
    Model(
        method="poisson_binomial_matrix",
        quantities=("a pair",),
        how="as `poisson_binomial`, with every win certain",
        pit=poisson_binomial_matrix,
    ),
    Model(
        method="hierarchical_mcnemar",
        quantities=("next task", "one task"),
        how="log(a + b) from its prior above -4; data sets discarded unless five of the eight tasks have "
        "both kinds of mistakes",
        pit=hierarchical_mcnemar,
    ),
    Model(
        method="hierarchical_accuracy",
        quantities=("mean advantage", "next task", "one task"),
        how="as `hierarchical_mcnemar`, for the rate of disagreement and for the share that A loses; data "
        "sets discarded unless five of the eight tasks have agreements and disagreements, and five have "
        "wins and losses",
        pit=hierarchical_accuracy,
    ),
    Model(
        method="hierarchical_t",
        quantities=("mu0", "next task", "one task"),
        how="mu0 within the given scale, sigma0 uniform up to 20; data sets whose task means vary by "
        "more than "
        "2 discarded; the sums of squares are fixed, and each sigma_i is drawn given them",
        pit=hierarchical_t,
    ),
    Model(
        method="hierarchical_t_range",
        quantities=("most probable",),
        how="as `hierarchical_t`, for each of its priors of nu",
        pit=hierarchical_t_range,
    ),
    *RANKS,
)

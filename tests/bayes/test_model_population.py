"""Models as a sample of a population of models."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

from ropewalk import bayes
from ropewalk.bayes.cross_sums import CrossSums
from ropewalk.bayes.model_population import Population
from tests.bayes.units_of_models import scores


def weighted_draws(z: np.ndarray, variances: np.ndarray, size: int, seed: int = 0) -> tuple[np.ndarray, ...]:
    """Brute force for three models: everything from the prior, weighed by the likelihood of the contrasts.

    The covariance of two contrasts is inverse Wishart around v D, worth delta units for each of them.
    """
    rng = np.random.default_rng(seed)
    n = len(z)
    H = np.linalg.qr(np.eye(3)[:, 1:] - 1 / 3)[0]
    y, S = z.mean(axis=0) @ H, np.cov((z @ H).T) * (n - 1)
    t = rng.random(size)
    delta = 1 + 10 * t / (1 - t)
    v = np.exp(rng.uniform(-6, 6, size))
    r = np.where(rng.random(size) < 0.5, 1.0, rng.beta(0.5, 0.25, size))  # all abilities equal, or not
    # W = Omega⁻¹ ~ Wishart(delta + 1, (delta v D)⁻¹), so that every contrast has delta degrees of freedom.
    L = np.linalg.cholesky(np.linalg.inv(H.T @ np.diag(variances) @ H))
    B = np.zeros((size, 2, 2))
    B[:, 0, 0], B[:, 1, 1] = np.sqrt(rng.chisquare(delta + 1)), np.sqrt(rng.chisquare(delta))
    B[:, 1, 0] = rng.normal(size=size)
    root = (L @ B) / np.sqrt(delta * v)[:, None, None]
    W = root @ root.transpose(0, 2, 1)
    log_w = 0.5 * n * np.log(np.linalg.det(W)) - 0.5 * np.einsum("nij,ji->n", W, S)
    log_w += np.log(r) - 0.5 * r * n * np.einsum("i,nij,j->n", y, W, y)  # |r|^(p/2), p = 2
    w = np.exp(log_w - log_w.max())
    x = np.linalg.solve(root.transpose(0, 2, 1), rng.normal(size=(size, 2, 1)))[..., 0]
    mu = ((1 - r)[:, None] * y + np.sqrt((1 - r) / n)[:, None] * x) @ H.T
    # The order of equal models is left to chance: only near copies go together.
    alike = np.corrcoef((z @ H @ H.T).T) ** 9
    mu += np.where(r == 1, 1e-6, 0.0)[:, None] * rng.multivariate_normal(np.zeros(3), alike, size)
    return mu, w / w.sum(), r


@pytest.mark.parametrize("n", [4, 8])
@pytest.mark.proof
def test_few_units_by_weighted_draws_from_the_prior(n: int) -> None:
    from ropewalk.bayes.contrasts import own_variances

    z = scores(n, 3, seed=n)
    joint = bayes.joint(z, draws=40_000)
    mu, w, r = weighted_draws(z, own_variances(CrossSums.of(z)), 1_000_000)
    size = 1 / np.sum(w**2)
    assert size > 5_000
    error = 5 * (0.5 / np.sqrt(size) + 0.5 / 200)
    assert joint.pulled == pytest.approx(w @ r, abs=error)
    # For claims about order all abilities are the same with the prior probability 4/5, and not with 1/2.
    best, order = mu.argmax(axis=1), w * np.where(r == 1, 0.8, 0.2)
    order /= order.sum()
    assert joint.p_best == pytest.approx([order[best == i].sum() for i in range(3)], abs=error)
    equal = np.mean(np.ptp(joint.draws, axis=1) < 1e-4)
    assert equal == pytest.approx(w[r == 1].sum(), abs=error)
    for i, j in ((1, 0), (2, 0), (2, 1)):
        d = mu[:, i] - mu[:, j]
        for at in (-0.5, -0.2, 0.0, 0.2, 0.5):
            assert float(joint.pair(i, j).sf(at)) == pytest.approx(w[d > at].sum(), abs=error)
    assert joint.mean - joint.mean.mean() == pytest.approx(w @ mu, abs=0.02)


def test_enough_units_by_a_grid_over_the_share() -> None:
    # Hotelling's Q has its likelihood in r; no model stands apart, or one of them with its leave-one-out
    # residual: r and s on a fine grid, with half of the prior at r = 1, then the mean of the abilities by its
    # formula.
    z = scores(60, 4, seed=2) * [1.0, 1.0, 1.0, 0.3]
    n, k = z.shape
    joint = bayes.joint(z, draws=10)
    H = np.linalg.qr(np.eye(k)[:, 1:] - 1 / k)[0]
    y, S = z.mean(axis=0) @ H, np.cov((z @ H).T) * (n - 1)
    inverse = np.linalg.inv(S)
    q = n * y @ inverse @ y
    r = 1 - ((np.arange(4000) + 0.5) / 4000) ** 4  # even steps of (1 - r)^(1/4) take up (1 - r)^(-3/4)
    s = np.sin((np.arange(600) + 0.5) * np.pi / 1200) ** 2
    prior = r**-0.5
    r, prior = np.append(r, 1.0), np.append(prior, prior.sum())  # r = 1 as probable as all others together
    none = prior * r**1.5 * (1 + r * q) ** (-n / 2)
    total = 0.75 * none.sum()
    mean = 0.75 * np.sum(none * (1 - r)) * y
    for j in range(k):
        e = H[j]
        z_j, b_j = e @ inverse @ y, e @ inverse @ e
        less = n * z_j**2 / b_j * (1 - s)
        p = 0.25 / k / s.size * np.sqrt(s) * prior[:, None] * r[:, None] ** 1.5
        p = p * (1 + r[:, None] * (q - less)) ** (-n / 2)
        total = total + p.sum()
        mean = mean + np.sum(p * (1 - r[:, None])) * y + np.sum(p * r[:, None] * (1 - s)) * z_j / b_j * e
    assert joint.mean - joint.mean.mean() == pytest.approx(H @ mean / total, abs=0.002)
    assert joint.pulled == pytest.approx(1 - mean @ y / (y @ y) / total, abs=0.005)


@pytest.mark.parametrize(("n", "k", "boards"), [(250, 5, 40), (20, 5, 40), (250, 20, 15)])
def test_the_leader_of_equal_models_is_not_called_the_best(n: int, k: int, boards: int) -> None:
    # Each of k equal models is the best as often as any other: P(best) of the leader is 1/k, to 0.03 on
    # average.
    tables = [np.random.default_rng([n, k, i]).normal(size=(n, k)) for i in range(boards)]
    said = [bayes.joint(z, draws=4_000).p_best.max() for z in tables]
    error = np.std(said) / np.sqrt(boards)
    assert 1 / k <= np.mean(said) <= 1 / k + 0.03 + 2 * error
    assert error < 0.008


def test_near_copies_share_a_chance_among_equal_models() -> None:
    # Schur's product theorem: ninth powers of correlations are correlations. Two near copies and three others
    # are four models, each the best as often; the copies share their chance.
    z = scores(2_000, 4)
    z = np.column_stack([z, z[:, 3] + 1e-3 * scores(2_000, 1, seed=9)[:, 0]])
    z -= z.mean(axis=0)  # equal means: all the evidence there can be that the models are equal
    assert bayes.joint(z, draws=20_000).p_best == pytest.approx([0.25, 0.25, 0.25, 0.125, 0.125], abs=0.015)


def test_abilities_around_their_means_given_the_share() -> None:
    # Far apart and many units: hardly anything is pulled in, and the draws are those of each pair on its own.
    z = scores(400, 5) + 3 * np.arange(5)
    joint = bayes.joint(z, draws=40_000)
    assert joint.pulled < 0.01
    for i in range(5):
        for j in range(i):
            q = [0.025, 0.25, 0.5, 0.75, 0.975]
            exact = joint.alone(i, j)
            assert joint.pair(i, j).quantile(q) == pytest.approx(exact.quantile(q), abs=0.08 * exact.sd)


def test_pooling_pulls_together() -> None:
    z = scores(30, 6, seed=5)
    alone, pooled = bayes.joint(z, pooling=False), bayes.joint(z, pooling=True)
    assert np.ptp(pooled.mean) < np.ptp(alone.mean)
    assert np.array_equal(np.argsort(pooled.mean), np.argsort(alone.mean))


@pytest.mark.parametrize(("n", "k", "apart"), [(40, 4, 0.0), (25, 3, 0.4), (200, 6, 0.2)])
def test_the_shares_of_equal_and_of_varied_abilities(n: int, k: int, apart: float) -> None:
    # Oracle: with Omega integrated out, p contrasts of the means have the density r^(p/2) (1 + r Q)^(-n/2)
    # under abilities that are pulled in by r; Q = m' S^-1 m n is Hotelling's statistic over n - 1. Under the
    # prior all abilities are equal (r = 1) with probability 1/2, and otherwise r ~ Beta(1/2, 1/4).
    z = np.random.default_rng(k).normal(size=(n, k)) + apart * np.arange(k) / k
    contrast = np.linalg.svd(np.eye(k) - 1 / k)[0][:, : k - 1]
    y = z @ contrast
    m, s = y.mean(axis=0), (n - 1) * np.cov(y.T)
    q = n * float(m @ np.linalg.solve(s, m))

    def likelihood(r: float) -> float:
        return float(r ** (0.5 * (k - 1)) * (1 + r * q) ** (-0.5 * n))

    def varied(power: int) -> float:
        parts = [(0, 0.01), (0.01, 0.99), (0.99, 1)]
        return sum(quad(lambda r: r**power * likelihood(r) * beta.pdf(r, 0.5, 0.25), *p)[0] for p in parts)

    found = Population.of(CrossSums.of(z), 1 / n, unstructured=True)
    weight, r = found.weight[0], 1 / (1 + np.exp(-found.logit))  # the case in which no model stands apart
    assert found.equal[0] / weight.sum() == pytest.approx(likelihood(1.0) / varied(0), rel=2e-3)
    assert weight @ r / weight.sum() == pytest.approx(varied(1) / varied(0), rel=2e-3)
    assert found.cases.q[0] == pytest.approx(q, rel=1e-9)

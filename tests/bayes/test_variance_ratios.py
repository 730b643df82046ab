"""Ratios of variances, by brute force over all variances."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, stdtr

from ropewalk import bayes
from tests.bayes.crossed_tables import Floats, simulated


def gls(z: Floats, v: Floats, x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """For each covariance, with flat effects integrated out: log determinants, squares of the residual,
    estimate and variance of the first effect."""
    inverse = np.linalg.inv(v)
    xvx = x.T @ inverse @ x
    cov = np.linalg.inv(xvx)
    beta = (cov @ (x.T @ inverse @ z)[..., None])[..., 0]
    r = z - beta @ x.T
    squares = np.einsum("...i,...ij,...j->...", r, inverse, r)
    log_det = -0.5 * np.linalg.slogdet(v)[1] - 0.5 * np.linalg.slogdet(xvx)[1]
    return log_det, squares, beta[..., 0], cov[..., 0, 0]


def test_brute_force_over_all_variances() -> None:
    # Oracle: the covariance matrix of all twelve numbers, inverted at every point of a lattice in the
    # logarithms of the three variances; shares only the prior with the code.
    s, j = 3, 4
    d = np.random.default_rng(4).normal(0.2, 0.5, (s, j)) + np.array([[0.6], [0.0], [-0.3]])
    same_seed = np.kron(np.eye(s), np.ones((j, j)))
    same_example = np.kron(np.ones((s, s)), np.eye(j))
    log_v = np.arange(-17.0, 17.0, 0.6)
    seed, example = (g.ravel() for g in np.meshgrid(np.exp(log_v), np.exp(log_v), indexing="ij"))
    at = np.array([-2.0, -0.5, 0.0, 0.2, 0.4, 1.0, 4.0])
    log_w, below = [], []
    for e in np.exp(np.arange(-6.0, 4.0, 0.3)):
        v = seed[:, None, None] * same_seed + example[:, None, None] * same_example + e * np.eye(s * j)
        log_det, squares, mean, var = gls(d.ravel(), v, np.ones((s * j, 1)))
        prior = -np.log(e) - np.log(e + j * seed) - np.log(e + s * example)
        jacobian = np.log(e) + np.log(seed) + np.log(example)  # the lattice is in logarithms
        log_w.append(log_det - 0.5 * squares + prior + jacobian)
        below.append(ndtr((at[:, None] - mean) / np.sqrt(var)))
    w = np.exp(np.array(log_w) - np.max(log_w))
    expected = np.einsum("ek,eak->a", w, np.array(below)) / w.sum()
    assert bayes.crossed(d).posterior.cdf(at) == pytest.approx(expected, abs=3e-6)


@pytest.mark.proof
def test_brute_force_with_unpaired_seeds() -> None:
    # Oracle: as above, with the mean of B and every example as flat fixed effects, so that nothing is taken
    # from the model's own formulas but the prior; only the common scale is integrated out (a Student).
    rng = np.random.default_rng(8)
    sa, sb, j = 3, 4, 3
    a = rng.normal(0.3, 0.5, (sa, j)) + rng.normal(0, 0.5, (sa, 1))
    b = rng.normal(0.0, 0.5, (sb, j)) + rng.normal(0, 0.2, (sb, 1))
    z, n = np.concatenate([a.ravel(), b.ravel()]), (sa + sb) * j
    in_a = np.repeat([1.0, 0.0], [sa * j, sb * j])
    row, column = np.repeat(np.arange(sa + sb), j), np.tile(np.arange(j), sa + sb)
    same_seed = row[:, None] == row
    of_a, of_b = same_seed * np.outer(in_a, in_a), same_seed * np.outer(1 - in_a, 1 - in_a)
    own_example = (column[:, None] == column) * (in_a[:, None] == in_a)
    fixed = np.column_stack([in_a, np.eye(j)[column]])
    h = 1 / sa + 1 / sb
    log_v = np.arange(-16.0, 17.0, 0.8)
    ua, ub, w_j = (g.ravel() for g in np.meshgrid(*[np.exp(log_v)] * 3, indexing="ij"))
    at = np.array([-3.0, 0.0, 0.3, 0.6, 1.0, 5.0])
    log_w, below, df = [], [], n - 1 - j
    for k in np.array_split(np.arange(ua.size), 12):
        # s_w² is the variance of w_Aj - w_Bj: each of them has half of it.
        v = (
            ua[k, None, None] * of_a
            + ub[k, None, None] * of_b
            + 0.5 * w_j[k, None, None] * own_example
            + np.eye(n)
        )
        log_det, squares, mean, var = gls(z, v, fixed)
        prior = -np.log1p(j * ua[k]) - np.log1p(j * ub[k]) - np.log1p(w_j[k] / h)
        log_w.append(
            log_det - 0.5 * df * np.log(squares) + prior + np.log(ua[k]) + np.log(ub[k]) + np.log(w_j[k])
        )
        below.append(stdtr(df, (at[:, None] - mean) / np.sqrt(var * squares / df)))
    log_w = np.concatenate(log_w)
    w = np.exp(log_w - log_w.max())
    expected = np.concatenate(below, axis=1) @ w / w.sum()
    assert bayes.crossed(a, b=b).posterior.cdf(at) == pytest.approx(expected, abs=3e-6)


def test_shares_find_where_the_variance_comes_from() -> None:
    # Oracle: the variances that the data were drawn with; many seeds, so that they are well known.
    su, sv, se, s, j = 0.2, 0.5, 0.4, 300, 400
    found = bayes.crossed(simulated(np.random.default_rng(2), s, j, seed=su, example=sv, rest=se))
    one = np.array([su**2, sv**2, se**2])
    mean = one / [s, j, s * j]
    got_one, got_mean = found.shares.of_one, found.shares.of_mean
    assert (got_one.seed, got_one.example, got_one.residual) == pytest.approx(one / one.sum(), abs=0.03)
    assert (got_mean.seed, got_mean.example, got_mean.residual) == pytest.approx(mean / mean.sum(), abs=0.05)
    assert found.effective_n == pytest.approx(one.sum() / mean.sum(), rel=0.1)
    doubled = [(mean * half).sum() / mean.sum() for half in ([0.5, 1, 0.5], [1, 0.5, 0.5])]
    assert (found.next.seeds, found.next.examples) == pytest.approx(doubled, abs=0.03)
    assert found.next.better == "examples"
    assert found.posterior.sd == pytest.approx(np.sqrt(mean.sum()), rel=0.1)


def test_unpaired_shares_count_both_models() -> None:
    rng = np.random.default_rng(7)
    j, sa, sb = 300, 150, 200
    example = rng.normal(0, 2.0, j)  # common to both: it cancels
    a = example + rng.normal(0, 0.2, j) + simulated(rng, sa, j, seed=0.3, example=0.0, rest=0.4)
    b = example + rng.normal(0, 0.2, j) + simulated(rng, sb, j, seed=0.5, example=0.0, rest=0.4)
    found = bayes.crossed(a, b=b)
    one = np.array([0.3**2 + 0.5**2, 2 * 0.2**2, 2 * 0.4**2])
    mean = np.array([0.3**2 / sa + 0.5**2 / sb, 2 * 0.2**2 / j, 0.4**2 * (1 / sa + 1 / sb) / j])
    got = found.shares
    assert (got.of_one.seed, got.of_one.example, got.of_one.residual) == pytest.approx(
        one / one.sum(), abs=0.05
    )
    assert (got.of_mean.seed, got.of_mean.example, got.of_mean.residual) == pytest.approx(
        mean / mean.sum(), abs=0.05
    )
    assert found.next.better == "seeds"
    assert found.posterior.sd == pytest.approx(np.sqrt(mean.sum()), rel=0.12)

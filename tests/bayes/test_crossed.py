"""Crossed random effects: seeds x examples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, stdtr

from ropewalk import bayes
from ropewalk.errors import CellError, DataError, OptionError, PairingError
from ropewalk.grouped import CrossedSums
from ropewalk.posterior import Point

Floats = np.ndarray


def simulated(
    rng: np.random.Generator,
    seeds: int,
    examples: int,
    *,
    seed: float,
    example: float = 0.3,
    rest: float = 0.3,
) -> Floats:
    """Differences of mean zero, from the model itself; the last three are standard deviations."""
    return (
        rng.normal(0, seed, (seeds, 1))
        + rng.normal(0, example, examples)
        + rng.normal(0, rest, (seeds, examples))
    )


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


LEVELS = np.array([0.001, 0.025, 0.2, 0.5, 0.9, 0.975])


@pytest.mark.parametrize("seeds", [2, 3, 7])
def test_without_example_variance_it_is_t_over_the_seeds(seeds: int) -> None:
    # Oracle: closed form. Exactly constant rows, and rows with a residual ten million times smaller.
    rng = np.random.default_rng(seeds)
    u = rng.normal(0.1, 1.0, seeds)
    d = np.repeat(u[:, None], 50, axis=1)
    for noise in (0.0, 1e-7):
        posterior = bayes.crossed(d + noise * rng.normal(size=d.shape)).posterior
        assert posterior.quantile(LEVELS) == pytest.approx(bayes.t(u).quantile(LEVELS), rel=1e-5)


@pytest.mark.parametrize("seeds", [2, 3, 7])
def test_without_seed_variance_it_is_t_over_the_examples(seeds: int) -> None:
    # Oracle: closed form. The same for seeds that do not differ: deterministic training.
    rng = np.random.default_rng(seeds)
    v = rng.normal(0.1, 1.0, 12)
    d = np.repeat(v[None, :], seeds, axis=0)
    expected = bayes.t(v).quantile(LEVELS)
    assert bayes.crossed(d).posterior.quantile(LEVELS) == pytest.approx(expected, rel=1e-12)
    noisy = bayes.crossed(d + 1e-9 * rng.normal(size=d.shape)).posterior
    assert noisy.quantile(LEVELS) == pytest.approx(expected, rel=1e-5)


def test_many_seeds_without_seed_variance_come_close_to_t_over_the_examples() -> None:
    # Where the residual is not small, it takes many seeds to know that their variance is none.
    d = simulated(np.random.default_rng(3), 200, 30, seed=0.0)
    assert bayes.crossed(d).posterior.sd == pytest.approx(bayes.t(d.mean(axis=0)).sd, rel=0.02)


def test_additive_scores_are_the_behrens_fisher_distribution() -> None:
    # Oracle: with no residual at all the mean is a sum of two independent Students, by simulation.
    rng = np.random.default_rng(1)
    u, v = rng.normal(0, 1, 6), rng.normal(0, 1, 8)
    posterior = bayes.crossed(u[:, None] + v).posterior
    draws = bayes.t(u).sample(400_000, 1) + bayes.t(v).sample(400_000, 2)
    for level in (0.05, 0.3, 0.6, 0.95):
        at = float(posterior.quantile(level))
        assert np.mean(draws < at) == pytest.approx(level, abs=4 * np.sqrt(0.25 / 400_000))


def test_swapping_scaling_and_shuffling() -> None:
    rng = np.random.default_rng(5)
    a, b = simulated(rng, 3, 20, seed=0.1), simulated(rng, 4, 20, seed=0.3)
    one, other = bayes.crossed(a, b=b), bayes.crossed(b, b=a)
    at = np.array([-0.3, 0.0, 0.1, 0.6])
    assert one.posterior.cdf(at) == pytest.approx(other.posterior.sf(-at), abs=1e-6)
    assert other.seeds == one.seeds[::-1]
    assert bayes.crossed(1000 * a, b=1000 * b).posterior.cdf(1000 * at) == pytest.approx(
        one.posterior.cdf(at), abs=1e-6
    )
    order = rng.permutation(20)
    shuffled = bayes.crossed(a[[2, 0, 1]][:, order], b=b[:, order])
    assert shuffled.posterior.cdf(at) == pytest.approx(one.posterior.cdf(at), abs=1e-6)
    d = a - b[:3]
    assert bayes.crossed(d).posterior.cdf(at) == pytest.approx(bayes.crossed(-d).posterior.sf(-at), abs=1e-6)


def test_paired_scores_are_their_differences() -> None:
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=(3, 9)), rng.normal(size=(3, 9))
    expected = bayes.crossed(a - b).posterior.interval()
    assert bayes.crossed(a, b=b, paired=True).posterior.interval() == expected
    assert bayes.crossed(CrossedSums.of(a - b)).posterior.interval() == expected


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


def test_one_seed_is_t_over_the_examples_and_says_so() -> None:
    d = np.random.default_rng(9).normal(0.1, 1, 30)
    found = bayes.crossed([d])
    assert found.posterior.interval() == pytest.approx(bayes.t(d).interval(), rel=1e-12)
    assert found.warning.startswith("each model has only one seed, so how much its seed matters cannot be")
    assert found.shares.of_mean.example == 1.0
    both = bayes.crossed([d], b=[0 * d])
    assert both.posterior.interval() == pytest.approx(bayes.t(d).interval(), rel=1e-12)


def test_one_seed_of_one_model_only() -> None:
    rng = np.random.default_rng(10)
    a, b = simulated(rng, 1, 40, seed=0.3), simulated(rng, 5, 40, seed=0.3)
    found = bayes.crossed(a, b=b)
    assert found.warning.startswith("A has only one seed")
    assert "but about that model as trained this time" in found.warning
    assert bayes.crossed(b, b=a).warning.startswith("B has only one seed")
    assert bayes.crossed(b, b=b[::-1]).warning == ""
    assert found.posterior.sd > bayes.t(a[0] - b.mean(axis=0)).sd  # B's seeds still count


def test_few_seeds_have_no_standard_deviation() -> None:
    rng = np.random.default_rng(11)
    assert [np.isinf(bayes.crossed(simulated(rng, s, 20, seed=0.3)).posterior.sd) for s in (2, 3, 4)] == [
        True,
        True,
        False,
    ]


def test_the_hdi_is_the_central_interval() -> None:
    posterior = bayes.crossed(simulated(np.random.default_rng(12), 4, 20, seed=0.3)).posterior
    assert posterior.hdi(0.9) == posterior.interval(0.9)
    with pytest.raises(OptionError, match="level is 2"):
        posterior.hdi(2)


def test_no_variation_at_all() -> None:
    found = bayes.crossed(np.full((3, 4), 0.2))
    assert found.posterior == Point(at=pytest.approx(0.2))
    assert found.shares.of_mean.seed == found.shares.of_mean.example == 0


def test_a_hundred_thousand_examples_need_only_sums() -> None:
    d = simulated(np.random.default_rng(13), 10, 100_000, seed=0.05)
    found = bayes.crossed(d)
    # Oracle: examples are so many that only the seeds count.
    assert found.posterior.interval() == pytest.approx(bayes.t(d.mean(axis=1)).interval(), rel=0.01)
    assert found.shares.of_mean.seed > 0.98


def test_seed_variance_makes_pooled_rows_fail_but_not_this() -> None:
    # Oracle: 95 % intervals hold the true mean in 95 % of simulations, here in at least 68 of 80 (fewer have
    # a chance of 2e-4), and t over all rows as if they were independent does so far more rarely.
    rng = np.random.default_rng(14)
    crossed = pooled = 0
    for _ in range(80):
        d = simulated(rng, 3, 60, seed=0.2)
        crossed += 0.025 < float(bayes.crossed(d).posterior.cdf(0.0)) < 0.975
        pooled += 0.025 < float(bayes.t(d.ravel()).cdf(0.0)) < 0.975
    assert crossed >= 68
    assert pooled < 48


def test_errors() -> None:
    good = np.zeros((2, 3))
    with pytest.raises(DataError, match="the table has 1 dimension, 2 were expected"):
        bayes.crossed([1.0, 2.0])
    with pytest.raises(DataError, match="not a table of numbers, one row per seed"):
        bayes.crossed([[1.0, 2.0], [3.0]])
    with pytest.raises(DataError, match="2 seeds and 1 examples, at least 1 and 2 are needed"):
        bayes.crossed([[1.0], [2.0]])
    with pytest.raises(CellError, match="1 of 4 cells are NaN or infinite\n\n  seed 1, example 0: nan"):
        bayes.crossed([[1.0, 2.0], [np.nan, 3.0]])
    with pytest.raises(CellError, match="its square is no number any more"):
        bayes.crossed([[1e300, 2.0], [1.0, 3.0]])
    with pytest.raises(DataError, match="sums are given with b"):
        bayes.crossed(CrossedSums.of(good), b=good)
    with pytest.raises(PairingError, match="A was scored on 3 examples and B on 4"):
        bayes.crossed(good, b=np.zeros((2, 4)))
    with pytest.raises(OptionError, match="paired seeds, but A has 2 and B has 3"):
        bayes.crossed(good, b=np.zeros((3, 3)), paired=True)

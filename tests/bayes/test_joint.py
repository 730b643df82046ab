"""The joint posterior on one task against `t`, numerical integration and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad
from scipy.special import gammaln

from ropewalk import bayes
from ropewalk.bayes.cross_sums import CrossSums
from ropewalk.errors import CellError, DataError, MethodError, OptionError
from ropewalk.posterior import Draws, Posterior


def distance(draws: Draws, exact: Posterior) -> float:
    """Kolmogorov's distance times sqrt(n): above 1.95 for one in a thousand draws of the exact one."""
    above = np.arange(1, draws.x.size + 1) / draws.x.size
    at = exact.cdf(draws.x)
    return float(np.sqrt(draws.x.size) * max(np.max(above - at), np.max(at - above + 1 / draws.x.size)))


def scores(n: int, k: int, seed: int = 0) -> np.ndarray:
    """Units of different difficulty, models of different quality and spread."""
    rng = np.random.default_rng(seed)
    return rng.normal(0, 1, (n, 1)) + 0.1 * np.arange(k) + rng.normal(0, 0.5 + 0.2 * np.arange(k), (n, k))


@pytest.mark.parametrize(("n", "rho"), [(2, 0.0), (3, 0.2), (10, 0.1), (200, 0.0)])
def test_two_models_are_the_pairwise_t(n: int, rho: float) -> None:
    z = scores(n, 2)
    joint, exact = bayes.joint(z, rho=rho), bayes.t(z[:, 1] - z[:, 0], rho=rho)
    assert joint.model == "unstructured"
    assert distance(joint.pair(1, 0), exact) < 1.95
    assert joint.p_best[1] == pytest.approx(exact.sf(0.0), abs=4 * joint.error)
    assert joint.mean[1] - joint.mean[0] == pytest.approx(exact.mean)
    r = 0.2
    assert joint.p_within(r)[1] == pytest.approx(exact.sf(-r), abs=4 * joint.error)


@pytest.mark.parametrize("rho", [0.0, 0.1])
def test_unstructured_every_pair_is_the_pairwise_t(rho: float) -> None:
    z = scores(40, 5)
    joint = bayes.joint(z, rho=rho, pooling=False)
    assert joint.model == "unstructured"
    for i in range(5):
        own = bayes.t(z[:, i], rho=rho)
        assert distance(Draws.of(joint.draws[:, i]), own) < 2.2  # ten looks and five: 1 in 8,000 each
        for j in range(i):
            assert distance(joint.pair(i, j), bayes.t(z[:, i] - z[:, j], rho=rho)) < 2.2


def test_unstructured_p_best_of_three_by_integration() -> None:
    # P(mu_0 is best) is the integral of the bivariate Student density of (mu_0 - mu_1, mu_0 - mu_2) over the
    # positive quadrant.
    z = scores(20, 3, seed=3)
    joint = bayes.joint(z, pooling=False, draws=40_000)
    n = len(z)
    for i in range(3):
        d = z[:, [i]] - np.delete(z, i, axis=1)
        m, df = d.mean(axis=0), n - 1
        sigma = np.cov(d.T) / n
        inverse = np.linalg.inv(sigma)
        log_norm = gammaln((df + 2) / 2) - gammaln(df / 2) - np.log(df * np.pi)
        norm = np.exp(log_norm - 0.5 * np.log(np.linalg.det(sigma)))

        def density(y: float, x: float) -> float:
            a, b = x - m[0], y - m[1]  # noqa: B023
            q = inverse[0, 0] * a * a + 2 * inverse[0, 1] * a * b + inverse[1, 1] * b * b  # noqa: B023
            return norm * (1 + q / df) ** (-(df + 2) / 2)  # noqa: B023

        far = 12 * np.sqrt(sigma.max())
        p, _ = dblquad(density, 0, max(m[0], 0) + far, 0, max(m[1], 0) + far, epsabs=1e-5)
        assert joint.p_best[i] == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 40_000) + 1e-4)


@pytest.mark.parametrize(("n", "k", "rho"), [(40, 5, 0.0), (6, 4, 0.1), (3, 12, 0.0), (2, 3, 0.0)])
def test_a_pair_on_its_own_is_the_t_whoever_else_is_compared(n: int, k: int, rho: float) -> None:
    z = scores(n, k)
    many, two = bayes.joint(z, rho=rho, draws=100), bayes.joint(z[:, :2], rho=rho, draws=100)
    exact = bayes.t(z[:, 1] - z[:, 0], rho=rho)
    at = np.linspace(-2, 2, 9)
    for joint in (many, two):
        assert joint.alone(1, 0).cdf(at) == pytest.approx(exact.cdf(at), abs=1e-12)
        assert joint.alone(1, 0).hdi(0.95) == pytest.approx(exact.hdi(0.95), rel=1e-9)
    assert many.own is not None
    assert many.own.above(0.1)[1, 0] == pytest.approx(exact.sf(0.1), abs=1e-12)
    assert many.own.above(-0.1)[0, 1] == pytest.approx(exact.cdf(0.1), abs=1e-12)


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


def test_claims_about_order_and_about_closeness_have_priors_of_their_own() -> None:
    # A draw weighs as much as the prior for order has of its kind beside the prior of the draws: equal, equal
    # but for one, or varied. P(best), ranks and P(within 0) go by it; P(within more) by the draws alone.
    joint = bayes.joint(np.random.default_rng(0).normal(size=(250, 5)), draws=8_000)
    assert joint.order is not None
    weights = joint.order.weights
    equal = weights > 1
    assert set(weights.round(6)) == {round(0.8 / 0.375, 6), round(0.1 / 0.125, 6), round(0.1 / 0.5, 6)}
    assert np.ptp(joint.draws[equal], axis=1).max() < joint.order.even < 1e-4
    assert np.mean(np.ptp(joint.draws[~equal], axis=1) < joint.order.even) < 0.05
    w = weights / weights.sum()
    first = np.array([w[joint.draws.argmax(axis=1) == i].sum() for i in range(5)])
    assert joint.p_best == pytest.approx(first, abs=1e-12)
    assert joint.ranks[:, 0] == pytest.approx(first, abs=1e-12)
    assert joint.p_within(0.0) == pytest.approx(first, abs=1e-12)
    gap = joint.draws.max(axis=1, keepdims=True) - joint.draws
    assert joint.p_within(0.05) == pytest.approx(np.maximum((gap <= 0.05).mean(axis=0), first), abs=1e-12)
    assert joint.error > 0.5 / np.sqrt(8_000) * np.sqrt(4 * max(first * (1 - first)))


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


@pytest.mark.parametrize(("n", "k"), [(60, 6), (12, 6)])
def test_near_copies_leave_another_pair_alone(n: int, k: int) -> None:
    z = scores(n, k)
    copies = z[:, [0]] + 0.01 * np.random.default_rng(1).normal(size=(n, 4))
    with_copies = bayes.joint(np.hstack([z, copies]), draws=200)
    assert with_copies.alone(1, 2) == bayes.joint(z, draws=200).alone(1, 2)


def test_pooled_level_is_that_of_the_units_means() -> None:
    z = scores(12, 6)
    joint = bayes.joint(z, rho=0.1)
    assert joint.model == "pooled"
    assert distance(Draws.of(joint.draws.mean(axis=1)), bayes.t(z.mean(axis=1), rho=0.1)) < 1.95


def test_pooling_pulls_together() -> None:
    z = scores(30, 6, seed=5)
    alone, pooled = bayes.joint(z, pooling=False), bayes.joint(z, pooling=True)
    assert np.ptp(pooled.mean) < np.ptp(alone.mean)
    assert np.array_equal(np.argsort(pooled.mean), np.argsort(alone.mean))


def test_which_model_and_why() -> None:
    enough, few = bayes.joint(scores(30, 6)), bayes.joint(scores(29, 6))
    assert enough.why.startswith("30 units are enough for each of 6 models to vary in its own way; as models")
    assert enough.why.endswith(f"their differences are pulled in by {enough.pulled:.0%}")
    assert few.why.startswith(
        "29 units are few for 6 models: their covariances lean on each other; as models"
    )
    assert bayes.joint(scores(4, 2)).why == "two models: there is nothing to pool"
    assert bayes.joint(scores(29, 6), pooling=False).why == "pooling=False was asked for"
    assert bayes.joint(scores(3, 50)).model == "pooled"


@pytest.mark.parametrize(("n", "k"), [(40, 5), (8, 5), (3, 20)])
def test_permuting_the_models_permutes_the_answer(n: int, k: int) -> None:
    z = scores(n, k)
    order = np.random.default_rng(1).permutation(k)
    one, other = bayes.joint(z, draws=500), bayes.joint(z[:, order], draws=500)
    assert other.draws == pytest.approx(one.draws[:, order], rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("n", [40, 8])
def test_units_scale_and_shift(n: int) -> None:
    z = scores(n, 5)
    one = bayes.joint(z, draws=500)
    shuffled = bayes.joint(np.random.default_rng(1).permutation(z), draws=500)
    assert shuffled.draws == pytest.approx(one.draws, rel=1e-6, abs=1e-6)
    assert bayes.joint(1000 * z + 3, draws=500).draws == pytest.approx(
        1000 * one.draws + 3, rel=1e-6, abs=1e-3
    )


def test_the_same_seed_gives_the_same_bytes_and_sums_the_same_answer() -> None:
    z = scores(30, 4)
    assert bayes.joint(z, rng=5).draws.tobytes() == bayes.joint(z, rng=5).draws.tobytes()
    assert not np.array_equal(bayes.joint(z, rng=5).draws, bayes.joint(z, rng=6).draws)
    parts = CrossSums.of(z[:11]) + CrossSums.of(z[11:])
    assert bayes.joint(parts, draws=100).draws == pytest.approx(bayes.joint(z, draws=100).draws, abs=1e-9)


@pytest.mark.parametrize(("n", "pooling"), [(60, False), (60, True), (6, "auto")])
def test_identical_models_tie(n: int, pooling: bool) -> None:
    z = scores(n, 4)[:, [0, 3, 1, 3, 2, 3]]
    joint = bayes.joint(z, pooling=pooling)
    assert np.array_equal(joint.draws[:, 1], joint.draws[:, 3])
    assert np.array_equal(joint.draws[:, 1], joint.draws[:, 5])
    assert joint.p_best[1] == joint.p_best[3] == joint.p_best[5] > 0
    assert joint.p_best.sum() == pytest.approx(1.0)
    # The copies count once: the answer is that of the four models.
    once = bayes.joint(scores(n, 4), pooling=pooling)
    assert 3 * joint.p_best[1] == pytest.approx(once.p_best[3])
    assert {1, 3, 5} <= set(joint.practically_best(0.01))


@pytest.mark.parametrize("pooling", ["auto", True])
@pytest.mark.parametrize("n", [2, 60])
def test_models_that_are_all_the_same(n: int, pooling: bool) -> None:
    joint = bayes.joint(np.repeat(scores(n, 1), 3, axis=1), pooling=pooling)
    assert joint.p_best == pytest.approx([1 / 3] * 3)
    assert joint.ranks == pytest.approx(1 / 3)
    assert joint.practically_best(0.0) == (0, 1, 2)


@pytest.mark.parametrize("pooling", [False, True])
def test_differences_that_never_vary_are_certain(pooling: bool) -> None:
    unit = np.random.default_rng(0).normal(size=(20, 1))
    joint = bayes.joint(unit + np.array([0.1, 0.2, 0.3]), pooling=pooling)
    assert joint.p_best == pytest.approx([0, 0, 1])
    assert joint.pair(2, 0).interval(0.99) == pytest.approx((0.2, 0.2), abs=1e-6)
    flat = bayes.joint(np.tile([0.1, 0.2, 0.3], (20, 1)), pooling=pooling)
    assert flat.draws == pytest.approx(np.tile([0.1, 0.2, 0.3], (10_000, 1)))


def test_constant_columns_beside_others() -> None:
    z = scores(30, 3)
    z[:, 1] = 0.7
    joint = bayes.joint(z, pooling=False)
    assert joint.interval(0.95)[1] == pytest.approx([0.7, 0.7], abs=1e-6)
    assert distance(joint.pair(0, 1), bayes.t(z[:, 0] - 0.7)) < 1.95


def test_equal_means_of_different_models() -> None:
    rng = np.random.default_rng(0)
    z = np.array([rng.permutation(np.arange(8.0)) for _ in range(4)]).T  # all means are the same
    joint = bayes.joint(z, draws=40_000)
    assert joint.model == "pooled"
    assert joint.pulled > 0.8
    assert joint.mean == pytest.approx(3.5)
    assert joint.pair(0, 1).mean == pytest.approx(0, abs=0.02)


@given(
    z=st.integers(2, 6).flatmap(
        lambda k: st.lists(
            st.lists(st.sampled_from([0.0, 1.0, 0.5]), min_size=k, max_size=k), min_size=2, max_size=40
        )
    ),
    rho=st.sampled_from([0.0, 0.1, 0.9]),
    pooling=st.sampled_from(["auto", True]),
)
@settings(max_examples=60)
def test_any_table_gets_an_answer(z: list[list[float]], rho: float, pooling: bool) -> None:
    joint = bayes.joint(z, rho=rho, pooling=pooling, draws=200)
    assert np.isfinite(joint.draws).all()
    assert np.isfinite(joint.mean).all()
    assert joint.p_best.sum() == pytest.approx(1.0)
    assert joint.practically_best(0.1)


@pytest.mark.parametrize(("n", "k"), [(60, 8), (15, 8)])
def test_the_practically_best_set_holds_one_at_the_stated_rate(n: int, k: int) -> None:
    # 200 worlds drawn from the model. If the rate were 0.95, 181 hits or fewer would come once in 172 times.
    rng = np.random.default_rng(n)
    hits, sizes, r = 0, [], 0.05
    for seed in range(200):
        mu = rng.normal(0, 0.2, k)
        z = mu + rng.normal(0, 1, (n, 1)) + rng.normal(0, 0.5, (n, k))
        members = bayes.joint(z, draws=1000, rng=seed).practically_best(r, level=0.95)
        hits += mu[list(members)].max() >= mu.max() - r
        sizes.append(len(members))
    assert hits >= 182
    assert np.mean(sizes) < 0.8 * k  # and it is not all of them


def test_a_thousand_models() -> None:
    z = scores(50, 1000)
    joint = bayes.joint(z, draws=1000)
    assert joint.model == "pooled"
    assert joint.ranks.shape == (1000, 1000)
    assert joint.p_best.sum() == pytest.approx(1.0)


def test_bad_tables() -> None:
    with pytest.raises(DataError, match="has 1 units and 2 models, at least 2 and 2 are needed"):
        bayes.joint([[1.0, 2.0]])
    with pytest.raises(DataError, match="has 2 units and 1 models"):
        bayes.joint([[1.0], [2.0]])
    with pytest.raises(DataError, match=r"the shape \(2,\), units x models were expected"):
        bayes.joint([1.0, 2.0])
    with pytest.raises(DataError, match=r"the shape \(0, 3\)"):
        bayes.joint(np.empty((0, 3)))
    with pytest.raises(DataError, match="not a table of numbers"):
        bayes.joint([[1.0, 2.0], [3.0]])
    with pytest.raises(CellError, match=r"1 of 4 cells are NaN or infinite\n\n  unit 1, model 0: nan"):
        bayes.joint([[1.0, 2.0], [np.nan, 4.0]])
    with pytest.raises(CellError, match=r"a score is 1e\+200"):
        bayes.joint([[1e200, 2.0], [3.0, 4.0]])
    with pytest.raises(MethodError, match="of 5 models needs at least 5 units, and there are 4"):
        bayes.joint(scores(4, 5), pooling=False)


def test_bad_options() -> None:
    z = scores(10, 3)
    with pytest.raises(OptionError, match=r"rho is 1.0\n\n  Give a correlation in \[0, 1\)"):
        bayes.joint(z, rho=1.0)
    with pytest.raises(OptionError, match="draws is 0"):
        bayes.joint(z, draws=0)
    with pytest.raises(OptionError, match=r"pooling is 'some'\n\n  Give \"auto\", True or False"):
        bayes.joint(z, pooling="some")

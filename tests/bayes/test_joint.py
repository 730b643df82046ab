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
    joint = bayes.joint(z, rho=rho)
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
    joint = bayes.joint(z, draws=40_000)
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


@pytest.mark.parametrize("rho", [0.0, 0.2])
def test_pooled_by_a_grid_over_the_two_variances(rho: float) -> None:
    # Brute force: dense Gaussian algebra on the contrasts of the models, on a grid of (sigma², tau²) with the
    # prior 1/(sigma² (sigma² + tau²/c)).
    z = scores(5, 3, seed=1)
    n, k = z.shape
    joint = bayes.joint(z, rho=rho, pooling=True, draws=40_000)
    H = np.linalg.qr(np.eye(k)[:, 1:] - 1 / k)[0]  # contrasts
    y = (z @ H).T.ravel()  # flat unit effects leave only these; contrast by contrast
    c = 1 / n + rho / (1 - rho)
    R = (1 - rho) * np.eye(n) + rho * np.ones((n, n))
    grid_s, grid_t = np.exp(np.linspace(-5, 5, 161)), np.exp(np.linspace(-12, 9, 241))
    log_p, means, covs = [], [], []
    ones = np.kron(np.eye(k - 1), np.ones((n, 1)))
    for s2 in grid_s:  # s2 is the variance within: (1 - rho) times that of one score
        noise = np.kron(np.eye(k - 1), R * s2 / (1 - rho))
        solved = np.linalg.solve(noise, np.column_stack([ones, y]))
        precision, h = ones.T @ solved[:, :-1], ones.T @ solved[:, -1]
        base = -0.5 * np.linalg.slogdet(noise)[1] - 0.5 * y @ solved[:, -1]
        for t2 in grid_t:
            post = np.linalg.inv(precision + np.eye(k - 1) / t2)
            log_like = base + 0.5 * h @ post @ h + 0.5 * np.linalg.slogdet(post / t2)[1]
            log_p.append(log_like - np.log(s2 + t2 / c) + np.log(t2))  # d log s2, d log t2
            means.append(H @ post @ h)
            covs.append(H @ post @ H.T)
    w = np.exp(np.array(log_p) - max(log_p))
    w /= w.sum()
    mean = w @ np.array(means)
    assert joint.mean - joint.mean.mean() == pytest.approx(mean, abs=0.01)
    second = np.einsum("i,ijk->jk", w, np.array(covs)) + np.einsum("i,ij,ik->jk", w, means, means)
    centred = joint.draws - joint.draws.mean(axis=1, keepdims=True)
    assert centred.T @ centred / len(centred) == pytest.approx(second, rel=0.05, abs=0.005)
    from scipy.special import ndtr

    for i, j in ((1, 0), (2, 0), (2, 1)):
        gap = np.array(means)[:, i] - np.array(means)[:, j]
        var = np.array([v[i, i] + v[j, j] - 2 * v[i, j] for v in covs])
        for at in (-0.3, 0.0, 0.3):
            p = float(w @ ndtr((gap - at) / np.sqrt(var)))
            assert float(joint.pair(i, j).sf(at)) == pytest.approx(
                p, abs=4 * np.sqrt(p * (1 - p) / 4e4) + 1e-3
            )


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
    assert bayes.joint(scores(30, 6)).why == "30 units are enough for 6 models to stand on their own"
    assert bayes.joint(scores(29, 6)).why == "29 units are few for 6 models: their means are pulled together"
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
    joint = bayes.joint(z)
    assert joint.interval(0.95)[1] == pytest.approx([0.7, 0.7], abs=1e-6)
    assert distance(joint.pair(0, 1), bayes.t(z[:, 0] - 0.7)) < 1.95


def test_equal_means_of_different_models() -> None:
    rng = np.random.default_rng(0)
    z = np.array([rng.permutation(np.arange(8.0)) for _ in range(4)]).T  # all means are the same
    joint = bayes.joint(z, draws=40_000)
    assert joint.model == "pooled"
    assert joint.p_best == pytest.approx(0.25, abs=4 * joint.error)


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

"""The joint posterior on one task against `t`, numerical integration and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ropewalk import bayes
from ropewalk.bayes.cross_sums import CrossSums
from ropewalk.errors import CellError, DataError, MethodError, OptionError
from ropewalk.posterior import Draws
from tests.bayes.units_of_models import distance, scores


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


def test_which_model_and_why() -> None:
    enough, few = bayes.joint(scores(30, 6)), bayes.joint(scores(29, 6))
    assert enough.why.startswith(
        "30 units are enough for a full covariance of 6 models; differences are shrunk"
    )
    assert enough.why.endswith(f"differences are shrunk by {enough.pulled:.0%}")
    assert few.why.startswith(
        "29 units are few for 6 models, so their covariances are pooled; differences are shrunk"
    )
    assert bayes.joint(scores(4, 2)).why == "two models, nothing to pool"
    assert bayes.joint(scores(29, 6), pooling=False).why == "pooling=False was set"
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
@pytest.mark.few(1)
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


@pytest.mark.proof
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
    with pytest.raises(MethodError, match="of 5 models needs at least 5 units, but there are 4"):
        bayes.joint(scores(4, 5), pooling=False)


def test_bad_options() -> None:
    z = scores(10, 3)
    with pytest.raises(OptionError, match=r"rho is 1.0\n\n  Give a correlation in \[0, 1\)"):
        bayes.joint(z, rho=1.0)
    with pytest.raises(OptionError, match="draws is 0"):
        bayes.joint(z, draws=0)
    with pytest.raises(OptionError, match=r"pooling is 'some'\n\n  Give \"auto\", True or False"):
        bayes.joint(z, pooling="some")

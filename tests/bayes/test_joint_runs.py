"""Training runs of many models: against `crossed` for two, dense algebra and simulation for more."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import chi2

from ropewalk import bayes
from ropewalk.bayes.joint_runs import _mean_squares, _Square, _truncated
from ropewalk.errors import CellError, DataError, OptionError, PairingError
from ropewalk.posterior import Draws, Posterior


def world(
    seeds: list[int],
    examples: int = 40,
    *,
    u: float = 0.2,
    w: float = 0.3,
    e: float = 0.5,
    lift: tuple[float, ...] = (),
    rng: int = 0,
) -> list[np.ndarray]:
    """Seeds with sd u, models x examples with sd w, the rest with sd e."""
    random = np.random.default_rng(rng)
    easy = random.normal(size=examples)
    lifts = (*lift, *[0.0] * len(seeds))
    return [
        lifts[m] + easy + random.normal(0, w, examples)
        + random.normal(0, u, (s, 1)) + random.normal(0, e, (s, examples))
        for m, s in enumerate(seeds)
    ]  # fmt: skip


def distance(draws: Draws, exact: Posterior) -> float:
    """Kolmogorov's distance at 99 quantiles, times sqrt(n): above 1.95 for fewer than one in a thousand."""
    below = np.arange(1, 100) / 100
    at = exact.cdf(np.quantile(draws.x, below))
    return float(np.sqrt(draws.x.size) * np.max(np.abs(at - below)))


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize(
    ("examples", "u", "w", "e"),
    [(40, 0.2, 0.3, 0.5), (30, 0.0, 0.0, 0.5), (8, 0.5, 0.1, 0.2), (200, 0.05, 0.2, 0.3), (5, 0.0, 0.5, 0.5)],
)
@pytest.mark.few(4)
def test_two_models_are_the_pair(paired: bool, examples: int, u: float, w: float, e: float) -> None:
    a, b = world([3, 3] if paired else [3, 4], examples, u=u, w=w, e=e)
    exact = bayes.crossed(a, b=b, paired=paired).posterior
    fitted = bayes.joint_runs([a, b], paired=paired, draws=20_000, rng=1)
    assert distance(fitted.pair(0, 1), exact) < 1.95
    assert fitted.p_best[0] == pytest.approx(float(exact.sf(0.0)), abs=4 * np.sqrt(0.25 / 20_000))


def test_two_models_of_which_one_has_one_seed() -> None:
    a, b = world([4, 1])
    fitted = bayes.joint_runs([a, b], draws=20_000)
    assert distance(fitted.pair(0, 1), bayes.crossed(a, b=b).posterior) < 1.95
    assert "1 model has a single seed, so the answer does not generalize to other seeds of it" in fitted.why


def test_one_seed_of_each_is_the_t_test() -> None:
    a, b = world([1, 1])
    fitted = bayes.joint_runs([a, b], draws=20_000)
    assert distance(fitted.pair(0, 1), bayes.t(a[0] - b[0])) < 1.95
    assert fitted.why.startswith("a single seed of every model")


def test_the_mean_squares_by_quadrature() -> None:
    # Oracle: P(tau_1 > 2) and E(epsilon) of the constrained posterior by two nested integrals of SciPy.
    residual, effects = _Square(ss=9.0, df=10), [_Square(ss=4.0, df=3), _Square(ss=0.0, df=2)]

    def inverse_chi2(x: float, q: _Square) -> float:
        return x ** (-q.df / 2 - 1) * np.exp(-q.ss / 2 / x)

    def above(eps: float, q: _Square, low: float = 0.0) -> float:
        return quad(inverse_chi2, max(eps, low), np.inf, args=(q,))[0]

    def whole(eps: float, low: float = 0.0) -> float:
        return inverse_chi2(eps, residual) * above(eps, effects[0], low) * above(eps, effects[1])

    total = quad(whole, 0, 30)[0]
    mean = quad(lambda x: x * whole(x), 0, 30)[0] / total
    beyond = quad(lambda x: whole(x, 2.0), 0, 30)[0] / total
    epsilon, tau = _mean_squares(effects, residual, 40_000, np.random.default_rng(0))
    assert epsilon.mean() == pytest.approx(mean, abs=4 * epsilon.std() / 200)
    assert np.mean(tau[:, 0] > 2) == pytest.approx(beyond, abs=4 * 0.5 / 200)
    assert (tau >= epsilon[:, None]).all()


def test_far_below_the_residual_the_mean_squares_stay_numbers() -> None:
    # 5,000 degrees of freedom say 0.1, the residual says 1: next to impossible, and still an answer.
    effects, residual = [_Square(ss=500.0, df=5_000), _Square(ss=1.0, df=2)], _Square(ss=100.0, df=100)
    epsilon, tau = _mean_squares(effects, residual, 500, np.random.default_rng(0))
    assert np.isfinite(tau).all()
    assert (tau >= epsilon[:, None]).all()
    assert np.median(tau[:, 0] / epsilon) < 1.01  # pressed against its bound


def test_every_pair_of_many_models_is_about_what_the_pair_says() -> None:
    # One scale of the examples' effects for all models, and one residual: pairs are not exactly theirs, but
    # with 60 examples the widths differ by a few percent only, as the seeds' part is each model's own.
    runs = world([4, 5, 3, 4, 4], 60)
    fitted = bayes.joint_runs(runs, draws=20_000)
    for i, j in ((0, 1), (1, 2), (3, 4)):
        low, high = bayes.crossed(runs[i], b=runs[j]).posterior.interval(0.9)
        mine = np.quantile(fitted.pair(i, j).x, [0.05, 0.95])
        assert mine[1] - mine[0] == pytest.approx(high - low, rel=0.1)
        assert sum(mine) / 2 == pytest.approx((low + high) / 2, abs=0.02)


@pytest.mark.proof
def test_equal_models_are_seldom_called_different() -> None:
    # Simulation: five equal models, 90 % intervals of one pair; crossed and this both err on the safe side.
    missed = 0
    for seed in range(200):
        d = bayes.joint_runs(world([4] * 5, 30, rng=seed), draws=1_000, rng=seed).pair(0, 1)
        low, high = np.quantile(d.x, [0.05, 0.95])
        missed += not low < 0 < high
    assert missed <= chi2.isf(0.001, 2 * 21) / 2  # at a rate of 10 %, 20 are expected; Poisson limit


@pytest.mark.parametrize("paired", [True, False])
def test_another_order_of_the_models_permutes_the_answer(paired: bool) -> None:
    runs = world([3, 3, 3, 3], lift=(0.3, 0.2, 0.0, 0.1))
    one = bayes.joint_runs(runs, paired=paired, draws=2_000)
    other = bayes.joint_runs([runs[i] for i in (2, 0, 3, 1)], paired=paired, draws=2_000)
    np.testing.assert_allclose(one.draws[:, [2, 0, 3, 1]], other.draws, atol=1e-9)
    assert one.p_best.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("paired", [True, False])
def test_scale_and_level_of_the_scores_change_nothing(paired: bool) -> None:
    runs = world([3, 3, 3], lift=(0.3, 0.2, 0.0))
    one = bayes.joint_runs(runs, paired=paired, draws=2_000)
    other = bayes.joint_runs([5 + 100 * x for x in runs], paired=paired, draws=2_000)
    np.testing.assert_allclose(5 + 100 * one.draws, other.draws, rtol=1e-6)


def test_the_level_is_that_of_the_models_themselves() -> None:
    # Oracle: the interval of a model by itself, `crossed` of its own table: examples as hard for all.
    runs = world([5, 5, 5], 80)
    ends = bayes.joint_runs(runs, draws=20_000).interval(0.95)
    for own, (low, high) in zip(runs, ends, strict=True):
        exact = bayes.crossed(own).posterior.interval(0.95)
        assert high - low == pytest.approx(exact[1] - exact[0], rel=0.25)


@pytest.mark.parametrize("paired", [True, False])
def test_degenerate_tables(paired: bool) -> None:
    constant = [np.full((3, 10), v) for v in (0.1, 0.2, 0.3)]
    assert bayes.joint_runs(constant, paired=paired).p_best.tolist() == [0.0, 0.0, 1.0]
    x = np.random.default_rng(0).normal(size=(3, 20))
    assert bayes.joint_runs([x, x, x], paired=paired).p_best.tolist() == pytest.approx([1 / 3] * 3)
    same_every_time = [np.tile(np.random.default_rng(m).normal(m, 1, 30), (3, 1)) for m in range(3)]
    fitted = bayes.joint_runs(same_every_time, paired=paired, draws=20_000)  # seeds do not matter at all
    exact = bayes.crossed(same_every_time[0], b=same_every_time[1], paired=paired).posterior
    assert fitted.pair(0, 1).interval(0.9) == pytest.approx(exact.interval(0.9), abs=0.02)


def test_errors() -> None:
    a, b = world([3, 4], 20)
    with pytest.raises(DataError, match="runs of 1 model given, at least 2 needed"):
        bayes.joint_runs([a])
    with pytest.raises(PairingError, match="model 0 was scored on 20 examples and model 1 on 19"):
        bayes.joint_runs([a, b[:, 1:]])
    with pytest.raises(OptionError, match="paired seeds, but the models have 3 to 4 of them"):
        bayes.joint_runs([a, b], paired=True)
    with pytest.raises(OptionError, match="draws is 0"):
        bayes.joint_runs([a, b], draws=0)
    with pytest.raises(CellError, match="1 of 60 cells are NaN"):
        bayes.joint_runs([np.where(a == a[0, 0], np.nan, a), b])


def test_the_unit_of_the_scores_does_not_matter_where_a_model_never_varies() -> None:
    """Weights 1/S have no unit: once they were held against cross-products, which have one."""
    runs = [np.zeros((2, 5)), np.zeros((2, 5)), np.zeros((2, 5))]
    runs[2][1, 4] = 1.0
    one, other = (bayes.joint_runs([by * x for x in runs], draws=400) for by in (1.0, 1e6))
    np.testing.assert_array_equal(one.p_best, other.p_best)
    np.testing.assert_allclose(other.draws, 1e6 * one.draws, rtol=1e-6, atol=1e-6)


def test_means_are_those_of_the_tables_and_single_seeds_are_named() -> None:
    rng = np.random.default_rng(0)
    runs = [rng.normal(m, 1, (s, 6)) for m, s in ((0.0, 3), (1.0, 1), (2.0, 4))]
    fitted = bayes.joint_runs(runs, draws=50)
    np.testing.assert_allclose(fitted.mean, [x.mean() for x in runs], rtol=1e-12)
    assert fitted.why.startswith("1 to 4 training runs of each model, not paired")
    assert "; 1 model has a single seed" in fitted.why


def test_far_in_the_tail_a_mean_square_is_a_power() -> None:
    """τ^(-a-1) exp(-s/τ) above ε, s/ε next to nothing: Pareto, τ = ε·u^(-1/a)."""
    found = _truncated(np.array([1.0, 3.0]), 2.0, 1e-200, np.array([0.25, 0.04]))
    np.testing.assert_allclose(found, [2.0, 15.0], rtol=1e-12)

"""Crossed random effects: seeds x examples."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.errors import CellError, DataError, OptionError, PairingError
from ropewalk.grouped import CrossedSums
from ropewalk.posterior import Point
from tests.bayes.crossed_tables import simulated

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


def test_one_seed_is_t_over_the_examples_and_says_so() -> None:
    d = np.random.default_rng(9).normal(0.1, 1, 30)
    found = bayes.crossed([d])
    assert found.posterior.interval() == pytest.approx(bayes.t(d).interval(), rel=1e-12)
    assert found.warning.startswith("each model has a single seed, so how much its seed matters cannot be")
    assert found.shares.of_mean.example == 1.0
    both = bayes.crossed([d], b=[0 * d])
    assert both.posterior.interval() == pytest.approx(bayes.t(d).interval(), rel=1e-12)


def test_one_seed_of_one_model_only() -> None:
    rng = np.random.default_rng(10)
    a, b = simulated(rng, 1, 40, seed=0.3), simulated(rng, 5, 40, seed=0.3)
    found = bayes.crossed(a, b=b)
    assert found.warning.startswith("A has a single seed")
    assert "but not to other seeds of that model" in found.warning
    assert bayes.crossed(b, b=a).warning.startswith("B has a single seed")
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
    with pytest.raises(CellError, match="its square overflows"):
        bayes.crossed([[1e300, 2.0], [1.0, 3.0]])
    with pytest.raises(DataError, match="sums of A cannot be combined"):
        bayes.crossed(CrossedSums.of(good), b=good)
    with pytest.raises(PairingError, match="A was scored on 3 examples and B on 4"):
        bayes.crossed(good, b=np.zeros((2, 4)))
    with pytest.raises(OptionError, match="paired seeds, but A has 2 and B has 3"):
        bayes.crossed(good, b=np.zeros((3, 3)), paired=True)

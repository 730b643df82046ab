"""Futures of a t-test: against closed forms, the paper's scaling, and data simulated in full."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from ropewalk import bayes
from ropewalk.assurance import Edges, Normal, Rule, assurance
from ropewalk.decide import in_scores, probabilities
from ropewalk.decide.rule import UNDECIDED
from ropewalk.sums import Sums

ROPE = Edges(low=-0.01, high=0.01)


def within(a: float, n_a: int, b: float, n_b: int) -> bool:
    """Two simulated shares agree: four standard errors of their difference."""
    p = (a * n_a + b * n_b) / (n_a + n_b)
    return abs(a - b) <= 4 * np.sqrt(p * (1 - p) * (1 / n_a + 1 / n_b)) + 1e-12


def test_the_same_mean_and_spread_at_larger_n_as_in_the_paper() -> None:
    # Oracle: Williams 2026 sec. 6.1, LgR-MLP, Cohen's d = 0.066 at N = 176, ROPE 0.1 sd: 0.014 / 0.660 /
    # 0.326; at 6 N 0.000 / 0.866 / 0.134; at 15 N 0.000 / 0.960 / 0.040. d is given to three digits, which at
    # 15 N leaves 0.0005 sqrt(2640) = 0.026 of a standard error, 0.01 of a probability.
    design = Normal(
        unit="example", sums=Sums(n=176, mean=0.066, m2=175.0), edges=Edges(low=-0.1, high=0.1, relative=True)
    )
    printed = {1: (0.326, 0.660, 0.014), 6: (0.134, 0.866, 0.0), 15: (0.040, 0.960, 0.0)}
    for times, three in printed.items():
        np.testing.assert_allclose(design.scaled(times)[:, 0], three, atol=0.01)


@pytest.mark.parametrize("rho", [0.0, 0.1])
def test_the_regions_are_those_of_the_t_posterior(rho: float) -> None:
    # Oracle: bayes.t and decide.probabilities, which have oracles of their own.
    rng = np.random.default_rng(1)
    for _ in range(20):
        sums = Sums.of(0.01 * rng.standard_normal(7) + 0.005)
        design = Normal(unit="fold", sums=sums, edges=ROPE, extra=rho / (1 - rho))
        p = probabilities(bayes.t(sums, rho=rho), in_scores(-0.01, 0.01, "given"))
        found = design.regions(design.start(1))[:, 0]
        np.testing.assert_allclose(found, [p.better, p.equivalent, p.worse], atol=1e-12)


def test_a_known_truth_needs_as_many_as_the_power_formula_says() -> None:
    # Oracle: with sigma known, better is said where (mean - r) sqrt(N)/sigma >= z_0.95, so that the chance is
    # Phi((mu - r) sqrt(N)/sigma - z_0.95); at these N Student and normal agree to 1e-3.
    design = Normal(unit="example", sums=None, edges=ROPE, mu=0.02, sd=0.3)
    found = assurance(design, Rule(), more=[2_000, 5_564, 12_000], draws=20_000)
    power = ndtr((0.02 - 0.01) * np.sqrt(found.more) / 0.3 - ndtri(0.95))
    np.testing.assert_allclose(found.better, power, atol=4 * 0.5 / np.sqrt(20_000))
    assert abs(power[1] - 0.8) < 1e-3


def test_a_pilot_of_many_is_a_normal_prior() -> None:
    # Oracle: with sigma known the posterior mean after m more is N(mean, sigma²/n - sigma²/(n + m)), and
    # "better" needs it above r + z sigma/sqrt(n + m): one normal tail.
    n, mean, sigma, more = 4_000, 0.015, 0.3, 30_000
    design = Normal(unit="example", sums=Sums(n=n, mean=mean, m2=sigma**2 * (n - 1)), edges=ROPE)
    found = assurance(design, Rule(), more=[more], draws=40_000)
    moves = sigma * np.sqrt(1 / n - 1 / (n + more))
    bound = ndtri(0.95) * sigma / np.sqrt(n + more)
    assert found.better[0] == pytest.approx(ndtr((mean - 0.01 - bound) / moves), abs=0.012)
    expected = ndtr((0.01 - bound - mean) / moves) - ndtr((-0.01 + bound - mean) / moves)
    assert found.equivalent[0] == pytest.approx(expected, abs=0.012)


def test_the_chance_is_that_of_data_simulated_one_by_one() -> None:
    # Oracle: brute force: parameters from the posterior, every new difference drawn, bayes.t on all of them.
    rng = np.random.default_rng(3)
    old = 0.05 * rng.standard_normal(25) + 0.02
    more, runs, sums = 60, 1_500, Sums.of(old)
    rope = in_scores(-0.01, 0.01, "given")
    decided = 0
    for _ in range(runs):
        sigma = np.sqrt(sums.m2 / rng.chisquare(sums.n - 1))
        new = rng.normal(rng.normal(sums.mean, sigma / np.sqrt(sums.n)), sigma, more)
        p = probabilities(bayes.t(np.concatenate([old, new])), rope)
        decided += max(p.better, p.equivalent, p.worse) >= 0.95
    found = assurance(Normal(unit="example", sums=sums, edges=ROPE), Rule(), more=[more], draws=20_000)
    assert 0.2 < found.decided[0] < 0.8
    assert within(decided / runs, runs, float(found.decided[0]), 20_000)


def test_folds_are_those_of_the_multivariate_normal() -> None:
    # Oracle: brute force by matrices. (mu, sigma) from Benavoli et al. 2017, eq. 6; the new folds from the
    # normal with sigma² [(1 - rho) I + rho 11'] given the old ones; bayes.t with rho on all of them.
    rng = np.random.default_rng(4)
    rho, n, more, runs = 0.1, 20, 40, 1_500
    old = 0.02 * rng.standard_normal(n) + 0.022
    sums, rope = Sums.of(old), in_scores(-0.01, 0.01, "given")
    V = np.full((n + more, n + more), rho) + (1 - rho) * np.eye(n + more)
    to_new = V[n:, :n] @ np.linalg.inv(V[:n, :n])
    root = np.linalg.cholesky(V[n:, n:] - to_new @ V[:n, n:])
    decided = 0
    for _ in range(runs):
        inner = sums.m2 / rng.chisquare(n - 1)  # (1 - rho) sigma²
        mu = sums.mean + np.sqrt(inner * (1 / n + rho / (1 - rho))) * rng.standard_normal()
        sigma = np.sqrt(inner / (1 - rho))
        new = mu + to_new @ (old - mu) + sigma * root @ rng.standard_normal(more)
        p = probabilities(bayes.t(np.concatenate([old, new]), rho=rho), rope)
        decided += max(p.better, p.equivalent, p.worse) >= 0.95
    design = Normal(unit="fold", sums=sums, edges=ROPE, extra=rho / (1 - rho))
    found = assurance(design, Rule(), more=[more], draws=20_000)
    assert 0.05 < found.decided[0] < 0.95
    assert within(decided / runs, runs, float(found.decided[0]), 20_000)


def test_more_folds_leave_what_all_folds_share() -> None:
    # Oracle: with endless repeats the posterior is N(c, s² rho/(1 - rho)), and c hardly moves from the mean.
    sums = Sums(n=100, mean=0.012, m2=0.0004 * 99)
    design = Normal(unit="fold", sums=sums, edges=ROPE, extra=1 / 9)
    found = assurance(design, Rule())
    assert found.limit == 0.0
    assert found.settles is not None
    scale = 0.02 / 3
    assert found.settles[0] == pytest.approx(ndtr((0.012 - 0.01) / scale), abs=0.02)
    assert found.decided.max() == 0.0


def test_a_share_of_a_standard_deviation_is_estimated_anew() -> None:
    sums = Sums(n=50, mean=0.0, m2=49.0)
    relative = Normal(unit="example", sums=sums, edges=Edges(low=-0.1, high=0.1, relative=True))
    state = (200.0, np.array([0.5]), np.array([199.0 * 100.0]))  # the spread came out ten times as large
    np.testing.assert_allclose(
        relative.regions(state)[:, 0],
        Normal(unit="example", sums=sums, edges=Edges(low=-1.0, high=1.0)).regions(state)[:, 0],
    )


def test_swapping_the_models_swaps_the_chances() -> None:
    one = Normal(unit="example", sums=Sums(n=30, mean=0.02, m2=0.1), edges=Edges(low=-0.02, high=0.01))
    other = Normal(unit="example", sums=Sums(n=30, mean=-0.02, m2=0.1), edges=Edges(low=-0.01, high=0.02))
    a, b = (assurance(d, Rule(), more=[300], draws=40_000) for d in (one, other))
    assert within(float(a.better[0]), 40_000, float(b.worse[0]), 40_000)
    assert within(float(a.equivalent[0]), 40_000, float(b.equivalent[0]), 40_000)


def test_where_the_truth_lies() -> None:
    design = Normal(unit="example", sums=None, edges=ROPE, sd=1.0)
    truth = (np.array([0.02, 0.01, 0.0, -0.01, -0.02]), np.ones(5))
    assert design.region(truth).tolist() == [0, 1, 1, 1, 2]
    assert design.at_edge(2.0, 3)[0].tolist() == [0.02, 0.02, 0.02]
    assert UNDECIDED == 3

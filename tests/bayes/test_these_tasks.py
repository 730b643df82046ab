"""The mean over exactly these tasks: against the posterior of one task, and against integrals."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from ropewalk import bayes
from ropewalk.bayes.student_hierarchy import Tasks
from ropewalk.bayes.these_tasks import drawn_means
from ropewalk.errors import OptionError


@pytest.fixture(scope="module")
def fitted() -> bayes.HierarchicalT:
    rng = np.random.default_rng(5)
    return bayes.hierarchical_t([rng.normal(m, 0.03, size=12) for m in (0.0, 0.01, 0.05, 0.02)], rho=0.1)


@pytest.mark.parametrize("i", range(4))
def test_all_weight_on_one_task_is_the_posterior_of_that_task(fitted, i: int) -> None:
    these, one = fitted.these(np.eye(4)[i]), fitted.task(i)
    at = one.quantile([0.05, 0.25, 0.5, 0.75, 0.95])
    # 10,000 draws: three standard errors are 0.015 at most.
    assert these.cdf(at) == pytest.approx([0.05, 0.25, 0.5, 0.75, 0.95], abs=0.015)


def test_the_mean_of_the_draws_is_the_weighted_mean_of_the_tasks(fitted) -> None:
    each = [fitted.task(i).mean for i in range(4)]
    for weights in (None, [1.0, 2.0, 3.0, 4.0]):
        expected = np.average(each, weights=weights)
        these = fitted.these(weights)
        assert these.mean == pytest.approx(expected, abs=4 * these.sd / 100)


@pytest.mark.parametrize(
    ("loc", "scale", "df", "mu", "sigma", "nu"),
    [
        (0.0, 1.0, 1.0, 3.0, 0.5, 1.2),  # heavy tails on both sides
        (5.0, 0.3, 200.0, 0.0, 0.4, 60.0),  # two that contradict each other
        (0.2, 1.0, 9.0, 0.0, 1e-4, 30.0),  # a population that is nearly a point
        (0.2, 1e-4, 9.0, 0.0, 1.0, 30.0),  # a task that is nearly known
    ],
)
def test_a_task_given_the_population(loc, scale, df, mu, sigma, nu) -> None:
    tasks = Tasks(loc=np.array([loc]), scale=np.array([scale]), df=np.array([df]))
    one = tuple(np.full(400, v) for v in (mu, sigma, nu))
    draws = drawn_means(tasks, one, np.ones(1), 100, np.random.default_rng(1)).ravel()

    def density(x: float) -> float:
        own = (1 + ((x - loc) / scale) ** 2 / df) ** (-(df + 1) / 2)
        return own * (1 + ((x - mu) / sigma) ** 2 / nu) ** (-(nu + 1) / 2)

    centres = sorted({loc, mu})
    ends = np.array([-np.inf, *centres, np.inf])
    narrow = min(scale, sigma)
    peak = max(centres, key=density)
    points = [peak + k * narrow for k in (-30, -8, -2, 0, 2, 8, 30)]

    def below(x: float) -> float:
        inside = [p for p in sorted({*points, *centres}) if p < x]
        cuts = [min(ends[1], peak) - 1e3 * max(scale, sigma), *inside, x]
        return sum(quad(density, a, b)[0] for a, b in pairwise(cuts) if b > a)

    total = below(max(ends[-2], peak) + 1e3 * max(scale, sigma))
    for p in (0.1, 0.5, 0.9):
        x = float(np.quantile(draws, p))
        assert below(x) / total == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / draws.size) + 1e-3)


def test_mcnemar_over_these_tasks_and_over_the_population() -> None:
    fitted = bayes.hierarchical_mcnemar([3, 8, 0, 12, 7], [5, 9, 2, 4, 11])
    for i in range(5):
        these, one = fitted.these(np.eye(5)[i]), fitted.task(i)
        assert these.mean == pytest.approx(one.mean, abs=0.005)
        assert these.sd == pytest.approx(one.sd, rel=0.03)
    # E[phi on the next task] = E[a/(a+b)], and the mean over the population is less uncertain.
    assert fitted.mean_phi.mean == pytest.approx(fitted.phi_next.mean, abs=0.002)
    assert fitted.mean_phi.sd < fitted.phi_next.sd


def test_weights_that_are_not_usable(fitted) -> None:
    for weights in ([1.0], [0.0] * 4, [1.0, -1.0, 1.0, 1.0], ["a"] * 4):
        with pytest.raises(OptionError, match="weights of the tasks"):
            fitted.these(weights)


def test_the_mean_of_many_tasks_by_their_moments_is_that_of_the_draws(monkeypatch) -> None:
    rng = np.random.default_rng(3)
    means = 0.01 + 0.03 * rng.standard_t(4, size=150)
    fitted = bayes.hierarchical_t([rng.normal(m, rng.uniform(0.1, 0.3), size=20) for m in means])
    drawn = fitted.these()
    monkeypatch.setattr("ropewalk.bayes.these_tasks._MANY", 100)
    monkeypatch.setattr("ropewalk.bayes.these_tasks._LARGEST", 0.1)  # of 150 tasks one may have more
    quick = fitted.these()
    assert not np.array_equal(quick.x, drawn.x)
    at = drawn.quantile([0.05, 0.25, 0.5, 0.75, 0.95])
    # 10,000 draws each: three standard errors of the difference are 0.021 at most.
    assert quick.cdf(at) == pytest.approx([0.05, 0.25, 0.5, 0.75, 0.95], abs=0.021)
    assert quick.sd == pytest.approx(drawn.sd, rel=0.03)


def test_many_tasks_of_which_one_has_the_weight_are_drawn_one_by_one(monkeypatch) -> None:
    rng = np.random.default_rng(4)
    fitted = bayes.hierarchical_t([rng.normal(0.0, 0.2, size=12) for _ in range(30)])
    weights = [1.0, *[1e-3] * 29]
    drawn = fitted.these(weights)
    monkeypatch.setattr("ropewalk.bayes.these_tasks._MANY", 10)
    assert np.array_equal(fitted.these(weights).x, drawn.x)

"""Other priors: each closed form and each reweighting against the integral or the fit that it stands for."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ropewalk import bayes
from ropewalk.bayes.hierarchical_t_range import USUAL
from ropewalk.decide import in_scores, priors, probabilities
from ropewalk.decide.rope import Rope
from ropewalk.posterior import Draws, Probabilities, Student

ROPE = in_scores(-0.1, 0.1, "given")
PHI = Rope(low=0.45, high=0.55, scale="phi", source="given", in_scores="")


def close(found: Probabilities, better: float, worse: float, error: float) -> None:
    assert found.better == pytest.approx(better, abs=error)
    assert found.worse == pytest.approx(worse, abs=error)
    assert found.better + found.equivalent + found.worse == pytest.approx(1)


def normal(n: int, mean: float, sd: float = 1.0) -> np.ndarray:
    z = np.random.default_rng(0).standard_normal(n)
    return np.asarray(mean + sd * (z - z.mean()) / z.std(ddof=1))


def by_integration(d: np.ndarray, log_prior: object, v: float) -> tuple[float, float]:
    """Pr(mu > 0.1) and Pr(mu < -0.1) on a grid of mu and log sigma; m ~ N(mu, v sigma²), M2 ~ sigma² chi²."""
    n, m, m2 = d.size, d.mean(), ((d - d.mean()) ** 2).sum()
    mu = np.linspace(m - 4, m + 4, 4001)
    log_s = np.linspace(-2.5, 2.5, 1201)[:, None]
    s2 = np.exp(2 * log_s)
    log_p = -(n - 1) * log_s - m2 / (2 * s2) - log_s - (m - mu) ** 2 / (2 * v * s2)
    log_p = log_p + log_prior(mu, log_s, s2)  # type: ignore[operator]
    p = np.exp(log_p - log_p.max()).sum(axis=0)
    below = np.append(0.0, np.cumsum(0.5 * (p[1:] + p[:-1])))
    at = np.interp([-0.1, 0.1], mu, below / below[-1])
    return float(1 - at[1]), float(at[0])


@pytest.mark.parametrize("rho", [0.0, 0.1])
def test_the_sceptical_student_is_the_conjugate_posterior(rho: float) -> None:
    """Oracle: the joint density of mean and log sigma on a grid; prior N(0, sigma² v/g), g = 1/10."""
    d = normal(12, 0.3, 0.5)
    v = 1 / 12 + rho / (1 - rho)
    p = bayes.t(d, rho=rho)
    assert isinstance(p, Student)
    expected = by_integration(d, lambda mu, log_s, s2: -log_s - mu**2 * 0.1 / (2 * v * s2), v)
    close(probabilities(priors.sceptical_student(p), ROPE), *expected, 2e-5)


def test_a_tenth_of_the_units_at_no_difference_moves_the_mean_by_an_eleventh() -> None:
    p = priors.sceptical_student(Student(df=19, loc=0.22, scale=0.3))
    assert p.loc == pytest.approx(0.2)
    assert p.df == 20


def test_flat_in_the_standard_deviation_has_one_degree_of_freedom_less() -> None:
    """Oracle: the same grid with the prior d sigma, that is sigma d log sigma."""
    d = normal(9, 0.3, 0.5)
    p = bayes.t(d)
    assert isinstance(p, Student)
    wider = priors.flat_in_sd(p)
    assert wider is not None
    close(probabilities(wider, ROPE), *by_integration(d, lambda mu, log_s, s2: log_s, 1 / 9), 2e-5)
    assert priors.flat_in_sd(Student(df=1, loc=0.0, scale=1.0)) is None


@pytest.mark.parametrize("mean", [0.0, 0.3, -2.0, 40.0])
def test_any_posterior_times_a_cauchy(mean: float) -> None:
    """Oracle: the product on 800,001 points; however far the data are, the prior does not win over them."""
    p = Student(df=6, loc=mean, scale=0.2)
    unit = 0.2 * stats.t(6).ppf(0.75) / stats.norm.ppf(0.75)
    x = mean + np.linspace(-60, 60, 800_001)
    f = stats.t(6, mean, 0.2).pdf(x) / (1 + 0.05 * (x / unit) ** 2)
    below = np.append(0.0, np.cumsum(0.5 * (f[1:] + f[:-1])))
    worse, not_better = np.interp([-0.1, 0.1], x, below / below[-1])
    close(priors.sceptical(p, ROPE), 1 - not_better, worse, 1e-6)
    if mean == 40.0:
        assert not_better < 1e-6


def test_the_robust_t_under_it_is_that_of_the_same_product() -> None:
    """Oracle: importance weights of 50,000 draws of the posterior, within five standard errors."""
    p = bayes.robust_t(normal(40, 0.25, 0.6))
    low, high = p.quantile([0.25, 0.75])
    unit = (high - low) / 1.3489795
    x = p.sample(50_000, 0)
    w = 1 / (1 + 0.05 * (x / unit) ** 2)
    close(priors.sceptical(p, ROPE), w @ (x > 0.1) / w.sum(), w @ (x < -0.1) / w.sum(), 0.012)


def test_the_bootstrap_with_units_without_a_difference() -> None:
    """Oracle: numpy's Dirichlet with the extra weight on no difference, within five standard errors."""
    d = normal(40, 0.3, 0.8)
    rng = np.random.default_rng(1)
    w = rng.dirichlet([*np.ones(40), 4.0], 100_000)
    x = w[:, :40] @ d
    draws = Draws.of(rng.dirichlet(np.ones(40), 100_000) @ d)
    found = priors.sceptical_draws(draws, 40, in_scores(-0.1, 0.2, "given"))
    close(found, np.mean(x > 0.2), np.mean(x < -0.1), 0.011)
    none = priors.sceptical_draws(draws, 40, in_scores(0.0, 0.0, "given"))
    close(none, np.mean(draws.x > 0), np.mean(draws.x < 0), 1e-12)  # nothing to shrink across


def test_a_tenth_more_examples_split_evenly() -> None:
    assert priors.sceptical_counts(100, 30, 10, 200) == pytest.approx((11.0, 3.0, 3.0, 21.0))


@pytest.fixture(scope="module")
def tasks() -> list[np.ndarray]:
    rng = np.random.default_rng(4)
    return [rng.normal(m, 0.03, 10) for m in (0.02, 0.01, 0.03, -0.02, 0.015, 0.09, 0.0, 0.02)]


@pytest.fixture(scope="module")
def fitted(tasks: list[np.ndarray]) -> bayes.HierarchicalT:
    return bayes.hierarchical_t(tasks, rho=0.1, scale=1.0)


@pytest.mark.parametrize("bounds", USUAL[1:])
@pytest.mark.few(2)
def test_another_prior_of_nu_is_as_good_as_another_fit(
    tasks: list[np.ndarray], fitted: bayes.HierarchicalT, bounds: object
) -> None:
    """Oracle: the fit with these bounds, good to 1e-4; the nodes were laid for the first prior."""
    alpha, beta = bounds  # type: ignore[misc]
    again = bayes.hierarchical_t(tasks, rho=0.1, scale=1.0, alpha=alpha, beta=beta)
    p = again.next_task(0.01).most_probable
    found = priors.with_tails(fitted, (alpha, beta)).next_task(0.01)
    close(found.most_probable, p.better, p.worse, 1e-3)
    assert found.mean.better == pytest.approx(again.next_task(0.01).mean.better, abs=1e-3)


def test_a_sceptical_mean_of_the_tasks_only_multiplies_its_density(fitted: bayes.HierarchicalT) -> None:
    """Oracle: for each node of mu0 its chances by `next_task` of the nodes there, weighted by hand."""
    from dataclasses import replace

    mu, weights = fitted.surface.nodes.mu, fitted.surface.weights.sum(axis=(0, 1))
    low, high = np.interp([0.25, 0.75], np.cumsum(weights), mu)
    prior = 1 / (1 + 0.05 * (1.3489795 * mu / (high - low)) ** 2)
    surface = replace(fitted.surface, log_density=fitted.surface.log_density + np.log(prior))
    p = replace(fitted, surface=surface).next_task(0.01).most_probable
    close(priors.sceptical_mean(fitted).next_task(0.01).most_probable, p.better, p.worse, 1e-6)
    assert p.better < fitted.next_task(0.01).most_probable.better
    moved = (weights * prior) @ mu / (weights @ prior) * fitted.unit
    assert replace(fitted, surface=surface).mean_advantage.mean == pytest.approx(moved, rel=1e-3)
    assert 0.85 < moved / fitted.mean_advantage.mean < 0.99


N01, N10 = np.array([63, 159, 180, 64, 20]), np.array([66, 198, 167, 30, 31])


def mcnemar_on_a_grid(log_prior: object) -> tuple[float, float]:
    """Pr(phi < 0.45) and Pr(phi > 0.55) on the next task, from a plain grid of x and y."""
    from scipy.special import betainc, betaln, expit

    x, y = np.linspace(-3, 3, 301), np.linspace(-6, 16, 441)[:, None]
    k = np.exp(y)
    a, b = k * expit(x), k * expit(-x)
    log_p = sum(betaln(a + n, b + m) - betaln(a, b) for n, m in zip(N01, N10, strict=True))
    log_p = log_p + np.log(expit(x) * expit(-x)) + log_prior(x, y, log_p)  # type: ignore[operator]
    p = np.exp(log_p - log_p.max())
    p /= p.sum()
    return float((p * betainc(a, b, 0.45)).sum()), float((p * (1 - betainc(a, b, 0.55))).sum())


def test_another_prior_of_how_alike_tasks_are() -> None:
    """Oracle: the grid, with K^(-1/2) in y for the default and K/(1+K)² for the other."""
    fitted = bayes.hierarchical_mcnemar(N01, N10)
    as_it_is = mcnemar_on_a_grid(lambda x, y, _: -0.5 * y)
    close(probabilities(fitted.phi_next, PHI), *as_it_is, 5e-4)
    expected = mcnemar_on_a_grid(lambda x, y, _: y - 2 * np.log1p(np.exp(y)))
    close(probabilities(priors.with_sizes(fitted).phi_next, PHI), *expected, 5e-4)
    assert abs(expected[0] - as_it_is[0]) > 2e-3  # the prior does something


def test_a_sceptical_mean_of_phi() -> None:
    """Oracle: the grid with a Cauchy prior of x, as wide as the quartiles of the grid say."""
    from scipy.special import expit

    def sceptical(x: np.ndarray, y: np.ndarray, log_p: np.ndarray) -> np.ndarray:
        p = log_p - 0.5 * y + np.log(expit(x) * expit(-x))
        p = np.cumsum(np.exp(p - p.max()).sum(axis=0))
        low, high = np.interp([0.25, 0.75], p / p[-1], x)
        return np.asarray(-0.5 * y - np.log1p(0.05 * (x * 1.3489795 / (high - low)) ** 2))

    fitted = bayes.hierarchical_mcnemar(N01, N10)
    close(probabilities(priors.sceptical_phi(fitted).phi_next, PHI), *mcnemar_on_a_grid(sceptical), 1e-3)


def test_a_sceptical_direction_is_that_of_the_share_alone() -> None:
    """Oracle: the direction is the hierarchical McNemar test, so its sceptical prior must be the same one."""
    same = [200] * len(N01)
    fitted = bayes.hierarchical_accuracy(N10, N01, same)
    found = priors.sceptical_direction(fitted)
    expected = priors.sceptical_phi(bayes.hierarchical_mcnemar(N01, N10))
    assert found.share.values - found.share.values.max() == pytest.approx(
        expected.values - expected.values.max(), abs=1e-6
    )
    assert found.rate is fitted.rate
    assert abs(found.mean_advantage.mean) < 0.999 * abs(fitted.mean_advantage.mean)

"""The steps of the derivation of the hierarchical t."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad, trapezoid
from scipy.stats import gamma as gamma_distribution
from scipy.stats import norm
from scipy.stats import t as student

from ropewalk.bayes import student_hierarchy
from ropewalk.bayes.hierarchical_t import HierarchicalT, hierarchical_t
from ropewalk.bayes.student_hierarchy import (
    Likelihood,
    Nodes,
    Tasks,
    gap_prior_below,
    log_gap_prior,
    log_likelihood,
    student_nodes,
)
from ropewalk.sums import Sums


def own_likelihood(fitted: HierarchicalT, i: int, mu: float) -> float:
    tasks, unit = fitted.tasks, fitted.unit
    return float(student.pdf(mu, tasks.df[i], tasks.loc[i] * unit, tasks.scale[i] * unit))


@pytest.mark.parametrize(("n", "rho"), [(3, 0.0), (5, 0.3), (12, 0.1)])
def test_sigma_integrates_out_to_a_student_with_n_minus_2(n: int, rho: float) -> None:
    # Oracle: the multivariate normal density with its whole covariance matrix, integrated over sigma.
    x = np.random.default_rng(n).normal(0.02, 0.05, n)
    other = np.linspace(-0.1, 0.1, 4)
    inverse = np.linalg.inv((1 - rho) * np.eye(n) + rho * np.ones((n, n)))

    def integrated(mu: float) -> float:
        r2 = (x - mu) @ inverse @ (x - mu)
        peak = np.sqrt(r2 / n)
        f = lambda s: np.exp(-n * np.log(s / peak) - 0.5 * r2 / s**2 + 0.5 * n)  # noqa: E731
        area = quad(f, 0, 5 * peak, points=[peak])[0] + quad(f, 5 * peak, np.inf)[0]
        return area * peak**-n

    fitted = hierarchical_t([x, other], rho=[rho, 0.0])
    at = [-0.3, -0.05, 0.0, 0.02, 0.1, 1.0]
    ratio = [integrated(mu) / own_likelihood(fitted, 0, mu) for mu in at]
    assert ratio == pytest.approx([ratio[0]] * len(at), rel=1e-7)


def test_both_students_convolve() -> None:
    # Oracle: the convolution integral by a trapezoidal rule on the union of two sinh-spaced lattices.
    loc, scale = np.array([-0.4, 0.0, 0.3, 2.5]), np.array([0.01, 0.3, 0.05, 0.2])
    df = np.array([1.0, 3.0, 8.0, 98.0])
    nodes = Nodes(
        mu=0.1 + 0.2 * np.sinh([-1.0, 0.0, 1.0]),
        x=np.linspace(np.log(0.02), np.log(0.5), 3),
        y=np.log([0.02, 1.5, 9.0, 60.0, 400.0]),
    )
    u = np.sinh(np.linspace(-12, 12, 20001))

    def convolved(i: int, mu: float, sigma: float, nu: float) -> float:
        x = np.sort(np.concatenate([loc[i] + scale[i] * u, mu + sigma * u]))
        return float(trapezoid(student.pdf(x, df[i], loc[i], scale[i]) * student.pdf(x, nu, mu, sigma), x))

    for i in range(4):
        found = log_likelihood(Tasks(loc=loc, scale=scale, df=df)[np.array([i])], nodes)
        for j, nu in enumerate(nodes.nu):
            for k, x in enumerate(nodes.x):
                exact = [np.log(convolved(i, mu, np.exp(x), nu)) for mu in nodes.mu]
                # Five standard deviations out in nearly normal tails a lattice of log s gets coarse.
                likely = np.array(exact) > -9
                assert found[j, k][likely] == pytest.approx(np.array(exact)[likely], abs=1e-4)


EVEN = Tasks(
    loc=np.random.default_rng(4).normal(0, 0.3, 30),
    scale=np.random.default_rng(5).uniform(0.1, 0.3, 30),
    df=np.full(30, 98.0),
)


@pytest.mark.parametrize(
    ("tasks", "reach"),
    [
        (EVEN, 1.0),
        (replace(EVEN, df=np.full(30, 8.0)), 1.0),
        (Tasks(loc=np.zeros(30), scale=np.full(30, 0.2), df=np.full(30, 98.0)), 1e-3),
    ],
    ids=["even", "few degrees of freedom", "all at one place"],
)
def test_g_is_interpolated_without_a_trace(
    tasks: Tasks, reach: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Oracle: G at every scale itself, which is what is left if no number of nodes is enough.
    nodes = Nodes(mu=np.linspace(-reach, reach, 9), x=np.linspace(-9, 2, 23), y=np.linspace(-6, 6, 13))
    likelihood = Likelihood(tasks, nodes)
    found = likelihood(nodes)
    assert likelihood._between is not None
    assert likelihood._s2.size < 0.5 * likelihood._log_s.size
    monkeypatch.setattr(student_hierarchy, "_PER_LOG", 10**6)
    plain = Likelihood(tasks, nodes)
    exact = plain(nodes)
    assert plain._between is None
    # 1.2e-12 with SciPy 1.17, 1.3e-11 with the functions of earlier versions.
    for depth, close in ((10, 2e-11), (20, 1e-9), (35, 1e-6)):  # further down it is cut off
        seen = exact > exact.max() - depth
        assert found[seen] == pytest.approx(exact[seen], abs=close)


@pytest.mark.parametrize(
    "tasks",
    [
        replace(EVEN, df=np.where(EVEN.loc == EVEN.loc.max(), 3.0, 98.0)),
        replace(EVEN, scale=np.where(EVEN.loc == EVEN.loc.max(), 1e-6, 0.2)),
    ],
    ids=["heavy tails", "one precise task"],
)
def test_where_interpolation_would_ring_there_is_none(tasks: Tasks) -> None:
    nodes = Nodes(mu=np.linspace(-1, 1, 3), x=np.linspace(-9, 2, 3), y=np.linspace(-6, 6, 3))
    assert Likelihood(tasks, nodes)._between is None


@pytest.mark.parametrize("df", [1.0, 2.0, 7.0, 49.0, 51.0, 98.0, 1e4, 1e8])
def test_a_student_is_a_mixture_of_normals(df: float) -> None:
    kappa, w = student_nodes(df)
    z = np.array([0.0, 0.5, 1.0, 2.0, 4.0])
    mixed = norm.pdf(z[:, None], scale=1 / np.sqrt(kappa)) @ w
    assert mixed == pytest.approx(student.pdf(z, df), rel=1e-5)


def test_the_prior_of_nu() -> None:
    # With alpha and beta fixed it is a Gamma density of nu - 1, times the Jacobian nu - 1.
    y = np.array([-2.0, 0.0, 2.0, 4.0])
    fixed = np.exp(log_gap_prior(y, (2.0, 2.0), (0.1, 0.1)))
    assert fixed == pytest.approx(gamma_distribution.pdf(np.exp(y), 2.0, scale=10.0) * np.exp(y), rel=1e-12)
    # Otherwise it integrates to one, and its mean of nu - 1 is E alpha · E 1/beta.
    bounds = (0.5, 5.0), (0.05, 0.15)
    density = lambda y: float(np.exp(log_gap_prior(np.array([y]), *bounds)[0]))  # noqa: E731
    assert quad(density, -60, 8)[0] == pytest.approx(1.0, abs=1e-8)
    mean = quad(lambda y: np.exp(y) * density(y), -20, 8)[0]
    assert mean == pytest.approx(2.75 * np.log(3) / 0.1, rel=1e-6)
    assert gap_prior_below(0.7, *bounds) == pytest.approx(quad(density, -60, 0.7)[0], abs=1e-8)


@pytest.mark.proof
def test_precise_tasks_and_a_normal_population_have_a_closed_form() -> None:
    # mu_i known exactly, nu about 10^4, flat in mu0 and sigma0: the sums of a normal sample with the prior
    # 1/sigma0^0, so mu0 ~ Student(q-2, m, S/(q (q-2))) and the next mean has S (1 + 1/q)/(q-2).
    m = np.array([0.011, -0.004, 0.03, 0.017, 0.002, 0.022, 0.013, -0.011, 0.019])
    q, s = m.size, np.sum((m - m.mean()) ** 2)
    tasks = [Sums(n=1000, mean=float(x), m2=1e-9) for x in m]
    fitted = hierarchical_t(tasks, alpha=(1e4, 1e4), beta=(1.0, 1.0), scale=1e6)
    p = np.array([0.001, 0.05, 0.3, 0.5, 0.9, 0.99])
    mu0 = student.ppf(p, q - 2, m.mean(), np.sqrt(s / (q * (q - 2))))
    ahead = student.ppf(p, q - 2, m.mean(), np.sqrt(s * (1 + 1 / q) / (q - 2)))
    assert fitted.mean_advantage.cdf(mu0) == pytest.approx(p, abs=3e-4)
    assert fitted.next.cdf(ahead) == pytest.approx(p, abs=3e-4)
    assert np.all(fitted.shrinkage < 0.01)

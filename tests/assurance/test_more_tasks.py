"""Further tasks: the lattice against real fits of simulated collections."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.assurance import Rule
from ropewalk.assurance.lattice import softmax
from ropewalk.assurance.more_tasks import MoreTasks
from ropewalk.decide import in_scores, probabilities
from ropewalk.posterior import Probabilities
from ropewalk.sums import Sums

RHO, N, R = 0.1, 100, 0.01


@pytest.fixture(scope="module")
def tasks() -> list[Sums]:
    rng = np.random.default_rng(3)
    found = []
    for _ in range(12):
        mu, sigma = 0.006 + 0.012 * rng.standard_t(5), rng.uniform(0.01, 0.03)
        common = np.sqrt(RHO) * sigma * rng.standard_normal()
        found.append(Sums.of(mu + common + np.sqrt(1 - RHO) * sigma * rng.standard_normal(N)))
    return found


@pytest.fixture(scope="module")
def fitted(tasks: list[Sums]) -> bayes.HierarchicalT:
    return bayes.hierarchical_t(tasks, rho=RHO, scale=1.0)


@pytest.fixture(scope="module", params=["average", "next", "likeliest"])
def design(fitted: bayes.HierarchicalT, request: pytest.FixtureRequest) -> MoreTasks:
    return MoreTasks(fitted=fitted, low=-R, high=R, asks=request.param)


def read(fitted: bayes.HierarchicalT, asks: str) -> Probabilities:
    """The answer to a question by the quadrature, good to 1e-4."""
    if asks == "average":
        return probabilities(fitted.mean_advantage, in_scores(-R, R, "given"))
    regions = fitted.next_task(R)
    return regions.mean if asks == "next" else regions.most_probable


def test_without_further_tasks_the_lattice_says_what_the_quadrature_says(design: MoreTasks) -> None:
    p = softmax(design._lattice.log_p[:, None].copy())
    exact = read(design.fitted, design.asks)
    assert (design._lattice.better @ p)[0] == pytest.approx(exact.better, abs=0.004)
    assert (design._lattice.worse @ p)[0] == pytest.approx(exact.worse, abs=0.004)


@pytest.mark.few(1)
def test_with_further_tasks_the_lattice_says_what_real_fits_say(design: MoreTasks, tasks: list[Sums]) -> None:
    # Oracle: bayes.hierarchical_t on the old and the simulated tasks together, as sums with the same mean and
    # the S that gives the task's scale: scale² = S (1 + (n-1) rho)/(n (1-rho)(n-2)).
    rng = np.random.default_rng(7)
    k, t, own = design._lattice, design._table, design.fitted.tasks
    unit = design.fitted.unit
    p = np.exp(k.log_p)
    for node in rng.choice(p.size, size=5, p=p / p.sum()):
        like = rng.integers(own.loc.size, size=24)
        df = own.df[like] + 1
        seen = own.scale[like] * np.sqrt(rng.chisquare(df) / df)
        means = k.node_mu[node] + k.node_sigma[node] * rng.standard_t(k.node_nu[node], 24)
        means = means + own.scale[like] * rng.standard_normal(24)
        m2 = (seen * unit) ** 2 * N * (1 - RHO) * (N - 2) / (1 + (N - 1) * RHO)
        new = [Sums(n=N, mean=float(m * unit), m2=float(s)) for m, s in zip(means, m2, strict=True)]
        fit = read(bayes.hierarchical_t([*tasks, *new], rho=RHO, scale=1.0), design.asks)
        after = softmax(k.log_p[:, None] + t.added(means[None], t.kind_of(seen[None])))
        assert (k.better @ after)[0] == pytest.approx(fit.better, abs=0.02)
        assert (k.worse @ after)[0] == pytest.approx(fit.worse, abs=0.02)


@pytest.mark.few(1)
def test_more_tasks_decide_more_often(design: MoreTasks) -> None:
    few, many = (np.mean(Rule()(design.future(m, 400, np.random.default_rng(0))) < 3) for m in (6, 100))
    # A single next task stays uncertain, whatever is known of the population.
    assert few + 0.1 < many or (design.limited and many < 0.2)

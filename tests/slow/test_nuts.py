"""The exact hierarchical t-test against NUTS on the whole model, nothing integrated out.

The oracle of each test is a second computation that shares no formula with the first: `nuts` samples every
mu_i and sigma_i with the likelihood of eq. 12 and the priors of eq. 13-19 (Benavoli et al. 2017), `bayes`
integrates. They must agree within four Monte Carlo standard errors and the error the exact test reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from reproduce import published
from ropewalk import bayes
from ropewalk.bayes.chains import effective_size, r_hat
from tests.slow.nuts import NutsResult, hierarchical_t_nuts, standard_error

pytest.importorskip("numpyro", reason="the cross-check by sampling needs NumPyro: pip install numpyro")

Floats = np.ndarray
ROPE = 0.01
UNEQUAL = (3, 5, 10, 100)
DRAWS = {"draws": 4000, "warmup": 700}


def simulated(tasks: int, units: int | Sequence[int], *, rho: float) -> list[Floats]:
    """Tasks from the model itself; their spreads differ by about a factor of two up and down."""
    rng = np.random.default_rng([tasks, int(np.sum(units))])
    n = np.resize(units, tasks)
    mu = 0.01 + 0.02 * rng.standard_t(4, size=tasks)
    sd = 0.05 * np.exp(0.7 * rng.standard_normal(tasks))
    return [
        m + s * (np.sqrt(rho) * rng.standard_normal() + np.sqrt(1 - rho) * rng.standard_normal(k))
        for m, s, k in zip(mu, sd, n, strict=True)
    ]


def readings(fitted: NutsResult) -> list[tuple[str, Floats]]:
    """The draws behind each of the six probabilities of `next_task`, by name."""
    theta = fitted.next_task(ROPE).points.T.reshape(3, *fitted.mu0.shape)
    largest = theta == theta.max(axis=0)
    names = ("better", "equivalent", "worse")
    return [(f"mean.{k}", x) for k, x in zip(names, theta, strict=True)] + [
        (f"most_probable.{k}", x.astype(float)) for k, x in zip(names, largest, strict=True)
    ]


def disagreements(exact: bayes.HierarchicalT, fitted: NutsResult) -> list[tuple[str, float, float, float]]:
    """(what, exact, sampled, Monte Carlo standard error) of all that can be compared, largest gap first."""
    found = []
    regions = exact.next_task(ROPE)
    for name, x in readings(fitted):
        reading, region = name.split(".")
        found.append((name, getattr(getattr(regions, reading), region), x.mean(), standard_error(x)))
    levels = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
    few = np.unique(np.linspace(0, exact.n_tasks - 1, 6).astype(int))
    posteriors = [("mu0", exact.mean_advantage, fitted.mu0)]
    posteriors += [(f"mu_{i}", exact.task(int(i)), fitted.mu[:, :, i]) for i in few]
    for name, posterior, draws in posteriors:
        for level, at in zip(levels, posterior.quantile(levels), strict=True):
            below = (draws <= at).astype(float)
            found.append((f"Pr({name} <= {at:.4g})", level, below.mean(), standard_error(below)))
    return sorted(found, key=lambda row: -abs(row[2] - row[1]) / row[3])


Agree = Callable[..., None]
PAGE = Path(__file__).parents[2] / "docs" / "against-nuts.md"
CASES = 16 + 2 + 2  # the page is written when all have been run, and have agreed
HEAD = """# The hierarchical t-test against NUTS

Written by `make calibrate`. NUTS (NumPyro) samples the whole model, including the mean and standard
deviation of every task, with the likelihood and priors of Benavoli et al. (2017, eq. 12-19);
`bayes.hierarchical_t` integrates the same model. Each row shows Pr(better), Pr(equivalent) and Pr(worse) on
the next task, in the reading "most probable", integrated and sampled, with the Monte Carlo error and the
effective number of draws. The largest gap is over all compared quantities (both readings, and five
quantiles of the mean advantage and of up to six tasks), in Monte Carlo standard errors.

| tasks | units in each | exact | NUTS | standard error | effective draws | quantities | largest gap |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


@pytest.fixture(scope="module")
def agree() -> Iterator[Agree]:
    """Compare all there is to compare of one case, and note it on the page."""
    rows: list[str] = []

    def run(
        tasks: Sequence[Floats], *, name: str, units: object, draws: int, warmup: int, **options: object
    ) -> None:
        exact = bayes.hierarchical_t(tasks, constant="benavoli2017", rope=ROPE, **options)
        fitted = hierarchical_t_nuts(tasks, rope=ROPE, draws=draws, warmup=warmup, **options)
        assert fitted.divergences <= fitted.mu0.size / 1000
        assert fitted.r_hat < 1.02
        assert fitted.effective_size > 200
        found = disagreements(exact, fitted)
        for what, expected, sampled, error in found:
            assert abs(sampled - expected) <= 4 * error + exact.error, (what, expected, sampled, error)
        table = [row for row in found if row[0].startswith("most_probable")]
        table.sort(key=lambda row: row[0])  # better, equivalent, worse
        ours, theirs = (" ".join(f"{row[k]:.4f}" for row in table) for k in (1, 2))
        gap = max(abs(sampled - expected) / error for _, expected, sampled, error in found if error)
        rows.append(
            f"| {name} | {units} | {ours} | {theirs} | {max(row[3] for row in table):.4f} "
            f"| {fitted.effective_size:,.0f} | {len(found)} | {gap:.1f} |\n"
        )

    yield run
    if len(rows) == CASES:
        PAGE.write_text(HEAD + "".join(rows), encoding="utf-8")


@pytest.mark.parametrize("pair", [("nbc", "aode"), ("aode", "j48")], ids="-".join)
def test_benavoli_table_12(agree: Agree, pair: tuple[str, str]) -> None:
    # Two tasks of each pair never vary: their S is n r²/3 on both sides.
    tasks = list(published.differences(*pair).values())
    bounds = {"alpha": (1.0, 2.0), "beta": (0.01, 0.1)}
    agree(tasks, name=f"54 ({'-'.join(pair)})", units=100, rho=0.1, **bounds, **DRAWS)


@pytest.mark.parametrize("tasks", [3, 10, 54, 500])
@pytest.mark.parametrize("units", [5, 10, 100, UNEQUAL], ids=str)
def test_simulated_tasks(agree: Agree, tasks: int, units: int | Sequence[int]) -> None:
    data = simulated(tasks, units, rho=0.1)
    agree(data, name=str(tasks), units=str(units).strip("()"), rho=0.1, **DRAWS)


def test_a_correlation_for_each_task(agree: Agree) -> None:
    rho = np.resize([0.0, 0.1, 0.5], 10).tolist()
    data = simulated(10, 10, rho=0.1)
    agree(data, name="10, rho 0, 0.1, 0.5", units=10, rho=rho, scale=1.0, **DRAWS)


def test_a_prior_that_pulls_nu_down(agree: Agree) -> None:
    # nu - 1 ~ Gamma(1, 1): with the bounds of the other tests nu is large and has little to say.
    tight = {"alpha": (1.0, 1.0), "beta": (1.0, 1.0)}
    data = simulated(54, 10, rho=0.1)
    agree(data, name="54, nu - 1 ~ Gamma(1, 1)", units=10, rho=0.1, **tight, **DRAWS)


def test_the_precision_of_jax_is_left_as_it_was() -> None:
    import jax

    before = jax.config.jax_enable_x64
    fitted = hierarchical_t_nuts(simulated(3, 5, rho=0.0), draws=10, warmup=10, chains=1)
    assert fitted.mu0.dtype == np.float64
    assert jax.config.jax_enable_x64 == before


def test_diagnostics_agree_with_numpyro() -> None:
    from numpyro.diagnostics import effective_sample_size, gelman_rubin

    rng = np.random.default_rng(0)
    x = rng.standard_normal((4, 500)).cumsum(axis=1) * 0.05 + rng.standard_normal((4, 500))
    halves = x.reshape(8, 250)  # NumPyro's effective size does not split the chains
    assert effective_size(x) == pytest.approx(float(effective_sample_size(halves)), rel=1e-6)
    assert r_hat(x) == pytest.approx(float(gelman_rubin(halves)), rel=1e-12)

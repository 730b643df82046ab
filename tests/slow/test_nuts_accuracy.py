"""The hierarchical accuracy test against NUTS on the whole model, nothing integrated out.

The oracle is a second computation that shares no formula with the first: every task's rate of disagreement
and direction is sampled with a binomial likelihood, Beta populations and the prior (a + b)^(-5/2) of Gelman
et al. (2013). They must agree within four Monte Carlo standard errors and the error the exact test reports.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.bayes.chains import effective_size, normal_scores, r_hat
from tests.slow.nuts import sample, standard_error

pytest.importorskip("numpyro", reason="the cross-check by sampling needs NumPyro: pip install numpyro")

Floats = np.ndarray
ROPE = 0.01
PAGE = Path(__file__).parents[2] / "docs" / "against-nuts-accuracy.md"
CASES = ((3, 40), (20, 20), (57, 50))
HEAD = """# The hierarchical accuracy test against NUTS

Written by `make calibrate`. NUTS (NumPyro) samples the whole model, including the rate of disagreement and
its direction for every task; `bayes.hierarchical_accuracy` integrates the same model. Each row shows the
mean advantage over tasks with its 95% interval, and Pr(better), Pr(equivalent) and Pr(worse) on the next
task, integrated and sampled, with the effective number of draws. The gap is the largest over all compared
quantities (these three, and five quantiles of the mean advantage and of up to four tasks), in Monte Carlo
standard errors.

| tasks | examples | exact mean [95%] | NUTS | next task, exact | NUTS | effective draws | compared | gap |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Model:
    """Disagreements and wins of B, of so many examples each; `size` and `mean` are of the two populations."""

    differ: Floats
    lost: Floats
    n: Floats

    def __call__(self) -> None:
        import jax.numpy as jnp
        import numpyro
        from jax.nn import log_sigmoid
        from jax.scipy.special import betaln
        from numpyro import distributions as dist

        def real(name: str, shape: tuple[int, ...] = ()) -> Any:
            return numpyro.sample(name, dist.ImproperUniform(dist.constraints.real, (), shape))

        for name, wins, trials in (("rate", self.differ, self.n), ("share", self.lost, self.differ)):
            # p(a, b) ∝ (a + b)^(-5/2) in x = logit(a/(a+b)) and y = log(a+b): m (1 - m) e^(-y/2).
            x, y = real(f"{name} x"), real(f"{name} y")
            numpyro.factor(f"{name} prior", log_sigmoid(x) + log_sigmoid(-x) - y / 2)
            a, b = jnp.exp(y + log_sigmoid(x)), jnp.exp(y + log_sigmoid(-x))
            # The logit of each task's rate around what population and task say of it: no funnel.
            spread = jnp.sqrt(1 / (a + wins + 0.5) + 1 / (b + trials - wins + 0.5))
            centre = jnp.log(a + wins) - jnp.log(b + trials - wins)
            z = numpyro.deterministic(f"{name} z", centre + spread * real(f"{name} w", wins.shape))
            log_beta = a * log_sigmoid(z) + b * log_sigmoid(-z) - betaln(a, b) + jnp.log(spread)
            numpyro.factor(f"{name} beta", log_beta)
            numpyro.factor(f"{name} data", wins * log_sigmoid(z) + (trials - wins) * log_sigmoid(-z))

    def start(self, chains: int, rng: np.random.Generator) -> dict[str, Floats]:
        at = {}
        for name, wins, trials in (("rate", self.differ, self.n), ("share", self.lost, self.differ)):
            mean = (wins.sum() + 1) / (trials.sum() + 2)
            at[f"{name} x"] = np.log(mean / (1 - mean)) + 0.2 * rng.standard_normal(chains)
            at[f"{name} y"] = np.log(20.0) + 0.5 * rng.standard_normal(chains)
            at[f"{name} w"] = 0.3 * rng.standard_normal((chains, wins.size))
        return at


def expit(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


@pytest.fixture(scope="module")
def rows() -> Iterator[list[str]]:
    found: list[str] = []
    yield found
    if len(found) == len(CASES):  # all have been run, and have agreed
        PAGE.write_text(HEAD + "".join(found), encoding="utf-8")


@pytest.mark.parametrize(("tasks", "examples"), CASES)
def test_the_exact_posterior_is_that_of_nuts(rows: list[str], tasks: int, examples: int) -> None:
    rng = np.random.default_rng([tasks, examples])
    differ = rng.binomial(examples, rng.beta(3, 17, tasks))
    lost = rng.binomial(differ, rng.beta(4, 6, tasks))
    exact = bayes.hierarchical_accuracy(differ - lost, lost, examples - differ)
    assert not exact.notes  # the usual prior holds in both halves
    data = (differ.astype(float), lost.astype(float), np.full(tasks, float(examples)))
    sampled, divergences = sample(Model(differ=data[0], lost=data[1], n=data[2]), 4000, 1000, 2, rng)
    a, b, c, d = (
        np.exp(sampled[f"{k} y"]) * expit(sign * sampled[f"{k} x"])
        for k in ("rate", "share")
        for sign in (1, -1)
    )
    mean = a / (a + b) * (1 - 2 * c / (c + d))
    hyper = [sampled[f"{k} {p}"] for k in ("rate", "share") for p in "xy"]
    worth = min(effective_size(normal_scores(x)) for x in hyper)
    assert divergences <= mean.size / 1000
    assert max(r_hat(normal_scores(x)) for x in hyper) < 1.02
    assert worth > 200
    each = expit(sampled["rate z"]) * (1 - 2 * expit(sampled["share z"]))
    following = rng.beta(a, b) * (1 - 2 * rng.beta(c, d))
    regions = exact.next_task(ROPE).mean
    found = [
        ("better", regions.better, following > ROPE),
        ("equivalent", regions.equivalent, np.abs(following) <= ROPE),
        ("worse", regions.worse, following < -ROPE),
    ]
    some = np.unique(np.linspace(0, tasks - 1, 4).astype(int))
    posteriors = [("mean", exact.mean_advantage, mean)]
    posteriors += [(f"task {i}", exact.task(int(i)), each[:, :, i]) for i in some]
    for name, posterior, draws in posteriors:
        for level in (0.05, 0.25, 0.5, 0.75, 0.95):
            at = float(posterior.quantile(level))
            found.append((f"Pr({name} <= {at:.4g})", level, draws <= at))
    gaps = []
    for what, expected, draws in found:
        x = draws.astype(float)
        error = standard_error(x)
        assert abs(x.mean() - expected) <= 4 * error + exact.error, (what, expected, x.mean(), error)
        gaps.append(abs(x.mean() - expected) / error)
    low, high = exact.mean_advantage.interval(0.95)
    ends = np.quantile(mean, [0.025, 0.975])
    next_exact, next_nuts = (
        " ".join(f"{v:.4f}" for v in three)
        for three in ((p for _, p, _ in found[:3]), (x.mean() for _, _, x in found[:3]))
    )
    rows.append(
        f"| {tasks} | {examples} | {exact.mean_advantage.mean:+.4f} [{low:+.4f}, {high:+.4f}] "
        f"| {mean.mean():+.4f} [{ends[0]:+.4f}, {ends[1]:+.4f}] | {next_exact} | {next_nuts} | {worth:,.0f} "
        f"| {len(found)} | {max(gaps):.1f} |\n"
    )

"""The plan's chance of a decision, against data simulated in full: three points plus Monte Carlo error.

Oracle: brute force. Parameters are drawn from the posterior given the pilot, every further unit is simulated,
and the real `compare` runs on the pilot and the new data together. The plan has 20,000 draws; of the brute
force three standard errors are added to the three points: with 600 runs that is up to nine points in all.
Seeds and tasks run the method itself (`bayes.crossed`, `hierarchical_t`, `signed_rank`), not `compare`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk import bayes
from ropewalk.assurance import Edges, Rule
from ropewalk.assurance.lattice import softmax
from ropewalk.assurance.more_runs import MoreRuns
from ropewalk.assurance.more_tasks import MoreTasks
from ropewalk.decide import in_scores, probabilities
from ropewalk.methods import method_of
from ropewalk.sums import Sums

RUNS = 600


def verdict(data: Any, **options: Any) -> str:
    report = rw.compare(data, **options)
    return (report.overall or report.comparisons)[0].verdict.name


def compared(found: float, simulate: Callable[[np.random.Generator], Any], **options: Any) -> None:
    """The plan against the brute force: three points, and three standard errors of the brute force."""
    rng = np.random.default_rng(1)
    decided = np.mean([verdict(simulate(rng), **options) != "undecided" for _ in range(RUNS)])
    error = np.sqrt(decided * (1 - decided) / RUNS)
    assert 0.05 < found < 0.95, found  # a chance that says something
    assert abs(found - decided) < 0.03 + 3 * error, (found, decided)


def planned(data: Any, more: int, **options: Any) -> float:
    # The brute force draws truths from the posterior under a flat prior.
    found = rw.plan(data, more=[more], draws=20_000, prior_sd=np.inf, **options)
    return float(found.pairs[0].directions[0].curve.decided[0])


@pytest.mark.parametrize("rope", ["auto", 0.02])
def test_right_and_wrong_answers(rope: Any) -> None:
    table = np.array([60, 30, 52, 258])  # n00, n01, n10, n11
    outcome = np.repeat(np.arange(4), table)

    def simulate(rng: np.random.Generator) -> Any:
        theta = rng.dirichlet(1.0 + table)
        k = np.concatenate([outcome, rng.choice(4, 1_000, p=theta)])
        return {"A": k // 2, "B": k % 2}

    pilot = {"A": outcome // 2, "B": outcome % 2}
    compared(planned(pilot, 1_000, rope=rope), simulate, rope=rope)


@pytest.mark.parametrize("rope", ["auto", 0.02])
def test_real_scores(rope: Any) -> None:
    rng = np.random.default_rng(0)
    old = rng.standard_normal(60)
    d = 0.035 + 0.2 * rng.standard_normal(60)
    sums = Sums.of(d)

    def simulate(rng: np.random.Generator) -> Any:
        sigma = np.sqrt(sums.m2 / rng.chisquare(sums.n - 1))
        new = rng.normal(rng.normal(sums.mean, sigma / np.sqrt(sums.n)), sigma, 400)
        base = np.concatenate([old, rng.standard_normal(400)])
        return {"A": base + np.concatenate([d, new]), "B": base}

    compared(planned({"A": old + d, "B": old}, 400, rope=rope), simulate, rope=rope)


def folds(d: np.ndarray, base: np.ndarray) -> pd.DataFrame:
    n = d.size
    unit = {"repeat": np.tile(np.arange(n) // 10, 2), "fold": np.tile(np.arange(n) % 10, 2)}
    return pd.DataFrame(
        {"model": np.repeat(["A", "B"], n), **unit, "accuracy": np.concatenate([base + d, base])}
    )


def test_folds_of_cross_validation() -> None:
    rng = np.random.default_rng(4)
    rho, n, more = 0.1, 20, 60
    d, base = 0.02 * rng.standard_normal(n) + 0.023, rng.uniform(0.6, 0.8, n + more)
    sums = Sums.of(d)
    V = np.full((n + more, n + more), rho) + (1 - rho) * np.eye(n + more)
    to_new = V[n:, :n] @ np.linalg.inv(V[:n, :n])
    root = np.linalg.cholesky(V[n:, n:] - to_new @ V[:n, n:])

    def simulate(rng: np.random.Generator) -> Any:
        inner = sums.m2 / rng.chisquare(n - 1)
        mu = sums.mean + np.sqrt(inner * (1 / n + rho / (1 - rho))) * rng.standard_normal()
        new = mu + to_new @ (d - mu) + np.sqrt(inner / (1 - rho)) * root @ rng.standard_normal(more)
        return folds(np.concatenate([d, new]), base)

    compared(planned(folds(d, base[:n]), more, rope=0.01), simulate, rope=0.01)


def test_clusters() -> None:
    rng = np.random.default_rng(2)
    groups, rows, more = 40, 5, 120
    means = 0.03 + 0.1 * rng.standard_normal(groups)
    sums = Sums.of(means)

    def frame(means: np.ndarray) -> pd.DataFrame:
        # Rows that vary around their cluster's mean and leave it as it is: only the means enter the test.
        inside = np.tile(np.linspace(-0.05, 0.05, rows), means.size)
        d = np.repeat(means, rows) + inside
        return pd.DataFrame(
            {
                "id": np.arange(d.size),
                "doc": [f"d{i}" for i in np.repeat(np.arange(means.size), rows)],
                "A": d,
                "B": np.zeros(d.size),
            }
        )

    def simulate(rng: np.random.Generator) -> Any:
        tau = np.sqrt(sums.m2 / rng.chisquare(groups - 1))
        mu = rng.normal(sums.mean, tau / np.sqrt(groups))
        return frame(np.concatenate([means, rng.normal(mu, tau, more)]))

    found = planned(frame(means), more, rope=0.01, cluster="doc")
    compared(found, simulate, rope=0.01, cluster="doc")


@pytest.mark.parametrize(("seeds", "examples"), [(6, 0), (0, 60), (4, 60)])
def test_seeds_crossed_with_examples(seeds: int, examples: int) -> None:
    """Effects of the old table from their joint normal, the new cells one by one, the real posterior."""
    rng = np.random.default_rng(5)
    S, J = 3, 20
    d = 0.08 + 0.03 * rng.standard_normal((S, 1)) + 0.15 * rng.standard_normal(J)
    d = d + 0.1 * rng.standard_normal((S, J))
    fitted = bayes.crossed(d)
    edges, rope = Edges(low=-0.02, high=0.02), in_scores(-0.02, 0.02, "given")
    X = np.zeros((S, J, 1 + S + J))
    X[..., 0] = 1
    X[np.arange(S), :, 1 + np.arange(S)] = 1
    X[:, np.arange(J), 1 + S + np.arange(J)] = 1
    X = X.reshape(S * J, -1)
    decided, runs = 0, 2_000
    (seed, example), residual = fitted.effects, fitted.residual
    for _ in range(runs):
        while True:
            e, s, v = (k.ss / rng.chisquare(k.df) for k in (residual, seed, example))
            if min(s, v) >= e:
                break
        s2 = ((s - e) / J, (v - e) / S)
        precision = X.T @ X / e + np.diag([1e-9, *[1 / max(s2[0], 1e-12)] * S, *[1 / max(s2[1], 1e-12)] * J])
        cov = np.linalg.inv(precision)
        effects = cov @ X.T @ d.ravel() / e + np.linalg.cholesky(cov) @ rng.standard_normal(1 + S + J)
        u = np.append(effects[1 : 1 + S], np.sqrt(s2[0]) * rng.standard_normal(seeds))
        w = np.append(effects[1 + S :], np.sqrt(s2[1]) * rng.standard_normal(examples))
        table = effects[0] + u[:, None] + w + np.sqrt(e) * rng.standard_normal((u.size, w.size))
        table[:S, :J] = d
        p = probabilities(bayes.crossed(table).posterior, rope)
        decided += max(p.better, p.equivalent, p.worse) >= 0.95
    design = (
        MoreRuns(fitted=fitted, edges=edges, unit="seed", along=examples)
        if seeds
        else MoreRuns(fitted=fitted, edges=edges, unit="example")
    )
    found = np.mean(Rule()(design.future(seeds or examples, 20_000, np.random.default_rng(0))) < 3)
    share = decided / runs
    assert abs(found - share) < 0.03 + 3 * np.sqrt(share * (1 - share) / runs), (found, share)


def test_tasks_of_the_hierarchical_t_test() -> None:
    """The same simulated collections by the lattice and by the real fit: the shares of decisions agree."""
    rng = np.random.default_rng(3)
    rho, n, r = 0.1, 100, 0.01
    tasks = []
    for _ in range(12):
        mu, sigma = 0.006 + 0.012 * rng.standard_t(5), rng.uniform(0.01, 0.03)
        common = np.sqrt(rho) * sigma * rng.standard_normal()
        tasks.append(Sums.of(mu + common + np.sqrt(1 - rho) * sigma * rng.standard_normal(n)))
    fitted = bayes.hierarchical_t(tasks, rho=rho, scale=1.0)
    design = MoreTasks(fitted=fitted, low=-r, high=r)
    k, t, own, unit = design._lattice, design._table, fitted.tasks, fitted.unit
    p = np.exp(k.log_p)
    real, plan = [], []
    for node in rng.choice(p.size, size=60, p=p / p.sum()):
        like = rng.integers(own.loc.size, size=30)
        df = own.df[like] + 1
        seen = own.scale[like] * np.sqrt(rng.chisquare(df) / df)
        means = k.node_mu[node] + k.node_sigma[node] * rng.standard_t(k.node_nu[node], 30)
        means = means + own.scale[like] * rng.standard_normal(30)
        m2 = (seen * unit) ** 2 * n * (1 - rho) * (n - 2) / (1 + (n - 1) * rho)
        new = [Sums(n=n, mean=float(m * unit), m2=float(s)) for m, s in zip(means, m2, strict=True)]
        fit = bayes.hierarchical_t([*tasks, *new], rho=rho, scale=1.0).next_task(r).most_probable
        real.append(max(fit.better, fit.equivalent, fit.worse) >= 0.95)
        after = softmax(k.log_p[:, None] + t.added(means[None], t.kind_of(seen[None])))
        better, worse = float((k.better @ after)[0]), float((k.worse @ after)[0])
        plan.append(max(better, worse, 1 - better - worse) >= 0.95)
    # The same collections: what differs is the lattice alone, in at most two of sixty.
    assert np.sum(np.array(real) != np.array(plan)) <= 2
    assert abs(np.mean(real) - np.mean(plan)) < 0.035


def test_one_number_per_task() -> None:
    rng = np.random.default_rng(0)
    d = 0.012 + 0.02 * rng.standard_normal(15)
    base = rng.uniform(0.5, 0.8, 15)
    names = [f"t{i}" for i in range(15)]
    data = pd.DataFrame({"task": names, "A": base + d, "B": base})
    report = rw.compare(data, task="task", rope=0.01)
    c = (report.overall or report.comparisons)[0]
    (design,) = method_of(c).directions(c).designs
    found = np.mean(Rule()(design.future(45, 600, np.random.default_rng(0))) < 3)
    decided, runs = 0, 300
    for _ in range(runs):
        w = rng.dirichlet(np.ones(15))
        x = np.concatenate([d, rng.choice(d, size=45, p=w)])
        q = bayes.signed_rank(x, 0.01, draws=20_000).most_probable
        decided += max(q.better, q.equivalent, q.worse) >= 0.95
    share = decided / runs
    error = np.sqrt(share * (1 - share) * (1 / runs + 1 / 600))
    assert abs(found - share) < 0.03 + 3 * error, (found, share)

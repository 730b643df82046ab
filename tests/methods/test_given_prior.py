"""A prior of the advantage in `compare`. Oracles: conjugate normals, quadrature on a grid, limits."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import t as student

import ropewalk as rw
from ropewalk.decide.tilted import tilted
from ropewalk.errors import MethodError, OptionError
from ropewalk.posterior import Draws, Student


def scores(n: int = 60, mean: float = 0.05, sd: float = 0.2, seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    base = rng.normal(size=n)
    return {"a": base + mean + sd * rng.standard_normal(n), "b": base}


def answers(n01: int, n10: int, same: int) -> dict[str, np.ndarray]:
    k = np.repeat([1, 2, 3], [n01, n10, same])
    return {"a": k // 2, "b": k % 2}


def probabilities(data: object, **options: object) -> np.ndarray:
    report = rw.compare(data, **options)
    v = (report.overall or report.comparisons)[0].verdict
    return np.array([v.better, v.equivalent, v.worse])


def on_grid(x: np.ndarray, log_density: np.ndarray, rope: float) -> np.ndarray:
    p = np.exp(log_density - log_density.max())
    p /= p.sum()
    return np.array([p[x > rope].sum(), p[np.abs(x) <= rope].sum(), p[x < -rope].sum()])


def test_a_normal_posterior_and_a_normal_prior_are_conjugate() -> None:
    flat = Student(df=1e9, loc=0.3, scale=0.1)
    found = tilted(flat, 0.2)
    precision = 1 / 0.1**2 + 1 / 0.2**2
    centre, sd = 0.3 / 0.1**2 / precision, precision**-0.5
    assert found.mean == pytest.approx(centre, abs=1e-9)
    assert found.sd == pytest.approx(sd, rel=1e-6)
    for x in (-0.1, 0.1, 0.24, 0.5):
        assert float(found.sf(x)) == pytest.approx(ndtr((centre - x) / sd), rel=1e-6)


@pytest.mark.parametrize(
    ("df", "loc", "prior_sd"), [(3, 0.5, 0.05), (1, 2.0, 0.1), (9, 0.02, 0.015), (30, 0, 5)]
)
@pytest.mark.few(2)
def test_heavy_tails_far_from_the_prior(df: int, loc: float, prior_sd: float) -> None:
    # Oracle: adaptive quadrature of the product of both densities.
    found = tilted(Student(df=df, loc=loc, scale=0.1), prior_sd)

    def f(x: float) -> float:
        return float(student.pdf(x, df, loc, 0.1) * np.exp(-0.5 * (x / prior_sd) ** 2))

    def integral(low: float, high: float) -> float:
        ends = np.unique(np.clip([low, -0.1, 0.0, 0.5 * loc, loc, 0.1, 0.3, 1.0, high], low, high))
        return float(sum(quad(f, a, b, epsabs=0, epsrel=1e-10, limit=200)[0] for a, b in pairwise(ends)))

    end = max(4.0, 9 * prior_sd)
    total = integral(-end, end)
    for edge in (-0.05, 0.01, 0.1, 0.4):
        assert float(found.sf(edge)) == pytest.approx(integral(edge, end) / total, abs=1e-6)


def test_draws_are_weighted() -> None:
    x = np.random.default_rng(0).normal(0.3, 0.1, 200_000)
    found = tilted(Draws.of(x), 0.2)
    assert found.mean == pytest.approx(0.24, abs=1e-3)


def test_scores_by_t() -> None:
    data = scores()
    d = data["a"] - data["b"]
    x = np.linspace(-1, 1, 400_001)  # a step of 5e-6 leaves an error of 1e-4 at each edge
    log = student.logpdf(x, 59, d.mean(), d.std(ddof=1) / np.sqrt(60)) - 0.5 * (x / 0.015) ** 2
    assert probabilities(data, rope=0.01, prior_sd=0.015) == pytest.approx(on_grid(x, log, 0.01), abs=2e-4)
    assert probabilities(data, rope=0.01, prior_sd=1e3) == pytest.approx(
        probabilities(data, rope=0.01), abs=1e-6
    )


@pytest.mark.parametrize("rope", [0.01, "0.1sd"])
def test_right_and_wrong(rope: object) -> None:
    # Oracle: the Dirichlet posterior on a grid of (T, phi), times the prior of T (1 - 2 phi).
    n01, n10, same = 12, 25, 163
    t, phi = np.meshgrid((np.arange(2000) + 0.5) / 2000, (np.arange(2000) + 0.5) / 2000, indexing="ij")
    delta = t * (1 - 2 * phi)
    log = (1 + n01 + n10) * np.log(t) + (1 + same) * np.log1p(-t) + n01 * np.log(phi) + n10 * np.log1p(-phi)
    log -= 0.5 * (delta / 0.015) ** 2
    report = rw.compare(answers(n01, n10, same), rope=rope, prior_sd=0.015)
    (c,) = report.comparisons
    if c.rope.scale == "phi":
        p = np.exp(log - log.max())
        p /= p.sum()
        expected = [p[phi < c.rope.low].sum(), p[(phi >= c.rope.low) & (phi <= c.rope.high)].sum()]
        found = [c.verdict.better, c.verdict.equivalent]
    else:
        expected = list(on_grid(delta, log, 0.01)[:2])
        found = [c.verdict.better, c.verdict.equivalent]
    assert found == pytest.approx(expected, abs=3e-3)


def tasks(mean: float = 0.05) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = []
    for task in range(8):
        base = rng.normal(size=25)
        a = base + mean + rng.normal(0, 0.02) + rng.normal(0, 0.1, 25)
        for model, values in (("a", a), ("b", base)):
            rows += [(model, f"t{task}", i, v) for i, v in enumerate(values)]
    return pd.DataFrame(rows, columns=["model", "task", "id", "score"])


def test_over_tasks_it_is_a_prior_of_the_mean() -> None:
    flat, some, narrow = (probabilities(tasks(), rope=0.02, prior_sd=s) for s in (None, 0.03, 0.005))
    wide = probabilities(tasks(), rope=0.02, prior_sd=1e3)
    assert wide == pytest.approx(flat, abs=1e-4)
    assert flat[0] > some[0] > narrow[0]
    report = rw.compare(tasks(), rope=0.02, prior_sd=0.03)
    assert [c.prior_sd for c in report.comparisons] == [None] * 8
    assert report.overall[0].prior_sd == 0.03
    without = rw.compare(tasks(), rope=0.02)
    assert report.overall[0].estimate.mean < without.overall[0].estimate.mean


def test_the_report_says_so() -> None:
    report = rw.compare(scores(), rope=0.01, prior_sd=0.015)
    assert "standard deviation 0.015" in " ".join(report.to_text().split())
    found = json.loads(report.to_json())["comparisons"][0]
    assert found["prior_sd"] == 0.015
    assert json.loads(rw.compare(scores(), rope=0.01).to_json())["comparisons"][0]["prior_sd"] is None
    assert not report.comparisons[0].sensitivity.priors
    report.to_markdown()


@pytest.mark.parametrize("method", ["sign", "signed_rank"])
def test_methods_without_a_prior_of_the_advantage_refuse(method: str) -> None:
    with pytest.raises(MethodError, match=f"{method} has no prior on the advantage"):
        rw.compare(scores(), rope=0.01, method=method, prior_sd=0.015)


def test_what_else_is_refused() -> None:
    for bad in (0.0, -1.0, float("inf"), float("nan"), True):
        with pytest.raises(OptionError, match="prior_sd is"):
            rw.compare(scores(), prior_sd=bad)
    three = {**scores(), "c": scores(seed=3)["a"]}
    with pytest.raises(OptionError, match="there are 3 models"):
        rw.compare(three, prior_sd=0.1)
    assert rw.compare(three, prior_sd=0.1, pairs=[("a", "b")]).comparisons[0].prior_sd == 0.1


def test_nothing_changes_where_no_prior_is_given() -> None:
    assert rw.compare(scores(), rope=0.01).comparisons[0].prior_sd is None
    same = rw.compare({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0]}, prior_sd=0.1)
    assert same.comparisons[0].warnings

"""A prior of the advantage in plans. Oracles: quadrature on a fine grid, limits, weights written out."""

from __future__ import annotations

import pkgutil
from dataclasses import fields, is_dataclass, replace
from importlib import import_module

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.assurance import Answers, Edges, Normal
from ropewalk.assurance.more_rows import MoreRows
from ropewalk.assurance.more_runs import MoreRuns, _noise
from ropewalk.assurance.more_task_counts import MoreTaskCounts
from ropewalk.assurance.more_tasks import MoreTasks
from ropewalk.assurance.prior import kept
from ropewalk.assurance.resampled_tasks import ResampledTasks
from ropewalk.posterior import Probabilities
from ropewalk.sums import Sums

EDGES = Edges(low=-0.01, high=0.01)
DRAWS = 40_000
Z = 4 / np.sqrt(DRAWS)  # four standard errors of a standardised mean


@pytest.mark.parametrize(("n", "mean", "prior_sd"), [(6, 0.3, 0.1), (200, 0.05, 0.015), (200, 0.05, 1.0)])
@pytest.mark.parametrize("extra", [0.0, 0.1])
@pytest.mark.few(2)
def test_truths_of_scores(n: int, mean: float, prior_sd: float, extra: float) -> None:
    # Oracle: p(mu', sigma | data) on a grid, mu' = mu + common part: flat in log sigma, normal likelihood,
    # mu' ~ N(0, prior_sd² + extra sigma²).
    sd = 0.3
    sums = Sums(n=n, mean=mean, m2=sd**2 * (n - 1))
    design = Normal(unit="example", sums=sums, edges=EDGES, extra=extra, prior_sd=prior_sd)
    mu, sigma = design.truths(DRAWS, np.random.default_rng(0))
    s = np.exp(np.linspace(np.log(0.05), np.log(3.0), 1500))[:, None]
    m = np.linspace(-2, 2, 4001)
    w = prior_sd**2 + extra * s**2
    log_p = -(n) * np.log(s) - ((n - 1) * sd**2 + n * (mean - m) ** 2) / (2 * s**2)
    log_p += -0.5 * (m**2 / w + np.log(w))
    p = np.exp(log_p - log_p.max())
    p /= p.sum()
    centre, spread = (p @ m).sum(), np.sqrt((p @ m**2).sum() - (p @ m).sum() ** 2)
    assert mu.mean() == pytest.approx(centre, abs=2 * Z * spread)
    assert mu.std() == pytest.approx(spread, rel=0.03)
    typical = (p.sum(axis=1) * s[:, 0]).sum()
    assert sigma.mean() == pytest.approx(typical, rel=0.02)


@pytest.mark.parametrize(
    ("counts", "prior_sd"),
    [
        ((12, 20, 168), 0.015),
        ((3, 0, 20), 0.05),
        ((0, 0, 30), 0.02),
        ((12, 20, 168), 10.0),
        ((5, 40, 100), 0.02),
    ],
)
@pytest.mark.few(2)
def test_truths_of_answers(counts: tuple[int, int, int], prior_sd: float) -> None:
    # Oracle: the density of (T, phi) on a grid: two Betas times the normal prior of T (1 - 2 phi).
    n01, n10, same = counts
    design = Answers(n01=n01, n10=n10, same=same, edges=EDGES, prior_sd=prior_sd)
    rate, phi = design.truths(DRAWS, np.random.default_rng(1))
    delta = rate * (1 - 2 * phi)
    t, f = np.meshgrid((np.arange(1500) + 0.5) / 1500, (np.arange(1500) + 0.5) / 1500, indexing="ij")
    x = t * (1 - 2 * f)
    log_p = (1 + n01 + n10) * np.log(t) + (1 + same) * np.log1p(-t) + n01 * np.log(f) + n10 * np.log1p(-f)
    log_p -= 0.5 * (x / prior_sd) ** 2
    p = np.exp(log_p - log_p.max())
    p /= p.sum()
    centre = (p * x).sum()
    spread = np.sqrt((p * x**2).sum() - centre**2)
    assert delta.mean() == pytest.approx(centre, abs=3 * Z * spread)
    assert delta.std() == pytest.approx(spread, rel=0.03)
    assert np.mean(delta > 0.01) == pytest.approx((p * (x > 0.01)).sum(), abs=0.015)
    assert rate.mean() == pytest.approx((p * t).sum(), rel=0.02)


def test_kept_draws_have_their_weights() -> None:
    chosen = kept(np.log(np.array([1.0, 2.0, 5.0])), 8_000, np.random.default_rng(0))
    assert np.bincount(chosen) / 8_000 == pytest.approx([0.125, 0.25, 0.625], abs=0.001)
    assert abs(np.corrcoef(chosen[:-1], chosen[1:])[0, 1]) < 0.05  # in no order


def test_noise_given_the_whole_mean() -> None:
    # Oracle: conditional normals, E[e_k | M] = v_k M / (Q + Σ v) and Var = v_k - v_k² / (Q + Σ v).
    v, known, prior_sd, mean = (0.04, 0.01), 0.02, 0.1, 0.5
    shape = np.ones(DRAWS)
    found = _noise(
        [x * shape for x in v], known * shape, mean * shape, prior_sd, np.random.default_rng(0)
    )  # fmt: skip
    total = prior_sd**2 + known + sum(v)
    for e, x in zip(found, v, strict=True):
        sd = np.sqrt(x - x**2 / total)
        assert e.mean() == pytest.approx(x * mean / total, abs=Z * sd)
        assert e.std() == pytest.approx(sd, rel=0.02)


def pulled(design: object, more: int, draws: int = 3_000) -> tuple[float, float, float]:
    """Pr(better) in the mean of all futures under a flat, a moderate and a narrow prior."""
    found = []
    for prior_sd in (np.inf, 0.05, 0.001):
        p = replace(design, prior_sd=prior_sd).future(more, draws, np.random.default_rng(0))  # type: ignore
        found.append(float(p[0].mean()))
    return found[0], found[1], found[2]


@pytest.mark.proof
def test_every_design_is_pulled_towards_no_difference() -> None:
    rng = np.random.default_rng(2)
    tasks = [rng.normal(0.04, 0.1, 30) for _ in range(6)]
    runs = 0.1 + rng.normal(0, 0.3, 40) + rng.normal(0, 0.05, (4, 1)) + rng.normal(0, 0.2, (4, 40))
    fitted = bayes.crossed(runs)
    rows = MoreRows(sums=Sums(n=12, mean=0.05, m2=11 * 0.1**2), rows=5, within=0.04, edges=EDGES)
    counts = bayes.hierarchical_mcnemar([3, 4, 2, 5], [9, 8, 10, 7])
    on_phi = Edges(low=-0.05, high=0.05, relative=True)
    cases = [
        (Normal(unit="example", sums=Sums(n=50, mean=0.05, m2=49 * 0.04), edges=EDGES), 500),
        (Answers(n01=10, n10=22, same=168, edges=EDGES), 2_000),
        (rows, 200),
        (MoreRuns(fitted=fitted, edges=EDGES, unit="seed"), 50),
        (MoreRuns(fitted=fitted, edges=EDGES, unit="example"), 2_000),
        (MoreTasks(fitted=bayes.hierarchical_t(tasks), low=-0.01, high=0.01), 100),
        (MoreTaskCounts(fitted=counts, sizes=(60,) * 4, edges=on_phi), 100),
    ]  # fmt: skip
    for design, more in cases:
        draws = 200 if isinstance(design, MoreTasks | MoreTaskCounts) else 3_000
        flat, some, narrow = pulled(design, more, draws)
        assert flat > some > narrow, type(design).__name__


def test_a_flat_prior_is_the_limit_of_wide_ones() -> None:
    for design in (
        Normal(unit="example", sums=Sums(n=50, mean=0.05, m2=49 * 0.04), edges=EDGES),
        Answers(n01=10, n10=22, same=168, edges=EDGES),
    ):
        flat, wide = (
            replace(design, prior_sd=s).future(1_000, DRAWS, np.random.default_rng(3)).mean(axis=1)
            for s in (np.inf, 50.0)
        )
        assert wide == pytest.approx(flat, abs=0.01)


def test_collections_are_weighted_by_the_mean_of_their_population() -> None:
    # Oracle: the mean of the weighted Dirichlet draws, from many more of them.
    values = np.array([0.0, 0.1, 0.05, -0.02, 0.2])
    seen: list[float] = []

    def test(x: np.ndarray) -> Probabilities:
        seen.append(float(x[5:].mean()))
        return Probabilities(better=0.0, equivalent=1.0, worse=0.0)

    ResampledTasks(values=values, test=test, prior_sd=0.02).future(400, 3_000, np.random.default_rng(4))
    w = np.random.default_rng(5).dirichlet(np.ones(5), 200_000) @ values
    weight = np.exp(-0.5 * (w / 0.02) ** 2)
    expected = float(weight @ w / weight.sum())
    assert np.mean(seen) == pytest.approx(expected, abs=4 * np.std(seen) / np.sqrt(3_000))
    assert expected < 0.7 * values.mean()


def test_every_design_of_a_plan_has_a_prior() -> None:
    # A plan puts its prior into each of them: one without the field would fail only when it is planned.
    import ropewalk.assurance as room

    designs = []
    for found in pkgutil.iter_modules(room.__path__):
        module = import_module(f"ropewalk.assurance.{found.name}")
        designs += [c for c in vars(module).values() if is_dataclass(c) and hasattr(c, "future")]
    assert len(set(designs)) >= 7
    assert [c for c in designs if "prior_sd" not in {f.name for f in fields(c)}] == []

"""A leaderboard is as certain as its pairs if these hardly vary. Oracle: the pair's own posterior."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.analysis.hardly_varied import alike, still
from ropewalk.posterior import FewVaried, HardlyVaried, Unvaried
from ropewalk.results import Report
from ropewalk.sums import nearly_alike

ROPE = 0.01
MONTE_CARLO = 0.02  # 10,000 draws: four standard errors of a probability


def agree(report: Report, within: float = MONTE_CARLO) -> float:
    """P(best) of model a, which must be the chance of a positive advantage of a over b."""
    c = (report.overall or report.comparisons)[0]
    best = {m.name: m.p_best for m in report.models}
    assert best["a"] == pytest.approx(float(c.posterior.sf(0.0)), abs=within)  # type: ignore[union-attr]
    return float(best["a"])  # type: ignore[arg-type]


def trained(sd: float, models: str, *, same_seeds: bool, seeds: int = 3, examples: int = 20) -> Report:
    """Several training runs of each model; a is better by 0.03 on every example, give or take `sd`."""
    rng = np.random.default_rng(0)
    base, parts = rng.uniform(0.3, 0.6, examples), []
    for k, model in enumerate(models):
        for s in range(seeds):
            x = base + 0.03 * (k == 0) + sd * rng.normal(size=examples)
            seed = str(s) if same_seeds else f"{model}{s}"
            rows = {"model": model, "seed": seed, "example": np.arange(examples), "accuracy": x}
            parts.append(pd.DataFrame(rows))
    return rw.compare(pd.concat(parts), rope=ROPE, score="accuracy")


@pytest.mark.parametrize("same_seeds", [False, True])
@pytest.mark.parametrize(("sd", "kind"), [(0.0, Unvaried), (1e-5, HardlyVaried)])
def test_training_runs_that_hardly_vary(sd: float, kind: type, same_seeds: bool) -> None:
    two = trained(sd, "ab", same_seeds=same_seeds)
    assert type(two.comparisons[0].posterior) is kind
    assert two.comparisons[0].verdict.name == "undecided"
    assert agree(two) < 0.7  # it was 1.000
    three = {m.name: m.p_best for m in trained(sd, "abc", same_seeds=same_seeds).models}
    assert three["a"] is not None
    assert 1 / 3 < three["a"] < agree(two)
    assert three["b"] == pytest.approx(three["c"], abs=0.03)


def test_training_runs_that_vary_are_left_alone() -> None:
    assert agree(trained(1e-3, "ab", same_seeds=False)) > 0.999


@pytest.mark.parametrize("question", ["average", "these"])
@pytest.mark.parametrize("sd", [0.0, 1e-5])
def test_tasks_that_hardly_vary(question: str, sd: float) -> None:
    rng = np.random.default_rng(1)
    b, d = rng.uniform(0.3, 0.6, (5, 20)), 0.03 + sd * rng.normal(size=(5, 20))
    ids = {"task": np.repeat(list("vwxyz"), 20), "id": np.tile(np.arange(20), 5)}
    sides = {name: pd.DataFrame({**ids, "score": x.ravel()}) for name, x in (("a", b + d), ("b", b))}
    report = rw.compare(sides, rope=ROPE, higher_is_better=True, question=question)  # type: ignore[arg-type]
    assert agree(report) < 0.7


def test_task_means_that_are_equal_by_chance_are_no_lack_of_variation() -> None:
    # On every task the mean advantage is 0.03, but it varies over the examples.
    rng = np.random.default_rng(2)
    b, d = rng.uniform(0.3, 0.6, (6, 20)), 0.05 * rng.normal(size=(6, 20))
    d += 0.03 - d.mean(axis=1, keepdims=True)
    ids = {"task": np.repeat(list("uvwxyz"), 20), "id": np.tile(np.arange(20), 6)}
    sides = {name: pd.DataFrame({**ids, "score": x.ravel()}) for name, x in (("a", b + d), ("b", b))}
    report = rw.compare(sides, rope=ROPE, higher_is_better=True)
    assert not [c for c in report.overall[0].checks if c.kind == "no variation"]
    assert report.board is not None
    assert report.board.posterior.p_best[report.board.names.index("a")] > 0.99


@pytest.mark.parametrize("n", [10, 20, 50])
@pytest.mark.parametrize("varied", [1, 2, 3])
@pytest.mark.parametrize("size", [1e-3, 4e-3, 0.02, 0.2])
def test_few_examples_that_differ_from_the_rest(n: int, varied: int, size: float) -> None:
    # P(best) was up to 1.000 where the pair was undecided with 0.65.
    b, d = np.random.default_rng(3).uniform(0.3, 0.6, n), np.full(n, 0.03)
    d[:varied] += size * np.array([1.0, -0.7, 0.4])[:varied]
    sides = {"a": b + d, "b": b}
    rows = [pd.DataFrame({"example": range(n), "model": m, "accuracy": x}) for m, x in sides.items()]
    report = rw.compare(pd.concat(rows), rope=ROPE, score="accuracy")
    few = isinstance(report.comparisons[0].posterior, FewVaried)
    assert few == (size < 0.005 or varied <= n / 10)
    # The few that differ count once more in the draws, as in the t-test.
    assert agree(report, within=0.06 if few else MONTE_CARLO) < (0.93 if few else 1.01)


def test_auroc_that_never_varies() -> None:
    rng = np.random.default_rng(4)
    y = np.repeat([1, 0], [3, 20])
    scores = {"a": y + 0.001 * rng.random(23), "b": 1 - y + 0.001 * rng.random(23)}
    sides = {m: pd.DataFrame({"id": range(23), "y": y, "p": x / 2}) for m, x in scores.items()}
    report = rw.compare(sides, metric="auroc", truth="y", score="p", rope=ROPE)
    # Oracle: three examples of the rarer class that all say 1, between -1 and 1.
    assert agree(report, 0.01) == pytest.approx(1 - 0.5 * 2 * 0.5 ** (3 + 3), abs=0.01)


def test_what_may_hardly_vary_is_not_missed() -> None:
    # Oracle: the differences themselves.
    rng = np.random.default_rng(5)
    for n in (5, 12, 40, 59, 60, 200):
        base = rng.uniform(0.3, 0.6, n)
        z = np.column_stack([base + 0.01 * k for k in range(6)])
        z[: n // 10, 0] += rng.normal(0, 0.3, n // 10)
        z[:, 1] += rng.uniform(-0.002, 0.002, n)
        z[rng.random(n) < 0.12, 2] += 0.2
        z[:, 3] += rng.normal(0, 0.1, n)
        z[:, 5] += rng.normal(0, 1e-4, n)
        z = np.clip(z, 0.0, 1.0)
        may = alike(z, 0.01)
        hardly = still(np.std(z[:, :, None] - z[:, None], axis=0, ddof=1), z)
        for i in range(6):
            for j in range(i):
                d = z[:, i] - z[:, j]
                assert may[i, j] or not nearly_alike(d, within=0.005)
                assert hardly[i, j] == (d.std(ddof=1) <= 4e-4)  # twice 1e-4 of a range of 2
        assert not may[3, 4]
        assert may[0, 4]
        assert hardly[4, 5]
        percent = still(np.full((2, 2), 0.019), 100 * z)
        assert percent.all()
        assert not still(np.full((2, 2), 0.021), 100 * z).any()
    assert not alike(np.column_stack([base, np.full(n, np.nan)]), 0.01)[0, 1]

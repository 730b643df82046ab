"""Seeds, folds and tasks whose differences hardly vary. Oracles: the mixture of two closed forms."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ropewalk as rw
from ropewalk.gate import Policy
from ropewalk.posterior import HardlyVaried, Student, Unvaried
from ropewalk.results import Comparison, Report
from tests.gate.sides import judge

ROPE = 0.01
# Standardized, so that the sample standard deviation is known.
Z = {n: stats.zscore(np.random.default_rng(n).normal(size=n), ddof=1) for n in (5, 10)}
UNITS = {"seed": 5, "fold": 5, "task": 10}


def table(unit: str, at: float, sd: float, models: str = "ab") -> pd.DataFrame:
    """Model a is better than the others by `at`, with this standard deviation of the differences."""
    n = UNITS[unit]
    b = np.linspace(0.75, 0.85, n)
    parts = []
    for k, name in enumerate(models):
        x = b + at + sd * Z[n] if k == 0 else b
        parts.append(pd.DataFrame({unit: [f"{unit}{i}" for i in range(n)], "model": name, "accuracy": x}))
    return pd.concat(parts)


def report_of(unit: str, at: float, sd: float, models: str = "ab", **options: object) -> Report:
    return rw.compare(table(unit, at, sd, models), rope=ROPE, score="accuracy", **options)  # type: ignore[arg-type]


def compared(unit: str, at: float, sd: float, **options: object) -> Comparison:
    report = report_of(unit, at, sd, **options)
    return (report.overall or report.comparisons)[0]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("at", [0.03, 0.0])
def test_differences_that_vary_by_a_hundred_thousandth_are_worth_little_more_than_equal_ones(
    unit: str, at: float
) -> None:
    # Oracle: 1e-5 is a tenth of the way from equal to a hundredth of a point, so equal differences weigh 0.9
    # (the way starts at the rounding of the scores, a millionth of their mean). The t-test said 1.000.
    c, n, sd = compared(unit, at, 1e-5), UNITS[unit], 1e-5
    rounding = 1e-6 * (0.8 + at)
    w = (1e-4 - sd) / (1e-4 - rounding)
    extra = (1 / 5) / (1 - 1 / 5) if unit == "fold" else 0.0
    equal = Unvaried(at=at, low=-1.0, high=1.0, n=1 / (1 / n + extra))
    by_t = stats.t(n - 1, at, sd * np.sqrt(1 / n + extra))
    assert c.verdict.name == "undecided"
    assert c.verdict.better == pytest.approx(w * float(equal.sf(ROPE)) + (1 - w) * by_t.sf(ROPE), abs=1e-9)
    assert c.verdict.worse == pytest.approx(w * float(equal.cdf(-ROPE)) + (1 - w) * by_t.cdf(-ROPE), abs=1e-9)
    assert c.verdict.better < 0.7
    (check,) = [check for check in c.checks if check.kind == "no variation"]
    assert not check.ok
    assert check.numbers["weight"] == pytest.approx(w, rel=1e-6)
    assert check.text.startswith("the differences vary by less than 0.0001 around ")
    if at and unit == "seed":  # so many constant differences of 0.03 between -1 and 1 leave 5%
        assert "116 identical, independent ones would be enough for a verdict" in check.text
    assert not c.is_identical


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("at", [0.03, 0.0])
@pytest.mark.few(3)
def test_the_step_from_equal_to_varying_is_continuous(unit: str, at: float) -> None:
    steps = [0.0, 1e-7, *np.linspace(1e-6, 1e-4, 12), 1.1e-4]
    found = [compared(unit, at, float(sd)).verdict for sd in steps]
    chances = np.array([[v.better, v.equivalent, v.worse] for v in found])
    assert np.abs(np.diff(chances, axis=0)).max() < 0.09
    said = chances[:, 0 if at else 1]
    assert np.all(np.diff(said[:-1]) > -1e-9)  # the more it varies, the more it says about the next
    assert said[0] < 0.65
    assert said[-1] > 0.999


@pytest.mark.parametrize("unit", UNITS)
def test_an_ordinary_spread_is_left_to_the_t_test(unit: str) -> None:
    for sd in (1.01e-4, 1e-3, 0.01):
        c = compared(unit, 0.03, sd)
        assert isinstance(c.posterior, Student)
        assert not [check for check in c.checks if check.kind == "no variation"]
    for factor, scale in ((0.5, 1.0), (2.0, 0.0)):  # unbounded: a ten-thousandth of how far scores lie apart
        times = table(unit, 0.5, factor * 1e-4 * (0.6 + 2e-4)).rename(columns={"accuracy": "reward"})
        c = rw.compare(times, rope=0.1, score="reward", higher_is_better=True)
        kinds = [type((c.overall or c.comparisons)[0].posterior)]
        assert kinds == [HardlyVaried if scale else Student]
    percent = table(unit, 0.03, 1e-5)
    percent["accuracy"] *= 100
    c = rw.compare(percent, rope=1.0, score="accuracy")
    same = compared(unit, 0.03, 1e-5).verdict
    found = (c.overall or c.comparisons)[0].verdict
    assert (found.better, found.worse) == pytest.approx((same.better, same.worse), abs=1e-9)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("sd", [0.0, 1e-5])
def test_all_models_together_are_as_uncertain_as_the_pair(unit: str, sd: float) -> None:
    # Oracle: P(best) of two models is the pair's chance of a positive advantage.
    report = report_of(unit, 0.03, sd)
    c = (report.overall or report.comparisons)[0]
    ahead = float(c.posterior.sf(0.0))  # type: ignore[union-attr]
    best = {m.name: m.p_best for m in report.models}
    assert best["a"] == pytest.approx(ahead, abs=0.02)  # 10,000 draws
    assert best["a"] < 0.75
    three = report_of(unit, 0.03, sd, "abc")
    chances = {m.name: m.p_best for m in three.models}
    assert chances["a"] is not None
    assert chances["a"] < 0.75
    assert chances["b"] == pytest.approx(chances["c"], abs=0.03)
    assert report_of(unit, 0.03, 0.005).models[0].p_best == pytest.approx(1.0, abs=1e-3)


def over_tasks(at: float, sd: float, tasks: int = 10, n: int = 20) -> dict[str, pd.DataFrame]:
    rng = np.random.default_rng(1)
    z = stats.zscore(rng.normal(size=tasks * n), ddof=1).reshape(tasks, n)
    b = rng.uniform(0.3, 0.6, (tasks, n))
    ids = {"task": np.repeat([f"t{k}" for k in range(tasks)], n), "id": np.tile(np.arange(n), tasks)}
    return {name: pd.DataFrame({**ids, "score": x.ravel()}) for name, x in (("a", b + at + sd * z), ("b", b))}


@pytest.mark.parametrize("question", ["average", "these", "next", "likeliest"])
def test_tasks_on_which_hardly_anything_varies(question: str) -> None:
    # Oracle: ten constant differences of 0.03, with nine tenths of the weight.
    sides = over_tasks(0.03, 1e-5)
    report = rw.compare(sides, rope=ROPE, higher_is_better=True, question=question)  # type: ignore[arg-type]
    (c,) = report.overall
    equal = float(Unvaried(at=0.03, low=-1.0, high=1.0, n=10.0).sf(ROPE))
    w = (1e-4 - 1e-5) / (1e-4 - 1e-6 * c.evidence.mean_a)
    assert isinstance(c.posterior, HardlyVaried)
    varied = 1.0 if question == "likeliest" else float(c.posterior.varied.sf(ROPE))
    assert varied > 0.95  # 1.000 but for a new task
    assert c.verdict.better == pytest.approx(w * equal + (1 - w) * varied, abs=1e-3)
    assert c.verdict.name == "undecided"
    directions = rw.plan(sides, rope=ROPE, higher_is_better=True, question=question).pairs[0].directions
    assert not directions  # these data do not show how further tasks would turn out


def test_the_gate_claims_nothing_about_other_tasks() -> None:
    # Six tasks of 100 examples; the candidate is worse by 0.03, give or take 1e-5, and the margin is 0.04.
    rng = np.random.default_rng(2)
    baseline = {f"t{k}": rng.uniform(0.4, 0.6, 100) for k in range(6)}
    off = stats.zscore(rng.normal(size=6))
    policy = Policy(margin=0.04, question="average")
    for spread, name in ((1e-5, "undecided"), (5e-4, "not worse")):
        shifted = {t: x - 0.03 + spread * d for (t, x), d in zip(baseline.items(), off, strict=True)}
        decision = judge(baseline, shifted, policy)
        assert decision.overall.name == name
        assert ("differ by the same amount" in decision.overall.refused) == (name == "undecided")

"""What is looked at beside every answer, and what it says when something is wrong."""

from __future__ import annotations

from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtr

import ropewalk as rw
from ropewalk.bayes import sign
from ropewalk.methods import checks
from ropewalk.report import Comparison


def texts(c: Comparison, name: str) -> list[str]:
    return [check.text for check in c.checks if check.name == name]


def test_a_claim_if_folds_are_twice_as_correlated() -> None:
    # Oracle: simulation of folds with the doubled correlation, the true mean on the edge.
    n, rho, rng = 10, 0.1, np.random.default_rng(0)
    d = (
        0.01
        + np.sqrt(2 * rho) * rng.normal(size=(20_000, 1))
        + np.sqrt(1 - 2 * rho) * rng.normal(size=(20_000, n))
    )
    scale = d.std(axis=1, ddof=1) * np.sqrt(1 / n + rho / (1 - rho))
    claims = np.mean(stdtr(n - 1, (d.mean(axis=1) - 0.01) / scale) >= 0.95)
    found = checks.correlation(n, rho, 0.95)
    assert found.numbers["wrong_if_twice"] == pytest.approx(claims, abs=4 * np.sqrt(0.1 * 0.9 / 20_000))
    assert found.text.startswith(
        "0.1 is a rule of thumb; if it were 0.2, a verdict near the edge of the ROPE would be wrong"
    )
    assert found.ok


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 9, 12, 40])
def test_coarse_steps_of_the_sign_test(n: int) -> None:
    # Oracle: every number of wins, asked of the test itself.
    said = [sign([1.0, -1.0], 0.0, counts=[k, n - k]).most_probable.better >= 0.95 for k in range(n + 1)]
    wrong = sum(comb(n, k) for k, so in enumerate(said) if so) / 2**n
    found = checks.coarse(n, "tasks", 0.95)
    assert bool(found) == (wrong > 0.075)
    if found:
        assert found[0].numbers["wrong"] == pytest.approx(wrong, rel=1e-12)
        assert not found[0].ok


def test_few_wins_and_losses_are_said_to_go_in_coarse_steps() -> None:
    c = rw.compare({"a": [0.3, 0.4, 0.6], "b": [0.2, 0.1, 0.3]}, method="sign", rope=0.0).comparisons[0]
    (text,) = texts(c, "discreteness")
    assert (
        "one of two equal models is called better in 12.5% of cases in each direction, instead of 5%" in text
    )
    with_rope = rw.compare({"a": [0.3, 0.4, 0.6], "b": [0.2, 0.1, 0.3]}, method="sign", rope=0.05)
    assert not texts(with_rope.comparisons[0], "discreteness")


@pytest.mark.parametrize(
    ("turn", "says"), [(np.exp, "7 to 25% of the time"), (np.sinh, "wrong 7% of the time")]
)
def test_what_skew_and_heavy_tails_cost(turn: object, says: str) -> None:
    half = np.random.default_rng(0).normal(size=200)
    z = np.append(half, -half)
    c = rw.compare({"a": turn(z), "b": np.zeros(400)}, rope=0.1, method="t").comparisons[0]  # type: ignore[operator]
    (text,) = texts(c, "normality")
    assert says in text
    straight = rw.compare({"a": z, "b": np.zeros(400)}, rope=0.1, method="t").comparisons[0]
    assert texts(straight, "normality")[0].startswith("no evidence against it")


def test_few_examples_of_a_class() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [60, 9])
    a, b = 0.5 * rng.random((2, y.size)) + 0.3 * y
    c = rw.compare(pd.DataFrame({"y": y, "a": a, "b": b}), truth="y", metric="auroc").comparisons[0]
    (text,) = texts(c, "class sizes")
    assert text.startswith("9 examples of the rarest class, fewer than 10")


def test_tasks_that_hardly_decide() -> None:
    rng = np.random.default_rng(0)
    a = {f"task {i}": {"a": rng.normal(0, 1, 30), "b": rng.normal(0, 1, 30)} for i in range(8)}
    rows = [
        {"task": task, "unit": i, "model": m, "score": x}
        for task, both in a.items()
        for m, scores in both.items()
        for i, x in enumerate(scores)
    ]
    c = rw.compare(pd.DataFrame(rows), method="poisson_binomial").overall[0]
    (check,) = (k for k in c.checks if k.name == "close tasks")
    assert not check.ok
    assert "count about half for each model: if one model's wins are clear" in check.text

"""The t-test on autocorrelated rows, against the posterior of so many independent rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import ropewalk as rw
from ropewalk.decide import series_summary


def walk(n: int, r: float) -> np.ndarray:
    rng = np.random.default_rng(5)
    x = np.zeros(n)
    for i in range(1, n):
        x[i] = r * x[i - 1] + rng.normal()
    return x


def test_it_is_the_t_test_of_the_effective_number_of_rows() -> None:
    d = walk(400, 0.6)
    report = rw.compare({"a": d, "b": np.zeros(400)}, method="ess", rope=0.5, higher_is_better=True)
    (c,) = report.comparisons
    n_eff = series_summary(d).n_eff
    assert 50 < n_eff < 250  # (1 - r)/(1 + r) of 400 is 100
    low = stats.t.cdf(-0.5, n_eff - 1, d.mean(), d.std() / np.sqrt(n_eff - 1))
    assert c.verdict.worse == pytest.approx(low, rel=1e-6)
    (check,) = [k for k in c.checks if k.kind == "dependence"]
    assert check.numbers["n_eff"] == pytest.approx(n_eff)

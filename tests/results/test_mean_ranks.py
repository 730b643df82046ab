"""The Bayesian Friedman test of a report next to the classical one, from the same ranks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import ropewalk as rw


@pytest.fixture(scope="module")
def report() -> rw.Report:
    rng = np.random.default_rng(3)
    base = rng.normal(0.7, 0.05, 20)
    scores = {
        m: {f"t{i}": x for i, x in enumerate(base + shift + rng.normal(0, 0.02, 20))}
        for m, shift in (("a", 0.05), ("b", 0.0), ("c", -0.01))
    }
    return rw.compare(scores, model=["a", "b", "c"], rope=0.01, higher_is_better=True)


def test_the_classical_test_is_scipys(report: rw.Report) -> None:
    found = report.mean_ranks
    columns = [report.by_task.values[:, k] for k in range(3)]
    expected = stats.friedmanchisquare(*columns)
    assert found.classical.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.tasks == 20


def test_models_are_sorted_and_their_numbers_are_those_of_the_draws(report: rw.Report) -> None:
    found = report.mean_ranks
    assert found.models[0].name == "a"
    ranks = [m.mean_rank for m in found.models]
    assert ranks == sorted(ranks)
    assert sum(ranks) == pytest.approx(1 + 2 + 3)
    for m in found.models:
        assert 1 <= m.low <= m.mean_rank <= m.high <= 3
        assert m.p_best <= m.p_within_rope
    assert found.rope == pytest.approx(0.05 * 2)

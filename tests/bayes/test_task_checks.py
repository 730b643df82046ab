"""Predictive checks of task means."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.bayes import hierarchical_accuracy, hierarchical_mcnemar, hierarchical_t
from ropewalk.bayes.predictive_checks import accuracy_checks, mcnemar_checks, t_checks
from ropewalk.sums import Sums
from tests.bayes.checked_tasks import smallest


def scores(means: np.ndarray, sd: np.ndarray) -> list[Sums]:
    return [Sums(n=20, mean=float(m), m2=float(19 * s**2)) for m, s in zip(means, sd, strict=True)]


def test_means_of_the_hierarchical_t_test() -> None:
    rng = np.random.default_rng(6)
    sd = np.exp(rng.normal(-3, 0.5, 40))
    good = 0.01 + 0.02 * rng.standard_normal(40) + sd / np.sqrt(20) * rng.standard_normal(40)
    found = smallest(t_checks(hierarchical_t(scores(good, sd), tolerance=1e-3)))
    assert set(found) == {"skew", "dependence"}
    assert min(found.values()) > 0.01
    skewed = np.concatenate([np.zeros(22), 0.05 + 0.1 * np.arange(18) / 18]) + 0.001 * rng.standard_normal(40)
    small = np.full(40, 0.02)
    assert smallest(t_checks(hierarchical_t(scores(skewed, small), tolerance=1e-3)))["skew"] < 0.01
    larger = 0.3 * sd + 0.002 * rng.standard_normal(40)  # the noisier a task the larger its advantage
    assert smallest(t_checks(hierarchical_t(scores(larger, sd), tolerance=1e-3)))["dependence"] < 0.01


@pytest.mark.parametrize("n", [2, 4])
def test_with_few_tasks_nothing_is_checked(n: int) -> None:
    assert accuracy_checks(hierarchical_accuracy([3] * n, [2] * n, [20] * n)) == []
    assert mcnemar_checks(hierarchical_mcnemar([3] * n, [2] * n)) == []
    assert t_checks(hierarchical_t([[0.1, 0.2, 0.3]] * n)) == []

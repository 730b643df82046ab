"""The posterior of one task's mean, on points that lie where its mass is."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.bayes.hierarchical_t import hierarchical_t
from ropewalk.bayes.task_mean import TaskMean, refined


def test_the_shortest_interval_of_a_task_has_equal_densities_at_its_ends() -> None:
    task = hierarchical_t([[0.1, 0.3, 0.2, 0.5], [0.0, 0.2, 0.1], [0.4, 0.1, 0.2]]).task(0)
    low, high = task.hdi(0.9)
    assert float(task.cdf(high) - task.cdf(low)) == pytest.approx(0.9, abs=1e-6)
    assert float(task.pdf(low)) == pytest.approx(float(task.pdf(high)), rel=1e-2)
    assert high - low <= np.diff(task.interval(0.9))[0]


def test_points_are_added_until_the_density_is_a_normal_one() -> None:
    """Oracle: the standard normal distribution, from a first look of eleven points."""
    x, log_density = refined(lambda x: -0.5 * x**2, np.linspace(-8.0, 8.0, 11))
    found = TaskMean(x, log_density)
    assert found.mean == pytest.approx(0, abs=1e-6)
    assert found.hdi(0.95) == pytest.approx((-1.959964, 1.959964), abs=2e-3)

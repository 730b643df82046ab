"""A hierarchical fit that several test files look at."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.bayes import HierarchicalT, hierarchical_t


@pytest.fixture(scope="session")
def twelve_tasks() -> HierarchicalT:
    rng = np.random.default_rng(1)
    return hierarchical_t(rng.normal(0.012, 0.02, (12, 1)) + rng.normal(0, 0.03, (12, 10)))

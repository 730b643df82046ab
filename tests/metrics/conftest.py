"""Weights of draws."""

from __future__ import annotations

import numpy as np
import pytest

from tests.metrics.made import DRAWS, N


@pytest.fixture(scope="module")
def weights() -> np.ndarray:
    """Dirichlet-like weights, whole numbers with zeros, and ones."""
    rng = np.random.default_rng(5)
    w = rng.standard_exponential((DRAWS, N))
    w[-2] = rng.multinomial(N, np.full(N, 1 / N))
    w[-1] = 1.0
    return w

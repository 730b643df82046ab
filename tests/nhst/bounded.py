"""Bounded scores."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.special import gammaln

LEVEL = 0.95


# Distributions of a difference between -1 and 1: (values, chances).
SHAPES = {
    "right and wrong": ([-1.0, 0.0, 1.0], [0.12, 0.8, 0.08]),
    "rare and large": ([-1.0, 0.05], [0.07, 0.93]),
    "three grades": ([-0.5, 0.0, 0.5], [0.3, 0.5, 0.2]),
    "never alike": ([-1.0, 1.0], [0.55, 0.45]),
    "nearly alike": ([-1.0, 0.0], [0.02, 0.98]),
    "all to gain": ([0.0, 1.0], [0.98, 0.02]),
}


def samples(values: list[float], chances: list[float], n: int) -> list[tuple[np.ndarray, float]]:
    """Every sample of n up to its order, with its chance."""
    found = []
    for counts in product(range(n + 1), repeat=len(values) - 1):
        if sum(counts) <= n:
            c = np.array([*counts, n - sum(counts)])
            log = gammaln(n + 1) - gammaln(c + 1).sum() + c @ np.log(chances)
            found.append((np.repeat(values, c), float(np.exp(log))))
    assert sum(p for _, p in found) == pytest.approx(1)
    return found

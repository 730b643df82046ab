"""Pilots to plan from."""

from __future__ import annotations

import numpy as np

import ropewalk as rw
from ropewalk.plan.result import Plan


def outcomes(n: int = 1_200, seed: int = 0) -> dict[str, np.ndarray]:
    k = np.random.default_rng(seed).choice(4, n, p=[0.08, 0.062, 0.081, 0.777])
    return {"forest": k // 2, "svm": k % 2}


def scores(n: int = 300, mean: float = 0.03, seed: int = 1) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    base = rng.standard_normal(n)
    return {"new": base + mean + 0.3 * rng.standard_normal(n), "old": base}


def plan(data: object, **options: object) -> Plan:
    return rw.plan(data, draws=400, **options)

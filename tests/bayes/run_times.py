"""Run times that hit their limit."""

from __future__ import annotations

from itertools import product

import numpy as np

REGIONS = ("better", "equivalent", "worse")


INF = np.inf


def completions(low: list[float], high: list[float], places: list[float]) -> list[np.ndarray]:
    """Every way to put each unknown difference on one of `places` that lies strictly between its bounds."""
    each = [[a] if a == b else [p for p in places if a < p < b] for a, b in zip(low, high, strict=True)]
    return [np.array(one) for one in product(*each)]


LOW = [5, -INF, 2, -3, -INF, -INF, 0.5, 1.0, -INF]


HIGH = [5, INF, 2, -3, 0.7, -2, INF, 1.0, INF]


PLACES = [-9.0, -1.5, 0.0, 0.6, 1.5, 9.0]

"""Small data for the tests of the metrics."""

from __future__ import annotations

import numpy as np

N, DRAWS = 257, 6


def data(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Truth and prediction with many ties."""
    rng = np.random.default_rng(11)
    if kind == "numbers":
        y = rng.normal(3.0, 2.0, N)
        return y, y + rng.normal(0.2, 1.0, N)
    if kind == "three labels":
        y = rng.integers(0, 3, N)
        return y, np.where(rng.random(N) < 0.6, y, rng.integers(0, 3, N))
    y = (rng.random(N) < 0.3).astype(int)
    if kind == "labels":
        return y, np.where(rng.random(N) < 0.7, y, 1 - y)
    p = np.clip(np.round(0.3 * y + rng.random(N) * 0.7, 1), 0.05, 0.95)
    return y, p

"""Tasks on which several models were run."""

from __future__ import annotations

import numpy as np


def world(
    n_tasks: int, n: int, mu: np.ndarray, omega: float = 0.1, noise: float = 0.5, seed: int = 0
) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    k = len(mu)
    return [
        mu + rng.normal() + rng.normal(0, omega, k) + rng.normal(0, 1, (n, 1)) + rng.normal(0, noise, (n, k))
        for _ in range(n_tasks)
    ]

"""Units on which several models were run."""

from __future__ import annotations

import numpy as np

from ropewalk.posterior import Draws, Posterior


def distance(draws: Draws, exact: Posterior) -> float:
    """Kolmogorov's distance times sqrt(n): above 1.95 for one in a thousand draws of the exact one."""
    above = np.arange(1, draws.x.size + 1) / draws.x.size
    at = exact.cdf(draws.x)
    return float(np.sqrt(draws.x.size) * max(np.max(above - at), np.max(at - above + 1 / draws.x.size)))


def scores(n: int, k: int, seed: int = 0) -> np.ndarray:
    """Units of different difficulty, models of different quality and spread."""
    rng = np.random.default_rng(seed)
    return rng.normal(0, 1, (n, 1)) + 0.1 * np.arange(k) + rng.normal(0, 0.5 + 0.2 * np.arange(k), (n, k))
